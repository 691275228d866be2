import { join } from 'node:path';
import t from 'tap';
import { HistorySearchIndex } from '../../src/history/search-index.ts';
import { HistoryCorpus } from '../../src/retrieval/history-corpus.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import { openSearchStore } from '../../src/store/search-store.ts';
import { temporaryFolder } from '../support/temporary.ts';

const NOON_MS = Date.UTC(2026, 10, 21, 12);

t.test('what was entered is found, also where as much was given up meanwhile', async (t) => {
  const folder = temporaryFolder(t);
  const store = openContextStore(join(folder, 'context.sqlite'));
  const search = openSearchStore(join(folder, 'history-search.sqlite'));
  t.teardown(() => {
    store.close();
    search.close();
  });
  const corpus = new HistoryCorpus(search, new HistorySearchIndex(store.history, search));
  const enter = (session: string, query: string) => {
    const line = `${JSON.stringify({ event_type: 'search', actor: 'ana', data: { query } })}\n`;
    const row = { timeMs: NOON_MS, type: 'search', actor: 'ana', session, path: undefined, line };
    store.transact(() => store.history.append(row, NOON_MS));
  };
  const found = (term: string) => {
    t.equal(corpus.settle(), undefined);
    corpus.revision();
    return corpus.read([...corpus.holding(term)]).map(({ sourceId }) => corpus.source(sourceId)?.title);
  };
  enter('s1', 'refund');
  t.same(found('refund'), ['2026-11-21_s1.jsonl']);
  t.same(found('invoic'), []);
  const revision = corpus.revision();
  t.same(found('refund'), ['2026-11-21_s1.jsonl']);
  t.equal(corpus.revision(), revision, 'nothing happened');
  const [file] = store.history.files();
  store.transact(() => store.history.giveUp([file?.id ?? 0], NOON_MS));
  enter('s2', 'invoic');
  t.same(found('refund'), []);
  t.same(found('invoic'), ['2026-11-21_s2.jsonl']);
});
