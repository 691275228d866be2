import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemCodeOf } from '../../src/core/errors.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** That of the program as it is built, where the tests are run as a whole; else what was compiled beside this file. */
const PROGRAM_FOLDER =
  process.env['KGRAPHFS_TEST_PROGRAM'] ?? fileURLToPath(new URL('../../src', import.meta.url));

export const MAIN = join(PROGRAM_FOLDER, 'cli/main.js');
export const HOOK = join(PROGRAM_FOLDER, 'hooks/hook-main.js');
export const MOUNT_HELPER = join(PROGRAM_FOLDER, 'cli/mount-helper.js');

/** A state folder with the index of the sample docs, for all tests of this build. */
const INDEXED = resolve('build/sample-state');

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
    // A command that hangs may not end by SIGTERM.
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
  });
  return { status, out: stdout, err: stderr };
}

/** The options that name the sample docs, and a state folder with their index that is gone after the test. */
export function sample(t: Teardown): string[] {
  return sampleIn(temporaryFolder(t)).at;
}

/** The same, with the state folder in a folder that is there. */
export function sampleIn(folder: string): { readonly state: string; readonly at: string[] } {
  const state = join(folder, 'state');
  cpSync(indexedState(), state, { recursive: true });
  return { state, at: ['--docs', 'docs/sample', '--state', state] };
}

/** Made by the first test that wants it; of several at once the first one's stays. */
function indexedState(): string {
  if (existsSync(INDEXED)) return INDEXED;
  const made = `${INDEXED}-${process.pid}`;
  const { status, err } = kgraphfs(['build', '--docs', 'docs/sample', '--state', made]);
  if (status !== 0) throw new Error(err);
  try {
    renameSync(made, INDEXED);
  } catch (error) {
    // Somebody else was first.
    if (systemCodeOf(error) !== 'ENOTEMPTY') throw error;
    rmSync(made, { recursive: true });
  }
  return INDEXED;
}
