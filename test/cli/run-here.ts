import { Readable } from 'node:stream';
import { runCommandLine } from '../../src/cli/run.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { memoryOutput } from './memory-output.ts';
import type { Ran, RunOptions } from './run-cli.ts';

/** Runs a command line within this process, many times faster than in one of its own. Nothing of the environment is seen but `env`, nor of the user's own config. */
export async function runHere(
  args: readonly string[],
  { input = '', cwd = process.cwd(), env = {} }: RunOptions = {},
): Promise<Ran> {
  const [out, err] = [memoryOutput(), memoryOutput()];
  const status = await runCommandLine(args, {
    out,
    err,
    input: Readable.from([typeof input === 'string' ? Buffer.from(input) : input]),
    workingFolder: () => cwd,
    debug: true,
    environment: readEnvironment({ XDG_CONFIG_HOME: '/nowhere', ...env }),
  });
  return { status, out: out.text(), err: err.text() };
}
