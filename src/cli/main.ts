#!/usr/bin/env node
import { processIo } from './io.ts';
import { runCommandLine } from './run.ts';

// The reader of a pipe may go away before it has read all, as `head` does: that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runCommandLine(process.argv.slice(2), processIo());
