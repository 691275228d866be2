import { constants } from 'node:fs';
import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { fileInfo, linkInfo } from '../../../src/core/node-info.ts';
import { parsePath } from '../../../src/core/paths.ts';
import type { NodeInfo } from '../../../src/core/resolver.ts';
import { DEFAULT_MOUNT_OPTIONS } from '../../../src/fuse/driver.ts';
import { ERRNO } from '../../../src/fuse/errno.ts';
import { Stale } from '../../../src/fuse/linux/handler.ts';
import { OpenedFile } from '../../../src/fuse/linux/handles.ts';
import type { Node } from '../../../src/fuse/linux/node-table.ts';
import { FakeServed, nameBytes, words } from './fake-served.ts';
import { FakeTree } from './fake-tree.ts';

import { LiveFile, open, openOnce, subject } from './opened-files.ts';

const { O_RDWR } = constants;
/** `FATTR_…` of SETATTR. */
const MODE = 1 << 0;
const SIZE = 1 << 3;
const HANDLE = 1 << 6;

/** SETATTR of FATTR_SIZE alone, as it follows an open(2) with O_TRUNC. */
async function empty(served: FakeServed, node: Node): Promise<void> {
  await served.ask('setattr', node, words(SIZE, ...Array.from({ length: 10 }, () => 0)));
}

t.test('an open file shows itself, and not what has its name by now', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), inode: 7 });
  await open(served, node);
  file.info = { ...fileInfo(3, 1n), inode: 7 };
  tree.put('/a', { ...fileInfo(44, 1n), inode: 8 });
  const attributes = await served.answer('getattr', node, words(0, 0));
  t.equal(attributes.readBigUInt64LE(16 + 8), 3n);
  tree.take('/a');
  t.equal((await served.answer('getattr', node, words(0, 0))).readBigUInt64LE(16 + 8), 3n);
});

t.test(
  'what has lost its name shows what it was, once, so that who opens it is sent back by that alone',
  async (t) => {
    const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
    tree.put('/a', linkInfo('b', 2n));
    for (const lost of ['it is a link by now', 'another look-up has found out']) {
      t.equal((await served.answer('getattr', node, words(0, 0))).readBigUInt64LE(16 + 8), 10n, lost);
      t.match(served.notices.splice(0), [/^invalidate attributes/], 'it is asked for each time');
      served.nodes.removeName(served.nodes.root, 'a');
    }
  },
);

t.test('a document without a name is only read, also by who has it open', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.files.set('/a', () => ({ sizeBytes: 10, version: 'v1', read: () => 0, close() {} }));
  const change = async () =>
    await served.ask('setattr', node, words(MODE, ...Array.from({ length: 19 }, () => 0)));
  const { handle } = await open(served, node);
  served.nodes.removeName(served.nodes.root, 'a');
  await t.rejects(change(), { code: 'EROFS' });
  await t.rejects(open(served, node, O_RDWR), { code: 'EROFS' }, 'as by its descriptor in /proc');
  await served.ask('release', node, words(handle, 0, 0));
  await t.rejects(change(), { name: 'Stale' }, 'what nobody has open is looked up by its name');
});

for (const needsNoFlush of [false, true]) {
  t.test(
    `a file of a disk that was written and gave its name to another shows its length, told ${needsNoFlush ? 'when it is let go of' : 'by each close'}`,
    async (t) => {
      const disk = {
        bornNs: 1n,
        changedNs: 1n,
        accessedNs: 1n,
        blocks: 0,
        links: 1,
        user: 0,
        group: 0,
        device: 0,
      };
      const info = { ...fileInfo(0, 1n), inode: 7, disk };
      const { served, tree, node, file } = subject(info);
      tree.written = Object.assign(file, { needsNoFlush });
      const { handle } = await open(served, node, O_RDWR);
      await served.ask('write', node, Buffer.concat([words(handle, 0, 6, 0, 0), Buffer.alloc(6)]));
      file.info = { ...info, sizeBytes: 6 };
      if (!needsNoFlush) await served.ask('flush', node, words(handle, 0, 0));
      await served.ask('release', node, words(handle, 0, 0));
      tree.put('/a', { ...info, inode: 8 });
      t.equal((await served.answer('getattr', node, words(0, 0))).readBigUInt64LE(16 + 8), 6n);
    },
  );
}

t.test('where opens are not seen nothing waits for pages that somebody may be reading', async (t) => {
  const tree = new FakeTree();
  tree.putFile('/a', 1);
  const served = new FakeServed(tree, { ...DEFAULT_MOUNT_OPTIONS, seeOpens: false });
  const node = served.known(served.nodes.root, 'a', tree.stat(parsePath('/a')));
  tree.put('/a', { ...fileInfo(33, 2n) });
  await served.answer('getattr', node, words(0, 0));
  t.same(served.notices, ['invalidate bytes /a']);
});

t.test('another version of a link, which is read without being opened, is shown once too', async (t) => {
  const { served, tree, node } = subject({ ...linkInfo('b', 1n), version: 'b' });
  tree.put('/a', { ...linkInfo('c', 2n), version: 'c' });
  await served.answer('getattr', node, words(0, 0));
  t.same(served.notices, ['invalidate attributes /a']);
  t.equal(String(await served.answer('readlink', node, words())), 'b');
});

t.test(
  'a live file that is gone has the kernel look at its name anew, as who is about to make it needs',
  async (t) => {
    const { served, tree, node } = subject();
    tree.take('/a');
    await t.rejects(async () => await served.ask('getattr', node, words(0, 0)), { name: 'Stale' });
    const version = subject({ ...fileInfo(10, 1n), version: 'v1' });
    version.tree.take('/a');
    const ask = async () => await version.served.ask('getattr', version.node, words(0, 0));
    await t.rejects(ask, { code: 'ENOENT' }, 'that is for OPEN to ask for');
  },
);

t.test('another version of what nobody has open is shown once, and the node stays what it was', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.put('/a', { ...fileInfo(33, 2n), version: 'v2' });
  for (const time of ['first', 'second']) {
    const attributes = await served.answer('getattr', node, words(0, 0));
    t.equal(attributes.readBigUInt64LE(16 + 8), 33n, time);
    t.equal(attributes.readBigUInt64LE(0), 0n, 'and is asked for again');
    t.same(served.notices.splice(0), ['invalidate attributes /a'], 'nor does the kernel take it over');
    t.equal(node.info.version, 'v1');
  }
});

t.test('a version that is opened while its attributes are asked for stays what it is', async (t) => {
  for (let turns = 0; turns < 12; turns += 1) {
    const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
    let answer: () => void = () => {};
    tree.beforeStat = () => new Promise((resolve) => (answer = resolve));
    const answered = served.answer('getattr', node, words(0, 0));
    tree.put('/a', { ...fileInfo(33, 2n), version: 'v2' });
    answer();
    for (let turn = 0; turn < turns; turn += 1) await undefined;
    served.handles.addFile(new OpenedFile(node, { sizeBytes: 10, version: 'v1', read: () => 0, close() {} }));
    await answered;
    t.equal(node.info.version, 'v1', `opened after ${turns} turns`);
  }
});

t.test('an open file that others made longer is so when the kernel has let go of its end', async (t) => {
  const { served, tree, node, file } = subject();
  tree.written = file;
  const { handle } = await open(served, node, O_RDWR);
  /** The size, and for how many seconds the kernel may take that for true. */
  const told = async () => {
    const attributes = await served.answer('getattr', node, words(0, 0));
    return [Number(attributes.readBigUInt64LE(16 + 8)), Number(attributes.readBigUInt64LE(0)) > 0];
  };
  const becomes = (sizeBytes: number, changes: bigint) => {
    file.info = fileInfo(sizeBytes, changes);
    tree.put('/a', file.info);
  };
  becomes(33, 2n);
  t.same(await told(), [10, false]);
  t.same(served.notices.splice(0), ['invalidate bytes /a']);
  node.invalidating = 1;
  t.same(await told(), [10, false]);
  t.same(served.notices.splice(0), ['invalidate attributes /a'], 'so that the kernel does not take it over');
  [node.invalidating, node.bytesAsOf] = [0, fileInfo(33, 2n)];
  becomes(44, 3n);
  t.same(await told(), [33, false], 'what it has let go of is told, whatever came after it');
  node.bytesAsOf = fileInfo(44, 3n);
  t.same(await told(), [44, true]);
  await served.ask('write', node, Buffer.concat([words(handle, 44, 6, 0, 0), Buffer.alloc(6)]));
  becomes(50, 4n);
  t.same(await told(), [50, true], 'what was written by the kernel it has');
  becomes(70, 5n);
  await served.ask('flush', node, words(handle, 0, 0));
  t.same(await told(), [50, false], 'what others wrote is not among that');
  await served.ask('release', node, words(handle, 0, 0));
  served.notices.length = 0;
  t.same(await told(), [70, false], 'of what nobody has open it lets go at once');
  t.same(served.notices, ['invalidate all at once /a']);
});

t.test(
  'what was cut and is made longer by others keeps the length of the cut until its end is let go of',
  async (t) => {
    const { served, tree, node, file } = subject();
    tree.written = file;
    const { handle } = await open(served, node, O_RDWR);
    const becomes = (sizeBytes: number, changes: bigint) => {
      file.info = fileInfo(sizeBytes, changes);
      tree.put('/a', file.info);
    };
    const sizeAt = 16 + 8;
    becomes(5, 2n);
    const cut = await served.answer('setattr', node, words(SIZE | HANDLE, handle, 5, 0, 0, 0, 0, 0, 0, 0, 0));
    t.equal(cut.readBigUInt64LE(sizeAt), 5n);
    becomes(8, 3n);
    const attributes = await served.answer('getattr', node, words(0, 0));
    t.equal(attributes.readBigUInt64LE(sizeAt), 5n, 'the kernel fills up to a longer one with NUL bytes');
    t.same(served.notices, ['invalidate bytes /a']);
  },
);

t.test('a file without a name that is opened anew through /proc can be emptied by that', async (t) => {
  const { served, node, file } = subject();
  served.handles.addFile(new OpenedFile(node, file, 'to write'));
  served.nodes.removeName(served.nodes.root, 'a');
  await open(served, node, O_RDWR);
  t.same(file.did, []);
  await empty(served, node);
  t.same(file.did, ['truncate 0']);
  t.equal(served.handles.size, 2);
});

t.test('O_TRUNC empties the file as it was opened last, and the tree where that has no way to', async (t) => {
  const { served, tree, node, file } = subject();
  tree.written = file;
  await open(served, node, O_RDWR);
  const later = Object.assign(new LiveFile(file.info), { empty: () => later.did.push('empty') });
  tree.written = later;
  await open(served, node, O_RDWR);
  await empty(served, node);
  t.same([file.did, later.did], [[], ['empty']]);
  served.handles.releaseAll();
  await t.rejects(empty(served, node), { code: 'EROFS' }, 'which is asked where nobody has it open');
});

t.test('who cuts a file that is open cuts that one, and not what has its name by now', async (t) => {
  const { served, tree, node, file } = subject();
  tree.written = file;
  const { handle } = await open(served, node, O_RDWR);
  const other = new LiveFile(file.info);
  tree.written = other;
  await open(served, node, O_RDWR);
  const body = words(SIZE | HANDLE, handle, 5, 0, 0, 0, 0, 0, 0, 0, 0);
  await served.ask('setattr', node, body);
  t.same([file.did, other.did], [['truncate 5'], []]);
});

t.test('who has a file open goes on when a folder on the way lets nobody in any more', async (t) => {
  const { served, tree, node, file } = subject();
  const withTimes = Object.assign(file, { changeMode: () => void file.did.push('changeMode') });
  tree.written = withTimes;
  await open(served, node, O_RDWR);
  tree.beforeStat = () => {
    throw new FsError('EACCES', '/a', 'no');
  };
  file.info = fileInfo(3, 1n);
  const attributes = await served.answer('getattr', node, words(0, 0));
  t.equal(attributes.readBigUInt64LE(16 + 8), 3n);
  tree.changeMode = (path) => {
    throw new FsError('EACCES', path, 'no');
  };
  await served.ask('setattr', node, words(1, ...Array.from({ length: 10 }, () => 0)));
  t.same(file.did, ['changeMode']);
});

t.test('a pipe that was removed while somebody has it open still has attributes', async (t) => {
  const { served } = subject();
  const pipe = served.known(served.nodes.root, 'p', { ...fileInfo(0, 0n), kind: 'pipe' });
  served.nodes.removeName(served.nodes.root, 'p');
  t.equal((await served.answer('getattr', pipe, words(0, 0))).length, 104);
});

t.test('a removed file that is open has no link', async (t) => {
  const { served, node, file } = subject();
  const linksOf = async () => (await served.answer('getattr', node, words(0, 0))).readUInt32LE(16 + 64);
  served.handles.addFile(new OpenedFile(node, file));
  t.equal(await linksOf(), 1);
  served.nodes.removeName(served.nodes.root, 'a');
  file.info = { ...file.info, isRemoved: true };
  t.equal(await linksOf(), 0);
});

t.test('a removed file that is open has no extended attributes', async (t) => {
  const { served, node, file } = subject();
  served.handles.addFile(new OpenedFile(node, file));
  served.nodes.removeName(served.nodes.root, 'a');
  t.equal((await served.answer('listxattr', node, words(100))).length, 0);
  const asked = Buffer.concat([words(100), nameBytes('user.kgraphfs.type')]);
  t.equal((await served.ask('getxattr', node, asked))?.errno, ERRNO.ENODATA);
  const given = Buffer.concat([words(1), nameBytes('user.a'), Buffer.from('x')]);
  for (const [operation, body] of [
    ['setxattr', given],
    ['removexattr', nameBytes('user.a')],
  ] as const) {
    await t.rejects(async () => await served.ask(operation, node, body), { code: 'ENOTSUP' });
  }
  served.handles.releaseAll();
  await t.rejects(async () => await served.ask('removexattr', node, nameBytes('user.a')), Stale);
});

t.test('a folder that was removed while somebody is in it still has attributes, and is synced', async (t) => {
  const { served, tree } = subject();
  tree.putFolder('/d', 1);
  const folder = served.known(served.nodes.root, 'd', tree.stat(parsePath('/d')));
  tree.take('/d');
  served.nodes.removeName(served.nodes.root, 'd');
  const attributes = await served.answer('getattr', folder, words(0, 0));
  t.equal(attributes.readUInt32LE(16 + 60), 0o040755);
  t.ok(await served.ask('fsyncdir', folder, words(1, 0)));
});

t.test('attributes that may be half changed are asked for again', async (t) => {
  const { served, node } = subject();
  const body = Buffer.alloc(88);
  body.writeUInt32LE(1, 0);
  await t.rejects(async () => await served.ask('setattr', node, body), { code: 'EROFS' });
  t.same(served.notices, ['invalidate attributes /a']);
});

/** For how many seconds the kernel may take for true what it is told of a node. */
async function trustedSeconds(served: FakeServed, node: Node): Promise<number> {
  return Number((await served.answer('getattr', node, words(0, 0))).readBigUInt64LE(0));
}

t.test('what may have changed since it was asked for is told, and asked for again', async (t) => {
  const { served, tree, node } = subject();
  t.ok((await trustedSeconds(served, node)) > 0, 'else it is trusted');
  tree.beforeStat = () => {
    served.generation += 1;
  };
  t.equal(await trustedSeconds(served, node), 0);
  tree.beforeStat = undefined;
  t.ok((await trustedSeconds(served, node)) > 0, 'a change before that is another matter');
});

t.test('of whose changes nobody tells, attributes are asked for each time', async (t) => {
  const { served, node } = subject({ ...fileInfo(10, 1n), changesUntold: true });
  t.equal(await trustedSeconds(served, node), 0);
});

t.test('who is sent back by the attributes of what is gone opens what it finds then', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), inode: 7 });
  tree.take('/a');
  await t.rejects(async () => await served.ask('getattr', node, words(0, 0)), Stale);
  tree.put('/a', { ...fileInfo(10, 1n), version: 'v1' });
  await served.ask('lookup', served.nodes.root, nameBytes('a'));
  const found = served.nodes.root.children?.get('a');
  if (found === undefined) throw new Error('it was not looked up');
  tree.files.set('/a', () => ({ sizeBytes: 12, version: 'v2', read: () => 0, close() {} }));
  tree.put('/a', { ...fileInfo(12, 2n), version: 'v2' });
  t.ok(await openOnce(served, found), 'a second time its caller would be told');
});

t.test('who is refused attributes on the way begins its next open(2) anew', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.files.set('/a', () => ({ sizeBytes: 12, version: 'v2', read: () => 0, close() {} }));
  await t.rejects(openOnce(served, node), Stale);
  tree.beforeStat = () => {
    throw new FsError('EACCES', '/a', 'no');
  };
  await t.rejects(async () => await served.ask('getattr', node, words(0, 0)), { code: 'EACCES' });
  tree.beforeStat = undefined;
  await t.rejects(openOnce(served, node), Stale, 'it looks again');
});

t.test('a failure of the tree is told as it is, also of what is open or live', async (t) => {
  for (const isOpen of [true, false]) {
    const { served, tree, node } = subject({ ...fileInfo(10, 1n), inode: 7 });
    if (isOpen) await open(served, node);
    tree.beforeStat = () => {
      throw new FsError('EIO', '/a', 'the disk failed');
    };
    const asked = async () => await served.ask('getattr', node, words(0, 0));
    await t.rejects(asked, { code: 'EIO' }, isOpen ? 'open' : 'live');
  }
});

t.test('of a version that is open the tree is not asked', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.files.set('/a', () => ({ sizeBytes: 10, version: 'v1', read: () => 0, close() {} }));
  await open(served, node);
  const { stats } = tree;
  await served.answer('getattr', node, words(0, 0));
  t.equal(tree.stats, stats, 'each read has the kernel ask');
});

t.test('what is no other version of a node is not shown for it', async (t) => {
  const known = { ...fileInfo(10, 1n), inode: 7, version: 'v1' };
  const live = { ...fileInfo(10, 1n), inode: 7 };
  const next = { ...fileInfo(33, 2n), inode: 7, version: 'v2' };
  for (const [what, before, now] of [
    ['another file', known, { ...next, inode: 8 }],
    ['a link', known, { ...linkInfo('b', 2n), inode: 7, version: 'v2' }],
    ['a live file', known, { ...fileInfo(33, 2n), inode: 8 }],
    ['a version of what was live', { ...live, inode: 6 }, next],
  ] as const) {
    const { served, tree, node } = subject(before);
    tree.put('/a', now);
    t.equal((await served.answer('getattr', node, words(0, 0))).readBigUInt64LE(16 + 8), 10n, what);
  }
});

t.test('what was removed while somebody is in it has no link, on a disk and elsewhere', async (t) => {
  const disk = {
    bornNs: 1n,
    changedNs: 1n,
    accessedNs: 1n,
    blocks: 0,
    links: 2,
    user: 7,
    group: 0,
    device: 0,
  };
  for (const more of [{}, { disk }]) {
    const { served, tree } = subject();
    tree.putFolder('/d', 1, more);
    const folder = served.known(served.nodes.root, 'd', tree.stat(parsePath('/d')));
    t.not((await served.answer('getattr', folder, words(0, 0))).readUInt32LE(16 + 64), 0);
    served.nodes.removeName(served.nodes.root, 'd');
    const removed = await served.answer('getattr', folder, words(0, 0));
    t.equal(removed.readUInt32LE(16 + 64), 0);
    t.equal(removed.readUInt32LE(16 + 68), 'disk' in more ? 7 : process.getuid?.(), 'whose it was');
  }
});

t.test('the space is told of what has no name any more: that of the mount', async (t) => {
  const { served, tree, node } = subject();
  served.nodes.removeName(served.nodes.root, 'a');
  const asked: string[] = [];
  tree.space = (path) => {
    asked.push(path);
    return { totalBytes: 4096, freeBytes: 0, totalFiles: 1, freeFiles: 0 };
  };
  await served.answer('statfs', node, words());
  t.same(asked, ['/']);
});

t.test(
  'a folder that lies where nobody is let in any more is refused, and not shown as removed',
  async (t) => {
    const { served, tree } = subject();
    tree.putFolder('/d', 1);
    const folder = served.known(served.nodes.root, 'd', tree.stat(parsePath('/d')));
    tree.beforeStat = () => {
      throw new FsError('EACCES', '/d', 'no');
    };
    await t.rejects(async () => await served.ask('getattr', folder, words(0, 0)), { code: 'EACCES' });
  },
);

t.test('what lost its name to somebody else may have another: it is not changed by itself', async (t) => {
  const disk = { changedNs: 1n, accessedNs: 1n, blocks: 0, links: 2, user: 7, group: 0, device: 0 };
  const { served, tree } = subject();
  tree.putFolder('/d', 1, { disk, inode: 9 });
  const folder = served.known(served.nodes.root, 'd', tree.stat(parsePath('/d')));
  const mode = 1;
  const body = words(mode, ...Array.from({ length: 10 }, () => 0));
  served.nodes.removeName(served.nodes.root, 'd');
  await t.rejects(async () => await served.ask('setattr', folder, body), Stale, 'another mount has moved it');
  served.nodes.enter(served.nodes.root, 'e', tree.stat(parsePath('/d')) as NodeInfo);
  served.nodes.remove(served.nodes.root, 'e');
  t.ok(await served.ask('setattr', folder, body), 'this mount has removed it');
});
