import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** A program in a terminal of its own. */
export interface TerminalProgram {
  /** Types keys. */
  type(keys: string): void;
  /** Waits until the terminal shows a text behind what was waited for before. @throws Error with what it shows, after some seconds */
  shows(text: string): Promise<void>;
  /** All that it showed. */
  shown(): string;
  /** Waits for its end. @returns the exit status */
  ended(): Promise<number | null>;
}

const LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 10;

/** Runs a program in a pseudo terminal of 100 columns, by script(1) of util-linux, which ends when the test does. */
export function runInTerminal(
  t: { teardown(action: () => unknown): void },
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): TerminalProgram {
  const line = `stty cols 100 rows 30; exec ${command.map(quoted).join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const end = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let shown = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  t.teardown(async () => {
    child.kill('SIGTERM');
    await end;
  });
  return {
    type: (keys) => {
      child.stdin.write(keys);
    },
    async shows(text) {
      const limitMs = performance.now() + LIMIT_MS;
      while (!shown.includes(text, seen)) {
        if (performance.now() > limitMs) throw new Error(`no "${text}" in: ${shown.slice(seen)}`);
        await delay(LOOK_EVERY_MS);
      }
      seen = shown.indexOf(text, seen) + text.length;
    },
    shown: () => shown,
    ended: () => end,
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
