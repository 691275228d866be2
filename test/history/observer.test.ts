import t from 'tap';
import type { HistoryEvent } from '../../src/core/history-event.ts';
import { parsePath } from '../../src/core/paths.ts';
import { historyObserver } from '../../src/history/observer.ts';

function observed() {
  const events: HistoryEvent[] = [];
  return { events, observer: historyObserver((event) => events.push(event)) };
}

t.test('opens and searches are entered, with who asked', async (t) => {
  const { events, observer } = observed();
  const context = { caller: { name: 'rg', pid: 7 } };
  observer.opened(parsePath('/docs/a.md'), 'read', context);
  observer.opened(parsePath('/context/scratchpad/x'), 'write', context);
  observer.searched({ text: 'refunds', limit: 10 }, parsePath('/docs'), 3, context);
  t.same(events, [
    { type: 'read', path: '/docs/a.md', context },
    { type: 'write', path: '/context/scratchpad/x', context },
    { type: 'search', path: '/docs', data: { query: 'refunds', limit: 10, hits: 3 }, context },
  ]);
});

t.test('the history does not feed itself, nor does a look at the status', async (t) => {
  const { events, observer } = observed();
  for (const path of ['/.kgraphfs/status.json', '/context/history/2026-11-21_s.jsonl']) {
    observer.opened(parsePath(path), 'read', {});
  }
  t.same(events, []);
});

t.test('an answer that is opened in search/ is entered there, with its query', async (t) => {
  const { events, observer } = observed();
  observer.opened(parsePath('/search/refunds'), 'read', {});
  t.same(events, []);
});

t.test('what is written to memory is entered when it is committed, and read when it is opened', async (t) => {
  const { events, observer } = observed();
  for (const path of ['/context/memory/fact/a', '/context/review/a']) {
    observer.opened(parsePath(path), 'write', {});
    observer.opened(parsePath(path), 'read', {});
  }
  t.same(
    events.map(({ type, path }) => `${type} ${path}`),
    ['read /context/memory/fact/a', 'read /context/review/a'],
  );
});
