#!/usr/bin/env node
import { wholeEnvironment } from '../config/environment.ts';
import { waitsForDisk } from '../source/look-ahead.ts';
import { type HookCall, hookCallOf } from './hook-call.ts';

// The program that a hook of Git runs. It loads little, since a commit waits for it, and lets everything through except for findings of lint.
const call = hookCallOf(process.argv.slice(2), process.cwd());
if (call !== undefined) void run(call);

async function run(call: HookCall): Promise<void> {
  const { runHook } = await import('./run-hook.ts');
  process.exitCode = await runHook(call, {
    variables: wholeEnvironment(),
    workingFolder: process.cwd(),
    tell: (text) => process.stderr.write(text),
  });
  // The few lines that it prints have been taken by the system when they were written, so nothing is lost.
  if (waitsForDisk()) process.exit();
}
