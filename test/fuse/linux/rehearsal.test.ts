import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { parsePath, type VfsPath } from '../../../src/core/paths.ts';
import type {
  Awaitable,
  Caller,
  DirEntry,
  KnownVersion,
  OpContext,
  OpenFile,
} from '../../../src/core/resolver.ts';
import { DEFAULT_MOUNT_OPTIONS } from '../../../src/fuse/driver.ts';
import { type Examples, rehearsal } from '../../../src/fuse/linux/rehearsal.ts';
import { within } from '../../support/within.ts';
import { FakeTree } from './fake-tree.ts';

/** The path of a file of a mebibyte; all others are short. */
const LONG = '/docs/long.md';

/** Counts what is open. */
class CountingTree extends FakeTree {
  readonly opened = new Map<VfsPath, number>();
  readonly callers = new Map<number, Caller>();
  /** Opened by who has the bytes already, and by who has not. */
  had = 0;
  shown = 0;
  held = 0;
  /** How long the thread is kept busy by each. */
  busyMs = 0;
  /** How long a listing takes; undefined for one that is answered at once. */
  listMs: number | undefined;
  /** How long each open(2) takes; undefined for those that are answered at once. */
  openMs: number | undefined;

  override list(folder: VfsPath): Awaitable<readonly DirEntry[]> {
    const entries = this.listNow(folder);
    return this.listMs === undefined ? entries : delay(this.listMs, entries);
  }

  override open(path: VfsPath, { caller }: OpContext = {}, known?: KnownVersion): Awaitable<OpenFile> {
    if (caller?.pid !== undefined) this.callers.set(caller.pid, caller);
    if (known?.hasBytes === true) this.had += 1;
    else this.shown += 1;
    for (const untilMs = performance.now() + this.busyMs; performance.now() < untilMs; );
    this.opened.set(path, (this.opened.get(path) ?? 0) + 1);
    this.held += 1;
    const close = () => {
      this.held -= 1;
    };
    const sizeBytes = path === LONG ? 1 << 20 : 10;
    const read = (target: Uint8Array) => Math.min(target.length, sizeBytes);
    const file = { sizeBytes, version: 'a', read, close };
    return this.openMs === undefined ? file : delay(this.openMs, file);
  }
}

const MANY = Array.from({ length: 1000 }, (_, index) => `/docs/guide/${index}.md`);

function treeOf(...files: readonly string[]): CountingTree {
  const tree = new CountingTree();
  tree.putFolder('/docs', 1);
  tree.putFolder('/docs/guide', 1);
  for (const file of files) tree.putFile(file, 1, { version: 'a' });
  return tree;
}

/** Lets all else have its turn. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const bugs: unknown[] = [];
const noteBug = (error: unknown) => bugs.push(error);

t.test('files of the docs are opened and closed, each twice in each of four rounds', async (t) => {
  const tree = treeOf('/docs/a.md', '/docs/guide/b.md', '/readme');
  const steps = rehearsal(() => tree, DEFAULT_MOUNT_OPTIONS, noteBug, new Map());
  while (steps.next().done !== true) await turn();
  t.strictSame([...tree.opened.keys()].sort(), ['/docs/a.md', '/docs/guide/b.md'].map(parsePath));
  t.strictSame([...tree.opened.values()], [8, 8]);
  t.equal(tree.held, 0);
});

t.test('each round has a tree of its own, and one object of each class is left', async (t) => {
  const tree = treeOf(...MANY);
  let made = 0;
  const makeTree = () => {
    made += 1;
    return tree;
  };
  const examples: Examples = new Map();
  for (const steps = rehearsal(makeTree, DEFAULT_MOUNT_OPTIONS, noteBug, examples); !steps.next().done; )
    await turn();
  t.equal(made, 5, 'one besides, to know the names of nodes');
  const names = Array.from(examples.values(), (example) => example.constructor.name);
  for (const name of ['OpenedFile', 'RequestContext', 'ThreadCaller', 'Process', 'Dirent'])
    t.ok(names.includes(name), name);
});

t.test('a step opens for some milliseconds, and goes on at the next', async (t) => {
  const tree = treeOf(...MANY);
  tree.busyMs = 1;
  const steps = rehearsal(() => tree, DEFAULT_MOUNT_OPTIONS, noteBug, new Map());
  let most = 0;
  // By then the process is known for longer than a step takes.
  const untilMs = performance.now() + 500;
  // On a machine that is busy the process may be known later than that.
  while (performance.now() < untilMs || tree.shown + tree.had <= most) {
    const before = tree.shown + tree.had;
    steps.next();
    most = Math.max(most, tree.shown + tree.had - before);
    await turn();
  }
  steps.return(undefined);
  t.ok(most > 0 && most <= 6, `${most} in one step`);
  t.ok(tree.shown + tree.had > most);
});

t.test('a folder that is listed later is waited for', async (t) => {
  const tree = treeOf('/docs/a.md', '/docs/guide/b.md');
  tree.listMs = 5;
  for (
    const steps = rehearsal(() => tree, DEFAULT_MOUNT_OPTIONS, noteBug, new Map());
    steps.next().done !== true;
  )
    await turn();
  t.strictSame([...tree.opened.values()], [8, 8]);
  t.equal(tree.held, 0);
});

t.test(
  'a process opens them, which is known, both what it has read before and what it has not',
  async (t) => {
    const tree = treeOf(...MANY);
    for (
      const steps = rehearsal(() => tree, DEFAULT_MOUNT_OPTIONS, noteBug, new Map());
      steps.next().done !== true;
    )
      await turn();
    t.equal(tree.callers.get(process.pid)?.pid, process.pid);
    t.strictSame([...tree.callers.keys()], [process.pid]);
    t.strictSame([tree.had, tree.shown], [3200, 3200], 'of many files no more than enough');
  },
);

t.test('nodes of the graph are looked up and opened, others in each round', async (t) => {
  const tree = treeOf('/docs/a.md');
  tree.putFolder('/graph', 1);
  tree.putFolder('/graph/nodes', 1);
  for (let index = 0; index < 2000; index += 1) tree.putFile(`/graph/nodes/${index}`, 1, { version: 'a' });
  tree.listMs = 5;
  for (
    const steps = rehearsal(() => tree, DEFAULT_MOUNT_OPTIONS, noteBug, new Map());
    steps.next().done !== true;
  )
    await turn();
  const nodes = [...tree.opened].filter(([path]) => path.startsWith('/graph/'));
  t.equal(nodes.length, 1600);
  t.ok(nodes.every(([, times]) => times === 1));
  t.equal(tree.held, 0);
});

t.test('a graph is rehearsed where there are no docs', async (t) => {
  const tree = treeOf();
  tree.putFolder('/graph', 1);
  tree.putFolder('/graph/nodes', 1);
  tree.putFile('/graph/nodes/Charge', 1, { version: 'a' });
  for (
    const steps = rehearsal(() => tree, DEFAULT_MOUNT_OPTIONS, noteBug, new Map());
    steps.next().done !== true;
  )
    await turn();
  t.equal(tree.opened.get(parsePath('/graph/nodes/Charge')), 1);
});

t.test('where opens are not seen, files are read, and closed, though one does not end', async (t) => {
  const tree = treeOf('/docs/a.md', '/docs/guide/b.md');
  tree.putFile(LONG, 1, { version: 'a' });
  tree.putFolder('/graph', 1);
  tree.putFolder('/graph/nodes', 1);
  tree.putFile('/graph/nodes/Charge', 1, { version: 'a' });
  const options = { ...DEFAULT_MOUNT_OPTIONS, seeOpens: false };
  for (const steps = rehearsal(() => tree, options, noteBug, new Map()); !steps.next().done; ) await turn();
  t.strictSame([...tree.opened].sort(), [
    ['/docs/a.md', 8],
    ['/docs/guide/b.md', 8],
    ['/docs/long.md', 8],
    ['/graph/nodes/Charge', 1],
  ]);
  t.equal(tree.held, 0);
});

t.test('there is nothing to rehearse without docs and without files', (t) => {
  const empty = new CountingTree();
  t.equal(rehearsal(() => empty, DEFAULT_MOUNT_OPTIONS, noteBug, new Map()).next().done, true);
  t.equal(rehearsal(() => treeOf(), DEFAULT_MOUNT_OPTIONS, noteBug, new Map()).next().done, true);
  t.end();
});

t.test('ended halfway, it opens nothing more, also where the process is still looked up', async (t) => {
  for (const turns of [0, 1, 2, 5, 50]) {
    const tree = treeOf(...MANY);
    const steps = rehearsal(() => tree, DEFAULT_MOUNT_OPTIONS, noteBug, new Map());
    steps.next();
    for (let turned = 0; turned < turns; turned += 1) {
      await turn();
      steps.next();
    }
    steps.return(undefined);
    const opened = tree.had + tree.shown;
    t.equal(steps.next().done, true);
    await delay(60);
    t.equal(tree.had + tree.shown, opened);
    t.equal(tree.held, 0);
  }
});

t.test('what is opened later is closed when it comes, though all is over by then', async (t) => {
  const tree = treeOf('/docs/a.md', '/docs/guide/b.md');
  tree.openMs = 1500;
  for (
    const steps = rehearsal(() => tree, DEFAULT_MOUNT_OPTIONS, noteBug, new Map());
    steps.next().done !== true;
  )
    await turn();
  t.ok(tree.held > 0);
  const closed = async () => {
    while (tree.held > 0) await delay(5);
  };
  await within(60_000, closed());
});

t.test('nothing of this was a bug', (t) => {
  t.strictSame(bugs, []);
  t.end();
});
