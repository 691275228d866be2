import { join } from 'node:path';
import t from 'tap';
import { HistorySearchIndex } from '../../src/history/search-index.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import { openSearchStore } from '../../src/store/search-store.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const NOON_MS = Date.UTC(2026, 10, 21, 12);

function subject(t: Teardown) {
  const folder = temporaryFolder(t);
  const store = openContextStore(join(folder, 'context.sqlite'));
  const search = openSearchStore(join(folder, 'history-search.sqlite'));
  t.teardown(() => {
    store.close();
    search.close();
  });
  const index = new HistorySearchIndex(store.history, search);
  return {
    store,
    search,
    index,
    enter(type: string, path: string, data: object, session = 's1') {
      const entry = { timestamp: '2026-11-21T12:00:00Z', event_type: type, actor: 'ana', path, data };
      const line = `${JSON.stringify(entry)}\n`;
      store.transact(() =>
        store.history.append({ timeMs: NOON_MS, type, actor: 'ana', session, path, line }, NOON_MS),
      );
    },
    found(term: string) {
      while (!index.catchUp());
      return search.passages
        .match([term], { limit: 10 })
        .map(({ sourceId, line, headings }) => [search.sources.byId(sourceId)?.path, line, headings])
        .sort();
    },
  };
}

t.test('entries are found by what was done, where, and what was there before', async (t) => {
  const { enter, found } = subject(t);
  enter('write', '/context/memory/fact/refunds', { before: { text: 'They take five days', sha256: 'abc' } });
  enter('search', '/docs', { query: 'late invoices' });
  const file = '2026-11-21_s1.jsonl';
  t.same(found('refund'), [[file, 1, 'write /context/memory/fact/refunds']]);
  t.same(found('five'), [[file, 1, 'write /context/memory/fact/refunds']]);
  t.same(found('invoic'), [[file, 2, 'search /docs']]);
  t.same(found('abc'), []);
  enter('search', '/docs', { query: 'late payments' });
  t.same(found('late'), [
    [file, 2, 'search /docs'],
    [file, 3, 'search /docs'],
  ]);
});

t.test('much is taken in by and by, across files and in the middle of them', (t) => {
  const { enter, found, index } = subject(t);
  const entries = { s1: 600, s2: 400, s3: 350 };
  const sessions = Object.keys(entries);
  for (const [session, total] of Object.entries(entries))
    for (let count = 0; count < total; count += 1)
      enter('search', '/docs', { query: `word${count}` }, session);
  t.equal(index.catchUp(), false);
  enter('search', '/docs', { query: 'lately' }, 's1');
  t.equal(index.catchUp(), false);
  const takenIn = index.takenIn();
  const ofAll = (line: number) =>
    sessions.map((session) => [`2026-11-21_${session}.jsonl`, line, 'search /docs']);
  t.same(found('word0'), ofAll(1));
  t.same(found('word349'), ofAll(350));
  t.same(found('word599'), ofAll(600).slice(0, 1));
  t.same(found('late'), [['2026-11-21_s1.jsonl', 601, 'search /docs']]);
  t.ok(index.takenIn() > takenIn);
  const before = index.takenIn();
  t.equal(index.catchUp(), true);
  t.equal(index.takenIn(), before, 'there was nothing left');
  t.end();
});

t.test('who did it is found, and no number or sum that nobody looks for', async (t) => {
  const { enter, found, search } = subject(t);
  const data = { sha256: 'abc', bytes: 4711, version: 4712, pid: 4713, uid: 4714, timestamp: 4715 };
  enter('write', '/context/memory/fact/a', {
    ...data,
    before: { ...data, text: `${'a '.repeat(1000)}lately` },
  });
  const place = ['2026-11-21_s1.jsonl', 1, 'write /context/memory/fact/a'];
  t.same(found('ana'), [place]);
  for (const value of Object.values(data)) t.same(found(`${value}`), [], `${value}`);
  t.same(found('late'), [], 'of a long content the beginning is searched');
  t.match(search.sources.file('2026-11-21_s1.jsonl'), { modifiedMs: NOON_MS, dateMs: NOON_MS });
});

t.test('what other rules made is made anew, and so is another file of the same name', async (t) => {
  const { enter, found, store, search } = subject(t);
  const name = '2026-11-21_s1.jsonl';
  enter('search', '/docs', { query: 'refund' });
  enter('search', '/docs', { query: 'invoices' });
  const both = [1, 2].map((line) => [name, line, 'search /docs']);
  t.same(found('search'), both);
  const known = search.sources.file(name);
  if (known === undefined) throw new Error('it was taken in');
  search.transact(() => {
    const id = search.sources.put({ ...known, version: known.version - 1 });
    search.passages.replace(id, []);
  });
  t.same(found('search'), both);
  const [file] = store.history.files();
  store.transact(() => store.history.giveUp([file?.id ?? 0], NOON_MS));
  for (const query of ['cards', 'keys', 'events']) enter('search', '/docs', { query });
  t.same(found('card'), [[name, 1, 'search /docs']]);
  t.same(found('search'), [...both, [name, 3, 'search /docs']]);
});

t.test('what is no name of a file of the history has no lines', async (t) => {
  const { enter, index } = subject(t);
  enter('search', '/docs', { query: 'refund' });
  t.ok(index.has('2026-11-21_s1.jsonl'));
  for (const name of ['2026-11-21_s1', '2026-11-21_s1.other', '2026-11-21_s2.jsonl', 'README.md', ''])
    t.notOk(index.has(name), name);
});

t.test('what was given up is no longer found, and its lines are gone', async (t) => {
  const { enter, found, store, index } = subject(t);
  enter('search', '/docs', { query: 'old' }, 's1');
  enter('search', '/docs', { query: 'old' }, 's2');
  t.equal(found('old').length, 2);
  t.match(index.lines('2026-11-21_s1.jsonl', 1, 1), /"query":"old"/);
  const [first] = store.history.files();
  store.transact(() => store.history.giveUp([first?.id ?? 0], NOON_MS));
  t.equal(index.has('2026-11-21_s1.jsonl'), false);
  t.equal(index.lines('2026-11-21_s1.jsonl', 1, 1), undefined);
  t.same(
    found('old').map(([path]) => path),
    ['2026-11-21_s2.jsonl'],
  );
  enter('search', '/docs', { query: 'lately' }, 's1');
  t.same(found('late'), [['2026-11-21_s1.jsonl', 1, 'search /docs']], 'a new file of the same name');
});
