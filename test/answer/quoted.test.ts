import t from 'tap';
import { quoteOf } from '../../src/answer/quoted.ts';
import type { SearchHit } from '../../src/core/search.ts';

t.test('a quote names its document, once', async (t) => {
  const hit: SearchHit = {
    path: '/docs/entities/status.md',
    line: 3,
    endLine: 4,
    kind: 'document',
    score: 1,
    title: 'Status',
    headings: ['Example'],
    retrievers: {},
    hops: [],
    dateMs: 0,
    stale: false,
    snippet: 'Example: It is public.',
  };
  t.same(quoteOf(hit).headings, ['Status', 'Example']);
  t.same(quoteOf({ ...hit, headings: ['status', 'Example'] }).headings, ['status', 'Example']);
  t.same(quoteOf({ ...hit, title: 'status.md', headings: [] }).headings, []);
  t.same(quoteOf({ ...hit, kind: 'memory', headings: [] }).headings, []);
});
