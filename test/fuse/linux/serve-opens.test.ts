import { constants } from 'node:fs';
import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { fileInfo, linkInfo } from '../../../src/core/node-info.ts';
import type { OpenFile } from '../../../src/core/resolver.ts';
import { OpenedFile } from '../../../src/fuse/linux/handles.ts';
import type { Node } from '../../../src/fuse/linux/node-table.ts';
import type { Teardown } from '../../support/temporary.ts';
import { nameBytes, words } from './fake-served.ts';
import {
  DIRECT_IO,
  FLAGS_AT,
  KEEP_CACHE,
  keepsPages,
  LiveFile,
  type Opened,
  open,
  openOnce,
  PASS_THROUGH,
  release,
  subject,
} from './opened-files.ts';

const { O_APPEND, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = constants;

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

t.test('who is to write, or to append, has the file opened for that, and never emptied by it', async (t) => {
  const { served, tree, node, file } = subject();
  const asked: unknown[] = [];
  tree.openToWrite = (_path, ...options: unknown[]) => {
    asked.push(options[0]);
    return file;
  };
  for (const flags of [O_RDWR, O_WRONLY | O_TRUNC, O_WRONLY | O_APPEND]) await open(served, node, flags);
  const truncate = false;
  t.same(asked, [
    { append: false, truncate },
    { append: false, truncate },
    { append: true, truncate },
  ]);
});

t.test('another live file that has the name by now is looked up first', async (t) => {
  const { served, node, file } = subject({ ...fileInfo(10, 1n), inode: 7 });
  file.info = { ...fileInfo(10, 1n), inode: 8 };
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  t.same(file.did, ['close']);
  t.equal(served.handles.size, 0);
});

t.test(
  'who opens by a descriptor in /proc what others have open has that, whatever its name leads to',
  async (t) => {
    const live = subject({ ...fileInfo(10, 1n), inode: 7 });
    await openOnce(live.served, live.node);
    const another = new LiveFile({ ...fileInfo(10, 1n), inode: 8 });
    live.tree.files.set('/a', () => another);
    t.equal((await open(live.served, live.node)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
    t.same(another.did, ['close', 'close'], 'of a live file');

    const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
    let closed = 0;
    const openAs = (version: string) => (): OpenFile => ({
      sizeBytes: 10,
      version,
      read: () => 0,
      close() {
        closed += 1;
      },
    });
    tree.files.set('/a', openAs('v1'));
    await openOnce(served, node);
    tree.files.set('/a', () => {
      throw new FsError('ENOENT', '/a', 'it is gone');
    });
    await t.rejects(openOnce(served, node), { name: 'Stale' });
    await served.ask('lookup', served.nodes.root, nameBytes('a'));
    tree.files.set('/a', openAs('v2'));
    t.equal((await openOnce(served, node)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
    t.equal(closed, 1, 'of a version, where that is what it found when it was sent back');
  },
);

t.test('the kernel is given ahead what it has no bytes of, and nobody has open', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  const positions: number[] = [];
  tree.files.set('/a', () => ({
    sizeBytes: 10,
    version: 'v1',
    read(_target, position) {
      positions.push(position);
      return 0;
    },
    close() {},
  }));
  const offeredAtOpen = async (): Promise<number> => {
    const before = served.bytesOffered;
    await openOnce(served, node);
    return served.bytesOffered - before;
  };
  t.equal(await offeredAtOpen(), 1);
  t.equal(node.given, undefined, 'it did not take them');
  t.equal(await offeredAtOpen(), 0, 'somebody has it open');
  served.handles.releaseAll();
  served.takesBytes = true;
  t.equal(await offeredAtOpen(), 1);
  t.equal(node.given, 'v1');
  served.handles.releaseAll();
  t.equal(await offeredAtOpen(), 0, 'it has them');
  t.same(served.opened, ['/a', '/a', '/a', '/a'], 'what reads ahead is told of each');
  t.same(positions, [0], 'from the beginning on');
});

/** Stops the clock. @returns a function that sets it forward */
function stoppedClock(t: Teardown): (byMs: number) => void {
  const clock = performance.now;
  let nowMs = clock.call(performance);
  performance.now = () => nowMs;
  t.teardown(() => {
    performance.now = clock;
  });
  return (byMs) => {
    nowMs += byMs;
  };
}

t.test(
  'pages of a live file that others changed go at the next open(2), once, and not while it is open',
  async (t) => {
    const { served, node, file } = subject();
    const opened = await open(served, node);
    t.ok(keepsPages(served, opened));
    file.info = fileInfo(20, 2n);
    t.ok(keepsPages(served, await open(served, node)), 'others have it open');
    served.handles.releaseAll();
    const { flags } = await open(served, node);
    t.not(served.notices.splice(0).length, 0);
    t.equal(flags, KEEP_CACHE, 'nobody wrote to it through the kernel, so no pages are a mixture');
    t.equal(node.info.sizeBytes, 20);
    served.handles.releaseAll();
    t.ok(keepsPages(served, await open(served, node)));
  },
);

t.test('a live file that both this mount and others write to is read past the cache', async (t) => {
  const passMs = stoppedClock(t);
  const { served, tree, node, file } = subject();
  tree.written = file;
  await open(served, node, O_RDWR);
  file.info = fileInfo(15, 2n);
  node.info = fileInfo(15, 1n);
  t.equal(
    (await open(served, node)).flags,
    KEEP_CACHE,
    'what was written through the kernel is in its pages',
  );
  file.info = fileInfo(22, 3n);
  const beside = await open(served, node);
  t.equal(beside.flags, DIRECT_IO);
  t.equal(served.handles.file(beside.handle).isOther, false, 'it is no other file for that');
  t.equal((await open(served, node, O_RDWR)).flags, KEEP_CACHE, 'who writes does not');
  node.info = node.bytesAsOf = file.info;
  passMs(999);
  t.equal((await open(served, node)).flags, DIRECT_IO);
  passMs(1);
  t.equal((await open(served, node)).flags, KEEP_CACHE);
  const disk = { accessedNs: 1n, changedNs: 1n, links: 1, user: 0, group: 0, blocks: 1, device: 0 };
  const onDisk = subject({ ...fileInfo(10, 1n), disk });
  onDisk.tree.written = onDisk.file;
  await open(onDisk.served, onDisk.node, O_RDWR);
  onDisk.file.info = { ...fileInfo(20, 2n), disk };
  t.equal((await open(onDisk.served, onDisk.node)).flags, KEEP_CACHE, 'files of a disk are left out');
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
  t.same(tree.readsNoted, ['/a'], 'that it is read is noted');
  const attributes = await served.answer('getattr', second, words(0, 0));
  t.equal(attributes.readBigUInt64LE(16 + 8), 33n, 'and fstat(2) tells of what is read');
  await t.rejects(
    open(served, second),
    { name: 'Stale' },
    'by a descriptor in /proc it is that file or none',
  );
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

t.test('who was to make what is there already reads what it found', async (t) => {
  const { served, tree } = subject();
  tree.create = (path): never => {
    throw new FsError('EEXIST', path, 'it is there');
  };
  const body = Buffer.concat([Buffer.alloc(16), nameBytes('b')]);
  await t.rejects(async () => served.ask('create', served.nodes.root, body), { name: 'Stale' });
  tree.put('/b', { ...fileInfo(1, 1n), version: 'v1' });
  tree.files.set('/b', () => ({ sizeBytes: 1, version: 'v1', read: () => 0, close() {} }));
  await served.ask('lookup', served.nodes.root, nameBytes('b'));
  const found = served.nodes.root.children?.get('b');
  if (found === undefined) throw new Error('nothing was found');
  tree.files.delete('/b');
  tree.take('/b');
  t.equal((await openOnce(served, found)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
});

t.test('a file that cannot be handed over is closed', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.files.set('/a', () => ({ sizeBytes: 10, version: 'v2', read: () => 0, close: () => file.close() }));
  tree.take('/a');
  await t.rejects(open(served, node), { code: 'ENOENT' });
  t.same(file.did, ['close', 'close'], 'neither when it is sent back, nor then');
  t.equal(served.handles.size, 0);
});

t.test('who only reads cannot have a file without a name opened for writing', async (t) => {
  const onlyRead: OpenFile = { sizeBytes: 10, read: () => 0, close() {} };
  for (const reading of [onlyRead, new LiveFile(fileInfo(10, 1n))]) {
    const { served, node } = subject();
    served.handles.addFile(new OpenedFile(node, reading));
    served.nodes.removeName(served.nodes.root, 'a');
    t.ok(await open(served, node));
    await t.rejects(open(served, node, O_RDWR), { code: 'EROFS' });
  }
});

t.test('an open that finds a link where its file was leaves the kernel with a file', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.files.set('/a', () => ({ sizeBytes: 12, version: 'v2', read: () => 0, close() {} }));
  tree.put('/a', { ...linkInfo('b', 2n), version: 'b' });
  await open(served, node);
  t.same([node.info.kind, node.info.version, node.info.sizeBytes], ['file', 'v2', 12]);
});
