import t from 'tap';
import { constructorOver, fakeEngine } from './fixture.ts';

const KEYS = `---
title: Keys
---

# Keys

A secret signs each request.

## Rolling

Returns a new key and lets the old one live for a day.

\`\`\`http
POST /v1/keys/roll
\`\`\`
`;
const SOURCES = { '/docs/keys.md': { text: KEYS, title: 'Keys' } };
const OF_KEYS = { path: '/docs/keys.md', form: 'whole' };

async function selectedFor(
  question: string,
  budgetTokens: number,
  sources: Record<string, { text: string; title: string }> = SOURCES,
) {
  const { build } = await constructorOver({ engine: fakeEngine(sources) });
  return build(question, { budgetTokens });
}

t.test('a good document is shown as a whole where there is room, without its front matter', async (t) => {
  const { selected, leftOut, tokens } = await selectedFor('secret', 1000);
  t.match(selected, [{ ...OF_KEYS, line: 5, endLine: 15, headings: [], text: /^# Keys\n.*\n```$/s }]);
  t.equal(selected.length, 1);
  t.same(leftOut, []);
  t.ok(tokens <= 1000);
});

t.test('where there is no room for all of it, or lines were ruled out, it is what was found', async (t) => {
  const found = [{ ...OF_KEYS, line: 7, endLine: 7, text: 'A secret signs each request.' }];
  t.match((await selectedFor('secret', 40)).selected, found);
  t.match((await selectedFor('secret -live', 1000)).selected, found);
  t.match((await selectedFor('"secret signs"', 1000)).selected, found);
});

t.test('a document that is long beyond the budget is not read for that', async (t) => {
  const text = `A secret signs each request.\n\n${'Something else is said here.\n\n'.repeat(20_000)}`;
  const { selected } = await selectedFor('secret', 1000, { '/docs/keys.md': { text, title: 'Keys' } });
  t.match(selected, [{ ...OF_KEYS, line: 1, endLine: 1 }]);
});

t.test('nothing that was chosen goes for a whole document, and poor ones stay as they are', async (t) => {
  const poor = { text: 'A secret.\n\nIt is told to nobody, whoever asks for it.\n', title: 'Poor' };
  const good = { text: 'A secret signs each request of a customer.\n\nIt is rolled.\n', title: 'Good' };
  const { selected } = await selectedFor('which secret signs a request of a customer', 1000, {
    '/docs/keys.md': good,
    '/docs/poor.md': poor,
  });
  t.match(selected, [
    { path: '/docs/keys.md', line: 1, endLine: 3 },
    { path: '/docs/poor.md', line: 1, endLine: 1 },
  ]);
});

function secrets(count: number): Record<string, { text: string; title: string }> {
  const text = (of: number) =>
    `A secret signs request ${of} of many that are sent.\n\n${'It goes on, and on. '.repeat(8)}\n`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, of) => [
      `/docs/other-${of}.md`,
      { text: text(of), title: `Other ${of}` },
    ]),
  );
}

t.test('a short document that answers best comes with all its lines before what answers less', async (t) => {
  const rest = 'Roll it once a year. '.repeat(10);
  const best = { text: `A secret signs each request that is sent.\n\n${rest}\n`, title: 'Keys' };
  const sources = { '/docs/keys.md': best, ...secrets(30) };
  const { selected, tokens } = await selectedFor('what signs each request', 600, sources);
  t.match(selected[0], { ...OF_KEYS, line: 1, endLine: 3 });
  t.ok(selected.length > 1);
  t.ok(tokens <= 600);
});

t.test('one that would take more than a third of the budget does not', async (t) => {
  const best = {
    text: `A secret signs each request that is sent.\n\n${'Roll it once a year. '.repeat(40)}\n`,
    title: 'Keys',
  };
  const sources = { '/docs/keys.md': best, ...secrets(30) };
  const { selected } = await selectedFor('what signs each request', 600, sources);
  t.match(selected[0], { ...OF_KEYS, line: 1, endLine: 1 });
  const alone = await selectedFor('what signs each request', 600, { '/docs/keys.md': best });
  t.match(alone.selected, [{ ...OF_KEYS, line: 1, endLine: 3 }], 'but where nothing else needs the room');
});

t.test(
  'where there is room for one alone it is the best, and of the other stays what was found',
  async (t) => {
    const rest = 'Roll it once a year. '.repeat(46);
    const { selected, leftOut } = await selectedFor('what signs each request that is sent', 600, {
      '/docs/keys.md': { text: `${rest}\n\nA secret signs each request that is sent.\n`, title: 'Keys' },
      '/docs/other.md': { text: `A request is signed by a secret.\n\n${rest}\n`, title: 'Other' },
    });
    t.match(selected, [
      { ...OF_KEYS, line: 1, endLine: 3 },
      { path: '/docs/other.md', line: 1, endLine: 1 },
    ]);
    t.same(leftOut, []);
  },
);

t.test('no more than the five best documents are shown as a whole', async (t) => {
  const words = 'secret sign request customer payout charge refund dispute invoice plan webhook event'.split(
    ' ',
  );
  const sources = Object.fromEntries(
    Array.from({ length: 7 }, (_, of) => {
      const said = words.slice(of).map((word) => `${word} of${of}${word}`);
      return [`/docs/${of}.md`, { text: `${said.join(' ')}\n\nIt is case ${of}.\n`, title: `Case ${of}` }];
    }),
  );
  const { selected } = await selectedFor(words.join(' '), 8000, sources);
  t.same(
    selected.map(({ endLine }) => endLine),
    [3, 3, 3, 3, 3, 1, 1],
  );
});

t.test('what a whole document says already is not said again by another one', async (t) => {
  const alike =
    'Whoever signs with the old one may do so for a day, and is refused from then on, as is all else.';
  const sources = {
    '/docs/keys.md': { text: `A secret signs each request that is sent.\n\n${alike}\n`, title: 'Keys' },
    '/docs/other.md': { text: `# Other\n\n${alike}\n\n${'It goes on. '.repeat(400)}\n`, title: 'Other' },
  };
  const { selected, leftOut } = await selectedFor('what signs each request', 600, sources);
  t.match(selected, [{ ...OF_KEYS, line: 1, endLine: 3 }]);
  t.equal(selected.length, 1);
  t.match(leftOut, [{ path: '/docs/other.md', reason: 'duplicate' }]);
});
