import { closeSync } from 'node:fs';
import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { folderInfo } from '../../../src/core/node-info.ts';
import { parsePath, ROOT } from '../../../src/core/paths.ts';
import type { NodeInfo } from '../../../src/core/resolver.ts';
import { KernelNotices } from '../../../src/fuse/linux/kernel-notices.ts';
import { noteListed } from '../../../src/fuse/linux/listing.ts';
import { type Node, NodeTable } from '../../../src/fuse/linux/node-table.ts';
import { SlowLocks } from '../../../src/fuse/linux/slow-locks.ts';
import { TreeChanges } from '../../../src/fuse/linux/tree-changes.ts';
import type { Teardown } from '../../support/temporary.ts';
import { FakeTree } from './fake-tree.ts';
import { MessagePair } from './message-pair.ts';

/** What the kernel knows, and what it is told. */
class Subject {
  readonly tree = new FakeTree();
  readonly nodes = new NodeTable(folderInfo(0n));
  readonly changes: TreeChanges;
  readonly bugs: unknown[] = [];
  readonly #kernel: MessagePair;
  readonly #names = new Map<number, string>([[1, '/']]);

  constructor(t: Teardown, report?: (error: unknown) => void) {
    this.#kernel = new MessagePair(t);
    const { served } = this.#kernel;
    t.teardown(() => closeSync(served));
    const toReport = report ?? ((error: unknown) => void this.bugs.push(error));
    const notices = new KernelNotices(served, new SlowLocks(), toReport);
    notices.rootIsUsed();
    this.changes = new TreeChanges(this.tree, this.nodes, notices, toReport);
  }

  /** As the kernel looks a path up, name by name. */
  look(path: string): Node {
    let node = this.nodes.root;
    let reached = '';
    for (const name of path.split('/').slice(1)) {
      reached += `/${name}`;
      const info = this.tree.stat(parsePath(reached));
      if (!isInfo(info)) throw new Error('the tree answers later');
      node = this.nodes.enter(node, name, info);
      node.lookUps += 1;
    }
    this.#names.set(node.id, path);
    return node;
  }

  /** As the kernel lists a folder that it has looked up, and keeps that. */
  list(node: Node): void {
    noteListed(node, this.tree.listNow(this.nodes.pathOf(node) ?? ROOT));
  }

  /** The kernel remembers that there is no such name. */
  miss(folder: Node, name: string): void {
    folder.missed ??= new Set();
    folder.missed.add(name);
  }

  /** What the kernel is told when these paths have changed. */
  async told(...paths: string[]): Promise<string[]> {
    await this.changes.changed(paths.map((path) => parsePath(path)));
    return this.#kernel.answers().map(({ errno, payload }) => this.#wordsOf(-errno, payload));
  }

  #wordsOf(code: number, payload: Buffer): string {
    const node = this.#names.get(Number(payload.readBigUInt64LE(0))) ?? 'a node that is not known';
    if (code === 3) return `stale name ${payload.toString('utf8', 16, payload.length - 1)} of ${node}`;
    if (code === 6) return `gone ${payload.toString('utf8', 24, payload.length - 1)} of ${node}`;
    if (code !== 2) return `notice ${code}`;
    return `stale ${payload.readBigInt64LE(8) < 0n ? 'attributes' : 'pages'} of ${node}`;
  }
}

function isInfo(info: unknown): info is NodeInfo {
  return typeof info === 'object' && info !== null && 'kind' in info;
}

/** /docs with a live file, one that has versions, and a folder. */
function subject(t: Teardown): Subject {
  const subject = new Subject(t);
  const { tree } = subject;
  tree.putFolder('/docs', 1);
  tree.putFile('/docs/live', 1);
  tree.putFile('/docs/versions', 1, { version: 'v1' });
  tree.putFolder('/docs/sub', 1);
  tree.putFile('/docs/sub/a', 1);
  for (const path of ['/docs', '/docs/live', '/docs/versions', '/docs/sub', '/docs/sub/a'])
    subject.look(path);
  return subject;
}

t.test('what the kernel asks for each time is not looked at, and not told of', async (t) => {
  const subject = new Subject(t);
  subject.tree.putFolder('/search', 0);
  subject.tree.putFile('/search/refunds', 1, { version: 'one', changesUntold: true });
  subject.look('/search/refunds');
  subject.tree.putFile('/search/refunds', 2, { version: 'two', changesUntold: true });
  const { stats } = subject.tree;
  t.same(await subject.told('/search/refunds'), []);
  t.equal(subject.tree.stats, stats + 1, 'the folder alone is');
});

t.test('of what did not change the kernel is told nothing', async (t) => {
  const it = subject(t);
  t.same(await it.told('/'), []);
  t.same(await it.told('/docs'), []);
  t.same(await it.told('/docs/versions', '/docs/sub', '/elsewhere/far/away'), []);
});

t.test('a live file that changed loses its attributes and pages', async (t) => {
  const it = subject(t);
  it.tree.putFile('/docs/live', 2);
  t.same(await it.told('/docs'), ['stale pages of /docs/live']);
  t.same(await it.told('/docs'), [], 'once');
});

t.test('a live file that the tree names changed, though nothing shows it', async (t) => {
  const it = subject(t);
  t.same(await it.told('/docs/live'), ['stale pages of /docs/live']);
});

t.test('its pages go also where the kernel has been told the new attributes meanwhile', async (t) => {
  const it = subject(t);
  it.tree.putFile('/docs/live', 2);
  it.look('/docs/live');
  t.same(await it.told('/docs'), ['stale pages of /docs/live']);
});

t.test(
  'a version that is followed by another has its name looked up again, and keeps its pages',
  async (t) => {
    const it = subject(t);
    it.tree.putFile('/docs/versions', 2, { version: 'v2' });
    t.same(await it.told('/docs/versions'), ['stale name versions of /docs']);
    const before = it.nodes.root.children?.get('docs')?.children?.get('versions');
    t.not(it.look('/docs/versions'), before, 'another node');
    t.same(await it.told('/docs/versions'), []);
  },
);

t.test('attributes alone go where the bytes are the same', async (t) => {
  const it = subject(t);
  it.tree.putFile('/docs/versions', 1, { version: 'v1', mode: 0o600 });
  it.tree.putFile('/docs/live', 1, { mode: 0o600 });
  t.same(await it.told('/docs'), ['stale attributes of /docs/live', 'stale attributes of /docs/versions']);
});

t.test('how many names a file has is one of its attributes', async (t) => {
  const it = subject(t);
  const disk = { accessedNs: 0n, changedNs: 0n, links: 1, user: 0, group: 0, blocks: 0, device: 0 };
  it.tree.putFile('/docs/versions', 1, { version: 'v1', disk });
  it.look('/docs/versions');
  it.tree.putFile('/docs/versions', 1, { version: 'v1', disk: { ...disk, links: 2 } });
  t.same(await it.told('/docs/versions'), ['stale attributes of /docs/versions']);
});

t.test('the root is compared, too', async (t) => {
  const it = subject(t);
  it.tree.putFolder('/', 2);
  t.same(await it.told('/'), ['stale pages of /']);
});

t.test('a folder that is gone, or another by now, is left to whoever tells of its own name', async (t) => {
  const it = subject(t);
  it.tree.take('/docs/sub');
  t.same(await it.told('/docs/sub/a'), ['gone a of /docs/sub', 'stale pages of /docs/sub']);
  it.tree.putFolder('/docs/replaced', 1, { inode: 7 });
  it.look('/docs/replaced');
  it.tree.putFolder('/docs/replaced', 2, { inode: 8 });
  t.same(await it.told('/docs/replaced/new'), []);
  t.same(it.bugs, []);
});

t.test('a name that is gone is told, and its folder is listed anew', async (t) => {
  const it = subject(t);
  it.tree.take('/docs/live');
  t.same(await it.told('/docs/live'), ['gone live of /docs', 'stale pages of /docs']);
  t.same(await it.told('/docs/live'), [], 'once');
});

t.test('a folder that is gone takes all below it along', async (t) => {
  const it = subject(t);
  it.tree.take('/docs/sub');
  t.same(await it.told('/docs'), ['gone sub of /docs', 'stale pages of /docs']);
});

t.test('a folder that may turn up elsewhere is not said to be dead', async (t) => {
  const it = subject(t);
  it.tree.putFolder('/docs/moves', 1, { inode: 7 });
  it.look('/docs/moves');
  it.tree.take('/docs/moves');
  t.same(await it.told('/docs/moves'), [
    'stale name moves of /docs',
    'stale attributes of /docs/moves',
    'stale pages of /docs',
  ]);
});

t.test('one of several names of a file can be gone alone', async (t) => {
  const it = subject(t);
  it.tree.putFile('/docs/one', 1, { inode: 9 });
  it.tree.putFile('/docs/two', 1, { inode: 9 });
  t.equal(it.look('/docs/two'), it.look('/docs/one'));
  it.tree.take('/docs/two');
  const expected = ['stale name two of /docs', 'stale attributes of /docs/one', 'stale pages of /docs'];
  t.same(await it.told('/docs/two'), expected);
  it.tree.putFile('/docs/two', 1, { inode: 9 });
  it.look('/docs/two');
  it.look('/docs/one');
  it.tree.take('/docs/two');
  t.same(await it.told('/docs'), expected, 'also where its folder is named');
});

t.test('a name that is of another kind now is looked up again', async (t) => {
  const it = subject(t);
  it.tree.putFolder('/docs/live', 1);
  t.same(await it.told('/docs/live'), ['stale name live of /docs', 'stale pages of /docs']);
});

t.test('a name that the kernel missed and that is there now is looked up again', async (t) => {
  const it = subject(t);
  const docs = it.look('/docs');
  it.miss(docs, 'new');
  it.miss(docs, 'still missing');
  t.same(await it.told('/docs'), []);
  it.tree.putFile('/docs/new', 1);
  t.same(await it.told('/docs/new'), ['stale name new of /docs']);
  t.same([...(docs.missed ?? [])], ['still missing']);
});

t.test('the kernel has been told all of it in the end, however long a look takes', async (t) => {
  for (const path of ['/docs/new', '/docs']) {
    const it = subject(t);
    it.miss(it.look('/docs'), 'new');
    it.tree.putFile('/docs/new', 1);
    it.tree.beforeStat = async (asked) => {
      for (let turn = 0; asked === '/docs/new' && turn < 20; turn += 1) await new Promise(setImmediate);
    };
    t.same(await it.told(path), ['stale name new of /docs'], path);
  }
});

t.test('so is a folder that the kernel missed, when something below it is named', async (t) => {
  const it = subject(t);
  it.miss(it.nodes.root, 'new');
  it.tree.putFolder('/', 2);
  it.tree.putFolder('/new', 1);
  it.tree.putFile('/new/a', 1);
  t.same(await it.told('/new/a'), ['stale name new of /', 'stale pages of /']);
});

t.test(
  'a folder that the kernel never asked for shows in the listing of the one that holds it',
  async (t) => {
    const it = subject(t);
    it.tree.putFolder('/docs', 2);
    it.tree.putFolder('/docs/new', 1);
    it.tree.putFile('/docs/new/a', 1);
    t.same(await it.told('/docs/new/a'), ['stale pages of /docs']);
  },
);

/** Of a folder whose time says nothing: a notice that waits until the kernel has kept what it was listed, and the one that makes it list anew. */
function listedAnew(path: string): string[] {
  return [`stale name ? of ${path}`, `stale pages of ${path}`];
}

t.test('a new name has its folder listed anew, though the time of that stays', async (t) => {
  const it = subject(t);
  it.list(it.look('/docs'));
  it.tree.putFile('/docs/new', 1);
  t.same(await it.told('/docs/new'), listedAnew('/docs'));
  t.same(await it.told('/docs/new'), [], 'the kernel has no listing by now');
  it.list(it.look('/docs'));
  t.same(await it.told('/docs/new', '/docs/never known'), [], 'nor has it an old one');
});

t.test('so it has where the kernel was asked for the name before the tree told of it', async (t) => {
  const it = subject(t);
  it.list(it.look('/docs'));
  it.tree.putFile('/docs/new', 1, { version: 'v1' });
  it.look('/docs/new');
  t.same(await it.told('/docs/new'), listedAnew('/docs'));
});

t.test('a folder that is named is compared with what was listed of it', async (t) => {
  const it = subject(t);
  it.list(it.look('/docs'));
  it.list(it.look('/docs/sub'));
  t.same(await it.told('/docs/sub', '/docs'), []);
  it.tree.putFile('/docs/sub/b', 1);
  t.same(await it.told('/docs/sub'), listedAnew('/docs/sub'));
  it.tree.putFolder('/docs/new', 1);
  t.same(await it.told('/docs'), listedAnew('/docs'));
});

t.test(
  'below it the time of a folder tells, but not where the tree does not tell of what is new',
  async (t) => {
    for (const tellsOfNew of [true, false]) {
      const it = subject(t);
      it.tree.tellsOfNew = () => tellsOfNew;
      it.list(it.look('/docs/sub'));
      it.tree.putFile('/docs/sub/b', 1);
      t.same(await it.told('/docs'), tellsOfNew ? [] : listedAnew('/docs/sub'));
      t.same(await it.told('/docs'), [], 'once');
    }
  },
);

t.test('a listing that may be made of two is not trusted', async (t) => {
  const it = subject(t);
  const docs = it.look('/docs');
  it.list(docs);
  it.tree.putFile('/docs/new', 1);
  it.list(docs);
  t.same(await it.told('/docs/new'), listedAnew('/docs'));
});

t.test('a name that cannot be listed is no change', async (t) => {
  const it = subject(t);
  const docs = it.look('/docs');
  it.list(docs);
  const { tree } = it;
  const list = tree.listNow.bind(tree);
  tree.list = (folder) => [...list(folder), { name: 'a/b', kind: 'file' }];
  t.same(await it.told('/docs'), []);
  tree.list = (folder) => Promise.reject(new FsError('EACCES', folder, 'nor is a folder'));
  t.same([await it.told('/docs'), it.bugs], [[], []]);
});

t.test('a folder is listed once for all that changed in it', async (t) => {
  const it = subject(t);
  it.list(it.look('/docs'));
  let listings = 0;
  const list = it.tree.list.bind(it.tree);
  it.tree.list = (folder) => {
    listings += 1;
    return list(folder);
  };
  t.same(await it.told('/docs/sub', '/docs/versions', '/docs/elsewhere'), []);
  t.equal(listings, 1);
});

t.test('a folder is compared, and told of, once for all names that came and went in it', async (t) => {
  const it = subject(t);
  it.list(it.look('/docs'));
  it.tree.take('/docs/live');
  it.tree.take('/docs/versions');
  it.tree.putFolder('/docs', 2);
  const { stats } = it.tree;
  const names = Array.from({ length: 500 }, (_, index) => `/docs/came and went ${index}`);
  const told = await it.told(...names, '/docs/live', '/docs/versions');
  t.same([...new Set(told)], ['stale pages of /docs', 'gone live of /docs', 'gone versions of /docs']);
  t.ok(told.length < 50, `${told.length} notices, some more where this takes long`);
  t.ok(it.tree.stats - stats < 100, `${it.tree.stats - stats} looks, some more where this takes long`);
});

t.test(
  'thousands of names in one folder hold up neither what changed elsewhere nor what comes there later',
  async (t) => {
    const it = subject(t);
    const names = Array.from({ length: 200 }, (_, index) => `/docs/sub/${index}`);
    for (const name of names) {
      it.tree.putFile(name, 1);
      it.look(name);
      it.tree.putFile(name, 2);
    }
    it.tree.beforeStat = (path) => {
      if (!names.includes(path)) return;
      const endMs = performance.now() + 1;
      while (performance.now() < endMs);
      // Said of no name, as where a folder shows what follows from a file elsewhere.
      if (path === '/docs/sub/100') it.tree.putFolder('/docs/sub', 2);
    };
    it.tree.putFile('/docs/live', 2);
    const told = await it.told(...names, '/docs/live');
    t.same(
      new Set(told),
      new Set([...names, '/docs/live', '/docs/sub'].map((path) => `stale pages of ${path}`)),
    );
    t.equal(told.length, names.length + 2, 'each once');
    t.ok(told.indexOf('stale pages of /docs/live') < 60);
    t.ok(told.indexOf('stale pages of /docs/sub') < told.length - 1, 'the folder is compared in each turn');
  },
);

t.test('what changes while it is compared is compared once more', async (t) => {
  const it = subject(t);
  let isFirst = true;
  it.tree.beforeStat = async (path) => {
    if (path !== '/docs/sub/a' || !isFirst) return;
    isFirst = false;
    it.tree.putFile('/docs/live', 2);
    void it.changes.changed([parsePath('/docs/live')]);
    await new Promise(setImmediate);
  };
  it.tree.putFile('/docs/sub/a', 2);
  const told = await it.told('/docs/sub');
  told.push(...(await it.told('/')));
  t.same(told, ['stale pages of /docs/sub/a', 'stale pages of /docs/live']);
  t.equal(it.changes.generation, 3);
});

t.test('a name that is removed or moved while it is looked at is left to who did that', async (t) => {
  const it = subject(t);
  const docs = it.look('/docs');
  it.tree.beforeStat = async (path) => {
    if (path !== '/docs/live') return;
    it.tree.take('/docs/live');
    it.nodes.removeName(docs, 'live');
  };
  t.same(await it.told('/docs'), []);
});

t.test('a bug in the tree is reported, and the other paths are compared', async (t) => {
  const it = subject(t);
  it.tree.beforeStat = (path) => {
    if (path === '/docs/sub/a') throw new Error('a bug');
  };
  it.tree.putFile('/docs/live', 2);
  t.same(await it.told('/docs/sub/a', '/docs/live'), ['stale pages of /docs/live']);
  t.match(it.bugs, [{ message: 'a bug' }]);
});

t.test('a reporter that fails stops nothing', async (t) => {
  const it = new Subject(t, () => {
    throw new Error('nobody to tell');
  });
  for (const path of ['/a', '/b']) {
    it.tree.putFile(path, 1);
    it.look(path);
    it.tree.putFile(path, 2);
  }
  it.tree.beforeStat = (path) => {
    if (path === '/a') throw new Error('a bug');
  };
  t.same(await it.told('/a', '/b'), ['stale pages of /b'], 'what else changed is told');
  it.tree.beforeStat = undefined;
  t.same(await it.told('/a'), ['stale pages of /a']);
});

t.test('other work gets its turn during a long comparison', async (t) => {
  const it = new Subject(t);
  for (let index = 0; index < 3000; index += 1) {
    it.tree.putFile(`/${index}`, 1);
    it.look(`/${index}`);
  }
  let turns = 0;
  const count = (): void => {
    turns += 1;
    handle = setImmediate(count);
  };
  let handle = setImmediate(count);
  it.tree.beforeStat = () => {
    const endMs = performance.now() + 0.02;
    while (performance.now() < endMs);
  };
  t.same(await it.told('/'), []);
  clearImmediate(handle);
  t.ok(turns >= 8, `${turns} turns in 60 ms of comparing`);
});

t.test('a reporter that fails holds up no notice', async (t) => {
  const kernel = new MessagePair(t);
  let reports = 0;
  const notices = new KernelNotices(kernel.served, new SlowLocks(), () => {
    reports += 1;
    throw new Error('a reporter that fails');
  });
  const { root } = new NodeTable(folderInfo(0n));
  t.teardown(() => closeSync(kernel.served));
  // EPIPE: nothing that a kernel says of a notice.
  kernel.unmount();
  notices.rootIsUsed();
  await notices.invalidateNode(root, 'attributes');
  await notices.invalidateName(root, 'a');
  t.equal(notices.sent, 2);
  t.equal(reports, 2);
});

t.test('nothing is said of the root before somebody went through it, and all of it then', async (t) => {
  const kernel = new MessagePair(t);
  t.teardown(() => closeSync(kernel.served));
  const notices = new KernelNotices(kernel.served, new SlowLocks(), (error) => t.fail(String(error)));
  const { root } = new NodeTable(folderInfo(0n));
  await notices.invalidateNode(root, 'attributes and pages');
  notices.invalidateAttributes(root);
  t.equal(notices.sent, 0);
  notices.rootIsUsed();
  await notices.invalidateName(root, 'a');
  t.equal(notices.sent, 2, 'what was kept, and the name');
  notices.rootIsUsed();
  await notices.invalidateNode(root, 'attributes');
  t.equal(notices.sent, 3);
});
