import { type ChildProcess, spawn } from 'node:child_process';
import { clearInterval, setInterval, setTimeout } from 'node:timers';
import { z } from 'zod';
import { descendantsOf } from './descendants.ts';

export const fileResultSchema = z.object({
  file: z.string(),
  text: z.string(),
  /** What is to be said about a file that did not say itself what failed, otherwise empty. It is in `text` as well. */
  verdict: z.string(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
});
export type FileResult = Readonly<z.infer<typeof fileResultSchema>>;

export interface Limits {
  /** tap ends a file that takes longer, and says in which test it was. */
  readonly fileMs: number;
  /** A file that writes nothing for so long is killed. Where it waits for a system call that does not return, tap cannot end it. */
  readonly silentMs: number;
  /** For what comes after the end of the process: what it wrote may still have to be read. */
  readonly readMs: number;
}

/** Several times what the longest file, and the longest of all tests, take on a busy machine. */
const LIMITS: Limits = { fileMs: 300_000, silentMs: 150_000, readMs: 5000 };
const LOOKS_PER_LIMIT = 10;
const LAST_LINES = 20;

/**
 * Runs a compiled test file. Whatever it and the programs that it began do, this returns not long after the limits, and leaves nothing that would keep
 * this process from ending.
 */
export async function runTestFile(file: string, limits: Limits = LIMITS): Promise<FileResult> {
  const startMs = performance.now();
  const { output, status } = await outputOf(file, limits);
  const counts = countsOf(output);
  const isOdd = counts === undefined || (status !== 0 && counts.failed === 0);
  const tookS = ((performance.now() - startMs) / 1000).toFixed(1);
  const verdict = isOdd
    ? `not ok - ${file} ended with ${status} and did not say what failed. Its last lines:\n${lastLinesOf(output)}\n`
    : '';
  return {
    file,
    text: `# ${file}: ${tookS} s\n${output}\n${verdict}`,
    verdict,
    passed: counts?.passed ?? 0,
    failed: (counts?.failed ?? 0) + (isOdd ? 1 : 0),
    skipped: counts?.skipped ?? 0,
  };
}

function outputOf(
  file: string,
  { fileMs, silentMs, readMs }: Limits,
): Promise<{ output: string; status: number | string | null }> {
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    env: { ...process.env, TAP: '1', TAP_TIMEOUT: String(fileMs / 1000) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let wroteMs = performance.now();
  const add = (text: string): void => {
    output += text;
    wroteMs = performance.now();
  };
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', (text: string) => add(text.replace(/^(?=.)/gm, '# ')));
  return new Promise((resolve) => {
    const looking = setInterval(() => {
      if (performance.now() - wroteMs < silentMs) return;
      clearInterval(looking);
      output += `\n# Nothing was written for ${Math.round(silentMs / 1000)} s.\n${killAll(child)}`;
      // Not even SIGKILL ends a process that the kernel does not let go.
      endAfterReading('a process that SIGKILL does not end');
    }, silentMs / LOOKS_PER_LIMIT);
    const end = (status: number | string | null): void => {
      clearInterval(looking);
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve({ output, status });
    };
    const endAfterReading = (status: number | string | null): void => {
      setTimeout(() => end(status), readMs).unref();
    };
    child.once('close', (code, signal) => end(code ?? signal));
    // A program that outlives the test keeps the pipes open. The test's own output is read long before.
    child.once('exit', (code, signal) => endAfterReading(code ?? signal));
  });
}

/** @returns lines that say which processes there were: the state of each says whether it hung in the kernel */
function killAll(child: ChildProcess): string {
  const begun = child.pid === undefined ? [] : descendantsOf(child.pid);
  child.kill('SIGKILL');
  for (const { pid } of begun) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  return begun.map(({ pid, name, state }) => `# It had begun ${name} (${pid}), state ${state}.\n`).join('');
}

/** The counts of all assertions of a file, including nested ones, as tap prints them at its end: `# { total: 3, pass: 2, fail: 1 }`. */
function countsOf(output: string): Omit<FileResult, 'file' | 'text' | 'verdict'> | undefined {
  const said = [...output.matchAll(/^# \{ (total: \d+[^}]*) \}$/gm)].at(-1)?.[1];
  if (said === undefined) return undefined;
  const count = (name: string) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(said)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') + count('todo'), skipped: count('skip') };
}

/** In which test a file was is among its last lines. They are shown as comments, since a line that begins as a result is counted as one. */
function lastLinesOf(output: string): string {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES)
    .map((line) => `# | ${line}`)
    .join('\n');
}
