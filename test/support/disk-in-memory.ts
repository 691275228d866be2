import { execFileSync } from 'node:child_process';
import { type Teardown, temporaryFolder } from './temporary.ts';

/** What a test is registered with that mounts a disk: only root can. */
export const needsRootToMount = { skip: process.getuid?.() !== 0 && 'this needs root' };

/** A folder that is a disk in memory. @param options as `mount -o` takes them */
export function diskInMemory(t: Teardown, options: string): string {
  const folder = temporaryFolder(t);
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  t.teardown(() => execFileSync('umount', ['--', folder]));
  return folder;
}
