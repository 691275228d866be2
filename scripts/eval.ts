/**
 * Evaluates search and context on labelled questions, and writes docs/evaluation.md: on the project's own samples, and on labelled answers
 * for other docs if a folder of them is given.
 *
 *   node build/scripts/eval.js [--gold ../shared/gold] [--corpora ../shared/corpora] [--out docs/evaluation.md]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTokenCounter } from '../src/context/tokens.ts';
import { startEmbeddingServer } from '../test/support/embedding-server.ts';
import { randomNumbers } from './corpus.ts';
import { checkBudgets, contextFigures, plainBuilder } from './eval/contexts.ts';
import { type CorpusSource, indexCorpus } from './eval/corpus.ts';
import { goldQuestions, type LabelledQuestion, ownQuestions } from './eval/labelled.ts';
import { learningFigures } from './eval/learning.ts';
import { type PlainSection, plainSearch, sectionsBelow } from './eval/plain.ts';
import { randomQuestions } from './eval/random-text.ts';
import { type EvaluatedCorpus, type Evaluation, evaluationText } from './eval/report.ts';
import { askAll } from './eval/ways.ts';

const SAMPLE = 'docs/sample';
const QUESTIONS = 'scripts/eval/questions.jsonl';
const MEMORIES = 'scripts/eval/memories.jsonl';
const RANDOM_QUESTIONS = 1000;
const PLAIN_SECTIONS = 200;

interface MemoryLine {
  readonly memory_type: string;
  readonly key: string;
  readonly content: string;
}

const { values: options } = parseArgs({
  options: {
    gold: { type: 'string', default: '' },
    corpora: { type: 'string', default: '' },
    out: { type: 'string', default: 'docs/evaluation.md' },
  },
});

/** Evaluates a corpus. */
async function evaluate(
  name: string,
  source: CorpusSource,
  sections: readonly PlainSection[],
  questions: readonly LabelledQuestion[],
): Promise<EvaluatedCorpus> {
  const [corpus, plain] = [await indexCorpus(source), plainSearch(sections)];
  try {
    return { name, questions, answered: await askAll(corpus, plain, questions) };
  } finally {
    plain.close();
    corpus.close();
  }
}

async function evaluateContexts(
  source: CorpusSource,
  sections: readonly PlainSection[],
  questions: readonly LabelledQuestion[],
): Promise<Pick<Evaluation, 'contexts' | 'checks' | 'contextMs'>> {
  const { count } = await loadTokenCounter();
  const [corpus, plain] = [await indexCorpus(source), plainSearch(sections)];
  const app = corpus.open({ vector: false });
  const contextMs: number[] = [];
  const build = async (question: string, budgetTokens: number) => {
    const startMs = performance.now();
    const { text } = await app.contexts.build(question, { budgetTokens });
    contextMs.push(performance.now() - startMs);
    return text;
  };
  try {
    const flat = plainBuilder((question) => plain.search(question, PLAIN_SECTIONS), count);
    const contexts = [
      await contextFigures('the best sections by BM25', questions, flat, count),
      await contextFigures('context build', questions, build, count),
    ];
    const checked = [
      ...questions.map(({ question }) => question),
      ...randomQuestions(RANDOM_QUESTIONS, 100, 1),
    ];
    const checks = await checkBudgets(checked.slice(0, RANDOM_QUESTIONS), randomNumbers(1), build, count);
    return { contexts, checks, contextMs };
  } finally {
    app.close();
    plain.close();
    corpus.close();
  }
}

function memorySections(file: string): PlainSection[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { memory_type: type, key, content }: MemoryLine = JSON.parse(line);
      return { path: `/context/memory/${type}/${key}`, text: content };
    });
}

const corporaFolder = options.corpora === '' ? join(options.gold, '..', 'corpora') : options.corpora;
const server = await startEmbeddingServer();
try {
  const questions = ownQuestions(QUESTIONS);
  const sample = { docs: SAMPLE, memories: MEMORIES, embeddingsUrl: server.url };
  const sections = [...sectionsBelow(SAMPLE), ...memorySections(MEMORIES)];
  const corpora = [await evaluate('docs/sample', sample, sections, questions)];
  const labels = join(options.gold, 'retrieval.jsonl');
  if (options.gold !== '' && existsSync(labels)) {
    for (const [name, labelled] of goldQuestions(labels)) {
      const docs = join(corporaFolder, name);
      const source = { docs, embeddingsUrl: server.url };
      corpora.push(await evaluate(name, source, sectionsBelow(docs), labelled));
    }
  }
  const contexts = await evaluateContexts(sample, sections, questions);
  const edges = join(options.gold, 'edges.jsonl');
  const learning = await learningFigures(edges, corporaFolder, questions);
  writeFileSync(options.out, evaluationText({ corpora, ...contexts, learning }));
} finally {
  await server.close();
}
