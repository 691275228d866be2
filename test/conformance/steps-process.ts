/** The process behind mountSteps: takes steps from standard input in a folder, and prints what they gave. */

import { text } from 'node:stream/consumers';
import { folderSteps, type Step } from './steps.ts';

const steps: readonly Step[] = JSON.parse(await text(process.stdin));
const outcomes = await folderSteps(process.argv[2] ?? '')(steps);
process.stdout.write(JSON.stringify(outcomes.map((outcome) => outcome ?? null)));
