#!/usr/bin/env node
import { waitsForDisk } from '../source/look-ahead.ts';
import { NAMES_VERB } from './completion/name-sources.ts';
import { allTaken, processIo } from './io.ts';
import { endWithLostOutput } from './lost-output.ts';
import { runQuickly } from './quick.ts';
import { reportError } from './report-error.ts';
import { leaveOwnersRights } from './umask.ts';
import { endUnansweredAsFailure } from './unanswered.ts';

leaveOwnersRights();
const tokens = process.argv.slice(2);
const io = processIo();
endWithLostOutput(io);
const answered = endUnansweredAsFailure(io);
// Commands report their own failures. All that is left here is that a command could not be loaded.
void run()
  .catch((error: unknown) => reportError(error, io))
  .then(async (status) => {
    process.exitCode = status;
    answered();
    if (!waitsForDisk()) return;
    await allTaken();
    process.exit();
  });

async function run(): Promise<number> {
  if (tokens[0] === NAMES_VERB)
    return (await import('./completion/names.ts')).printNames(tokens.slice(1), io);
  return (await runQuickly(tokens, io)) ?? (await import('./run.ts')).runCommandLine(tokens, io);
}
