#!/usr/bin/env node
import { NAMES_VERB } from './completion/name-sources.ts';
import { processIo } from './io.ts';
import { runQuickly } from './quick.ts';

// The reader of a pipe may go away before it has read all, as `head` does: that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const tokens = process.argv.slice(2);
const io = processIo();
process.exitCode = await run();

async function run(): Promise<number> {
  if (tokens[0] === NAMES_VERB)
    return (await import('./completion/names.ts')).printNames(tokens.slice(1), io);
  return (await runQuickly(tokens, io)) ?? (await import('./run.ts')).runCommandLine(tokens, io);
}
