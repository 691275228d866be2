import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { QueryPages } from '../../src/search-tree/query-pages.ts';
import { FakeEngine } from './fake-engine.ts';
import { STARTED_MS } from './fixture.ts';

t.test('who asks after a change does not wait for an answer from before it', async (t) => {
  const engine = new FakeEngine();
  engine.put('/docs/a.md', 'refunds');
  const pages = new QueryPages({
    engine: {
      async search(query, options) {
        const answer = engine.search(query, options);
        await setImmediate();
        return answer;
      },
      revision: () => engine.revision(),
    },
    similar: () => [],
    readSoFar: () => undefined,
    clock: { nowMs: () => STARTED_MS },
    startedMs: STARTED_MS,
  });
  const first = pages.page('refunds');
  const same = pages.page('refunds');
  engine.put('/docs/b.md', 'refunds');
  const later = pages.page('refunds');
  t.same([(await first).hits, (await same).hits, (await later).hits], [1, 1, 2]);
  t.equal(engine.asked, 2);
});
