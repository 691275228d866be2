import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import t from 'tap';
import type { SubPath } from '../../src/core/paths.ts';
import { nodeLinkData } from '../../src/graph/node-link.ts';
import { graphQueries } from '../../src/graph/queries.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { LiveDocs, type LiveDocsOptions } from '../../src/ingest/live-docs.ts';
import type { LiveDocsMessage } from '../../src/ingest/live-docs-message.ts';
import { lastRules } from '../../src/ingest/schema-stamps.ts';
import { parseSchemaMap } from '../../src/schema/parse-map.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { askAbout } from '../../src/system/found-place.ts';
import { Inotify } from '../../src/system/inotify.ts';
import { systemError } from '../../src/system/libc.ts';
import { leaseOn } from '../support/lease.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { until } from './watch-fixture.ts';

interface Following {
  readonly docs: string;
  readonly live: LiveDocs;
  readonly messages: LiveDocsMessage[];
  readonly indexFile: string;
  titles(): string[];
  /** Waits until nothing is left to be read, after something was. */
  read(): Promise<void>;
}

/** A docs folder that is followed, with its first index. */
async function following(
  t: Teardown,
  prepare: (docs: string) => void = () => {},
  options: Partial<LiveDocsOptions> = {},
): Promise<Following> {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  prepare(docs);
  const indexFile = join(folder, 'index.sqlite');
  const store = openStore(indexFile);
  const messages: LiveDocsMessage[] = [];
  const live = new LiveDocs({
    docs: oneFolder(docs),
    indexFile,
    searchFile: join(folder, 'search.sqlite'),
    excluded: [],
    maxBytes: 1 << 20,
    onCrash: (error) => {
      throw error;
    },
    ...options,
  });
  live.listen((message) => messages.push(message));
  t.teardown(async () => {
    await live.stop();
    store.close();
  });
  const read = () => until('all to be read', () => isRead(messages));
  await read();
  messages.length = 0;
  return { docs, live, messages, indexFile, titles: () => titlesOf(store), read };
}

function titlesOf(store: Store): string[] {
  return store.documents.all().map(({ title }) => title);
}

/** Whether the latest change is in the index. */
function isRead(messages: readonly LiveDocsMessage[]): boolean {
  const changed = messages.findLastIndex(({ type }) => type === 'disk-changed');
  const begun = messages.findLastIndex(({ type }) => type === 'indexing');
  const ended = messages.findLastIndex(({ type }) => type === 'indexed');
  return changed !== -1 && begun > changed && ended > begun;
}

async function rebuilt(t: Teardown, docs: string): Promise<unknown> {
  const store = openStore(join(temporaryFolder(t), 'index.sqlite'));
  t.teardown(() => store.close());
  const clock = { nowMs: () => 0 };
  await updateIndex({ store, docs: oneFolder(docs), excluded: [], maxBytes: 1 << 20, clock });
  return contentOf(store);
}

function contentOf(store: Store): unknown {
  const { nodes, links } = nodeLinkData(graphQueries(store));
  return { nodes, links };
}

t.test('a change is told at once, and read when the file is quiet', async (t) => {
  const { docs, messages, titles, read } = await following(t);
  writeFileSync(join(docs, 'a.md'), '# One\n');
  writeFileSync(join(docs, 'a.md'), '# Two\n');
  await read();
  t.same(titles(), ['Two']);
  t.match(
    messages.filter(({ type }) => type !== 'progress'),
    [{ type: 'disk-changed', paths: ['a.md'], waiting: 1, atMs: Number }],
  );
  const types = messages.map(({ type }) => type);
  t.ok(types.indexOf('disk-changed') < types.indexOf('indexing'));
  t.equal(types.filter((type) => type === 'indexed').length, 1, 'both writes are read at once');
});

t.test('what changes while all is read for the first time is read, too', async (t) => {
  const folder = temporaryFolder(t);
  const { docs, titles, read } = await following(t, (docs) => {
    for (let number = 0; number < 400; number += 1) writeFileSync(join(docs, `${number}.md`), '# Old\n');
    renameSync(docs, join(folder, 'docs'));
    symlink(join(folder, 'docs'), docs);
  });
  for (let number = 0; number < 400; number += 7) writeFileSync(join(docs, `${number}.md`), '# New\n');
  await read();
  t.equal(titles().filter((title) => title === 'New').length, Math.ceil(400 / 7));
});

function symlink(target: string, path: string): void {
  execFileSync('ln', ['-s', target, path]);
}

/** Threads that were begun since, and those of them that have not ended: the kernel's count has those of the pool, too, which come when they like. */
function threadsFromNowOn(t: Teardown): { begun: number; running: number } {
  const threads = { begun: 0, running: 0 };
  const begun = (worker: Worker): void => {
    threads.begun += 1;
    threads.running += 1;
    worker.once('exit', () => {
      threads.running -= 1;
    });
  };
  process.on('worker', begun);
  t.teardown(() => process.off('worker', begun));
  return threads;
}

t.test('the reading thread ends when it is not needed, and a change has it begin again', async (t) => {
  const threads = threadsFromNowOn(t);
  const { docs, titles, read, messages } = await following(t, undefined, {
    keepThreadMs: 100,
    keepBelowBytes: 0,
  });
  const ended = () => until('the thread to end', () => threads.running === 0);
  await ended();
  for (const title of ['One', 'Two']) {
    const { begun } = threads;
    messages.length = 0;
    writeFileSync(join(docs, 'a.md'), `# ${title}\n`);
    await read();
    t.same(titles(), [title]);
    t.ok(threads.begun > begun);
    await ended();
  }
});

t.test('a reading thread that was begun for docs which went away meanwhile ends, too', async (t) => {
  const threads = threadsFromNowOn(t);
  const { docs, live } = await following(t, undefined, { keepThreadMs: 100, keepBelowBytes: 0 });
  await until('the first thread to end', () => threads.running === 0);
  const { begun } = threads;
  const later: LiveDocsMessage[] = [];
  live.listen((message) => {
    later.push(message);
    // Told before the thread is begun, which reads when nothing changed for a moment.
    if (later.length === 1) renameSync(docs, `${docs}-away`);
  });
  writeFileSync(join(docs, 'a.md'), '# A\n');
  await until('the docs to be missed', () =>
    later.some((message) => message.type === 'watch' && message.state.kind === 'missing'),
  );
  t.equal(threads.begun, begun + 1);
  await until('the thread to end', () => threads.running === 0);
  // Where the machine is so busy that the quiet moment is over before the docs are missed, it is begun, and fails.
  t.notOk(
    later.some(({ type }) => type === 'indexed'),
    'nothing was read',
  );
});

t.test('a branch that is checked out is read whole', async (t) => {
  const git = (docs: string, ...args: string[]) =>
    execFileSync('git', ['-C', docs, '-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
      stdio: 'pipe',
    });
  const { docs, indexFile, read, messages } = await following(t, (docs) => {
    cpSync('docs/sample', docs, { recursive: true });
    git(docs, 'init', '-q', '-b', 'one');
    git(docs, 'add', '-A');
    git(docs, 'commit', '-q', '-m', 'one');
    git(docs, 'checkout', '-q', '-b', 'two');
    rmSync(join(docs, readdirSync(docs).find((name) => name.endsWith('.md')) ?? 'none.md'), { force: true });
    for (let number = 0; number < 90; number += 1) {
      const folder = join(docs, `new/${number % 30}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `${number}.md`),
        `# N${number}\nSee [next](../${(number + 1) % 30}/${number + 1}.md)\n`,
      );
    }
    git(docs, 'add', '-A');
    git(docs, 'commit', '-q', '-m', 'two');
    git(docs, 'checkout', '-q', 'one');
  });
  const store = openStore(indexFile, { readOnly: true });
  t.teardown(() => store.close());
  const expected = new Map<string, string>();
  for (const branch of ['two', 'one', 'two']) {
    messages.length = 0;
    git(docs, 'checkout', '-q', branch);
    await read();
    const whole = expected.get(branch) ?? JSON.stringify(await rebuilt(t, docs));
    expected.set(branch, whole);
    t.equal(JSON.stringify(contentOf(store)), whole, branch);
  }
});

t.test('a docs root that goes keeps its graph, and one that comes is read', async (t) => {
  const { docs, titles, messages, read } = await following(t, (docs) =>
    writeFileSync(join(docs, 'a.md'), '# A\n'),
  );
  renameSync(docs, `${docs}-away`);
  const said = (kind: string) => () =>
    messages.some((message) => message.type === 'watch' && message.state.kind === kind);
  await until('it to be missed', said('missing'));
  t.same(titles(), ['A']);
  messages.length = 0;
  mkdirSync(docs);
  writeFileSync(join(docs, 'b.md'), '# B\n');
  await until('it to be found', said('watching'));
  await read();
  t.same(titles(), ['B']);
});

t.test('where folders cannot be watched, changes are found by looking', async (t) => {
  class Scarce extends Inotify {
    #left = 1;
    override watch(folder: string): number {
      if (this.#left === 0) throw systemError(constants.errno.ENOSPC, 'inotify_add_watch');
      this.#left -= 1;
      return super.watch(folder);
    }
  }
  const { docs, titles } = await following(t, (docs) => mkdirSync(join(docs, 'unwatched')), {
    inotify: () => new Scarce(),
    scanEveryMs: 50,
  });
  writeFileSync(join(docs, 'unwatched/a.md'), '# Found\n');
  await until('it to be found', () => titles().includes('Found'));
});

t.test('how long it took to read what a look found does not put off the next looks', async (t) => {
  const { docs, titles } = await following(t, () => {}, {
    inotify: () => {
      throw systemError(constants.errno.EMFILE, 'inotify_init1');
    },
    scanEveryMs: 1000,
  });
  const many = Array.from(
    { length: 400 },
    (_, i) => `## Part ${i}\n\nA **Thing${i}** generates an **Other${i}**.\n`,
  );
  writeFileSync(join(docs, 'long.md'), `# Long\n\n${many.join('\n')}`);
  for (const title of ['Long', 'First', 'Second']) {
    if (title !== 'Long') writeFileSync(join(docs, 'a.md'), `# ${title}\n`);
    await until(`${title} to be found`, () => titles().includes(title));
  }
});

t.test('what another machine changes on a shared disk is found by looking', async (t) => {
  class Unseeing extends Inotify {
    override listen(): Promise<void> {
      return new Promise(() => {});
    }
  }
  const { docs, titles } = await following(t, () => {}, {
    inotify: () => new Unseeing(),
    isForeign: () => true,
    scanEveryMs: 50,
  });
  writeFileSync(join(docs, 'a.md'), '# Found\n');
  await until('it to be found', () => titles().includes('Found'));
});

t.test('what changes while a root is looked for anew is read when it is found', async (t) => {
  const { docs, live, messages, titles } = await following(t, () => {}, {
    inotify: () => {
      throw systemError(constants.errno.EMFILE, 'inotify_init1');
    },
    scanEveryMs: 50,
  });
  let goOn = () => {};
  const held = askAbout(docs, () => new Promise<void>((resolve) => (goOn = resolve)));
  await delay(200);
  writeFileSync(join(docs, 'a.md'), '# Found\n');
  live.noteChanged(['a.md' as SubPath]);
  await delay(500);
  goOn();
  await held;
  await until('it to be found', () => titles().includes('Found'));
  t.same(
    messages.filter(({ type }) => type === 'failed'),
    [],
  );
});

t.test('it stops while it reads', async (t) => {
  const { docs, live, messages } = await following(t);
  for (let number = 0; number < 500; number += 1) writeFileSync(join(docs, `${number}.md`), `# ${number}\n`);
  await until('reading to begin', () => messages.some(({ type }) => type === 'indexing'));
  await live.stop();
  const told = messages.length;
  writeFileSync(join(docs, 'late.md'), '# Late\n');
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.equal(messages.length, told);
});

t.test('another schema map during a read is read by next, and the last of several counts', async (t) => {
  const map = (type: string) => parseSchemaMap(`documents: [{paths: "**", type: ${type}}]`, 'map');
  const { docs, live, indexFile, read } = await following(t, (folder) => {
    for (let number = 0; number < 200; number += 1)
      writeFileSync(join(folder, `${number}.md`), `# N${number}\n`);
  });
  writeFileSync(join(docs, 'new.md'), '# New\n');
  live.readBy(map('One'));
  live.readBy(undefined);
  live.readBy(map('Two'));
  await read();
  const store = openStore(indexFile, { readOnly: true });
  t.teardown(() => store.close());
  const types = () =>
    new Set(store.documents.all().map(({ path }) => String(store.nodes.byKey(`document:${path}`)?.type)));
  await until('the last map', () => [...types()].join() === 'Two');
  t.equal(lastRules(store)?.rules.length, 1);
});

t.test('a document that is held for long keeps what it said, and is read once it is let go', async (t) => {
  const write = (docs: string) => writeFileSync(join(docs, 'a.md'), '# First\n');
  const it = await following(t, write, { retryAfterMs: 100 });
  const lease = leaseOn(t, join(it.docs, 'a.md'));
  lease.write('# Second\n');
  writeFileSync(join(it.docs, 'b.md'), '# Other\n');
  const waits = () =>
    it.messages.some((message) => message.type === 'indexed' && message.result.held.length > 0);
  await until('it to be waited for', waits);
  t.same(it.titles(), ['First', 'Other'], 'others do not wait for it');
  lease.letGo();
  await until('it to be read', () => it.titles().includes('Second'));
});

t.test('what an ignore file hides does not come into the graph while another program holds it', async (t) => {
  const write = (docs: string) => {
    writeFileSync(join(docs, '.gitignore'), 'secret.md\n');
    writeFileSync(join(docs, 'a.md'), '# First\n');
  };
  const it = await following(t, write, { retryAfterMs: 100 });
  const lease = leaseOn(t, join(it.docs, '.gitignore'));
  writeFileSync(join(it.docs, 'secret.md'), '# Secret\n');
  await until('it to be refused', () => it.messages.some(({ type }) => type === 'failed'));
  t.same(it.titles(), ['First']);
  lease.letGo();
  await until('it to be read', () => it.messages.some(({ type }) => type === 'indexed'));
  t.same(it.titles(), ['First']);
});

t.test(
  'where nothing must be read into the index any more, a change stays unread with the reason',
  async (t) => {
    const threads = threadsFromNowOn(t);
    let refusal: Error | undefined;
    const mayRead = () => {
      if (refusal !== undefined) throw refusal;
    };
    const { docs, messages, titles } = await following(t, undefined, {
      mayRead,
      keepThreadMs: 100,
      keepBelowBytes: 0,
    });
    // One that runs has the index open, and goes on.
    await until('the thread to end', () => threads.running === 0);
    refusal = new Error('the index is another one');
    writeFileSync(join(docs, 'late.md'), '# Late\n');
    await until('a failure', () => messages.some(({ type }) => type === 'failed'));
    t.match(messages.at(-1), { type: 'failed', reason: 'the index is another one' });
    t.same(titles(), []);
  },
);
