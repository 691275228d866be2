import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { randomNumbers, writeCorpus } from '../corpus.ts';
import { percentile } from '../eval/measures.ts';
import { memoryLines, randomQuestions } from '../eval/random-text.ts';
import { type Bench, kgraphfs, withMount } from './places.ts';
import { milliseconds, printTable } from './table.ts';

const MEMORIES = 10_000;
const SEARCHES = 400;
const COMMANDS = 40;
const CONTEXTS = 100;
const WRITES = 12;
const LIMIT_MS = 5_000;
const MARKERS = 1e9;

/** Measures search and context in a mount of `files` documents and ten thousand memories, and how soon new texts are found. */
export async function searches(bench: Bench, files: number): Promise<void> {
  const folder = join(bench.work, 'searched');
  const [docs, state] = [join(folder, 'docs'), join(folder, 'state')];
  writeCorpus(docs, files);
  const lines = join(folder, 'memories.jsonl');
  writeFileSync(lines, memoryLines(MEMORIES));
  const at = ['--docs', docs, '--state', state];
  kgraphfs([], 'build', ...at);
  kgraphfs([], 'context', 'memory', 'import', lines, ...at);
  const share = (statSync(join(state, 'search.sqlite')).size / sizeBelow(docs)).toFixed(2);
  const columns: string[][] = [];
  for (const driver of bench.drivers) {
    await withMount(bench, { docs, state, flags: ['--driver', driver] }, async (point) => {
      const found = readTimes(point, 'search', randomQuestions(SEARCHES, files, 1));
      const commands = randomQuestions(COMMANDS, files, 2).map((question) =>
        timed(() => execFileSync('cat', [join(point, 'search', nameOf(question))], { stdio: 'ignore' })),
      );
      const contexts = readTimes(point, 'context/for', randomQuestions(CONTEXTS, files, 3));
      const memories = await untilFound(point, (word) => {
        const path = `context/memory/fact/${word}`;
        writeFileSync(join(point, path), `The word is ${word}.\n`);
        return path;
      });
      const documents = await untilFound(point, (word) => {
        writeFileSync(join(docs, `${word}.md`), `# ${word}\n\nA page of its own.\n`);
        return `docs/${word}.md`;
      });
      columns.push([
        spread(found),
        spread(commands),
        spread(contexts),
        spread(memories),
        spread(documents),
        share,
      ]);
    });
  }
  const rows = [
    [`search/ read by a program, ${SEARCHES} questions`, 'p50 ≤ 8, p99 ≤ 30 in the daemon'],
    [`cat search/…, whole command, ${COMMANDS}`, '≤ 40'],
    [`context/for/ of 8,000 tokens, ${CONTEXTS}`, '≤ 80'],
    [`a memory written in the mount until it is a hit, ${WRITES}`, '≤ 100'],
    [`a document written on disk until it is a hit, ${WRITES}`, '≤ 100'],
    ['search.sqlite through the text, bytes', '≤ 1.5'],
  ] as const;
  printTable(
    `Search over ${files.toLocaleString('en')} documents and ${MEMORIES.toLocaleString('en')} memories, milliseconds, p50 / p99`,
    ['what', ...bench.drivers, 'aim'],
    rows.map(([what, aim], row) => [what, ...columns.map(({ [row]: cell = '' }) => cell), aim]),
  );
  rmSync(folder, { recursive: true });
}

/** The times of reading each question once, so that nothing remembered from an earlier question counts. The first few are left out. */
function readTimes(point: string, folder: string, questions: readonly string[]): number[] {
  const times = questions.map((question) => timed(() => readFileSync(join(point, folder, nameOf(question)))));
  return times.slice(Math.floor(questions.length / 20));
}

/** @param write writes a text with the word, and returns its path in the mount */
async function untilFound(point: string, write: (word: string) => string): Promise<number[]> {
  const random = randomNumbers(performance.timeOrigin);
  const times: number[] = [];
  for (let round = 0; round < WRITES; round += 1) {
    const word = `marker${Math.floor(random() * MARKERS)}`;
    const path = write(word);
    const startMs = performance.now();
    while (!readFileSync(join(point, 'search', word), 'utf8').includes(path)) {
      if (performance.now() - startMs > LIMIT_MS) throw new Error(`${path} was not found`);
      await delay(1);
    }
    times.push(performance.now() - startMs);
  }
  return times;
}

/** The name of a question's file in `search/`. */
function nameOf(question: string): string {
  return question.replaceAll('%', '%25').replaceAll('/', '%2F');
}

function timed(run: () => unknown): number {
  const startMs = performance.now();
  run();
  return performance.now() - startMs;
}

function spread(times: readonly number[]): string {
  return `${milliseconds(percentile(times, 0.5))} / ${milliseconds(percentile(times, 0.99))}`;
}

function sizeBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
