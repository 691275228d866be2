import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { fileInfo, linkInfo } from '../../../src/core/node-info.ts';
import { parsePath } from '../../../src/core/paths.ts';
import type { NodeInfo, OpenFile } from '../../../src/core/resolver.ts';
import { nameBytes, words } from './fake-served.ts';
import {
  DIRECT_IO,
  KEEP_CACHE,
  type OpenableTree,
  open,
  openOnce,
  release,
  subject,
} from './opened-files.ts';

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

t.test('what was kept for an open(2) that is over by an error is not given to the next one', async (t) => {
  for (const over of ['attributes are refused', 'nothing is found'] as const) {
    const { served, tree, node } = subject(versionOf('v1', 10));
    const { root } = served.nodes;
    const bytesRead: string[] = [];
    const read = (version: string): void => void bytesRead.push(version);
    put(tree, versionOf('v2', 20));
    await t.rejects(openOnce(served, node), { name: 'Stale' });
    if (over === 'nothing is found') {
      tree.take('/a');
      await served.ask('lookup', root, nameBytes('a'));
      put(tree, versionOf('v2', 20), read);
    }
    await served.ask('lookup', root, nameBytes('a'));
    const next = root.children?.get('a');
    if (next === undefined) throw new Error('nothing was found');
    tree.take('/a');
    if (over === 'attributes are refused') {
      await t.rejects(async () => served.ask('getattr', next, words(0, 0)), { code: 'ENOENT' });
    }
    put(tree, versionOf('v3', 30), read);
    // As the next open(2) does, of what the kernel knows by now.
    const { handle } = await open(served, next);
    await served.ask('read', next, words(handle, 0, 10, 0, 0));
    t.same(bytesRead, ['v3'], over);
  }
});

t.test('what is asked for each time becomes what it is by then', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10, { changesUntold: true }));
  put(tree, versionOf('v2', 20, { changesUntold: true }));
  t.equal((await openOnce(served, node)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
  t.same([node.info.version, served.notices], ['v2', ['forget all at once /a']]);
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
