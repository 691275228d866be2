import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { type MountedPoint, parseMountInfo } from './mount-info.ts';

/** Reads a small file; undefined if that is not possible. */
type ReadText = (file: string) => string | undefined;

/** The memory that this process may use: that of the machine, or less if a cgroup, its own or one around it, has a limit. */
export function memoryOfProcessBytes(): number {
  const mounts = parseMountInfo(readIfPossible('/proc/self/mountinfo') ?? '');
  const groups = readIfPossible('/proc/self/cgroup') ?? '';
  // 0 if Node.js does not know it. It looks at the process's own cgroup only.
  const ownBytes = process.constrainedMemory() || Infinity;
  return Math.min(ownBytes, totalmem(), groupLimitBytes(groups, mounts, readIfPossible));
}

/**
 * The lowest limit on memory of the cgroups that a process is in, as far as they are mounted; Infinity if there is none.
 * @param groups the text of /proc/self/cgroup, see cgroups(7)
 */
export function groupLimitBytes(
  groups: string,
  mounts: readonly Pick<MountedPoint, 'type' | 'point' | 'root'>[],
  read: ReadText,
): number {
  const limits = groups.split('\n').flatMap((line) => {
    const [, number, controllers = '', path = ''] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (number === '0') return foldersOf('cgroup2', path, mounts).flatMap((folder) => limitsAt(folder, read));
    if (!controllers.split(',').includes('memory')) return [];
    // The kernel has taken the cgroups around it into account, also those that a container does not see.
    return foldersOf('cgroup', path, mounts).map((folder) => {
      const found = /^hierarchical_memory_limit (\d+)$/m.exec(read(join(folder, 'memory.stat')) ?? '');
      return numberOf(found?.[1]);
    });
  });
  return Math.min(Infinity, ...limits);
}

/** The folder of a cgroup and those of the cgroups around it, in each mount of that type. */
function foldersOf(
  type: string,
  path: string,
  mounts: readonly Pick<MountedPoint, 'type' | 'point' | 'root'>[],
): string[] {
  return mounts
    .filter((mounted) => mounted.type === type)
    .flatMap(({ point, root }) => {
      // A container that has no cgroup namespace is shown its own part of the tree, and paths from the root of all.
      const isBelow = root !== '/' && `${path}/`.startsWith(`${root}/`);
      const folders: string[] = [];
      for (let at = isBelow ? path.slice(root.length) || '/' : path; ; at = dirname(at)) {
        folders.push(join(point, at));
        if (at === '/' || at === '.') return folders;
      }
    });
}

/** Above `memory.high`, the kernel slows a process down until it hardly runs. */
function limitsAt(folder: string, read: ReadText): number[] {
  return ['memory.max', 'memory.high'].map((name) => numberOf(read(join(folder, name))));
}

/** `max` stands for no limit. */
function numberOf(text: string | undefined): number {
  const bytes = Number(text?.trim() || NaN);
  return Number.isNaN(bytes) ? Infinity : bytes;
}

function readIfPossible(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A limit that cannot be seen cannot be heeded; a container may hide these files.
    return undefined;
  }
}
