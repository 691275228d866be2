import t from 'tap';
import { quoteOf } from '../../src/answer/quoted.ts';
import type { SearchHit } from '../../src/core/search.ts';

/** The place that a snippet of a passage, which begins in line 10, is quoted from. */
function placeOf(snippet: string, ...lines: string[]): string {
  const hit: SearchHit = {
    path: '/docs/a.md',
    line: 10,
    endLine: 20,
    kind: 'document',
    score: 1,
    title: 'Charge',
    headings: ['Charge'],
    retrievers: {},
    hops: [],
    dateMs: 0,
    stale: false,
    snippet,
  };
  return quoteOf(hit, lines.join('\n')).place;
}

t.test(
  'a quote is from the line in which it begins, not from one that has its first words alone',
  async (t) => {
    const lines = ['# Charge', '', 'Charges are', 'made of **invoices**, one each, and are paid at once.'];
    t.equal(placeOf('Charge: Charges are made of invoices, one each, and', ...lines), 'a.md:12');
    t.equal(placeOf('…invoices, one each, and are paid at once.', ...lines), 'a.md:13');
    t.equal(placeOf('Charge: A Charge is paid.', '# A', '', 'A Charge is paid.'), 'a.md:12');
  },
);

t.test('where a snippet joins lines in its own way, it is from the one that it begins with', async (t) => {
  t.equal(placeOf('Charge: Paid › at once', '# Charge', '', '- Paid', '- at once'), 'a.md:12');
  t.equal(placeOf('Charge: something else', '# Charge', '', '- Paid'), 'a.md:10');
});

t.test('a quote of code has its place', async (t) => {
  t.equal(
    placeOf('Charge: - name: <test> two', '# Charge', '', '```yaml', '- name: <test>', '  two', '```'),
    'a.md:13',
  );
});

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
  t.same(quoteOf(hit, 'It is public.').headings, ['Status', 'Example']);
  t.same(quoteOf({ ...hit, headings: ['status', 'Example'] }, '').headings, ['status', 'Example']);
  t.same(quoteOf({ ...hit, title: 'status.md', headings: [] }, '').headings, []);
  t.same(quoteOf({ ...hit, kind: 'memory', headings: [] }, '').headings, []);
});
