import fc from 'fast-check';
import t from 'tap';
import { fileInfo, folderInfo, linkInfo } from '../../../src/core/node-info.ts';
import type { NodeInfo } from '../../../src/core/resolver.ts';
import { tellable } from '../../../src/fuse/linux/live-bytes.ts';
import { type Node, NodeTable } from '../../../src/fuse/linux/node-table.ts';

const FOLDERS = ['', 'd'];
const NAMES = ['a', 'b'];
const place = fc.record({ folder: fc.constantFrom(...FOLDERS), name: fc.constantFrom(...NAMES) });
type Place = { readonly folder: string; readonly name: string };

/** A disk, and a kernel that looks at it through the table. */
class Model {
  readonly table = new NodeTable(folderInfo(0n));
  readonly #disk = new Map<string, NodeInfo>();
  readonly #folders = new Map<string, Node>([['', this.table.root]]);
  /** What the kernel has by name, and how often it was given each node. */
  readonly #names = new Map<string, number>();
  readonly #counts = new Map<number, number>();

  constructor() {
    for (const name of FOLDERS.slice(1)) {
      const node = this.table.enter(this.table.root, name, folderInfo(0n));
      this.#given(node);
      this.#folders.set(name, node);
    }
  }

  /** Somebody else puts a file there, or another one. */
  put(place: Place, info: NodeInfo): void {
    this.#disk.set(keyOf(place), info);
  }

  /** Somebody else takes it away. */
  take(place: Place): void {
    this.#disk.delete(keyOf(place));
  }

  lookUp(place: Place): Node | undefined {
    const info = this.#disk.get(keyOf(place));
    const folder = this.folder(place);
    if (info === undefined) {
      this.table.removeName(folder, place.name);
      this.#names.delete(keyOf(place));
      return undefined;
    }
    const node = this.table.enter(folder, place.name, info);
    this.#given(node);
    this.#names.set(keyOf(place), node.id);
    return node;
  }

  link(from: Place, to: Place): void {
    const info = this.#disk.get(keyOf(from));
    if (info?.inode !== undefined && !this.#disk.has(keyOf(to))) this.put(to, info);
  }

  unlink(place: Place): void {
    if (this.lookUp(place) === undefined) return;
    this.take(place);
    this.table.removeName(this.folder(place), place.name);
    this.#names.delete(keyOf(place));
  }

  rename(from: Place, to: Place, exchanges: boolean): void {
    const node = this.lookUp(from);
    const other = this.lookUp(to);
    if (node === undefined || (exchanges && other === undefined)) return;
    const [source, target] = [keyOf(from), keyOf(to)];
    if (exchanges) {
      this.table.exchange(this.folder(from), from.name, this.folder(to), to.name);
      this.#swap(this.#disk, source, target);
      this.#swap(this.#names, source, target);
      return;
    }
    this.table.move(this.folder(from), from.name, this.folder(to), to.name);
    if (node === other) return;
    this.#move(this.#disk, source, target);
    this.#move(this.#names, source, target);
  }

  /** The kernel lets go of a name, as it does when memory is short. */
  drop(place: Place): void {
    this.#names.delete(keyOf(place));
  }

  /** The kernel gives all back that it has no name of. */
  forget(): void {
    const named = new Set(this.#names.values());
    for (const [id, count] of [...this.#counts]) {
      if (named.has(id) || this.#isFolder(id)) continue;
      this.table.forget(id, count);
      this.#counts.delete(id);
    }
  }

  /** The kernel gives some look-ups back of what it goes on using. */
  forgetOne(): void {
    for (const [id, count] of this.#counts) {
      if (count === 1) continue;
      this.table.forget(id, 1);
      this.#counts.set(id, count - 1);
    }
  }

  forgetAll(): void {
    this.#names.clear();
    this.forget();
    for (const name of FOLDERS.slice(1)) {
      const id = this.#folders.get(name)?.id ?? 0;
      this.table.forget(id, this.#counts.get(id) ?? 0);
    }
  }

  /** @throws Error where the table is not what the kernel knows */
  check(): void {
    for (const [id, count] of this.#counts) {
      const node = this.table.get(id);
      if (node?.lookUps !== count) throw new Error(`${node?.lookUps} look-ups of ${id}, and not ${count}`);
      const path = this.table.pathOf(node);
      if (path !== undefined && !this.#isFolder(id) && this.#nodeAt(path) !== node) {
        throw new Error(`${id} is not at ${path}`);
      }
    }
    for (const [key, id] of this.#names) {
      const node = this.#nodeAt(`/${key}`);
      if (node?.id !== id) throw new Error(`the kernel has ${id} at ${key}`);
      if (this.table.pathOf(node) === undefined) throw new Error(`${id} has a name and no path`);
    }
    if (this.table.size !== this.#counts.size + 1) throw new Error('there are nodes that nobody knows');
  }

  folder({ folder }: Place): Node {
    return this.#folders.get(folder) ?? this.table.root;
  }

  #nodeAt(path: string): Node | undefined {
    const names = path.split('/').filter((name) => name !== '');
    return names.reduce<Node | undefined>((node, name) => node?.children?.get(name), this.table.root);
  }

  #isFolder(id: number): boolean {
    return [...this.#folders.values()].some((folder) => folder.id === id);
  }

  #given(node: Node): void {
    node.lookUps += 1;
    this.#counts.set(node.id, (this.#counts.get(node.id) ?? 0) + 1);
  }

  #move<T>(map: Map<string, T>, from: string, to: string): void {
    const value = map.get(from);
    map.delete(from);
    if (value !== undefined) map.set(to, value);
  }

  #swap<T>(map: Map<string, T>, from: string, to: string): void {
    const [one, other] = [map.get(from), map.get(to)];
    if (one !== undefined) map.set(to, one);
    if (other !== undefined) map.set(from, other);
  }
}

function keyOf({ folder, name }: Place): string {
  return folder === '' ? name : `${folder}/${name}`;
}

const inode = fc.option(fc.integer({ min: 100, max: 103 }), { nil: undefined });
const info = fc.record({ inode, version: fc.constantFrom(undefined, 'v1', 'v2') }).map(
  ({ inode, version }): NodeInfo => ({
    ...fileInfo(1, 1n),
    ...(inode === undefined ? {} : { inode }),
    // What has a number of its own is live.
    ...(version === undefined || inode !== undefined ? {} : { version }),
  }),
);

type Step = (model: Model) => void;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(place, info).map(
    ([place, info]): Step =>
      (model) =>
        model.put(place, info),
  ),
  place.map(
    (place): Step =>
      (model) =>
        model.take(place),
  ),
  {
    weight: 4,
    arbitrary: place.map(
      (place): Step =>
        (model) =>
          void model.lookUp(place),
    ),
  },
  fc.tuple(place, place).map(
    ([from, to]): Step =>
      (model) =>
        model.link(from, to),
  ),
  place.map(
    (place): Step =>
      (model) =>
        model.unlink(place),
  ),
  fc.tuple(place, place, fc.boolean()).map(
    ([from, to, exchanges]): Step =>
      (model) =>
        model.rename(from, to, exchanges),
  ),
  place.map(
    (place): Step =>
      (model) =>
        model.drop(place),
  ),
  fc.constantFrom<Step>(
    (model) => model.forget(),
    (model) => model.forgetOne(),
  ),
);

t.test(
  'look-ups are counted exactly, names lead where the kernel has them, and nothing stays behind',
  (t) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
        const model = new Model();
        for (const step of steps) {
          step(model);
          model.check();
        }
        model.forgetAll();
        return model.table.size === 1 && model.table.root.children === undefined;
      }),
      { numRuns: 1000 },
    );
    t.end();
  },
);

function table(): NodeTable {
  return new NodeTable(folderInfo(0n));
}

t.test('each version of a file is a node of its own, with the same st_ino', (t) => {
  const nodes = table();
  const one = nodes.enter(nodes.root, 'a', { ...fileInfo(1, 1n), version: 'v1' });
  t.equal(nodes.enter(nodes.root, 'a', { ...fileInfo(1, 2n), version: 'v1' }), one);
  const two = nodes.enter(nodes.root, 'a', { ...fileInfo(1, 1n), version: 'v2' });
  t.not(two.id, one.id);
  t.equal(two.inode, one.inode);
  t.equal(nodes.pathOf(one), undefined, 'who has the old one open has it without a name');
  t.equal(nodes.pathOf(two), '/a');
  t.end();
});

t.test('a live file stays one node, whatever its bytes', (t) => {
  const nodes = table();
  const one = nodes.enter(nodes.root, 'a', fileInfo(1, 1n));
  t.equal(nodes.enter(nodes.root, 'a', fileInfo(2, 2n)), one);
  t.match(one.info, { sizeBytes: 1, modifiedNs: 2n }, 'its pages end where they did');
  t.equal(one.bytesAsOf.sizeBytes, 1, 'the kernel was not told that its pages are old');
  one.bytesAsOf = fileInfo(2, 2n);
  t.equal(
    nodes.enter(nodes.root, 'a', fileInfo(3, 3n)).info.sizeBytes,
    2,
    'so much it was told to let go of',
  );
  one.invalidating = 1;
  one.bytesAsOf = fileInfo(3, 3n);
  t.equal(tellable(one, fileInfo(4, 4n)).sizeBytes, 2, 'while that goes on, nothing is new');
  t.equal(tellable(one, fileInfo(0, 4n)).sizeBytes, 0, 'what became shorter is told');
  const other = { ...fileInfo(9, 9n), inode: 5 };
  t.equal(tellable(one, other), other, 'so is another file');
  t.end();
});

t.test('all names of a file lead to one node, until the last is gone', (t) => {
  const nodes = table();
  const info = { ...fileInfo(1, 1n), inode: 7 };
  const node = nodes.enter(nodes.root, 'a', info);
  node.lookUps = 2;
  t.equal(nodes.enter(nodes.root, 'b', info), node);
  t.equal(nodes.pathOf(node), '/b');
  nodes.removeName(nodes.root, 'a');
  t.equal(nodes.pathOf(node), '/b');
  nodes.move(nodes.root, 'b', nodes.root, 'c');
  t.equal(nodes.pathOf(node), '/c');
  nodes.removeName(nodes.root, 'c');
  t.equal(nodes.pathOf(node), undefined);
  nodes.forget(node.id, 2);
  t.not(nodes.enter(nodes.root, 'a', info).id, node.id, 'no number is given out twice');
  t.end();
});

t.test('a file is where it was found last, whatever names it had before', (t) => {
  const nodes = table();
  const info = { ...fileInfo(1, 1n), inode: 7 };
  const folder = nodes.enter(nodes.root, 'd', folderInfo(1n));
  const node = nodes.enter(folder, 'a', info);
  // Another process has moved the folder away, and the file out of it: of the former name within it nobody will tell.
  nodes.removeName(nodes.root, 'd');
  t.equal(nodes.enter(nodes.root, 'b', info), node);
  t.equal(nodes.pathOf(node), '/b');
  nodes.enter(nodes.root, 'c', info);
  t.equal(nodes.pathOf(node), '/c');
  nodes.enter(nodes.root, 'b', info);
  t.equal(nodes.pathOf(node), '/b', 'also where that name was known');
  nodes.removeName(nodes.root, 'b');
  nodes.removeName(folder, 'a');
  t.equal(nodes.pathOf(node), '/c');
  t.end();
});

t.test('a file that has the number of a removed one is another', (t) => {
  const nodes = table();
  const disk = { accessedNs: 1n, changedNs: 1n, links: 1, user: 0, group: 0, blocks: 0, device: 0 };
  const info = { ...fileInfo(1, 1n), inode: 7, disk: { ...disk, bornNs: 1n } };
  const node = nodes.enter(nodes.root, 'a', info);
  nodes.removeName(nodes.root, 'a');
  t.not(nodes.enter(nodes.root, 'a', { ...info, disk: { ...disk, bornNs: 2n } }), node);
  t.end();
});

t.test('a link that leads elsewhere is another node, since the kernel keeps its text', (t) => {
  const nodes = table();
  const one = nodes.enter(nodes.root, 'link', linkInfo('there', 1n));
  t.equal(nodes.enter(nodes.root, 'link', linkInfo('there', 1n)), one);
  t.not(nodes.enter(nodes.root, 'link', linkInfo('where', 2n)), one);
  t.end();
});

t.test('a folder that the kernel has given back names nothing any more', (t) => {
  const table = new NodeTable(folderInfo(0n));
  const known = (folder: Node, name: string, info: NodeInfo): Node => {
    const node = table.enter(folder, name, info);
    node.lookUps += 1;
    return node;
  };
  const [one, other] = [known(table.root, 'one', folderInfo(0n)), known(table.root, 'other', folderInfo(0n))];
  const file = { ...fileInfo(1, 0n), inode: 7 };
  const linked = known(one, 'f', file);
  t.equal(known(other, 'f', file), linked);
  const alone = known(one, 'g', { ...fileInfo(1, 0n), inode: 8 });
  table.forget(one.id, 1);
  t.equal(table.pathOf(linked), '/other/f');
  t.equal(table.pathOf(alone), undefined, 'until it is looked up again');
  t.equal(table.lastPathOf(alone), undefined);
  const again = known(table.root, 'one', folderInfo(0n));
  t.equal(known(again, 'g', alone.info), alone);
  table.move(table.root, 'one', table.root, 'moved');
  t.equal(table.pathOf(alone), '/moved/g');
  t.equal(table.pathOf(linked), '/other/f');
  t.end();
});

t.test('what is in a folder moves along with it', (t) => {
  const nodes = table();
  const folder = nodes.enter(nodes.root, 'd', folderInfo(1n));
  const file = nodes.enter(folder, 'a', fileInfo(1, 1n));
  nodes.move(nodes.root, 'd', nodes.root, 'e');
  t.equal(nodes.pathOf(file), '/e/a');
  const other = nodes.enter(nodes.root, 'f', folderInfo(1n));
  nodes.exchange(nodes.root, 'e', nodes.root, 'f');
  t.equal(nodes.pathOf(file), '/f/a');
  t.equal(nodes.pathOf(other), '/e');
  nodes.removeName(nodes.root, 'f');
  t.equal(nodes.pathOf(file), undefined, 'nothing below a folder without a name has a path');
  t.end();
});

t.test('a folder with a name that another one had has another number', (t) => {
  const nodes = table();
  const make = (): Node => nodes.enter(nodes.root, 'd', folderInfo(1n));
  const folders = ['e', 'f'].map((to) => {
    const folder = make();
    folder.lookUps = 1;
    nodes.move(nodes.root, 'd', nodes.root, to);
    return folder;
  });
  const [first, second] = folders;
  if (first === undefined || second === undefined) throw new Error('there are two');
  const listed = nodes.newInode(nodes.root, 'd', { kind: 'directory' });
  const third = make();
  t.equal(third.inode, listed, 'the one that a listing says');
  t.equal(new Set([first, second, third].map(({ inode }) => inode)).size, 3);
  const inner = [first, second, third].map((folder) => nodes.enter(folder, 'inner', folderInfo(1n)).inode);
  t.equal(new Set(inner).size, 3);
  nodes.removeName(nodes.root, 'd');
  nodes.removeName(nodes.root, 'e');
  t.equal(make().inode, first.inode, 'the number of the path, once nobody has it');
  nodes.removeName(nodes.root, 'd');
  nodes.forget(second.id, 1);
  t.equal(
    nodes.enter(nodes.root, 'f', folderInfo(1n)).inode,
    new NodeTable(folderInfo(1n)).enter(nodes.root, 'f', folderInfo(1n)).inode,
  );
  t.end();
});

t.test('of names that are missing 10,000 are remembered at a time, whatever came and went before', (t) => {
  const nodes = table();
  const miss = (folder: Node, count: number): boolean[] =>
    Array.from({ length: count }, (_, index) => nodes.noteMissed(folder, `${index}`));
  const folder = nodes.enter(nodes.root, 'd', folderInfo(1n));
  folder.lookUps = 1;
  t.notOk(miss(folder, 10_000).includes(false));
  t.ok(nodes.noteMissed(folder, '5'), 'one that is remembered already');
  t.notOk(nodes.noteMissed(nodes.root, 'a'));
  nodes.enter(folder, '5', fileInfo(1, 1n));
  t.ok(nodes.noteMissed(nodes.root, 'a'));
  t.notOk(nodes.noteMissed(nodes.root, 'b'));
  nodes.move(folder, '5', nodes.root, 'a');
  t.ok(nodes.noteMissed(nodes.root, 'b'));
  nodes.forget(folder.id, 1);
  t.notOk(miss(nodes.root, 9_000).includes(false), 'those of a folder go with it');
  t.end();
});

t.test('the root is never given back', (t) => {
  const nodes = table();
  nodes.forget(1, 1000);
  t.equal(nodes.get(1), nodes.root);
  nodes.forget(99, 1);
  t.equal(nodes.size, 1);
  t.end();
});

t.test('a node is removed when its last name is removed here, until it has another', (t) => {
  const nodes = table();
  const file = { ...fileInfo(3, 0n), inode: 100 };
  const node = nodes.enter(nodes.root, 'a', file);
  nodes.enter(nodes.root, 'b', file);
  nodes.remove(nodes.root, 'a');
  t.equal(node.isRemoved, false, 'it has another name');
  nodes.remove(nodes.root, 'b');
  t.equal(node.isRemoved, true);
  t.equal(nodes.enter(nodes.root, 'c', file), node);
  t.equal(node.isRemoved, false, 'somebody else has kept it');
  nodes.removeName(nodes.root, 'c');
  t.equal(node.isRemoved, false, 'what somebody else removed may have another name');
  t.end();
});
