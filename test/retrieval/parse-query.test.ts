import fc from 'fast-check';
import t from 'tap';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';

t.test('filters, phrases and exclusions are taken apart', async (t) => {
  const query = parseQuery(
    'refund type:Endpoint tag:billing in:/docs after:2026-01-01 related:Charge~2 "exact words" -draft -"old api"',
  );
  t.equal(query.text, 'refund exact words');
  t.same(query.types, ['endpoint']);
  t.same(query.tags, ['billing']);
  t.same(query.scopes, ['/docs']);
  t.equal(query.afterMs, Date.UTC(2026, 0, 1));
  t.same(query.related, [{ name: 'Charge', depth: 2 }]);
  t.same(query.phrases, ['exact words']);
  t.same(query.excluded, ['draft', 'old api']);
  t.same(query.problems, []);
});

t.test('a name of several words stands in quotation marks', async (t) => {
  t.same(parseQuery('related:"Payment Method" x').related, [{ name: 'Payment Method', depth: 1 }]);
  t.same(parseQuery('in:"/docs/my folder" x').scopes, ['/docs/my folder']);
});

t.test('a plain question is text, whatever is in it', async (t) => {
  for (const question of [
    'how do refunds work?',
    'note: charges are final',
    'http://example.com/a:b',
    '-rf what does it do',
    '12:30 meeting',
    'C:\\folder',
    'std::vector',
  ]) {
    t.equal(parseQuery(question).text, question, question);
  }
});

t.test('an odd quotation mark is left out, and said', async (t) => {
  const query = parseQuery('a 5" screen');
  t.equal(query.text, 'a 5 screen');
  t.same(query.phrases, []);
  t.same(
    query.problems.map(({ column }) => column),
    [4],
  );
});

t.test('what cannot be a filter says where and why', async (t) => {
  const query = parseQuery('x after:yesterday related:A~9 sort:date before:2026-02-31');
  t.same(
    query.problems.map(({ column }) => column),
    [3, 19, 31, 41],
  );
  t.match(query.problems[0]?.message, /is no date/);
  t.match(query.problems[1]?.message, /depth of 1 to 5/);
  t.match(query.problems[2]?.message, /no filter "sort:"/);
  t.equal(query.text, 'x after:yesterday related:A~9 sort:date before:2026-02-31');
});

t.test('a month and a year begin with their first day', async (t) => {
  t.equal(parseQuery('after:2026-03 x').afterMs, Date.UTC(2026, 2, 1));
  t.equal(parseQuery('before:2026 x').beforeMs, Date.UTC(2026, 0, 1));
});

t.test('no query is an error', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { problems } = parseQuery(text);
      return problems.every(({ column }) => column >= 1 && column <= text.length);
    }),
  );
});
