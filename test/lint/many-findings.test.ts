import t from 'tap';
import { lint } from '../../src/lint/lint.ts';
import type { LintView } from '../../src/lint/view.ts';
import { leastCpuMsOf } from '../support/cpu-time.ts';
import { type Files, viewOf } from './docs.ts';

const WORDS = [
  'charge',
  'refund',
  'ledger',
  'bucket',
  'tenant',
  'policy',
  'stream',
  'quota',
  'token',
  'webhook',
];

/** A name that no other is near. */
function name(at: number): string {
  const words = [at, at >> 2, at >> 4, at >> 6].map((one) => WORDS[(one * 7 + at) % WORDS.length]);
  return `${words.join('-')}-${(at * 7919) % 9973}`;
}

/** Not the same as the name, and near it. */
function misspelt(at: number): string {
  return name(at).replace(/(?<=^..)./, 'x');
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

const DOCS: Readonly<Record<string, (count: number) => Files>> = {
  'links to pages that are elsewhere under another name': (count) =>
    Object.fromEntries(
      numbers(count).map((at) => [`${name(at)}.md`, `# ${at}\n\n[x](guide/${misspelt(at)}.md)\n`]),
    ),
  'links to images that are not there': (count) =>
    Object.fromEntries([
      ...numbers(count).map((at) => [`${at}.md`, `# ${at}\n\n![x](img/${misspelt(at)}.png)\n`]),
      ...numbers(count).map((at) => [`images/${name(at)}.png`, '']),
    ]),
  'wikilinks to no page': (count) =>
    Object.fromEntries(
      numbers(count).map((at) => [
        `${name(at)}.md`,
        `# ${at}\n\n[[${misspelt(at)}]] [[${name(count - at - 1)}]]\n`,
      ]),
    ),
  'links to no heading of a page': (count) => ({
    'all.md': `# All\n\n${numbers(count)
      .map((at) => `## ${name(at)}\n`)
      .join('\n')}`,
    'x.md': `# X\n\n${numbers(count)
      .map((at) => `- [x](all.md#${misspelt(at)})\n`)
      .join('')}`,
  }),
};

const FEW = 250;
const TIMES_AS_MANY = 8;
/** What goes through all for each takes 64 times as long. */
const MOST_TIMES = TIMES_AS_MANY * 2.5;

t.test('thousands of findings take time in proportion to their number', async (t) => {
  for (const [what, docsOf] of Object.entries(DOCS)) {
    const [few, many] = [viewOf(docsOf(FEW)), viewOf(docsOf(FEW * TIMES_AS_MANY))];
    t.ok(findings(few) >= FEW, `${what}: are found`);
    const limit =
      Math.max(
        leastCpuMsOf(() => findings(few), { times: 2, limitMs: 0 }),
        10,
      ) * MOST_TIMES;
    const long = leastCpuMsOf(() => findings(many), { times: 2, limitMs: limit });
    t.ok(long < limit, `${what}: ${long.toFixed(0)} ms of ${limit.toFixed(0)}`);
  }
});

t.test('a page to whose headings many links lead is read once, beside being linted', async (t) => {
  const view = viewOf({
    'all.md': '# All\n\n## One\n',
    'x.md': `# X\n\n${'[x](all.md#one) [y](all.md#two)\n'.repeat(20)}`,
  });
  let reads = 0;
  const found = findings({
    ...view,
    outline(path) {
      if (path === 'all.md') reads += 1;
      return view.outline(path);
    },
  });
  t.equal(found, 20);
  t.ok(reads <= 2, `${reads} times for 40 links`);
});

function findings(view: LintView): number {
  return lint(view, {
    rules: { 'orphan-document': 'off' },
    siteRoot: undefined,
    rootName: 'docs',
    roots: [],
    ignores: () => false,
  }).length;
}
