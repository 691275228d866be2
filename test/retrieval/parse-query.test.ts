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

t.test('a name of several words stands in quotation marks, straight or curved', async (t) => {
  t.same(parseQuery('related:"Payment Method" x').related, [{ name: 'Payment Method', depth: 1 }]);
  t.same(parseQuery('in:"/docs/my folder" x').scopes, ['/docs/my folder']);
  t.same(parseQuery('“exact words” x').phrases, ['exact words']);
  t.same(parseQuery('what is "exact words"?').phrases, ['exact words']);
});

t.test('a scope has its first slash or not, and is a path of the tree', async (t) => {
  for (const text of ['in:docs', 'in:/docs', 'in:docs/', 'in:%2Fdocs', 'in:%2fdocs', 'IN:./docs']) {
    t.same(parseQuery(`${text} x`).scopes, ['/docs'], text);
  }
  t.same(parseQuery('in:docs%2Fcharges x').scopes, ['/docs/charges']);
  t.same(parseQuery('in:/graph/nodes/GET%20%2Fv1 x').scopes, ['/graph/nodes/GET%20%2Fv1'], 'names stay');
  for (const text of ['in:memory/fact', 'in:/memory/fact', 'in:context/memory/fact']) {
    t.same(parseQuery(`${text} x`).scopes, ['/context/memory/fact'], text);
  }
  t.same(parseQuery('in:history in:context x').scopes, ['/context/history', '/context']);
  t.match(parseQuery('in:facts x'), {
    text: 'in:facts x',
    scopes: { length: 0 },
    problems: [
      { column: 1, message: /nothing in "facts" is searched; there are \/docs, .*\/context\/memory/ },
    ],
  });
  t.match(parseQuery('in:../../etc x'), {
    text: 'in:../../etc x',
    scopes: { length: 0 },
    problems: [{ column: 1 }],
  });
});

t.test('a plain question is text, whatever is in it', async (t) => {
  for (const question of [
    'how do refunds work?',
    'note: charges are final',
    'http://example.com/a:b?c="d"'.replaceAll('"', ''),
    '-rf what does it do',
    'what does --verbose do',
    'a - b – c',
    '12:30 meeting at 9:15',
    'C:\\folder',
    'C:/folder is a path',
    'std::vector',
    'C++: is it C?',
    '🎉🎉 emoji',
    'type',
    ':colon',
    "it's",
    'word '.repeat(2000).trim(),
  ]) {
    t.equal(parseQuery(question).text, question, question.slice(0, 40));
  }
});

t.test('inches are no phrase', async (t) => {
  const query = parseQuery('a 5" by 7" photo');
  t.equal(query.text, 'a 5 by 7 photo');
  t.same(query.phrases, []);
  t.same(
    query.problems.map(({ column }) => column),
    [4, 10],
  );
});

t.test('an odd quotation mark is left out, and said', async (t) => {
  const query = parseQuery('🎉 say "hello');
  t.equal(query.text, '🎉 say hello');
  t.same(query.phrases, []);
  t.same(
    query.problems.map(({ column }) => column),
    [7],
    'an emoji is one character',
  );
});

t.test('what cannot be a filter says where and why', async (t) => {
  const query = parseQuery(
    'x after:yesterday related:A~9 sort:date before:2026-02-31 typ:endpoint type: -tag:a',
  );
  t.same(
    query.problems.map(({ column }) => column),
    [3, 19, 31, 41, 59, 72, 78],
  );
  t.match(query.problems[0]?.message, /is not a date/);
  t.match(query.problems[1]?.message, /depth of 1 to 5/);
  t.match(query.problems[2]?.message, /no filter "sort:"; there are type, tag/);
  t.match(query.problems[4]?.message, /did you mean type:\?/);
  t.match(query.problems[5]?.message, /no value/);
  t.match(query.problems[6]?.message, /cannot be excluded/);
  t.equal(query.text, 'x after:yesterday related:A~9 sort:date before:2026-02-31 typ:endpoint type: -tag:a');
});

t.test('a dash excludes behind what is looked for, and is text before it', async (t) => {
  t.match(parseQuery('-draft refund'), {
    text: '-draft refund',
    excluded: { length: 0 },
    problems: [{ column: 1 }],
  });
  t.match(parseQuery('type:event -draft'), { text: '', excluded: ['draft'], problems: { length: 0 } });
});

t.test('a month and a year begin with their first day', async (t) => {
  t.equal(parseQuery('after:2026-03 x').afterMs, Date.UTC(2026, 2, 1));
  t.equal(parseQuery('before:2026 x').beforeMs, Date.UTC(2026, 0, 1));
  t.match(parseQuery('after:2026-01-01 after:2026-02 before:2027 before:2026-12'), {
    afterMs: Date.UTC(2026, 1, 1),
    beforeMs: Date.UTC(2026, 11, 1),
  });
});

t.test('no query is an error, and none loses a word', async () => {
  const part = fc.constantFrom(
    '"',
    '-',
    'type:',
    'in:',
    'after:',
    'related:',
    '~',
    ' ',
    '“',
    ':',
    '/',
    '%2F',
  );
  const text = fc.array(fc.oneof(part, fc.string({ unit: 'grapheme' }))).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (text) => {
      const { problems } = parseQuery(text);
      return problems.every(({ column }) => column >= 1 && column <= Array.from(text).length);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}[?.!,]?$/)), (words) => {
      return parseQuery(words.join(' ')).text === words.join(' ');
    }),
  );
});
