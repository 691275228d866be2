import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Outcome, StepRunner } from './steps.ts';

/** No case takes this long; one that does hangs. */
const LIFETIME_S = '30';

/** Steps on a mount, in a process of their own: a program that hangs on a mount cannot be waited for in the same one. */
export function mountSteps(base: string): StepRunner {
  const script = fileURLToPath(new URL('./steps-process.js', import.meta.url));
  return async (steps) => {
    const client = spawn('timeout', ['-s', 'KILL', LIFETIME_S, process.execPath, script, base], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(client, 'close');
    client.stdin.end(JSON.stringify(steps));
    const answer = await text(client.stdout);
    const [status, signal] = await ended;
    if (status !== 0) throw new Error(`the client ended: ${signal ?? status}`);
    const outcomes: (Outcome | null)[] = JSON.parse(answer);
    return outcomes.map((outcome) => outcome ?? undefined);
  };
}
