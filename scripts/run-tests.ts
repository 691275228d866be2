/**
 * Runs compiled test files, several at a time, each under plain Node, and counts their results.
 *
 * tap's own runner notes for each process which files it loaded, for every program that a test starts as well. That doubles the time of a suite that
 * starts a thousand of them, and nobody reads it here.
 *
 * `--part first` runs tests that do not need better-sqlite3 until that is there, and leaves their results to `--part rest`, which runs the others and reports
 * all.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { needsAddon } from './needs-addon.ts';
import { type FileResult, fileResultSchema, runTestFile } from './run-test-file.ts';

const LINES_OF_FAILURE = 30;
const LOOK_AT_CORES_EVERY_MS = 2000;
/** If so large a share of the time of all cores was idle, one more file is started. */
const IDLE_SHARE = 0.25;

const ADDON = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
const OUTPUT = 'build/results.tap';
/** The results that the first part leaves to the rest. */
const FIRST_RESULTS = 'build/first-results.json';

const { part } = parseArgs({ options: { part: { type: 'string' } } }).values;
const files = testFilesBelow('build/test');
if (part === 'first') {
  writeFileSync(OUTPUT, '');
  const without = files.filter((file) => !needsAddon(sourceOf(file)));
  // One core is compiling meanwhile, and everything else waits for that.
  const results = await runAll(without, { jobs: availableParallelism(), isEnough: () => existsSync(ADDON) });
  writeFileSync(FIRST_RESULTS, JSON.stringify(results));
} else {
  const first = z.array(fileResultSchema).parse(JSON.parse(readFileSync(FIRST_RESULTS, 'utf8')));
  const done = new Set(first.map(({ file }) => file));
  // Tests wait for programs and for time to pass. So two more run than there are cores, and further ones while the cores are idle.
  const rest = await runAll(
    files.filter((file) => !done.has(file)),
    { jobs: availableParallelism() + 2, jobsOfIdleCores: availableParallelism() },
  );
  tell([...first, ...rest].sort((a, b) => (a.file < b.file ? -1 : 1)));
}

function tell(results: readonly FileResult[]): void {
  const total = (name: 'passed' | 'failed' | 'skipped') =>
    results.reduce((sum, result) => sum + result[name], 0);
  for (const { text } of results) process.stdout.write(linesOf(text, / # SKIP/, 1, 'skipped: '));
  for (const { file, failed, text } of results) {
    if (failed > 0) process.stdout.write(`# ${file}\n${linesOf(text, /^ *not ok/, LINES_OF_FAILURE, '')}`);
  }
  const skipped = total('skipped');
  process.stdout.write(
    `${total('passed')} passed, ${total('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  );
  process.exitCode = total('failed') > 0 || total('passed') === 0 ? 1 : 0;
}

/** In reverse order, since the files with the first names are short: if a long one came last, all cores but one would wait for it. */
function testFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

function sourceOf(file: string): string {
  return file.replace(/^build\//, '').replace(/\.js$/, '.ts');
}

interface Running {
  readonly jobs: number;
  /** How many more may run while the cores have little to do. */
  readonly jobsOfIdleCores?: number;
  /** Called before each file. Once it returns true, the remaining files are not run. */
  readonly isEnough?: () => boolean;
}

async function runAll(
  files: readonly string[],
  { jobs, jobsOfIdleCores = 0, isEnough = () => false }: Running,
): Promise<FileResult[]> {
  const waiting = [...files];
  const results: FileResult[] = [];
  const takeOne = async (): Promise<boolean> => {
    const file = isEnough() ? undefined : waiting.shift();
    if (file === undefined) return false;
    const result = await runTestFile(file);
    appendFileSync(OUTPUT, result.text);
    results.push(result);
    // If this run is ended from outside, what failed until then has been said.
    if (result.failed > 0) process.stderr.write(`# failed: ${file}\n${result.verdict}`);
    return true;
  };
  const work = async (): Promise<void> => {
    while (await takeOne());
  };
  const further = new Set<Promise<unknown>>();
  const idleShare = idleShares();
  const looking = setInterval(() => {
    if (idleShare() < IDLE_SHARE || further.size >= jobsOfIdleCores) return;
    const one = takeOne().finally(() => further.delete(one));
    further.add(one);
  }, LOOK_AT_CORES_EVERY_MS);
  await Promise.all(Array.from({ length: jobs }, work));
  clearInterval(looking);
  await Promise.all(further);
  return results;
}

/** @returns a function for the share of the time of all cores that was idle since it was last called */
function idleShares(): () => number {
  const times = () => {
    const all = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({
      idle,
      total: user + nice + sys + idle + irq,
    }));
    const sum = (name: 'idle' | 'total') => all.reduce((so, core) => so + core[name], 0);
    return { idle: sum('idle'), total: sum('total') };
  };
  let last = times();
  return () => {
    const now = times();
    const share = (now.idle - last.idle) / Math.max(1, now.total - last.total);
    last = now;
    return share;
  };
}

function linesOf(text: string, pattern: RegExp, count: number, mark: string): string {
  const lines = text.split('\n');
  const shown = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (!pattern.test(line)) continue;
    for (let at = index; at < Math.min(index + count, lines.length); at += 1) shown.add(at);
  }
  return lines
    .filter((_, index) => shown.has(index))
    .map((line) => `${mark}${mark === '' ? line : line.trim()}\n`)
    .join('');
}
