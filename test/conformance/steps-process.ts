/** The process behind mountSteps: takes a folder and steps in each line of its input, and prints a line of what they gave. */

import { createInterface } from 'node:readline';
import type { StepsCall } from './mounted-steps.ts';
import { folderSteps } from './steps.ts';

for await (const line of createInterface(process.stdin)) {
  const { base, steps }: StepsCall = JSON.parse(line);
  const outcomes = await folderSteps(base)(steps);
  process.stdout.write(`${JSON.stringify(outcomes.map((outcome) => outcome ?? null))}\n`);
}
