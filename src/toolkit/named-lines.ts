import { FsError, isFsError } from '../core/errors.ts';
import type { VfsPath } from '../core/paths.ts';
import type { OpContext } from '../core/resolver.ts';
import type { SystemFs } from '../vfs/system-fs.ts';

/** Lines of a file: the first one, and how many. */
interface Lines {
  readonly line: number;
  readonly count: number | undefined;
}

/** A path as evidence and search give it: followed by `:31` for a line, or `:31-40` for several. */
export interface NamedLines {
  readonly place: string;
  /** The named lines, unless the other arguments ask for later ones. @throws FsError EINVAL if the end is before the beginning */
  lines(asked: { readonly line: number; readonly lines?: number | undefined }): Lines;
  readonly hasLine: boolean;
}

export function namedLines(text: string): NamedLines {
  const [, place = text, from, to] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/s.exec(text) ?? [];
  const first = Math.max(1, Number(from));
  const named = to === undefined ? undefined : Number(to) - first + 1;
  return {
    place,
    hasLine: from !== undefined,
    lines({ line, lines }) {
      if (named !== undefined && named < 1) {
        throw new FsError(
          'EINVAL',
          place,
          `there are no lines ${from}-${to}: they count from 1, the first before the last`,
        );
      }
      // For the next page, the same path is given with a later line.
      return from === undefined || line > 1 ? { line, count: lines } : { line: first, count: lines ?? named };
    },
  };
}

export async function isThere(fs: SystemFs, path: VfsPath, context: OpContext): Promise<boolean> {
  try {
    await fs.stat(path, context);
    return true;
  } catch (error) {
    if (isFsError(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}
