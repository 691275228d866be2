import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Teardown } from '../support/temporary.ts';
import type { Outcome, Step, StepRunner } from './steps.ts';

/** Sent to the process that takes the steps. */
export interface StepsCall {
  readonly base: string;
  readonly steps: readonly Step[];
}

/** No list of cases takes this long; one that does hangs. */
const LIFETIME_S = '600';

/**
 * Steps on folders of a mount, one list of them after the other, in a process that lives until the test ends: a program that hangs on a
 * mount cannot be waited for in the same one.
 */
export function mountSteps(t: Teardown): (base: string) => StepRunner {
  const script = fileURLToPath(new URL('./steps-process.js', import.meta.url));
  const client = spawn('timeout', ['-s', 'KILL', LIFETIME_S, process.execPath, script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(client, 'close');
  const answers = createInterface(client.stdout)[Symbol.asyncIterator]();
  t.teardown(async () => {
    client.stdin.end();
    await ended;
  });
  return (base) => async (steps) => {
    const call: StepsCall = { base, steps };
    client.stdin.write(`${JSON.stringify(call)}\n`);
    const { done, value } = await answers.next();
    if (done) throw new Error(`the client ended: ${client.signalCode ?? client.exitCode}`);
    const outcomes: (Outcome | null)[] = JSON.parse(value);
    return outcomes.map((outcome) => outcome ?? undefined);
  };
}
