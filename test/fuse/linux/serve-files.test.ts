import { constants } from 'node:fs';
import t from 'tap';
import type { WritableFile } from '../../../src/core/changes.ts';
import { FsError } from '../../../src/core/errors.ts';
import { fileInfo, linkInfo } from '../../../src/core/node-info.ts';
import { parsePath, type VfsPath } from '../../../src/core/paths.ts';
import type { Awaitable, NodeInfo, OpenFile } from '../../../src/core/resolver.ts';
import { Stale } from '../../../src/fuse/linux/handler.ts';
import { OpenedFile } from '../../../src/fuse/linux/handles.ts';
import type { Node } from '../../../src/fuse/linux/node-table.ts';
import { FakeServed, nameBytes, words } from './fake-served.ts';
import { FakeTree } from './fake-tree.ts';

const { O_RDONLY, O_RDWR } = constants;
const KEEP_CACHE = 2;
const DIRECT_IO = 1;
const NO_FLUSH = 32;
const PASS_THROUGH = 128;

/** A live file that a test changes, and that says what is done with it. */
class LiveFile implements WritableFile {
  readonly did: string[] = [];
  info: NodeInfo;
  needsNoFlush = false;
  descriptor: number | undefined;
  /** What `copyFrom` waits for. */
  copying: PromiseLike<number> | undefined;

  constructor(info: NodeInfo) {
    this.info = info;
  }

  get sizeBytes(): number {
    return this.info.sizeBytes;
  }

  stat(): NodeInfo {
    return this.info;
  }

  read(): number {
    return 0;
  }

  write(bytes: Uint8Array): number {
    this.did.push('write');
    return bytes.length;
  }

  truncate(sizeBytes: number): void {
    this.did.push(`truncate ${sizeBytes}`);
  }

  flush(): void {
    this.did.push('flush');
  }

  sync(): void {}

  copyFrom(): Awaitable<number> {
    return this.copying ?? 0;
  }

  close(): void {
    this.did.push('close');
  }
}

class OpenableTree extends FakeTree {
  readonly files = new Map<string, () => Awaitable<OpenFile>>();

  /** What is opened to be written. */
  written: WritableFile | undefined;
  /** What is made. */
  created: WritableFile | undefined;

  override open(path: VfsPath): Awaitable<OpenFile> {
    return this.files.get(path)?.() ?? super.open(path);
  }

  override openToWrite(path: VfsPath): Awaitable<WritableFile> {
    return this.written ?? super.openToWrite(path);
  }

  override create(path: VfsPath): WritableFile {
    return this.created ?? super.create(path);
  }
}

const FLAGS_AT = 8;

interface Opened {
  readonly handle: number;
  /** `FOPEN_…` */
  readonly flags: number;
}

/** One OPEN. */
async function openOnce(served: FakeServed, node: Node, flags = O_RDONLY): Promise<Opened> {
  const opened = await served.answer('open', node, words(flags));
  return { handle: Number(opened.readBigUInt64LE(0)), flags: opened.readUInt32LE(FLAGS_AT) };
}

/** As the kernel opens by a descriptor in /proc: once more where it is sent back, which finds the same node again. */
async function open(served: FakeServed, node: Node, flags = O_RDONLY): Promise<Opened> {
  try {
    return await openOnce(served, node, flags);
  } catch (error) {
    if (error instanceof Stale) return openOnce(served, node, flags);
    throw error;
  }
}

/** Whether the kernel goes on with the pages that it has. */
function keepsPages(served: FakeServed, { flags }: Opened): boolean {
  const isForgotten = served.notices.splice(0).some((notice) => notice.startsWith('forget all at once'));
  return (flags & KEEP_CACHE) !== 0 && !isForgotten;
}

async function release(served: FakeServed, node: Node, handle: number): Promise<void> {
  await served.ask('release', node, words(handle, 0, 0));
}

function subject(info: NodeInfo = fileInfo(10, 1n)): {
  served: FakeServed;
  tree: OpenableTree;
  node: Node;
  file: LiveFile;
} {
  const tree = new OpenableTree();
  tree.put('/a', info);
  const served = new FakeServed(tree);
  const node = served.known(served.nodes.root, 'a', info);
  const file = new LiveFile(info);
  tree.files.set('/a', () => file);
  return { served, tree, node, file };
}

t.test('a live file that others changed is read anew, whatever stat has told meanwhile', async (t) => {
  const { served, tree, node, file } = subject();
  const first = await open(served, node);
  t.ok(keepsPages(served, first));
  await release(served, node, first.handle);
  file.info = fileInfo(10, 2n);
  tree.put('/a', file.info);
  await served.answer('getattr', node, words(0, 0));
  t.equal(node.info.modifiedNs, 2n);
  const second = await open(served, node);
  t.notOk(keepsPages(served, second));
  await release(served, node, second.handle);
  t.ok(keepsPages(served, await open(served, node)));
});

t.test('what was written through the mount stays in its cache', async (t) => {
  const { served, node, file } = subject();
  const handle = served.handles.addFile(new OpenedFile(node, file, 'to write'));
  file.info = fileInfo(20, 2n);
  await served.answer('flush', node, words(handle, 0, 0));
  await release(served, node, handle);
  t.ok(keepsPages(served, await open(served, node)));
});

t.test('what was written to a file that needs no flush stays in the cache, too', async (t) => {
  const { served, tree, node, file } = subject();
  file.needsNoFlush = true;
  tree.written = file;
  const { handle, flags } = await open(served, node, O_RDWR);
  t.equal(flags & NO_FLUSH, NO_FLUSH);
  file.info = fileInfo(20, 2n);
  await release(served, node, handle);
  t.ok(keepsPages(served, await open(served, node)));
});

t.test('close(2) of a file that needs a flush waits for it', async (t) => {
  const { served, node } = subject();
  t.equal((await open(served, node)).flags & NO_FLUSH, 0);
});

t.test('what others wrote while a reader had the file open is read anew after it', async (t) => {
  const { served, node, file } = subject();
  file.needsNoFlush = true;
  const { handle } = await open(served, node);
  file.info = fileInfo(20, 2n);
  await release(served, node, handle);
  t.notOk(keepsPages(served, await open(served, node)));
});

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
  const second = await takenTwice(toWrite);
  file.info = { ...fileInfo(33, 1n), inode: 8 };
  tree.put('/a', file.info);
  const opened = await openOnce(served, second);
  t.equal(opened.flags & DIRECT_IO, DIRECT_IO, 'past the pages of the file that the kernel meant');
  const attributes = await served.answer('getattr', second, words(0, 0));
  t.equal(attributes.readBigUInt64LE(16 + 8), 33n, 'and fstat(2) tells of what is read');
  await t.rejects(
    open(served, second),
    { name: 'Stale' },
    'by a descriptor in /proc it is that file or none',
  );
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

t.test('an open file shows itself, and not what has its name by now', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), inode: 7 });
  await open(served, node);
  file.info = { ...fileInfo(33, 1n), inode: 7 };
  tree.put('/a', { ...fileInfo(44, 1n), inode: 8 });
  const attributes = await served.answer('getattr', node, words(0, 0));
  t.equal(attributes.readBigUInt64LE(16 + 8), 33n);
  tree.take('/a');
  t.equal((await served.answer('getattr', node, words(0, 0))).readBigUInt64LE(16 + 8), 33n);
});

t.test('a file that cannot be handed over is closed', async (t) => {
  const { served, tree, node, file } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.files.set('/a', () => ({ sizeBytes: 10, version: 'v2', read: () => 0, close: () => file.close() }));
  tree.take('/a');
  await t.rejects(openOnce(served, node), { code: 'ENOENT' });
  t.same(file.did, ['close']);
  t.equal(served.handles.size, 0);
});

t.test('two who open a newer version at once never share pages of two versions', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
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

/** SETATTR of FATTR_SIZE alone, as it follows an open(2) with O_TRUNC. */
async function empty(served: FakeServed, node: Node): Promise<void> {
  await served.ask('setattr', node, words(1 << 3, ...Array.from({ length: 10 }, () => 0)));
}

t.test('a file without a name that is opened anew through /proc can be emptied by that', async (t) => {
  const { served, node, file } = subject();
  served.handles.addFile(new OpenedFile(node, file));
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

t.test('who only reads cannot have a file without a name opened for writing', async (t) => {
  const { served, node } = subject();
  const reading: OpenFile = { sizeBytes: 10, read: () => 0, close() {} };
  served.handles.addFile(new OpenedFile(node, reading));
  served.nodes.removeName(served.nodes.root, 'a');
  t.ok(await open(served, node));
  await t.rejects(open(served, node, O_RDWR), { name: 'Stale' });
});

t.test('what somebody may write is all data: what is mapped the kernel writes when it likes', async (t) => {
  const { served, tree, node, file } = subject();
  const seeking = Object.assign(file, { seek: () => 7 });
  const { handle } = await open(served, node);
  const seek = async (position: number, whence: number): Promise<bigint> =>
    (await served.answer('lseek', node, words(handle, position, whence))).readBigUInt64LE(0);
  t.equal(await seek(1, 3), 7n);
  tree.written = seeking;
  const writer = await open(served, node, O_RDWR);
  t.equal(await seek(1, 3), 1n);
  t.equal(await seek(1, 4), 10n);
  await t.rejects(seek(10, 3), { code: 'ENXIO' });
  await release(served, node, writer.handle);
  t.equal(await seek(1, 3), 7n);
});

t.test('who has a file open goes on when a folder on the way lets nobody in any more', async (t) => {
  const { served, tree, node, file } = subject();
  const withTimes = Object.assign(file, { changeMode: () => void file.did.push('changeMode') });
  tree.written = withTimes;
  await open(served, node, O_RDWR);
  tree.beforeStat = () => {
    throw new FsError('EACCES', '/a', 'no');
  };
  file.info = fileInfo(33, 1n);
  const attributes = await served.answer('getattr', node, words(0, 0));
  t.equal(attributes.readBigUInt64LE(16 + 8), 33n);
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

t.test('a removed file that is open has no extended attributes', async (t) => {
  const { served, node, file } = subject();
  served.handles.addFile(new OpenedFile(node, file));
  served.nodes.removeName(served.nodes.root, 'a');
  t.equal((await served.answer('listxattr', node, words(100))).length, 0);
  const asked = Buffer.concat([words(100), nameBytes('user.kgraphfs.type')]);
  await t.rejects(async () => await served.ask('getxattr', node, asked), { code: 'ENODATA' });
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

t.test('a copy keeps its source open, also when that is closed meanwhile', async (t) => {
  const { served, node, file } = subject();
  const target = new LiveFile(fileInfo(0, 1n));
  let finish: (count: number) => void = () => {};
  target.copying = new Promise((resolve) => {
    finish = resolve;
  });
  const from = served.handles.addFile(new OpenedFile(node, file));
  const to = served.handles.addFile(new OpenedFile(node, target));
  const copied = served.answer('copyFileRange', node, words(from, 0, node.id, to, 0, 100, 0));
  await release(served, node, from);
  t.same(file.did, []);
  finish(100);
  t.equal((await copied).readUInt32LE(0), 100);
  await new Promise(setImmediate);
  t.same(file.did, ['close']);
});

t.test('attributes that may be half changed are asked for again', async (t) => {
  const { served, node } = subject();
  const body = Buffer.alloc(88);
  body.writeUInt32LE(1, 0);
  await t.rejects(async () => await served.ask('setattr', node, body), { code: 'EROFS' });
  t.same(served.notices, ['forget attributes /a']);
});

t.test('a write that is refused has the kernel forget what it took for written', async (t) => {
  const { served, node, file } = subject();
  file.write = () => {
    throw new FsError('ENOSPC', '/a', 'full');
  };
  const handle = served.handles.addFile(new OpenedFile(node, file));
  const body = Buffer.concat([words(handle, 0, 3, 0, 0), Buffer.from('abc')]);
  await t.rejects(async () => await served.ask('write', node, body), { code: 'ENOSPC' });
  t.same(served.notices, ['forget attributes /a', 'forget soon /a']);
});

t.test('reads and writes that answer nonsense are bugs, and no memory is shown', async (t) => {
  const { served, node, file } = subject();
  const handle = served.handles.addFile(new OpenedFile(node, file));
  for (const count of [-1, 1.5, 101, Number.NaN]) {
    file.read = () => count;
    file.write = () => count;
    await t.rejects(async () => await served.ask('read', node, words(handle, 0, 100, 0, 0)), TypeError);
    const body = Buffer.concat([words(handle, 0, 3, 0, 0), Buffer.from('abc')]);
    await t.rejects(async () => await served.ask('write', node, body), TypeError);
  }
});

t.test('a name is looked up, counted, missed and remembered as missing', async (t) => {
  const { served, tree, node } = subject();
  const entry = await served.answer('lookup', served.nodes.root, nameBytes('a'));
  t.equal(Number(entry.readBigUInt64LE(0)), node.id);
  t.equal(node.lookUps, 2);
  const missed = await served.answer('lookup', served.nodes.root, nameBytes('b'));
  t.same([missed.readBigUInt64LE(0), missed.readBigUInt64LE(16)], [0n, 3600n]);
  t.same([...(served.nodes.root.missed ?? [])], ['b']);
  tree.putFile('/b', 1);
  await served.answer('lookup', served.nodes.root, nameBytes('b'));
  t.equal(served.nodes.root.missed, undefined);
  await served.ask('forget', node, words(2));
  t.equal(served.nodes.get(node.id), undefined);
});

t.test('what changed while it was looked up is asked for again at the next use', async (t) => {
  const { served, tree } = subject();
  tree.beforeStat = () => {
    served.generation += 1;
  };
  const entry = await served.answer('lookup', served.nodes.root, nameBytes('a'));
  t.same([entry.readBigUInt64LE(16), entry.readBigUInt64LE(24)], [0n, 0n]);
  await t.rejects(async () => await served.ask('lookup', served.nodes.root, nameBytes('b')), {
    code: 'ENOENT',
  });
  t.equal(served.nodes.root.missed, undefined);
});

t.test('an answer that the kernel does not take gives back what it gave', async (t) => {
  const { served, node } = subject();
  const answers = [
    await served.ask('lookup', served.nodes.root, nameBytes('a')),
    await served.ask('open', node, words(0)),
    await served.ask('opendir', served.nodes.root, words(0)),
  ];
  for (const answer of answers) answer?.undo?.();
  t.equal(node.lookUps, 1);
  t.equal(node.openings, 0);
  t.equal(served.handles.size, 0);
});

t.test('an open that finds a link where its file was leaves the kernel with a file', async (t) => {
  const { served, tree, node } = subject({ ...fileInfo(10, 1n), version: 'v1' });
  tree.files.set('/a', () => ({ sizeBytes: 12, version: 'v2', read: () => 0, close() {} }));
  tree.put('/a', { ...linkInfo('b', 2n), version: 'b' });
  await served.answer('open', node, words(0));
  t.same([node.info.kind, node.info.version, node.info.sizeBytes], ['file', 'v2', 12]);
});

t.test('what is a file by now, and no link, is looked up anew', async (t) => {
  const { served, node } = subject();
  await t.rejects(async () => await served.ask('readlink', node, words()), { name: 'Stale' });
});

t.test('names that were changed too late are asked for again', async (t) => {
  const { served, tree, node } = subject();
  tree.rename = () => undefined;
  tree.remove = () => undefined;
  tree.makeFolder = (path) => tree.putFolder(path, 1);
  const { root } = served.nodes;
  const answers = [
    await served.ask('rename', root, Buffer.concat([words(1), nameBytes('a', 'b')])),
    await served.ask('unlink', root, nameBytes('b')),
    await served.ask('mkdir', root, Buffer.concat([words(0), nameBytes('d')])),
  ];
  t.same(served.notices, []);
  for (const answer of answers) answer?.undo?.();
  t.same(served.notices, ['forget a in /', 'forget b in /', 'forget b in /', 'forget d in /']);
  t.equal(served.nodes.pathOf(node), undefined);
});

t.test('a name that was made and cannot be looked at is asked for again', async (t) => {
  const { served, tree } = subject();
  tree.makeFolder = () => undefined;
  const body = Buffer.concat([words(0), nameBytes('d')]);
  await t.rejects(async () => await served.ask('mkdir', served.nodes.root, body), { code: 'ENOENT' });
  t.same(served.notices, ['forget d in /']);
});

t.test('the memory of a read that is answered later is used again', async (t) => {
  const { served, node, file } = subject();
  const handle = served.handles.addFile(new OpenedFile(node, file));
  file.read = () => 3;
  await served.answer('read', node, words(handle, 0, 100));
  t.equal(served.givenBack, 0);
  const later: { read: () => Awaitable<number> } = file;
  later.read = async () => 3;
  await served.answer('read', node, words(handle, 0, 100));
  t.equal(served.givenBack, 1);
  later.read = () => Promise.reject(new FsError('EIO', '/a', 'broken'));
  await t.rejects(async () => await served.ask('read', node, words(handle, 0, 100)), { code: 'EIO' });
  t.equal(served.givenBack, 2);
});

t.test('what changes untold is looked up and asked about each time', async (t) => {
  const tree = new FakeTree();
  tree.putFile('/page', 1, { version: 'one', changesUntold: true });
  const served = new FakeServed(tree);
  const found = await served.answer('lookup', 1, nameBytes('page'));
  t.same(
    [found.readBigUInt64LE(16), found.readBigUInt64LE(24)],
    [0n, 0n],
    'neither name nor attributes are kept',
  );
  const asked = await served.answer('getattr', Number(found.readBigUInt64LE(0)), words(0, 0));
  t.equal(asked.readBigUInt64LE(0), 0n);
});
