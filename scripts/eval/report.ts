import type { BudgetChecks, ContextFigures } from './contexts.ts';
import type { LabelledQuestion } from './labelled.ts';
import { type LearningFigures, learningPart } from './learning.ts';
import { percentile, type Quality, qualityOf } from './measures.ts';
import { type Answered, qualityIn, WITHOUT_GRAPH, WITHOUT_MODEL } from './ways.ts';

/** The results for one corpus. */
export interface EvaluatedCorpus {
  readonly name: string;
  readonly questions: readonly LabelledQuestion[];
  /** By way of searching, the plain one first. */
  readonly answered: readonly Answered[];
}

/** All results. */
export interface Evaluation {
  /** The project's own corpora first. */
  readonly corpora: readonly EvaluatedCorpus[];
  readonly contexts: readonly ContextFigures[];
  readonly checks: BudgetChecks;
  readonly contextMs: readonly number[];
  readonly learning: LearningFigures;
}

const KIND_TITLES: Readonly<Record<string, string>> = {
  'one-hop': 'Answered by one file',
  'two-hop': 'Answered by two files together',
  chain: 'Chains of events, each step in another file',
  memory: 'What was said in a team, and when',
};
/** The table of chains has a line for each of these ways. */
const COMPARED = 3;
const FOUND_AMONG = 10;

/** The text of `docs/evaluation.md`. The same corpora give the same text, except for times, which are below one heading at its end. */
export function evaluationText(evaluation: Evaluation): string {
  const [own, ...others] = evaluation.corpora;
  if (own === undefined) throw new Error('nothing was evaluated');
  return [
    INTRODUCTION,
    `## The sample docs and a team's memory\n\n${KINDS_OF_OWN}`,
    ...kindsOf(own.questions).map((kind) => kindPart(kind, [own])),
    ...otherParts(others),
    chainPart(own),
    contextPart(evaluation),
    learningPart(evaluation.learning),
    timesPart(evaluation),
  ]
    .join('\n\n')
    .concat('\n');
}

const INTRODUCTION = `# Evaluation

\`make eval\` writes this file. Questions are asked in users' own words, and each is labelled with all files that answer it. Search gives paths; each file counts where it comes
first. **hit@1**: the first file is an answer. **recall@5**, **recall@10**: share of the answers among the first five or ten files. **MRR**: one through the rank of the first
answer. All are means over the questions.

The ways of searching, each with all that stands above it:

- *sections in FTS5, BM25*: what one has without this project. Sections of the files in SQLite's FTS5 with its Porter stemmer, any word of the question, ranked by BM25.
- *keyword*: passages, words taken apart and stemmed, fields weighed apart, names that are misspelt.
- *+ feedback*: words of the best passages are looked for, too.
- *+ thesaurus*: so are words that mean nearly the same.
- *+ graph*: what the best documents link to and what the graph relates to what is named. **This is how search works without a model.**
- *+ vectors*: those of a test server that makes them of words and a thesaurus (\`test/support/text-vector.ts\`), which shows that fusion works and not what a model is worth.`;

const KINDS_OF_OWN =
  'Questions and labels: `scripts/eval/questions.jsonl`; entries of memory: `scripts/eval/memories.jsonl`. Questions about docs are asked below `/docs`, those about memory below `/context/memory`.';

function otherParts(others: readonly EvaluatedCorpus[]): string[] {
  if (others.length === 0) {
    return [
      '## Other docs\n\nNo labelled answers for other docs were there: `make eval GOLD=folder` takes `retrieval.jsonl` of a folder, and the docs from `corpora/` beside it.',
    ];
  }
  const names = others.map(({ name, questions }) => `${name} (${questions.length})`).join(', ');
  const all = others.flatMap(({ questions }) => questions);
  const ways = others[0]?.answered.map(({ name }) => name) ?? [];
  const rows = ways.map((way, index) => [
    way,
    ...others.flatMap(({ questions, answered }) =>
      kindsOf(all).map((kind) => {
        const found = answered[index];
        return found === undefined ? '' : share(qualityIn(found, ofKind(questions, kind)).recallAt5);
      }),
    ),
  ]);
  const columns = others.flatMap(({ name }) => kindsOf(all).map((kind) => `${name}, ${kind}`));
  return [
    `## Docs that were written elsewhere\n\nLabelled answers for real documentation that nobody here wrote: ${names}. Pooled over all questions:`,
    ...kindsOf(all).map((kind) => kindPart(kind, others)),
    `### Recall@5 by docs\n\n${table(['', ...columns], rows)}`,
  ];
}

/** The part about one kind of question, pooled over corpora. */
function kindPart(kind: string, corpora: readonly EvaluatedCorpus[]): string {
  const ways = corpora[0]?.answered.map(({ name }) => name) ?? [];
  const count = corpora.reduce((sum, { questions }) => sum + ofKind(questions, kind).length, 0);
  const rows = ways.map((way, index) => [way, ...qualityCells(pooled(corpora, index, kind))]);
  return `### ${KIND_TITLES[kind] ?? kind}: ${count} questions\n\n${table(['', 'hit@1', 'recall@5', 'recall@10', 'MRR'], rows)}`;
}

function pooled(corpora: readonly EvaluatedCorpus[], way: number, kind: string): Quality {
  const found = new Map(
    corpora.flatMap(({ name, answered }) =>
      [...(answered[way]?.found ?? [])].map(([id, paths]) => [`${name} ${id}`, paths]),
    ),
  );
  const questions = corpora.flatMap(({ name, questions }) =>
    ofKind(questions, kind).map((question) => ({ ...question, id: `${name} ${question.id}` })),
  );
  return qualityOf(questions, ({ id }) => found.get(id) ?? []);
}

/** Plain keyword search compared with the graph, question by question. */
function chainPart({ questions, answered }: EvaluatedCorpus): string {
  const compared = answered.filter(
    ({ name }, index) => index === 0 || name === WITHOUT_GRAPH || name === WITHOUT_MODEL,
  );
  const rows = ofKind(questions, 'chain').map((question) => [
    question.question,
    ...compared.slice(0, COMPARED).map(({ found }) => {
      const files = [...new Set(found.get(question.id))].filter((path) => !question.also.includes(path));
      const ranks = question.answers.map(({ path }) => files.indexOf(path) + 1);
      const among = ranks.filter((rank) => rank > 0 && rank <= FOUND_AMONG).length;
      return `${among} of ${ranks.length} (${ranks.map((rank) => (rank === 0 ? '–' : rank)).join(', ')})`;
    }),
  ]);
  const columns = ['', 'sections in FTS5, BM25', 'keyword, feedback, thesaurus', 'with the graph'];
  return `## Flat keyword search and the graph

Questions whose answer is a chain of events, the one that began this project first. How many of the files that each step stands in are among the first ${FOUND_AMONG}, and the
rank of each:

${table(columns, rows)}`;
}

function contextPart({ contexts, checks, corpora: [own] }: Evaluation): string {
  const budgets = contexts[0]?.budgets ?? [];
  const rows = contexts.map(({ way, answered, tokens }) => [
    way,
    ...answered.map(share),
    Math.round(tokens.reduce((sum, count) => sum + count, 0) / Math.max(1, tokens.length)).toLocaleString(
      'en',
    ),
  ]);
  const columns = [
    '',
    ...budgets.map((budget) => budget.toLocaleString('en')),
    'tokens per answered question',
  ];
  return `## Context

Share of the ${own?.questions.length ?? 0} questions over the sample docs and the memory whose context holds every line that answers them, by budget in tokens; and how many tokens the
smallest of these contexts had that was enough.

${table(columns, rows)}

${checks.questions.toLocaleString('en')} questions, each with a budget by chance from 1 to 8,000 tokens: ${checks.overBudget} contexts were over their budget, ${checks.different} were not the same bytes when built again.`;
}

function timesPart({ corpora, contextMs }: Evaluation): string {
  const rows = corpora.flatMap(({ name, answered }) =>
    answered.map(({ name: way, ms }) => [`${name}, ${way}`, time(ms, 0.5), time(ms, 0.99)]),
  );
  return `## Latency

Milliseconds in one process, first calls included; other work may have run beside it. A mount of 10,000 documents and 10,000 memories is measured by \`make bench\`,
see [benchmarks.md](benchmarks.md#search).

${table(['', 'p50', 'p99'], [...rows, ['context build, all budgets', time(contextMs, 0.5), time(contextMs, 0.99)]])}`;
}

function kindsOf(questions: readonly LabelledQuestion[]): string[] {
  return [...new Set(questions.map(({ kind }) => kind))];
}

function ofKind(questions: readonly LabelledQuestion[], kind: string): LabelledQuestion[] {
  return questions.filter((question) => question.kind === kind);
}

function qualityCells({ hitAt1, recallAt5, recallAt10, reciprocalRank }: Quality): string[] {
  return [hitAt1, recallAt5, recallAt10, reciprocalRank].map(share);
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
}

function share(value: number): string {
  return value.toFixed(2);
}

function time(ms: readonly number[], part: number): string {
  return percentile(ms, part).toFixed(1);
}
