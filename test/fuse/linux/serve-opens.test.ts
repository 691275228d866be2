import { constants } from 'node:fs';
import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { fileInfo, linkInfo } from '../../../src/core/node-info.ts';
import { parsePath } from '../../../src/core/paths.ts';
import type { NodeInfo, OpenFile } from '../../../src/core/resolver.ts';
import { OpenedFile } from '../../../src/fuse/linux/handles.ts';
import type { Node } from '../../../src/fuse/linux/node-table.ts';
import { nameBytes, words } from './fake-served.ts';
import {
  DIRECT_IO,
  FLAGS_AT,
  KEEP_CACHE,
  keepsPages,
  type OpenableTree,
  type Opened,
  open,
  openOnce,
  PASS_THROUGH,
  release,
  subject,
} from './opened-files.ts';

const { O_RDONLY, O_RDWR } = constants;

t.test(
  'what the kernel reads by itself is passed through to all who open it, and written to without a cache',
  async (t) => {
    const { served, tree, node, file } = subject();
    tree.written = file;
    file.descriptor = 9;
    const bytes = await served.answer('open', node, words(O_RDONLY));
    t.equal(bytes.readUInt32LE(FLAGS_AT) & (PASS_THROUGH | DIRECT_IO | KEEP_CACHE), PASS_THROUGH);
    t.equal(bytes.readInt32LE(12), 9);
    const writer = await open(served, node, O_RDWR);
    t.equal(writer.flags & (PASS_THROUGH | DIRECT_IO | KEEP_CACHE), PASS_THROUGH | DIRECT_IO);
    file.info = fileInfo(20, 2n);
    await release(served, node, writer.handle);
    t.equal(node.backing, 9);
    await release(served, node, Number(bytes.readBigUInt64LE(0)));
    t.equal(node.backing, undefined);
    t.notOk(
      keepsPages(served, await open(served, node, O_RDWR)),
      'what was written past the cache is not in it',
    );
  },
);

t.test('what is in a cache is not passed through', async (t) => {
  const { served, tree, node, file } = subject();
  tree.written = file;
  file.descriptor = 9;
  t.ok(keepsPages(served, await open(served, node, O_RDWR)));
  t.equal((await open(served, node)).flags & (PASS_THROUGH | KEEP_CACHE), KEEP_CACHE);
});

t.test('another live file that has the name by now is looked up first', async (t) => {
  const { served, node, file } = subject({ ...fileInfo(10, 1n), inode: 7 });
  file.info = { ...fileInfo(10, 1n), inode: 8 };
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  t.same(file.did, ['close']);
  t.equal(served.handles.size, 0);
});

t.test('a file whose name is taken again and again is opened as what has the name by then', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), inode: 7 });
  const root = served.nodes.root;
  /** Its name is taken, and after it was sent back and found the next one, that one's, too. */
  async function takenTwice(first: Node): Promise<Node> {
    served.nodes.removeName(root, 'a');
    await t.rejects(openOnce(served, first), { name: 'Stale' });
    await served.ask('lookup', root, nameBytes('a'));
    const next = root.children?.get('a');
    if (next === undefined) throw new Error('nothing was found');
    served.nodes.removeName(root, 'a');
    return next;
  }
  const toWrite = await takenTwice(node);
  await t.rejects(openOnce(served, toWrite, O_RDWR), { name: 'Stale' }, 'not to write');
  file.did.splice(0);
  const second = await takenTwice(toWrite);
  file.info = { ...fileInfo(33, 1n), inode: 8 };
  tree.put('/a', file.info);
  const { flags } = await openOnce(served, second);
  t.equal(flags & DIRECT_IO, DIRECT_IO, 'past the pages of the file that the kernel meant');
  t.same(file.did, [], 'it stays open');
  const attributes = await served.answer('getattr', second, words(0, 0));
  t.equal(attributes.readBigUInt64LE(16 + 8), 33n, 'and fstat(2) tells of what is read');
  await t.rejects(
    open(served, second),
    { name: 'Stale' },
    'by a descriptor in /proc it is that file or none',
  );
});

t.test('who was sent back reads what it found, whatever has its name since', async (t) => {
  const v = (version: string): NodeInfo => ({ ...fileInfo(10, 1n), version });
  for (const became of ['gone', 'a link'] as const) {
    const { served, tree, node } = subject(v('v1'));
    const { root } = served.nodes;
    const versions: string[] = [];
    let closed = 0;
    const openAs = (version: string) => (): OpenFile => ({
      sizeBytes: 10,
      version,
      read() {
        versions.push(version);
        return 0;
      },
      close() {
        closed += 1;
      },
    });
    const becomes = (code: 'ELOOP' | 'ENOENT') => (): never => {
      throw new FsError(code, '/a', 'it is no file');
    };
    tree.files.set('/a', becomes('ELOOP'));
    await t.rejects(openOnce(served, node), { name: 'Stale' });
    tree.put('/a', v('v2'));
    tree.files.set('/a', openAs('v2'));
    await served.ask('lookup', root, nameBytes('a'));
    const found = root.children?.get('a');
    if (found === undefined) throw new Error('nothing was found');
    tree.files.set('/a', becomes(became === 'gone' ? 'ENOENT' : 'ELOOP'));
    tree.put('/a', linkInfo('b', 2n));
    const attributes = await served.answer('getattr', found, words(0, 0));
    t.equal(attributes.readBigUInt64LE(16 + 8), 10n, 'it is asked for its mode on the way');
    const opened = await openOnce(served, found);
    t.equal(opened.flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE, became);
    await served.ask('read', found, words(opened.handle, 0, 10, 0, 0));
    t.same(versions, ['v2']);
    t.equal(closed, 0);
    await release(served, found, opened.handle);
    t.equal(closed, 1);
    await t.rejects(openOnce(served, found), { name: 'Stale' }, 'what it opens next is another matter');
  }
});

/** A version of `/a`. @param more what else is said of it */
const versionOf = (version: string, sizeBytes: number, more: Partial<NodeInfo> = {}): NodeInfo => ({
  ...fileInfo(sizeBytes, 1n),
  version,
  ...more,
});

/** @param read is told what is read */
function put(tree: OpenableTree, info: NodeInfo, read: (version: string) => void = () => {}): void {
  const { version = '', sizeBytes } = info;
  tree.put('/a', info);
  tree.files.set('/a', () => ({
    sizeBytes,
    version,
    read() {
      read(version);
      return 0;
    },
    close() {},
  }));
}

t.test(
  'a node never becomes another version, whose size the kernel shows later than its bytes',
  async (t) => {
    const { served, tree, node } = subject(versionOf('v1', 10));
    const { root } = served.nodes;
    const bytesRead: string[] = [];
    put(tree, versionOf('v2', 20), (version) => bytesRead.push(version));
    await t.rejects(openOnce(served, node), { name: 'Stale' }, 'though nobody has it open');
    t.same([node.info.version, served.notices], ['v1', []]);
    await served.ask('lookup', root, nameBytes('a'));
    const next = root.children?.get('a');
    if (next === undefined) throw new Error('nothing was found');
    put(tree, versionOf('v3', 30));
    const { flags, handle } = await openOnce(served, next);
    t.equal(flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
    await served.ask('read', next, words(handle, 0, 10, 0, 0));
    t.same(bytesRead, ['v2'], 'which was there after open(2) had begun');
    t.same([next.info.version, next.info.sizeBytes, served.notices], ['v2', 20, []]);
  },
);

t.test('who was sent back finds what it opens, though it was another when it was looked for', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10));
  put(tree, versionOf('v2', 20));
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.files.set('/a', () => {
    put(tree, versionOf('v3', 30));
    return tree.open(parsePath('/a'));
  });
  await served.ask('lookup', served.nodes.root, nameBytes('a'));
  const next = served.nodes.root.children?.get('a');
  if (next === undefined) throw new Error('nothing was found');
  t.same([next.info.version, next.info.sizeBytes], ['v3', 30]);
  t.equal((await openOnce(served, next)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
});

t.test('what is asked for each time becomes what it is by then', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10, { changesUntold: true }));
  put(tree, versionOf('v2', 20, { changesUntold: true }));
  t.equal((await openOnce(served, node)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
  t.same([node.info.version, served.notices], ['v2', ['forget all at once /a']]);
});

t.test('what is made each time that it is opened is not made for a look-up', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), inode: 7 });
  file.info = { ...fileInfo(10, 1n), inode: 8 };
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.put('/a', { ...file.info, changesUntold: true });
  let opened = 0;
  tree.files.set('/a', () => {
    opened += 1;
    return file;
  });
  await served.ask('lookup', served.nodes.root, nameBytes('a'));
  t.equal(opened, 0);
});

t.test('what was kept for a thread is closed where it is not needed', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), inode: 7 });
  tree.written = file;
  const sendBack = async (): Promise<void> => {
    file.info = { ...fileInfo(10, 1n), inode: 8 };
    await t.rejects(openOnce(served, node), { name: 'Stale' });
    file.info = { ...fileInfo(10, 1n), inode: 7 };
    file.did.splice(0);
    await served.ask('lookup', served.nodes.root, nameBytes('a'));
    t.same(file.did, []);
  };
  await sendBack();
  const { handle } = await openOnce(served, node);
  t.same(file.did, ['close'], 'there is something newer');
  await release(served, node, handle);
  await sendBack();
  tree.created = file;
  await served.ask('create', served.nodes.root, Buffer.concat([Buffer.alloc(16), nameBytes('b')]));
  t.same(file.did, ['close'], 'it makes another file');
});

t.test('what looks the same and is another file is never written to, nor cached', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), inode: 7 });
  file.info = { ...fileInfo(10, 1n), inode: 8 };
  tree.written = file;
  /** The kernel finds the node once more, and then the disk has another file under the name. */
  async function openFound(flags: number): Promise<Opened> {
    await t.rejects(openOnce(served, node, flags), { name: 'Stale' });
    await served.ask('lookup', served.nodes.root, nameBytes('a'));
    return openOnce(served, node, flags);
  }
  t.equal((await openFound(O_RDONLY)).flags & DIRECT_IO, DIRECT_IO);
  t.equal(node.info.inode, 7);
  await t.rejects(openFound(O_RDWR), { name: 'Stale' });
  served.handles.releaseAll();
  await t.rejects(open(served, node), { name: 'Stale' }, 'by a descriptor in /proc it is that file or none');
});

t.test('what is made after all was looked for in vain is no second attempt', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), inode: 7 });
  file.info = { ...fileInfo(10, 1n), inode: 8 };
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.created = file;
  await served.ask('create', served.nodes.root, Buffer.concat([Buffer.alloc(16), nameBytes('b')]));
  await t.rejects(openOnce(served, node), { name: 'Stale' }, 'it is sent back once more');
});

t.test('a file that cannot be handed over is closed', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.files.set('/a', () => ({ sizeBytes: 10, version: 'v2', read: () => 0, close: () => file.close() }));
  tree.take('/a');
  await t.rejects(open(served, node), { code: 'ENOENT' });
  t.same(file.did, ['close', 'close'], 'neither when it is sent back, nor then');
  t.equal(served.handles.size, 0);
});

t.test('two who open a newer version at once never share pages of two versions', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10, { changesUntold: true }));
  const versions = ['v2', 'v3'];
  let closed = 0;
  tree.files.set('/a', () => ({
    sizeBytes: 10,
    version: versions.shift() ?? 'v3',
    read: () => 0,
    close() {
      closed += 1;
    },
  }));
  const info: NodeInfo = { ...fileInfo(10, 2n), version: 'v3' };
  tree.put('/a', info);
  tree.beforeStat = () => new Promise((resolve) => setImmediate(resolve));
  const both = await Promise.allSettled([openOnce(served, node), openOnce(served, node)]);
  t.match(both, [{ status: 'fulfilled' }, { status: 'rejected', reason: { name: 'Stale' } }]);
  t.equal(node.info.version, 'v2');
  t.equal(closed, 1);
  const again = await openOnce(served, node);
  t.equal(again.flags & DIRECT_IO, DIRECT_IO, 'who was sent back and still finds another uses no cache');
});

t.test('who only reads cannot have a file without a name opened for writing', async (t) => {
  const { served, node } = subject();
  const reading: OpenFile = { sizeBytes: 10, read: () => 0, close() {} };
  served.handles.addFile(new OpenedFile(node, reading));
  served.nodes.removeName(served.nodes.root, 'a');
  t.ok(await open(served, node));
  await t.rejects(open(served, node, O_RDWR), { name: 'Stale' });
});

t.test('an open that finds a link where its file was leaves the kernel with a file', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.files.set('/a', () => ({ sizeBytes: 12, version: 'v2', read: () => 0, close() {} }));
  tree.put('/a', { ...linkInfo('b', 2n), version: 'b' });
  await open(served, node);
  t.same([node.info.kind, node.info.version, node.info.sizeBytes], ['file', 'v2', 12]);
});
