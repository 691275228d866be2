import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import t from 'tap';
import { type ContextStore, openContextStore } from '../../src/store/context-store.ts';
import type { HistoryRow } from '../../src/store/history-table.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2026, 10, 21, 12);

function subject(t: Teardown) {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const store = openContextStore(file);
  t.teardown(() => store.close());
  /** Another program, which knows nothing of ours. */
  const raw = new Sqlite(file);
  t.teardown(() => raw.close());
  return { store, raw };
}

function row(line: string, more: Partial<HistoryRow> = {}): HistoryRow {
  return { timeMs: NOON_MS, type: 'read', actor: 'ana', session: 's1', path: undefined, line, ...more };
}

function append(store: ContextStore, ...rows: readonly HistoryRow[]): void {
  store.transact(() => {
    for (const each of rows) store.history.append(each, each.timeMs);
  });
}

function reading(store: ContextStore, fileId: number, position: number, sizeBytes: number): Buffer {
  const target = Buffer.alloc(sizeBytes);
  return target.subarray(0, store.history.read(fileId, target, position));
}

t.test('entries of a session and a day are one file, of exactly the bytes of its lines', async (t) => {
  const { store } = subject(t);
  append(
    store,
    row('{"a":1}\n'),
    row('{"ü":"€😀"}\n'),
    row('{"b":1}\n', { session: 's2' }),
    row('{"c":1}\n', { timeMs: NOON_MS + DAY_MS }),
  );
  t.match(store.history.files(), [
    { date: '2026-11-21', session: 's1', sizeBytes: 25, entries: 2, modifiedMs: NOON_MS },
    { date: '2026-11-21', session: 's2', sizeBytes: 8, entries: 1 },
    { date: '2026-11-22', session: 's1', sizeBytes: 8, entries: 1, modifiedMs: NOON_MS + DAY_MS },
  ]);
  const file = store.history.file('2026-11-21', 's1');
  t.equal(reading(store, file?.id ?? 0, 0, 100).toString(), '{"a":1}\n{"ü":"€😀"}\n');
});

t.test('a read at any place gives the bytes that are there', async (t) => {
  const { store } = subject(t);
  let session = 0;
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(400), fc.nat(400)), { minLength: 1, maxLength: 8 }),
      (texts, reads) => {
        session += 1;
        const lines = texts.map((text) => `${JSON.stringify({ text })}\n`);
        append(store, ...lines.map((line) => row(line, { session: `p${session}` })));
        const whole = Buffer.from(lines.join(''));
        const file = store.history.file('2026-11-21', `p${session}`);
        if (!file) return false;
        return (
          file.sizeBytes === whole.length &&
          reads.every(([position, sizeBytes]) =>
            reading(store, file.id, position, sizeBytes).equals(
              whole.subarray(position, position + sizeBytes),
            ),
          )
        );
      },
    ),
    { numRuns: 60 },
  );
});

t.test('a read anywhere is one look into an index, however long the file', async (t) => {
  const { raw } = subject(t);
  const plan = raw
    .prepare<unknown[], { detail: string }>(
      'EXPLAIN QUERY PLAN SELECT end_bytes, line FROM history WHERE file_id = ? AND end_bytes > ? ORDER BY end_bytes',
    )
    .all(1, 1);
  t.same(
    plan.map(({ detail }) => detail),
    ['SEARCH history USING INDEX history_by_place (file_id=? AND end_bytes>?)'],
  );
});

t.test('no program can change, remove, replace or put in between what was entered', async (t) => {
  const { store, raw } = subject(t);
  append(store, row('{"n":1}\n'), row('{"n":2}\n'), row('{"n":3}\n', { session: 's2' }));
  const before = raw.prepare('SELECT * FROM history').all();
  const files = raw.prepare('SELECT * FROM history_files').all();
  const add = (values: string, verb = 'INSERT') =>
    `${verb} INTO history (id, file_id, end_bytes, time_ms, entered_ms, type, actor, line) VALUES ${values}`;
  const refused = [
    `UPDATE history SET line = '{}'`,
    `UPDATE history SET time_ms = 0 WHERE id = 1`,
    `UPDATE OR IGNORE history SET actor = 'eve'`,
    `UPDATE history SET file_id = 2`,
    `DELETE FROM history`,
    `DELETE FROM history WHERE id = 2`,
    `DELETE FROM history_files`,
    `UPDATE history_files SET size_bytes = 0`,
    `UPDATE history_files SET entries = 7`,
    `UPDATE history_files SET date = '2020-01-01'`,
    `UPDATE history_files SET session = 'other' WHERE id = 1`,
    `REPLACE INTO history_files (id, date, session, modified_ms) VALUES (1, '2026-11-21', 's1', 0)`,
    `REPLACE INTO history_files (date, session, modified_ms) VALUES ('2026-11-21', 's1', 0)`,
    add(`(NULL, 1, 8, 0, 0, 'read', 'eve', '{"n":9}' || char(10))`),
    add(`(NULL, 1, 12, 0, 0, 'read', 'eve', '{}' || char(10))`),
    add(`(NULL, 1, 16, 0, 0, 'read', 'eve', '')`, 'REPLACE'),
    add(`(NULL, 1, 18, 0, 0, 'read', 'eve', '{}')`),
    add(`(NULL, 1, 22, 0, 0, 'read', 'eve', '{}' || char(10) || '{}' || char(10))`),
    add(`(2, 1, 19, 0, 0, 'read', 'eve', '{}' || char(10))`, 'REPLACE'),
    add(`(3, 1, 19, 0, 0, 'read', 'eve', '{}' || char(10))`, 'REPLACE'),
    add(`(-5, 1, 19, 0, 0, 'read', 'eve', '{}' || char(10))`),
    add(`(NULL, 9, 3, 0, 0, 'read', 'eve', '{}' || char(10))`),
  ];
  for (const foreignKeys of ['ON', 'OFF']) {
    raw.pragma(`foreign_keys = ${foreignKeys}`);
    for (const sql of refused) {
      t.throws(() => raw.exec(sql), { code: 'SQLITE_CONSTRAINT_TRIGGER', message: /^history / }, sql);
    }
  }
  t.same(raw.prepare('SELECT * FROM history').all(), before);
  t.same(raw.prepare('SELECT * FROM history_files').all(), files);
  raw.exec(add(`(NULL, 1, 19, 0, 0, 'read', 'eve', '{}' || char(10))`));
  t.match(store.history.file('2026-11-21', 's1'), { sizeBytes: 19, entries: 3 }, 'at the end it grows');
});

t.test('a file is given up as a whole, noted, and its place is never taken again', async (t) => {
  const { store, raw } = subject(t);
  append(store, row('{"n":1}\n'), row('{"n":2}\n'), row('{"n":3}\n', { session: 's2' }));
  const [given, kept] = store.history.files();
  store.transact(() => store.history.giveUp([given?.id ?? 0], 77));
  t.same(store.history.files(), [kept]);
  t.equal(reading(store, given?.id ?? 0, 0, 100).length, 0);
  t.same(raw.prepare('SELECT * FROM given_up_history').all(), [
    { file_id: given?.id, date: '2026-11-21', session: 's1', size_bytes: 16, entries: 2, at_ms: 77 },
  ]);
  append(store, row('{"n":4}\n'));
  t.match(store.history.file('2026-11-21', 's1'), { sizeBytes: 8, entries: 1 });
  t.notOk(store.history.fileById(given?.id ?? 0), 'who had the old one open does not see the new one');
  t.equal(store.history.latestId(), 4, 'entries are numbered on');
});

t.test('entries are chosen by session, kind, actor, time and number, the newest ones', async (t) => {
  const { store } = subject(t);
  append(
    store,
    row('{"n":1}\n', { type: 'write', timeMs: NOON_MS - 5000 }),
    row('{"n":2}\n', { actor: 'rg', session: 's2' }),
    row('{"n":3}\n'),
  );
  const numbers = (filter: object) =>
    store.history.select({ limit: 10, ...filter }).map(({ line }) => JSON.parse(line).n);
  t.same(numbers({}), [1, 2, 3]);
  t.same(numbers({ limit: 2 }), [2, 3]);
  t.same(numbers({ session: 's1' }), [1, 3]);
  t.same(numbers({ type: 'write' }), [1]);
  t.same(numbers({ actor: 'rg' }), [2]);
  t.same(numbers({ sinceMs: NOON_MS }), [2, 3]);
  t.same(numbers({ afterId: 2 }), [3]);
  t.same(numbers({ session: 's1', type: 'read' }), [3]);
});

t.test('entries are chosen by path: their own, those of a burst, and both of a move', async (t) => {
  const { store } = subject(t);
  const lines: [unknown, string | undefined][] = [
    [{ path: '/docs/a.md' }, '/docs/a.md'],
    [{ path: '/docs/ab.md' }, '/docs/ab.md'],
    [{ data: { paths: ['/docs/a.md', '/docs/x/y "z".md'] } }, undefined],
    [{ path: '/context/memory/fact/a', data: { to: '/context/memory/fact/b' } }, '/context/memory/fact/a'],
    [{ path: '/', data: { query: '/docs/a.md' } }, '/'],
    [{ data: { mountpoint: '/docs/a.md' } }, undefined],
  ];
  append(
    store,
    ...lines.map(([entry, path], n) => row(`${JSON.stringify({ n, ...Object(entry) })}\n`, { path })),
  );
  const numbers = (path: string) =>
    store.history.select({ limit: 10, path }).map(({ line }) => JSON.parse(line).n);
  t.same(numbers('/docs/a.md'), [0, 2]);
  t.same(numbers('/docs'), [0, 1, 2]);
  t.same(numbers('/docs/x'), [2]);
  t.same(numbers('/docs/x/y "z".md'), [2]);
  t.same(numbers('/context/memory/fact/b'), [3]);
  t.same(numbers('/'), [0, 1, 2, 3, 4]);
  t.same(numbers('/doc'), []);
  t.same(numbers('/docs/%'), []);
});

t.test('files with entries after one are known', async (t) => {
  const { store } = subject(t);
  append(store, row('{"n":1}\n'), row('{"n":2}\n', { session: 's2' }));
  const sessions = (id: number) => store.history.filesAfter(id).map(({ session }) => session);
  t.same(sessions(0), ['s1', 's2']);
  t.same(sessions(1), ['s2']);
  t.same(sessions(2), []);
});
