import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** Why nothing can be mounted here, or these programs cannot be run; or undefined. */
function whyNot(programs: readonly string[]): string | undefined {
  if (!statSync('/dev/fuse', { throwIfNoEntry: false })) return 'there is no /dev/fuse';
  try {
    execFileSync('fusermount3', ['--version'], { stdio: 'ignore' });
  } catch {
    return 'there is no fusermount3';
  }
  const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  return missing.length === 0 ? undefined : `there is no ${missing.join(', ')}`;
}

/**
 * What a test of mounts is registered with. Where nothing can be mounted, that is a failure in CI and where
 * KGRAPHFS_REQUIRE_FUSE=1 says so, and elsewhere a skip that one line of output tells of.
 * @param programs what else the test runs
 */
export function needsFuse(...programs: readonly string[]): { skip: string | false } {
  const reason = whyNot(programs);
  if (reason === undefined) return { skip: false };
  if (process.env['KGRAPHFS_REQUIRE_FUSE'] === '1' || process.env['CI'] !== undefined) {
    throw new Error(`mounts have to be tested here, and cannot be: ${reason}`);
  }
  process.stdout.write(`# tests of mounts did not run: ${reason}\n`);
  return { skip: reason };
}

/** As {@link needsFuse}, for what the system lets only root do: others skip it, in CI too. */
export function needsFuseAsRoot(): { skip: string | false } {
  return process.getuid?.() === 0 ? needsFuse() : { skip: 'only root may do this' };
}
