import t from 'tap';
import type { CreateOptions, WritableFile, WriteOptions } from '../../src/core/changes.ts';
import { FsError } from '../../src/core/errors.ts';
import { fileInfo, folderInfo, linkInfo } from '../../src/core/node-info.ts';
import { fileOfBytes } from '../../src/core/open-file.ts';
import { parsePath } from '../../src/core/paths.ts';
import type { OpContext, Resolver } from '../../src/core/resolver.ts';
import { replaceFile } from '../../src/vfs/replace-file.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';

const CONTEXT: OpContext = { caller: { name: 'ana' } };

/** What a disk was asked to do, and what it does otherwise than disks do. */
interface Disk {
  /** Folders that are there, and files by their bytes. */
  readonly nodes: Map<string, 'folder' | Buffer>;
  /** What they lead to. */
  readonly links: Map<string, string>;
  readonly asked: string[];
  readonly contexts: Set<OpContext>;
  /** Called before a step, as `create a/b`, is done. */
  before: (step: string) => void;
  /** So many bytes are taken at once. */
  atOnceBytes: number;
}

function subject() {
  const disk: Disk = {
    nodes: new Map([['', 'folder']]),
    links: new Map(),
    asked: [],
    contexts: new Set(),
    before: () => {},
    atOnceBytes: Number.POSITIVE_INFINITY,
  };
  const note = (step: string, context: OpContext) => {
    disk.before(step);
    disk.asked.push(step);
    disk.contexts.add(context);
  };
  const at = (path: string) => {
    const node = disk.nodes.get(path);
    if (node === undefined) throw new FsError('ENOENT', parsePath(`/${path}`), 'nothing is there');
    return node;
  };
  const opened = (path: string): WritableFile => ({
    sizeBytes: 0,
    stat: () => fileInfo(0, 0n),
    read: () => 0,
    write: async (bytes, position, context) => {
      const taken = bytes.subarray(0, disk.atOnceBytes);
      note(`write ${taken.byteLength} at ${position}`, context);
      const before = disk.nodes.get(path);
      const kept = before instanceof Buffer ? before.subarray(0, position) : Buffer.alloc(0);
      disk.nodes.set(path, Buffer.concat([kept, taken]));
      return taken.byteLength;
    },
    truncate: () => {},
    flush: async (context) => {
      await undefined;
      note('flush', context);
    },
    sync: () => {},
    close: () => disk.asked.push('close'),
  });
  const resolver: Resolver = {
    name: 'disk',
    stat(path) {
      const target = disk.links.get(path);
      if (target !== undefined) return linkInfo(target, 0n);
      const node = at(path);
      return node === 'folder' ? folderInfo(0n) : fileInfo(node.byteLength, 0n);
    },
    readLink: (path) => disk.links.get(path) ?? '',
    list: () => [],
    open: () => fileOfBytes(Buffer.from('')),
    openToWrite(path, options: WriteOptions, context) {
      note(`open ${path} ${JSON.stringify(options)}`, context);
      at(path);
      return opened(path);
    },
    create(path, { mode, exclusive, ...options }: CreateOptions, context) {
      note(`create ${path} ${mode.toString(8)} ${exclusive} ${JSON.stringify(options)}`, context);
      disk.nodes.set(path, Buffer.alloc(0));
      return opened(path);
    },
    makeFolder(path, mode, context) {
      note(`folder ${path} ${mode.toString(8)}`, context);
      if (disk.nodes.has(path)) throw new FsError('EEXIST', parsePath(`/${path}`), 'it is there');
      disk.nodes.set(path, 'folder');
    },
  };
  const fs = new SystemFs([{ point: parsePath('/'), resolver }], () => {});
  return {
    disk,
    write: (path: string, ...parts: string[]) =>
      replaceFile(
        fs,
        parsePath(path),
        parts.map((part) => Buffer.from(part)),
        CONTEXT,
      ),
    text: (path: string) => String(disk.nodes.get(path)),
  };
}

const TRUNCATED = '{"append":false,"truncate":true}';

t.test('a file that is there is emptied, written and flushed, and then closed', async (t) => {
  const { disk, write, text } = subject();
  disk.nodes.set('a', Buffer.from('before'));
  t.equal(await write('/a', 'one', 'three'), 8);
  t.equal(text('a'), 'onethree');
  t.same(disk.asked, [`open a ${TRUNCATED}`, 'write 3 at 0', 'write 5 at 3', 'flush', 'close']);
  t.same([...disk.contexts], [CONTEXT], 'each step is of who asks');
});

t.test('what is not taken at once is written bit by bit', async (t) => {
  const { disk, write, text } = subject();
  disk.nodes.set('a', Buffer.from(''));
  disk.atOnceBytes = 2;
  t.equal(await write('/a', 'abc', 'de'), 5);
  t.equal(text('a'), 'abcde');
});

t.test('a file that becomes empty is written, too, for who counts the writes', async (t) => {
  const { disk, write } = subject();
  disk.nodes.set('a', Buffer.from('before'));
  t.equal(await write('/a'), 0);
  t.same(disk.asked.slice(1), ['write 0 at 0', 'flush', 'close']);
});

t.test(
  'a new file is of its owner alone, as the folders on the way, which are made from above',
  async (t) => {
    const { disk, write, text } = subject();
    disk.nodes.set('a', 'folder');
    t.equal(await write('/a/b/c/new', 'text'), 4);
    t.same(disk.asked.slice(0, 4), [
      `open a/b/c/new ${TRUNCATED}`,
      'folder a/b 700',
      'folder a/b/c 700',
      `create a/b/c/new 600 true ${TRUNCATED}`,
    ]);
    t.equal(text('a/b/c/new'), 'text');
    t.same([...disk.contexts], [CONTEXT]);
  },
);

t.test('whoever makes the same file or folder at that moment is no hindrance', async (t) => {
  const { disk, write, text } = subject();
  disk.before = (step) => {
    if (step.startsWith('folder')) disk.nodes.set('a', 'folder');
    if (!step.startsWith('create')) return;
    disk.nodes.set('a/new', Buffer.from('of another'));
    throw new FsError('EEXIST', parsePath('/a/new'), 'it is there');
  };
  t.equal(await write('/a/new', 'text'), 4);
  t.equal(text('a/new'), 'text');
});

t.test('links are followed, also where what they lead to has new names below it', async (t) => {
  const { disk, write, text } = subject();
  disk.nodes.set('folder', 'folder');
  disk.nodes.set('folder/a', Buffer.from('before'));
  disk.links.set('link', 'folder');
  await write('/link/a', 'one');
  await write('/link/new/b', 'two');
  t.same([text('folder/a'), text('folder/new/b')], ['one', 'two']);
});

t.test('a refusal is said of the path that was asked for, and the file is closed', async (t) => {
  const { disk, write } = subject();
  disk.nodes.set('a', Buffer.from(''));
  disk.links.set('link', 'a');
  const full = (at: string) => (step: string) => {
    if (step.startsWith(at)) throw new FsError('ENOSPC', parsePath('/of/the/disk'), 'the disk is full');
  };
  for (const at of ['write', 'flush']) {
    disk.before = full(at);
    disk.asked.length = 0;
    await t.rejects(write('/link', 'x'), { code: 'ENOSPC', path: '/link', why: 'the disk is full' }, at);
    t.equal(disk.asked.at(-1), 'close', at);
  }
  disk.before = (step) => {
    if (step === 'flush') throw new RangeError('a bug');
  };
  await t.rejects(write('/a', 'x'), new RangeError('a bug'));
  t.equal(disk.asked.at(-1), 'close');
});

t.test('what is refused before anything is written makes nothing', async (t) => {
  const { disk, write } = subject();
  disk.links.set('loop', 'loop');
  await t.rejects(write('/loop', 'x'), { code: 'ELOOP' });
  t.same(disk.asked, []);
  const refusing = (at: string) => (step: string) => {
    if (step.startsWith(at)) throw new FsError('EACCES', parsePath('/a'), 'no');
  };
  disk.nodes.set('a', Buffer.from('before'));
  for (const [at, path] of [
    ['open', '/a'],
    ['folder', '/new/b'],
    ['create', '/new'],
  ] as const) {
    disk.before = refusing(at);
    disk.asked.length = 0;
    await t.rejects(write(path, 'x'), { code: 'EACCES' }, at);
    t.notOk(disk.asked.some((step) => step.startsWith('write') || step.startsWith('close')));
  }
  t.same([...disk.nodes.keys()], ['', 'a']);
});
