import t from 'tap';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import type { VfsPath } from '../../../src/core/paths.ts';
import type { DirEntry, KnownVersion, NodeInfo, OpenFile } from '../../../src/core/resolver.ts';
import { GivenAhead } from '../../../src/fuse/linux/given-ahead.ts';
import { type Node, NodeTable } from '../../../src/fuse/linux/node-table.ts';

/** A folder of files that the kernel was listed, and what it is given of them. */
class Subject {
  readonly nodes = new NodeTable(folderInfo(0n));
  readonly given: VfsPath[] = [];
  readonly known: KnownVersion[] = [];
  /** The last letters of the paths that were opened ahead. */
  opened = '';
  held = 0;
  /** What the tree has of each. */
  opens: (path: VfsPath) => Partial<OpenFile> | undefined = () => ({});
  takes = true;
  readonly ahead: GivenAhead;

  constructor() {
    const openAhead = (path: VfsPath, known?: KnownVersion): OpenFile | undefined => {
      this.opened += path.slice(-1);
      if (known !== undefined) this.known.push(known);
      const file = this.opens(path);
      if (file === undefined) return undefined;
      this.held += 1;
      const close = () => {
        this.held -= 1;
      };
      return { sizeBytes: 10, version: 'a', read: () => 10, close, ...file };
    };
    const giveBytes = (node: Node, sizeBytes: number, fill: (target: Uint8Array) => unknown): boolean => {
      if (fill(new Uint8Array(sizeBytes)) !== sizeBytes || !this.takes) return false;
      this.given.push(this.nodes.lastPathOf(node) ?? ('' as VfsPath));
      return true;
    };
    this.ahead = new GivenAhead({ openAhead }, this.nodes, { giveBytes });
  }

  folder(name: string): Node {
    return this.nodes.enter(this.nodes.root, name, folderInfo(0n));
  }

  files(folder: Node, names: string, info: Partial<NodeInfo> = {}): Node[] {
    return [...names].map((name) => this.nodes.enter(folder, name, { ...fileInfo(10, 0n, 'a'), ...info }));
  }

  /** Opens them one after the other. @returns what was given meanwhile, by the last letters of the paths */
  open(...nodes: readonly (Node | undefined)[]): string {
    const before = this.given.length;
    for (const node of nodes) {
      if (node === undefined) throw new Error('there is no such file');
      this.ahead.opened(node);
      this.ahead.prepareNext();
    }
    return this.given
      .slice(before)
      .map((path) => path.slice(-1))
      .join('');
  }
}

function rowOf(names: string, info?: Partial<NodeInfo>) {
  const subject = new Subject();
  const folder = subject.folder('docs');
  return { subject, folder, files: subject.files(folder, names, info) };
}

function entries(names: string): DirEntry[] {
  return [...names].map((name) => ({ name, kind: 'file' }));
}

t.test('who reads a folder from its first file is given each file behind the one that was opened', (t) => {
  const { subject, files } = rowOf('abcd');
  t.equal(subject.open(...files), 'bcd');
  t.strictSame(subject.known[0], { version: 'a', hasBytes: false });
  t.equal(files[1]?.given, 'a');
  t.equal(subject.held, 0);
  t.end();
});

t.test('two in a row make a row, one anywhere else does not', (t) => {
  const { subject, files } = rowOf('abcdefgh');
  t.equal(subject.open(files[3]), '');
  t.equal(subject.open(files[4]), 'f');
  t.equal(subject.open(files[2]), '');
  t.equal(subject.open(files[6]), 'h', 'some may be left out');
  t.end();
});

t.test('a row that goes backwards is none', (t) => {
  const { subject, files } = rowOf('abcdefgh');
  t.equal(subject.open(...files.slice(1).toReversed()), '');
  t.end();
});

t.test('what lies far apart is no row', (t) => {
  const { subject, files } = rowOf('abcdefghijklmnopqrstuvwxyz');
  t.equal(subject.open(files[1], files[20], files[24]), 'z');
  t.end();
});

t.test('folders that are read in turns are a row each', (t) => {
  const { subject, files } = rowOf('abcd');
  const other = subject.files(subject.folder('other'), 'stuv');
  t.equal(subject.open(files[1], other[1], files[2], other[2], files[3], other[3]), 'dv');
  t.end();
});

t.test('of more folders at once than programs read, those that were begun last are rows', (t) => {
  const subject = new Subject();
  const folders = [...'123456789'].map((name) => subject.files(subject.folder(name), 'abcd'));
  t.equal(subject.open(...folders.map(([, second]) => second)), '');
  t.equal(subject.open(...folders.toReversed().map(([, , third]) => third)), 'd'.repeat(8));
  t.end();
});

t.test('folders among the files are left out, and nothing is given behind the last', (t) => {
  const { subject, folder, files } = rowOf('ab');
  subject.nodes.enter(folder, 'sub', folderInfo(0n));
  const [last] = subject.files(folder, 'z');
  t.equal(subject.open(...files, last), 'bz');
  t.end();
});

t.test('what somebody has open, or has the bytes of, or is live, or large, is not opened', (t) => {
  for (const change of [
    (node: Node) => {
      node.openings = 1;
    },
    (node: Node) => {
      node.given = 'a';
    },
    (node: Node) => {
      node.info = fileInfo(10, 0n);
    },
    (node: Node) => {
      node.info = fileInfo(1 << 20, 0n, 'a');
    },
  ]) {
    const { subject, files } = rowOf('ab');
    for (const node of files.slice(1)) change(node);
    t.equal(subject.open(...files), '');
    t.strictSame(subject.known, []);
  }
  t.end();
});

t.test('another version than the kernel was shown is not given', (t) => {
  for (const file of [undefined, { version: 'b' }, { sizeBytes: 11, read: () => 11 }]) {
    const { subject, files } = rowOf('ab');
    subject.opens = () => file;
    t.equal(subject.open(...files), '');
    t.equal(files[1]?.given, undefined);
    t.equal(subject.held, 0);
  }
  t.end();
});

t.test(
  'what the kernel does not take counts as not given, and a failure to read leaves nothing open',
  (t) => {
    const { subject, files } = rowOf('abc');
    subject.takes = false;
    t.equal(subject.open(files[0]), '');
    t.equal(files[1]?.given, undefined);
    subject.opens = () => ({
      read: () => {
        throw new Error('a bug');
      },
    });
    t.throws(() => subject.open(files[1]), { message: 'a bug' });
    t.equal(subject.held, 0);
    t.end();
  },
);

t.test('a file that has lost its name ends a row, and one that lost its place is not given', (t) => {
  const { subject, folder, files } = rowOf('abcd');
  subject.open(files[0]);
  subject.nodes.removeName(folder, 'c');
  t.equal(subject.open(files[1]), 'd');
  subject.nodes.removeName(folder, 'd');
  t.equal(subject.open(files[3]), '');
  t.end();
});

t.test(
  'names that were listed without saying what they are are made ready in the order of the listing',
  (t) => {
    const { subject, folder, files } = rowOf('ab');
    const listing = entries('abcdef');
    subject.ahead.listed(folder, listing);
    t.equal(subject.open(files[0]), '', 'to find out the order of many takes its time');
    t.equal(subject.open(files[1]), '');
    t.equal(subject.opened, '');
    t.equal(subject.open(...subject.files(folder, 'c')), '', 'the kernel does not know the next one');
    t.equal(subject.opened, 'd');
    const [, e] = subject.files(folder, 'de');
    t.equal(subject.open(e), '');
    t.equal(subject.opened, 'df');
    t.equal(subject.held, 0);
    t.end();
  },
);

t.test('opened too quickly to do anything meanwhile, a row goes on', (t) => {
  const { subject, files } = rowOf('abcdefghijklmnopqrstuvwxyz');
  t.equal(subject.open(files[0]), 'b');
  for (const file of files.slice(1, 24)) subject.ahead.opened(file);
  t.equal(subject.open(files[24]), 'z');
  t.end();
});

t.test('a listing of another folder is no order', (t) => {
  const { subject, files } = rowOf('abcd');
  subject.ahead.listed(subject.folder('other'), entries('dcba'));
  t.equal(subject.open(...files), 'bcd');
  t.end();
});

t.test('it has something to do once for each file that was opened', (t) => {
  const { subject, files } = rowOf('ab');
  t.equal(subject.ahead.prepareNext(), false);
  for (const file of files.slice(0, 1)) subject.ahead.opened(file);
  t.equal(subject.ahead.prepareNext(), true);
  t.equal(subject.ahead.prepareNext(), false);
  t.end();
});
