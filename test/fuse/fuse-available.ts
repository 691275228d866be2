import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** Why nothing can be mounted here, or undefined. */
function whyNoFuse(): string | undefined {
  if (!statSync('/dev/fuse', { throwIfNoEntry: false })) return 'there is no /dev/fuse';
  try {
    execFileSync('fusermount3', ['--version'], { stdio: 'ignore' });
  } catch {
    return 'there is no fusermount3';
  }
  return undefined;
}

/**
 * What a test of mounts is registered with. Where nothing can be mounted, that is a failure in CI and where
 * KGRAPHFS_REQUIRE_FUSE=1 says so, and elsewhere a skip that one line of output tells of.
 */
export function needsFuse(): { skip: string | false } {
  const reason = whyNoFuse();
  if (reason === undefined) return { skip: false };
  if (process.env['KGRAPHFS_REQUIRE_FUSE'] === '1' || process.env['CI'] !== undefined) {
    throw new Error(`mounts have to be tested here, and cannot be: ${reason}`);
  }
  process.stdout.write(`# tests of mounts did not run: ${reason}\n`);
  return { skip: reason };
}
