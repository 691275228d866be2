import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { openContextStore } from '../../src/store/context-store.ts';
import { ADOPTION_SCHEMA } from '../../src/store/memory-adoptions.ts';
import { MEMORY_SCHEMA, MemoryTables } from '../../src/store/memory-tables.ts';
import { interruptedTables } from '../memory/interrupted.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

function opened(t: Teardown, file = join(temporaryFolder(t), 'context.sqlite')) {
  const store = openContextStore(file);
  t.teardown(() => store.close());
  return store;
}

/** A row such as another one, of which only this is said. */
function row(name: string, more: { folder?: string; removedMs?: number } = {}) {
  return {
    type: 'fact' as const,
    folder: more.folder ?? '',
    name,
    isTemporary: 0 as const,
    origin: null,
    sizeBytes: 1,
    sha256: name,
    mode: 0o600,
    metadata: '{}',
    said: '{}',
    needsReview: 0 as const,
    actor: null,
    session: null,
    reviewer: null,
    reviewedMs: null,
    accessCount: 0,
    createdMs: 1,
    updatedMs: 1,
    modifiedMs: 1,
    modifiedRestNs: 0,
    expiresMs: null,
    removedMs: more.removedMs ?? null,
    version: 1,
  };
}

const CONTENT = Buffer.from('x');

/** How SQLite carries out each statement of the tables, by its text. */
function plans(): Map<string, string> {
  const database = new Sqlite(':memory:');
  database.exec(`${MEMORY_SCHEMA}${ADOPTION_SCHEMA}`);
  const texts: string[] = [];
  const spy = new Proxy(database, {
    get(target, property) {
      if (property !== 'prepare') return Reflect.get(target, property);
      return (text: string) => {
        texts.push(text);
        return target.prepare(text);
      };
    },
  });
  new MemoryTables(spy);
  const plans = texts.map((text): [string, string] => {
    // What is asked for does not matter to the plan.
    const numbered = text.replace(/@\w+|\?/g, 'NULL');
    const steps = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${numbered}`).all();
    return [text, steps.map(({ detail }) => detail).join('\n')];
  });
  database.close();
  return new Map(plans);
}

t.test('only what is meant to goes through all entries', async (t) => {
  const walks = [...plans()].filter(([, plan]) =>
    /SCAN (?:e|memory_entries)(?! USING (?:COVERING )?INDEX)/.test(plan),
  );
  t.same(
    walks.length,
    5,
    'all entries, all of a type, of a kind, all that were removed, all that search takes in anew',
  );
  for (const [text] of walks) t.match(text, /memory_contents|JOIN memory_texts/);
});

t.test('the names of a folder are found by the index of places', async (t) => {
  const [, plan] = [...plans()].find(([text]) => text.startsWith('SELECT name FROM memory_entries')) ?? [];
  t.match(plan, /USING (?:COVERING )?INDEX memory_entries_by_place \(type=\? AND folder=\?\)/);
});

t.test('those whose time has ended are found by the index of those that expire', async (t) => {
  const ended = [...plans()].filter(([text]) => text.includes('expires_ms <= ?'));
  t.equal(ended.length, 2, 'all of them since a time, and those of a folder');
  for (const [, plan] of ended) t.match(plan, /USING INDEX memory_entries_that_expire/);
});

t.test('the entries made just before and after one are found by their numbers', async (t) => {
  const near = [...plans()].filter(([text]) => text.includes('@near'));
  t.equal(near.length, 2);
  for (const [, plan] of near) t.match(plan, /SEARCH e USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/);
});

t.test('one entry lives at a place, and any number may have been removed from it', async (t) => {
  const { memory } = opened(t);
  memory.entries.insert(row('a', { removedMs: 5 }), CONTENT);
  memory.entries.insert(row('a', { removedMs: 7 }), CONTENT);
  const { id } = memory.entries.insert(row('a'), CONTENT);
  t.equal(memory.entries.at('fact', '', 'a')?.id, id);
  t.same(
    memory.entries.removedAs('', 'a').map(({ removedMs }) => removedMs),
    [7, 5],
  );
  t.throws(() => memory.entries.insert(row('a'), CONTENT), /UNIQUE/);
});

t.test('the number of an entry that is forgotten is never given again', async (t) => {
  const { memory } = opened(t);
  const { id } = memory.entries.insert(row('a'), CONTENT);
  memory.entries.forget(id);
  t.equal(memory.entries.insert(row('b'), CONTENT).id, id + 1);
  t.throws(() => memory.entries.content(id), /no content/, 'its content went with it');
});

t.test('those whose time has ended are told apart by when it did, and by their folder', async (t) => {
  const { memory } = opened(t);
  const { entries } = memory;
  for (const [name, expiresMs] of [
    ['a', 1000],
    ['b', 2000],
    ['c', 3000],
    ['d', null],
  ] as const) {
    entries.insert({ ...row(name), expiresMs }, CONTENT);
  }
  const names = (nowMs: number, sinceMs?: number) => entries.expired(nowMs, sinceMs).map(({ name }) => name);
  t.same(names(2000), ['a', 'b']);
  t.same(names(3000, 1000), ['b', 'c']);
  t.same(entries.expiredNames('fact', '', 2000).sort(), ['a', 'b']);
  t.same(entries.expiredNames('fact', 'other', 2000), []);
});

t.test('what is below a folder is not what begins with its name', async (t) => {
  const { memory } = opened(t);
  for (const folder of ['a', 'a/b', 'ab', 'a0', 'a%', 'A', ''])
    memory.entries.insert(row('x', { folder }), CONTENT);
  t.same(
    memory.entries
      .below('fact', 'a')
      .map(({ folder }) => folder)
      .sort(),
    ['a', 'a/b'],
  );
});

t.test('a folder moves with those below it and no others', async (t) => {
  const { memory } = opened(t);
  const times = { mode: 0o700, modifiedMs: 1, modifiedRestNs: 0 };
  for (const [folder, name] of [
    ['', 'a'],
    ['a', 'b'],
    ['a/b', 'c'],
    ['', 'ab'],
    ['ab', 'b'],
  ] as const) {
    memory.folders.put({ type: 'fact', folder, name, ...times });
  }
  memory.folders.move({ type: 'fact', folder: '', name: 'a' }, { type: 'episodic', folder: '', name: 'é' });
  t.ok(memory.folders.at('episodic', 'é/b', 'c'));
  t.same(memory.folders.names('fact', ''), ['ab']);
  t.same(memory.folders.names('fact', 'ab'), ['b']);
  t.equal(memory.folders.at('fact', 'a', 'b'), undefined);
});

t.test('changes are told to others in order, each place once, as long as they are kept', async (t) => {
  const store = opened(t);
  const { changes } = store.memory;
  t.equal(changes.revision(), 0);
  for (const place of ['fact/a', 'fact/b', 'fact/a']) changes.add(place, 'us');
  changes.add('fact/c', 'them');
  t.equal(changes.revision(), 4);
  t.same(changes.since(0, 'them'), { upTo: 4, places: ['fact/a', 'fact/b'] });
  t.same(changes.since(3, 'us'), { upTo: 4, places: ['fact/c'] });
  t.same(changes.since(4, 'nobody'), { upTo: 4, places: [] });
  store.transact(() => {
    for (let number = 0; number < 12_000; number += 1) changes.add('fact/d', 'us');
  });
  t.same(changes.since(4, 'them'), { upTo: 12_004, places: undefined }, 'too long ago to tell');
  t.equal(changes.revision(), 12_004);
  t.same(changes.since(12_003, 'them'), { upTo: 12_004, places: ['fact/d'] });
});

t.test('what others forget between two statements is not taken for never changed', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const store = opened(t, file);
  const { changes } = store.memory;
  changes.add('fact/a', 'us');
  const { tables, before } = interruptedTables(t, file);
  const act = () =>
    store.transact(() => {
      for (let number = 0; number < 12_000; number += 1) changes.add('fact/b', 'us');
    });
  const isInterrupted = before(2, act, () => {
    t.equal(tables.changes.after(0, 10), undefined, 'so all is looked at');
  });
  t.ok(isInterrupted);
});
