import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** That of the program as it is built, where the tests are run as a whole; else what was compiled beside this file. */
const PROGRAM_FOLDER =
  process.env['KGRAPHFS_TEST_PROGRAM'] ?? fileURLToPath(new URL('../../src', import.meta.url));

export const MAIN = join(PROGRAM_FOLDER, 'cli/main.js');
export const MOUNT_HELPER = join(PROGRAM_FOLDER, 'cli/mount-helper.js');

/** Against what hangs. */
const LIMIT_MS = 120_000;

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly input?: string | Buffer;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the built command line in a process of its own, its streams no terminals. */
export function kgraphfs(args: readonly string[], { input = '', cwd, env = {} }: RunOptions = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    input,
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 1 << 28,
  });
  return { status, out: stdout, err: stderr };
}

/** The options that name the sample docs, and a state folder that is gone after the test. */
export function sample(t: Teardown): string[] {
  return ['--docs', 'docs/sample', '--state', `${temporaryFolder(t)}/state`];
}
