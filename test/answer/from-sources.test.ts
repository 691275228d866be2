import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { quoteOf } from '../../src/answer/quoted.ts';
import { runHere } from '../cli/run-here.ts';
import { temporaryFolder } from '../support/temporary.ts';

const SEED = 'How does a subscription renewal create a charge and trigger a webhook?';
const place = ['--docs', 'docs/sample', '--state', join(temporaryFolder(t), 'state')];

interface Answer {
  readonly answer: string;
  readonly sources: readonly string[];
  readonly traversal_log: readonly { tool: string; args: object; result_summary: string }[];
}

async function ask(question: string): Promise<Answer> {
  return JSON.parse((await runHere(['ask', '--no-llm', question, '--json', ...place])).out);
}

/** The line of the sample docs that a place names. */
function lineAt(source: string): string {
  const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(source) ?? [];
  return readFileSync(join('docs/sample', file), 'utf8').split('\n')[Number(line) - 1] ?? '';
}

t.test('the way that a question asks for is told with the lines that state each step', async (t) => {
  const { answer, sources, traversal_log } = await ask(SEED);
  t.match(answer, /^Subscription → Invoice → Charge → charge\.succeeded/);
  for (const step of ['generates Invoice', 'generates Charge', 'triggers charge.succeeded']) {
    const [, source = ''] = new RegExp(`${step} \\[(.*?)\\]`).exec(answer) ?? [];
    t.ok(sources.includes(source), source);
    t.match(lineAt(source).toLowerCase(), (step.split(' ').at(-1) ?? '').toLowerCase());
  }
  t.ok(traversal_log.some(({ tool }) => tool === 'connect'));
});

t.test('only relations that the question speaks of stand beside the way', async (t) => {
  const { answer } = await ask(SEED);
  const [, beside = ''] = answer.split('\n\n');
  t.equal(beside.split('\n').length, 1);
  t.match(beside, /^Subscription triggers subscription\.renewed \[/);
});

t.test('a quote names its headings once, and the line in which it begins', async (t) => {
  const { answer } = await ask('How long are idempotency keys kept?');
  // Titles with a colon would have to be told from the text.
  const quotes = answer.split('\n').filter((line) => line.startsWith('- ') && !line.startsWith('- ADR 1: '));
  t.ok(quotes.length > 0);
  for (const quote of quotes) {
    const [, headings = '', text = '', source = ''] = /^- (.*?): (.*) \[(.*)\]$/.exec(quote) ?? [];
    t.notOk(text.startsWith(headings), quote);
    const [word = ''] = text.replace('…', '').split(' ');
    t.ok(lineAt(source).includes(word), `${source}: ${word}`);
  }
});

t.test('what several pages say word for word is quoted once, with the page that it is of', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  const entity = (title: string) =>
    `---\ntitle: ${title}\n---\n\n## Attributes\n\nThe visibility decides who may see it: public or private.\n`;
  for (const title of ['Status', 'Draft', 'Reply']) writeFileSync(join(docs, `${title}.md`), entity(title));
  writeFileSync(join(docs, 'other.md'), '# Lists\n\nA list has a visibility, too, which its members see.\n');
  const { out } = await runHere([
    ...['ask', '--no-llm', 'who may see a visibility', '--docs', docs, '--state', join(folder, 'state')],
  ]);
  const quotes = out.split('\n').filter((line) => line.startsWith('- '));
  t.equal(quotes.filter((quote) => quote.includes('The visibility decides')).length, 1);
  t.ok(quotes.some((quote) => /^- (?:Status|Draft|Reply) › Attributes: /.test(quote)));
  t.ok(quotes.some((quote) => quote.includes('A list has a visibility')));
});

t.test('pages that have nothing but a heading are each quoted by that', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  for (const what of ['drafts', 'replies'])
    writeFileSync(join(docs, `${what}.md`), `# The visibility of ${what}\n`);
  const { out } = await runHere([
    ...['ask', '--no-llm', 'what is the visibility', '--docs', docs, '--state', join(folder, 'state')],
  ]);
  for (const what of ['drafts', 'replies']) t.match(out, `- The visibility of ${what}`);
});

t.test('what nothing answers is said, and ends with status 1', async (t) => {
  for (const question of ['What is the capital of France?', 'How do I bake sourdough bread?', 'xyzzy']) {
    const { status, out, err } = await runHere(['ask', '--no-llm', question, ...place]);
    t.match({ status, out, err }, { status: 1, out: '', err: /nothing in the docs or in memory answers/ });
  }
});

t.test('a quote is from the line in which it begins, and one of an entry from the entry', async (t) => {
  const hit = {
    path: '/docs/a.md',
    line: 4,
    endLine: 6,
    kind: 'document',
    title: 'A',
    headings: ['A', 'B'],
    score: 1,
    retrievers: {},
    hops: [],
    dateMs: 0,
    stale: false,
    snippet: 'A › B: …then those that are quoted here at length.',
  } as const;
  t.equal(quoteOf({ ...hit, snippetLine: 6 }).place, 'a.md:6');
  t.equal(quoteOf(hit).place, 'a.md:4');
  t.equal(quoteOf({ ...hit, snippet: 'A › B' }).text, '');
  const entry = { ...hit, path: '/context/memory/fact/x', kind: 'memory', headings: [], line: 0 } as const;
  t.same(quoteOf({ ...entry, snippet: 'x' }), {
    place: '/context/memory/fact/x',
    headings: [],
    text: 'x',
  });
});

t.test('whole sentences are quoted, however lines are wrapped', async (t) => {
  const docs = join(temporaryFolder(t), 'docs');
  mkdirSync(docs);
  const filler = 'The kiln is made of bricks. '.repeat(14);
  const text = `# Kilns\n\n${filler}\nThat is so. Pots that were glazed\ntwice crack in the oven\nafter a day. Others do not.\n\n${filler}\n`;
  writeFileSync(join(docs, 'kilns.md'), text);
  const own = ['--docs', docs, '--state', join(docs, '..', 'state')];
  const { out } = await runHere(['ask', '--no-llm', 'Which crack in the oven?', '--json', ...own]);
  const { answer }: Answer = JSON.parse(out);
  t.match(answer, /: Pots that were glazed twice crack in the oven after a day\. .*\[kilns\.md:4\]/);
});
