import t from 'tap';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import type { VfsPath } from '../../../src/core/paths.ts';
import type { DirEntry, KnownVersion, NodeInfo, OpenFile } from '../../../src/core/resolver.ts';
import { type Node, NodeTable } from '../../../src/fuse/linux/node-table.ts';
import { Prefetcher } from '../../../src/fuse/linux/prefetcher.ts';
import type { Teardown } from '../../support/temporary.ts';

/** A folder of files that the kernel was listed, and what it is given of them. */
class Subject {
  readonly nodes = new NodeTable(folderInfo(0n));
  readonly given: VfsPath[] = [];
  readonly known: KnownVersion[] = [];
  /** The last letters of the paths that were opened ahead. */
  opened = '';
  held = 0;
  nowMs = 1e6;
  /** What the tree has of each. */
  opens: (path: VfsPath) => Partial<OpenFile> | undefined = () => ({});
  takes = true;
  readonly prefetcher: Prefetcher;

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
    this.prefetcher = new Prefetcher({ openAhead }, this.nodes, { giveBytes }, () => this.nowMs);
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
      this.prefetcher.opened(node);
      this.prefetcher.prefetch();
    }
    return this.given
      .slice(before)
      .map((path) => path.slice(-1))
      .join('');
  }
}

function sequenceOf(names: string, info?: Partial<NodeInfo>) {
  const subject = new Subject();
  const folder = subject.folder('docs');
  return { subject, folder, files: subject.files(folder, names, info) };
}

function replaceGlobal(t: Teardown, replacement: Readonly<Record<string, unknown>>): void {
  const before = Object.keys(replacement).map((name) => [name, Reflect.get(globalThis, name)]);
  Object.assign(globalThis, replacement);
  t.teardown(() => Object.assign(globalThis, Object.fromEntries(before)));
}

function entries(names: string): DirEntry[] {
  return [...names].map((name) => ({ name, kind: 'file' }));
}

t.test('who reads a folder from its first file is given each file behind the one that was opened', (t) => {
  const { subject, files } = sequenceOf('abcd');
  t.equal(subject.open(...files), 'bcd');
  t.strictSame(subject.known[0], { version: 'a', hasBytes: false });
  t.equal(files[1]?.given, 'a');
  t.equal(subject.held, 0);
  t.end();
});

t.test('two one after the other make a sequence, one anywhere else does not', (t) => {
  const { subject, files } = sequenceOf('abcdefgh');
  t.equal(subject.open(files[3]), '');
  t.equal(subject.open(files[4]), 'f');
  t.equal(subject.open(files[2]), '');
  t.equal(subject.open(files[5]), '', 'who leaves some out may do so again');
  t.equal(subject.open(files[6]), 'h');
  t.end();
});

t.test('who goes backwards goes nowhere', (t) => {
  const { subject, files } = sequenceOf('abcdefgh');
  t.equal(subject.open(...files.slice(1).toReversed()), '');
  t.end();
});

t.test('what lies far apart is no sequence, and ends none', (t) => {
  const { subject, files } = sequenceOf('abcdefghijklmnopqrstuvwxyz');
  t.equal(subject.open(files[0], files[20], files[24]), 'b');
  t.equal(subject.open(files[1]), 'c', 'somebody else goes on');
  t.end();
});

t.test('a file that is opened again stays where it is', (t) => {
  const { subject, files } = sequenceOf('abcd');
  t.equal(subject.open(files[0], files[0], files[1], files[1], files[2]), 'bcd');
  const far = sequenceOf('abcdefghijklmnopqrstuvwxyz');
  far.subject.open(...far.files.slice(0, 21));
  t.equal(far.subject.open(far.files[20], far.files[21]), 'w');
  t.end();
});

t.test('every second file is read: nothing is made ready for nobody', (t) => {
  const { subject, files } = sequenceOf('abcdefgh');
  t.equal(subject.open(files[0], files[2], files[4], files[6]), 'b');
  t.end();
});

t.test('many folders among the files are not all looked through', (t) => {
  const { subject, folder, files } = sequenceOf('a');
  for (let index = 0; index < 1000; index += 1) {
    subject.nodes.enter(folder, `folder-${index}`, folderInfo(0n));
  }
  const last = subject.files(folder, 'yz');
  t.equal(subject.open(...files), '');
  t.equal(subject.open(...last), '', 'a folder of folders is no place to go on in');
  t.end();
});

t.test('a disk that takes its time is left alone for a while', (t) => {
  const { subject, files } = sequenceOf('abcdefgh');
  let tookMs = 5;
  subject.opens = () => {
    subject.nowMs += tookMs;
    return {};
  };
  t.equal(subject.open(...files.slice(0, 4)), 'b');
  subject.nowMs += 100;
  tookMs = 500;
  t.equal(subject.open(files[4]), 'f', 'for as long as it gave for it, twenty times');
  subject.nowMs += 999;
  t.equal(subject.open(files[5]), '');
  subject.nowMs += 1;
  t.equal(subject.open(files[6]), 'h', 'and never for more than a second');
  t.end();
});

t.test('what takes two milliseconds is no slow disk yet', (t) => {
  const { subject, files } = sequenceOf('abcdefgh');
  let tookMs = 2;
  subject.opens = () => {
    subject.nowMs += tookMs;
    return {};
  };
  t.equal(subject.open(files[0], files[1]), 'bc');
  tookMs = 3;
  t.equal(subject.open(files[2]), 'd');
  subject.nowMs += 59;
  t.equal(subject.open(files[3]), '');
  subject.nowMs += 1;
  t.equal(subject.open(files[4]), 'f');
  t.end();
});

t.test('what was opened alone is forgotten, and what was listed alone', (t) => {
  const timers: string[] = [];
  let tick = () => {};
  const timer = { unref: () => timer };
  replaceGlobal(t, {
    setInterval(callback: () => void, everyMs: number) {
      t.equal(everyMs, 2000);
      timers.push('begun');
      tick = callback;
      return timer;
    },
    clearInterval: () => timers.push('ended'),
  });
  const opened = sequenceOf('abcdefgh');
  opened.subject.open(opened.files[3], opened.files[4]);
  tick();
  tick();
  t.same(timers, ['begun', 'ended'], 'nothing wakes a daemon at rest');
  t.equal(opened.subject.open(opened.files[5]), '');
  t.same(timers.splice(0), ['begun', 'ended', 'begun']);
  const listed = sequenceOf('abcd');
  const listing = entries('acbd');
  listed.subject.prefetcher.listed(listed.folder, listing);
  tick();
  tick();
  t.equal(listed.subject.open(listed.files[0]), 'b', `and not ${listing[1]?.name}`);
  t.end();
});

t.test('when nothing is opened any more, all is forgotten', (t) => {
  let tick = () => {};
  const timer = { unref: () => timer };
  replaceGlobal(t, {
    setInterval(callback: () => void) {
      tick = callback;
      return timer;
    },
  });
  const { subject, folder, files } = sequenceOf('abcdefgh');
  const listing = entries('acbdefgh');
  t.equal(subject.open(files[3], files[4]), 'f');
  tick();
  t.equal(subject.open(files[5]), 'g', 'it was used in those seconds');
  subject.prefetcher.listed(folder, listing);
  tick();
  tick();
  t.equal(subject.open(files[6]), '', 'neither is known where it was');
  t.equal(subject.open(files[0]), 'b', 'nor in which order it was listed');
  t.end();
});

t.test('folders that are read in turns are a sequence each', (t) => {
  const { subject, files } = sequenceOf('abcd');
  const other = subject.files(subject.folder('other'), 'stuv');
  t.equal(subject.open(files[1], other[1], files[2], other[2], files[3], other[3]), 'dv');
  t.end();
});

t.test('of more folders at once than programs read, those that were begun last are sequences', (t) => {
  const subject = new Subject();
  const folders = [...'123456789'].map((name) => subject.files(subject.folder(name), 'abcd'));
  t.equal(subject.open(...folders.map(([, second]) => second)), '');
  t.equal(subject.open(...folders.toReversed().map(([, , third]) => third)), 'd'.repeat(8));
  t.end();
});

t.test('folders among the files are left out, and nothing is given behind the last', (t) => {
  const { subject, folder, files } = sequenceOf('ab');
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
    const { subject, files } = sequenceOf('ab');
    for (const node of files.slice(1)) change(node);
    t.equal(subject.open(...files), '');
    t.strictSame(subject.known, []);
  }
  t.end();
});

t.test('another version than the kernel was shown is not given', (t) => {
  for (const file of [undefined, { version: 'b' }, { sizeBytes: 11, read: () => 11 }]) {
    const { subject, files } = sequenceOf('ab');
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
    const { subject, files } = sequenceOf('abc');
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

t.test('what has lost its name is not given, and is no place to go on from', (t) => {
  const { subject, folder, files } = sequenceOf('abcd');
  subject.open(files[0]);
  subject.nodes.removeName(folder, 'c');
  t.equal(subject.open(files[1]), '', 'of one that is gone the kernel has no use');
  t.equal(subject.open(files[3]), '');
  subject.nodes.removeName(folder, 'a');
  t.equal(subject.open(files[0]), '');
  t.end();
});

t.test(
  'names that were listed without saying what they are are made ready in the order of the listing',
  (t) => {
    const { subject, folder, files } = sequenceOf('ab');
    const listing = entries('abcdef');
    subject.prefetcher.listed(folder, listing);
    t.equal(subject.open(...files), 'b');
    t.equal(subject.opened, 'bc');
    t.equal(subject.open(...subject.files(folder, 'c')), '', 'the kernel does not know the next one');
    t.equal(subject.opened, 'bcd');
    const [, e] = subject.files(folder, 'de');
    t.equal(subject.open(e), '', 'one was left out');
    t.equal(subject.opened, 'bcd');
    t.equal(subject.held, 0);
    t.end();
  },
);

t.test('a listing whose entries were collected leaves the names that the kernel knows', (t) => {
  replaceGlobal(t, {
    WeakRef: class {
      deref(): undefined {
        return undefined;
      }
    },
  });
  const { subject, folder, files } = sequenceOf('abcd');
  subject.prefetcher.listed(folder, entries('acbd'));
  t.equal(subject.open(...files), 'bcd');
  t.end();
});

t.test('a file far behind leaves the order of a listing to who begins with the first', (t) => {
  const { subject, folder, files } = sequenceOf('abcdefghijklmnopqrstuvwxyz');
  const listing = entries('acbdefghijklmnopqrstuvwxyz');
  subject.prefetcher.listed(folder, listing);
  t.equal(subject.open(files[25]), '');
  t.equal(subject.open(files[0]), 'c');
  t.end();
});

t.test('a folder that is listed in several answers is listed once', (t) => {
  const { subject, folder } = sequenceOf('ab');
  const listing = entries('ab');
  const first = subject.prefetcher.listed(folder, listing);
  t.equal(subject.prefetcher.listed(folder, listing), first);
  t.not(subject.prefetcher.listed(folder, entries('ab')), first);
  t.end();
});

t.test('opened too quickly to do anything meanwhile, a sequence goes on', (t) => {
  const { subject, files } = sequenceOf('abcdefghijklmnopqrstuvwxyz');
  t.equal(subject.open(files[0]), 'b');
  for (const file of files.slice(1, 24)) subject.prefetcher.opened(file);
  t.equal(subject.open(files[24]), 'z');
  t.end();
});

t.test('a listing of another folder is no order', (t) => {
  const { subject, files } = sequenceOf('abcd');
  subject.prefetcher.listed(subject.folder('other'), entries('dcba'));
  t.equal(subject.open(...files), 'bcd');
  t.end();
});

t.test('it has something to do once for each file that was opened', (t) => {
  const { subject, files } = sequenceOf('ab');
  t.equal(subject.prefetcher.prefetch(), false);
  for (const file of files.slice(0, 1)) subject.prefetcher.opened(file);
  t.equal(subject.prefetcher.prefetch(), true);
  t.equal(subject.prefetcher.prefetch(), false);
  t.end();
});
