import t from 'tap';
import { FrontMatterError, readFrontMatter } from '../../src/memory/front-matter.ts';

function fieldsOf(text: string): unknown {
  return readFrontMatter(Buffer.from(text)).fields;
}

function problemOf(text: string): { line: number; message: string } | undefined {
  try {
    readFrontMatter(Buffer.from(text));
    return undefined;
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error;
    return { line: error.line, message: error.message };
  }
}

t.test('all fields of metadata are read, in the forms that people write', async (t) => {
  const text = `---
confidence: 0.8
tags: [billing, refund]
source_paths:
  - charges/create.md:31
  - refunds.md
ttl: 30d
source: zendesk
channel: 7
---
Partial refunds keep the charge.
`;
  t.same(fieldsOf(text), {
    confidence: 0.8,
    tags: ['billing', 'refund'],
    source_paths: ['charges/create.md:31', 'refunds.md'],
    ttl: 30 * 86_400,
    source: 'zendesk',
    channel: '7',
  });
});

t.test('tags may be one text with commas', async (t) => {
  t.same(fieldsOf('---\ntags: billing, refund,\n---\n'), { tags: ['billing', 'refund'] });
});

t.test('a time to live is a number of seconds or a text with a unit', async (t) => {
  for (const [text, seconds] of [
    ['90', 90],
    ['"90"', 90],
    ['15m', 900],
    ['12h', 43_200],
    ['2w', 1_209_600],
    ['1.5h', 5400],
  ]) {
    t.same(fieldsOf(`---\nttl: ${text}\n---\n`), { ttl: seconds }, String(text));
  }
});

t.test('relations name one entry or several', async (t) => {
  const { relations } = readFrontMatter(
    Buffer.from('---\nsupersedes: old\nrelated_to: [fact/a, context/memory/episodic/b]\n---\n'),
  );
  t.same(relations, { supersedes: ['old'], related_to: ['fact/a', 'episodic/b'] });
});

t.test('keys that mean nothing to memory are left alone', async (t) => {
  t.same(fieldsOf('---\ntitle: Refunds\ndate: 2026-01-05\n__proto__: 1\n---\n'), {});
});

t.test('keys without a value say nothing', async (t) => {
  t.same(fieldsOf('---\ntags:\nconfidence:\n---\n'), {});
});

t.test('a byte order mark and Windows line ends are no obstacle', async (t) => {
  t.same(fieldsOf('\uFEFF---\r\nconfidence: 1\r\n---\r\ntext'), { confidence: 1 });
});

for (const [what, text] of [
  ['no front matter', 'Refunds take 5 days\n'],
  ['an empty content', ''],
  ['a rule alone', '---\n'],
  ['a rule that nothing closes', '---\nconfidence: 7\n'],
  ['a rule that is longer', '-----\nconfidence: 7\n-----\n'],
  ['prose between two rules', '---\nWe met: Ana said "no\n---\nThen we left.\n'],
  ['a list between two rules', '---\n- one\n- two\n---\n'],
  ['an empty block', '---\n---\n'],
  ['a diff', '--- a/file\n+++ b/file\n'],
  ['a block nested beyond all measure', `---\n${'[ '.repeat(30_000)}\n---\n`],
  ['rules later in the text', 'confidence\n---\nconfidence: 7\n---\n'],
] as const) {
  t.test(`${what} says nothing and is no error`, async (t) => {
    t.same(fieldsOf(text), {});
  });
}

for (const [text, line, message] of [
  ['---\nconfidence: 7\n---\n', 2, /confidence has to be a number from 0 to 1/],
  ['---\ntitle: x\nconfidence: high\n---\n', 3, /confidence has to be a number from 0 to 1/],
  ['---\ntags: {a: 1}\n---\n', 2, /tags has to be a list/],
  [`---\nconfidence: 0.5\na: ${'[ '.repeat(300)}\n---\n`, 2, /levels deep/],
  ['---\nttl: soon\n---\n', 2, /ttl has to be a number of seconds/],
  ['---\nttl: 0\n---\n', 2, /ttl has to be over 0/],
  ['---\nsource: [a, b]\n---\n', 2, /source has to be a text/],
  ['---\nsupersedes: {a: 1}\n---\n', 2, /supersedes has to be the key/],
  ['---\ntitle: "open\nconfidence: 0.5\n---\n', 4, /quote/],
  ['---\nconfidence: 0.5\nconfidence: 0.6\n---\n', 3, /unique/i],
] as const) {
  t.test(`${JSON.stringify(text)} is refused, with the line`, async (t) => {
    t.match(problemOf(text), { line, message });
  });
}

t.test('a mapping that grows without end is refused and not followed', async (t) => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefg'.split('').map((name, index) => {
      const before = 'abcdefg'[index];
      return `${name}: &${name} [${Array(9).fill(`*${before}`).join()}]`;
    }),
  ].join('\n');
  t.same(fieldsOf(`---\n${bomb}\n---\n`), {});
  t.ok(problemOf(`---\nconfidence: 0.5\n${bomb}\n---\n`));
});
