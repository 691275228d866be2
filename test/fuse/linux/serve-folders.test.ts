import { constants } from 'node:os';
import t from 'tap';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import type { VfsPath } from '../../../src/core/paths.ts';
import type { Awaitable, DirEntry, NodeInfo } from '../../../src/core/resolver.ts';
import { Refusal } from '../../../src/fuse/linux/handler.ts';
import { isListedAlike } from '../../../src/fuse/linux/listing.ts';
import { FakeServed, words } from './fake-served.ts';
import { FakeTree } from './fake-tree.ts';

/** Lists what a test says, besides what there is. */
class ListedTree extends FakeTree {
  listed: readonly DirEntry[] | undefined;
  readonly synced: (VfsPath | undefined)[] = [];

  override list(folder: VfsPath): Awaitable<readonly DirEntry[]> {
    return this.listed ?? super.list(folder);
  }

  override syncFolder(path?: VfsPath): void {
    this.synced.push(path);
  }
}

interface Listed {
  readonly name: string;
  readonly inode: bigint;
  readonly nextOffset: number;
  /** 0 where the kernel is given no entry. */
  readonly nodeId: number;
}

/** Reads a listing as the kernel does: until an answer is empty. */
class Reader {
  readonly #served: FakeServed;
  readonly #plus: boolean;
  readonly #folder: number;
  position = 0;

  /** @param folder by the kernel's number; the root, unless given */
  constructor(served: FakeServed, plus = false, folder = 1) {
    this.#served = served;
    this.#plus = plus;
    this.#folder = folder;
  }

  /** @returns the names of one answer */
  async next(sizeBytes = 400): Promise<Listed[]> {
    const operation = this.#plus ? 'readdirplus' : 'readdir';
    const body = words(0, this.position, sizeBytes, 0, 0);
    const payload = await this.#served.answer(operation, this.#folder, body);
    if (payload.length > sizeBytes) throw new Error('an answer is longer than asked for');
    const found: Listed[] = [];
    const entryBytes = this.#plus ? 128 : 0;
    for (let at = 0; at < payload.length; ) {
      const dirent = at + entryBytes;
      const nameBytes = payload.readUInt32LE(dirent + 16);
      const nextOffset = Number(payload.readBigUInt64LE(dirent + 8));
      found.push({
        name: payload.toString('utf8', dirent + 24, dirent + 24 + nameBytes),
        inode: payload.readBigUInt64LE(dirent),
        nextOffset,
        nodeId: this.#plus ? Number(payload.readBigUInt64LE(at)) : 0,
      });
      this.position = nextOffset;
      at = dirent + ((24 + nameBytes + 7) & ~7);
    }
    return found;
  }

  async rest(sizeBytes?: number): Promise<Listed[]> {
    const found: Listed[] = [];
    for (;;) {
      const names = await this.next(sizeBytes);
      if (names.length === 0) return found;
      found.push(...names);
    }
  }
}

function subject(count: number): { served: FakeServed; tree: ListedTree; names: string[] } {
  const tree = new ListedTree();
  const names = Array.from({ length: count }, (_, index) => `${index}${'x'.repeat(index % 50)}`);
  for (const name of names) tree.putFile(`/${name}`, 1);
  return { served: new FakeServed(tree), tree, names };
}

function namesOf(listed: readonly Listed[]): string[] {
  return listed.map(({ name }) => name);
}

for (const plus of [false, true]) {
  const operation = plus ? 'READDIRPLUS' : 'READDIR';

  t.test(`${operation} gives each name once, in answers as long as asked for`, async (t) => {
    const { served, names } = subject(100);
    const listed = await new Reader(served, plus).rest();
    t.same(namesOf(listed), ['.', '..', ...names]);
  });

  t.test(`${operation} goes on with the names that there were, whatever changes`, async (t) => {
    const { served, tree, names } = subject(100);
    const reader = new Reader(served, plus);
    const first = await reader.next(2000);
    for (const name of names.slice(0, 50)) tree.take(`/${name}`);
    tree.putFile('/new', 1);
    t.same(namesOf([...first, ...(await reader.rest(2000))]), ['.', '..', ...names]);
    reader.position = 0;
    const again = namesOf(await reader.rest(2000));
    t.same(again.slice(2).toSorted(), [...names.slice(50), 'new'].toSorted(), 'and after rewinddir(3) anew');
  });

  t.test(`${operation} leaves out names that would cost the whole listing`, async (t) => {
    const { served, tree } = subject(0);
    const names = ['', '.', '..', 'a/b', 'a\0b', 'é'.repeat(128), 'fine', 'é'.repeat(127)];
    tree.listed = names.map((name) => ({ name, kind: 'file' }));
    const listed = await new Reader(served, plus).rest(2000);
    t.same(namesOf(listed), ['.', '..', 'fine', 'é'.repeat(127)]);
    t.equal(served.bugs.length, 6);
  });
}

t.test(
  'who was listed names by the kernel, goes on with what stayed, whatever changes and whoever lists',
  async (t) => {
    const { served, tree, names } = subject(100);
    const all = await new Reader(served).rest(2000);
    const reader = new Reader(served);
    reader.position = all[50]?.nextOffset ?? 0;
    for (const name of names.slice(30, 60)) tree.take(`/${name}`);
    tree.putFile('/new', 1);
    const now = await new Reader(served).rest(2000);
    t.same(namesOf(now).sort(), ['.', '..', 'new', ...names.slice(0, 30), ...names.slice(60)].sort());
    t.same(namesOf(await reader.rest(2000)), [...names.slice(60), 'new']);
    const before = new Map(all.map(({ nextOffset, name }) => [nextOffset, name]));
    t.same(
      now.filter(({ nextOffset, name }) => (before.get(nextOffset) ?? name) !== name),
      [],
      'no offset means two names',
    );
  },
);

t.test(
  'who goes on from what nobody knows any more is listed all, and the kernel keeps none of it',
  async (t) => {
    const { served, tree, names } = subject(10);
    const reader = new Reader(served);
    const first = await reader.next(200);
    t.ok(first.length > 2 && first.length < 10);
    tree.putFolder('/large', 1);
    const large = served.nodes.enter(served.nodes.root, 'large', folderInfo(1n));
    tree.listed = new Array<DirEntry>(1_100_000).fill({ name: 'x', kind: 'file' });
    await new Reader(served, false, large.id).next();
    tree.listed = [...names, 'new'].map((name) => ({ name, kind: 'file' }));
    t.same(served.notices, []);
    t.same(namesOf(await reader.rest(4000)), [...names, 'new']);
    t.same(served.notices, ['invalidate listing /']);
  },
);

t.test('what changes while names are on their way to the kernel is told of', async (t) => {
  const { served, tree } = subject(3);
  const entries: DirEntry[] = [{ name: '0', kind: 'file' }];
  const listed = new Promise<readonly DirEntry[]>((resolve) => setImmediate(resolve, entries));
  t.ok(isListedAlike(served.nodes.root, entries));
  tree.list = () => listed;
  const reading = new Reader(served).rest();
  t.notOk(isListedAlike(served.nodes.root, entries));
  t.same(namesOf(await reading), ['.', '..', '0']);
  t.ok(isListedAlike(served.nodes.root, entries));
});

t.test('from . on, the rest is listed', async (t) => {
  const { served, names } = subject(3);
  const reader = new Reader(served);
  reader.position = 1;
  t.same(namesOf(await reader.rest()), ['..', ...names]);
});

t.test('the kernel opens folders by itself', async (t) => {
  const { served } = subject(1);
  await t.rejects(async () => await served.ask('opendir', 1, words(0)), new Refusal(constants.errno.ENOSYS));
});

t.test(
  'who makes files ready ahead is told the number of each name that the kernel knows no more of',
  async (t) => {
    const { served } = subject(100);
    const listed = await new Reader(served).rest();
    t.ok(listed.length > 100);
    t.same(
      served.told,
      listed.slice(2).map(({ name, inode }) => [name, Number(inode)]),
    );
  },
);

t.test('a listing ends where it ended, though its folder is gone by then', async (t) => {
  for (const plus of [false, true]) {
    const { served, tree } = subject(0);
    tree.putFolder('/folder', 1);
    tree.putFile('/folder/file', 1);
    const folder = served.nodes.enter(served.nodes.root, 'folder', folderInfo(1n));
    const reader = new Reader(served, plus, folder.id);
    t.same(namesOf(await reader.next(4000)), ['.', '..', 'file']);
    served.nodes.removeName(served.nodes.root, 'folder');
    t.same(await reader.next(), []);
  }
});

t.test('READDIRPLUS counts a look-up for each entry, and gives all back where it is not taken', async (t) => {
  const { served, names } = subject(20);
  const body = words(0, 0, 8000, 0, 0);
  const answer = await served.ask('readdirplus', 1, body);
  answer?.encode(Buffer.alloc(8192));
  t.equal(served.nodes.size, 1 + names.length);
  for (const name of names) t.equal(served.nodes.root.children?.get(name)?.lookUps, 1);
  answer?.undo?.();
  t.equal(served.nodes.size, 1);
});

t.test('READDIRPLUS gives no entry of what is gone, and of what is not known at once', async (t) => {
  const { served, tree } = subject(3);
  tree.listed = ['0', '1x', 'gone'].map((name) => ({ name, kind: 'file' }));
  tree.beforeStat = (path) => (path === '/1x' ? Promise.reject(new Error('later')) : undefined);
  const listed = await new Reader(served, true).rest(4000);
  t.same(
    listed.map(({ name, nodeId }) => [name, nodeId > 0]),
    [
      ['.', false],
      ['..', false],
      ['0', true],
      ['1x', false],
      ['gone', false],
    ],
  );
  t.equal(served.nodes.size, 2);
});

t.test('an entry that is nonsense fails the answer, and leaves no look-up behind', async (t) => {
  const { served, tree, names } = subject(5);
  const info: NodeInfo = { ...fileInfo(1, 1n), sizeBytes: -5 };
  tree.put(`/${names[4]}`, info);
  const answer = await served.ask('readdirplus', 1, words(0, 0, 8000, 0, 0));
  t.throws(() => answer?.encode(Buffer.alloc(8192)), TypeError);
  answer?.undo?.();
  t.equal(served.nodes.size, 1);
});

t.test('a listing shows the number that stat shows', async (t) => {
  const { served, tree } = subject(1);
  const [, , listed] = await new Reader(served).rest();
  const node = served.known(served.nodes.root, '0', fileInfo(1, 1n));
  t.equal(Number(listed?.inode), node.inode);
  tree.put('/0', { ...fileInfo(1, 1n), inode: 77 });
  const [, , withEntry] = await new Reader(served, true).rest();
  t.equal(withEntry?.inode, 77n);
  const folder = served.known(served.nodes.root, 'folder', { ...folderInfo(1n), inode: 88 });
  for (const name of ['known', 'unknown']) tree.putFile(`/folder/${name}`, 1);
  const known = served.known(folder, 'known', { ...fileInfo(1, 1n), inode: 99 });
  const inodes = (await new Reader(served, false, folder.id).rest()).map(({ inode }) => Number(inode));
  const noneSaid = 0xff_ff_ff_ff;
  t.same(
    inodes,
    [folder.inode, served.nodes.root.inode, known.inode, noneSaid],
    'of a folder of a disk, too',
  );
});

t.test('what a folder holds is kept for good where it has a name', async (t) => {
  const { served, tree } = subject(0);
  tree.putFolder('/folder', 1);
  const folder = served.known(served.nodes.root, 'folder', folderInfo(1n));
  await served.ask('fsyncdir', folder, words(0, 0));
  t.same(tree.synced, ['/folder']);
  served.nodes.removeName(served.nodes.root, 'folder');
  await served.ask('fsyncdir', folder, words(0, 0));
  t.same(tree.synced, ['/folder']);
});

t.test('who lists the root went through it, and nobody else', async (t) => {
  const { served, tree } = subject(1);
  await new Reader(served).next();
  t.equal(served.rootUses, 1);
  tree.putFolder('/folder', 1);
  const folder = served.known(served.nodes.root, 'folder', folderInfo(1n));
  await new Reader(served, false, folder.id).next();
  t.equal(served.rootUses, 1);
});
