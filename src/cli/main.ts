#!/usr/bin/env node
import { NAMES_VERB } from './completion/name-sources.ts';
import { processIo } from './io.ts';
import { endWithLostOutput } from './lost-output.ts';
import { runQuickly } from './quick.ts';

const tokens = process.argv.slice(2);
const io = processIo();
endWithLostOutput(io);
process.exitCode = await run();

async function run(): Promise<number> {
  if (tokens[0] === NAMES_VERB)
    return (await import('./completion/names.ts')).printNames(tokens.slice(1), io);
  return (await runQuickly(tokens, io)) ?? (await import('./run.ts')).runCommandLine(tokens, io);
}
