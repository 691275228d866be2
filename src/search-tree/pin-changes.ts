import { after } from '../core/awaitable.ts';
import type { ErrorLog } from '../core/error-log.ts';
import { type ErrnoCode, FsError, isFsError } from '../core/errors.ts';
import { notFolder } from '../core/generated-tree.ts';
import { partsOf, type SubPath } from '../core/paths.ts';
import type { Awaitable, OpContext, Resolver } from '../core/resolver.ts';
import { PINNED, type Pins } from './pins.ts';
import { isQueryName, queryOf } from './query-name.ts';

interface PinChangesParts {
  readonly pins: Pins;
  /** Is told of refusals whose reason nobody can guess from the errno. */
  readonly errors: ErrorLog;
}

/**
 * What mkdir, rmdir and mv do below `search/`: they pin queries and unpin them.
 * @param generated what is there besides pins
 */
export function pinChanges(
  parts: PinChangesParts,
  generated: Pick<Resolver, 'stat'>,
): Pick<Resolver, 'makeFolder' | 'removeFolder' | 'rename'> {
  const { pins } = parts;
  /** The name of the pin at a path. @throws FsError ENOENT; EROFS and the like for everything else that exists */
  const pinAt = (path: SubPath, context: OpContext, whereFile: 'ENOTDIR' | 'EROFS'): Awaitable<string> => {
    const [top, name, ...beyond] = partsOf(path);
    if (top === PINNED && name !== undefined && beyond.length === 0 && pins.get(name)) return name;
    if (path === PINNED) throw new FsError('EBUSY', path, 'this folder is a part of the tree');
    return after(generated.stat(path, context), () => {
      throw new FsError(whereFile, path, 'only pinned queries can be changed here');
    });
  };
  return {
    makeFolder(path, _mode, context) {
      const name = newPinAt(parts, path);
      tellingWhenFull(parts, path, () => pins.add(name, context));
    },
    removeFolder: (path, context) =>
      after(pinAt(path, context, 'ENOTDIR'), (name) => pins.remove(name, context)),
    rename: (from, to, context, use) =>
      after(pinAt(from, context, 'EROFS'), (name) => {
        if (use === 'exchange') throw new FsError('EINVAL', from, 'pinned queries cannot be exchanged');
        const newName = newPinAt(parts, to);
        if (newName === name) return;
        if (pins.get(newName)) {
          throw new FsError(use === 'keep' ? 'EEXIST' : 'ENOTEMPTY', to, 'this query is pinned already');
        }
        tellingWhenFull(parts, to, () => pins.rename(name, newName, context));
      }),
  };
}

/** The name of a pin that is to be made. @throws FsError */
function newPinAt({ pins, errors }: PinChangesParts, path: SubPath): string {
  const [top = '', name, ...beyond] = partsOf(path);
  if (top !== PINNED && !isQueryName(top)) {
    refuse(errors, 'EROFS', path, 'folders are made in search/pinned/ only: mkdir "search/pinned/<query>"');
  }
  if (name === undefined) throw new FsError('EEXIST', path, 'there is already something with this name');
  if (top !== PINNED) notFolder(path);
  if (beyond.length > 0) {
    if (pins.get(name) === undefined) throw new FsError('ENOENT', path, 'no such query is pinned');
    refuse(errors, 'EROFS', path, 'what a pinned query finds is linked here by itself');
  }
  if (name.startsWith('.') || queryOf(name).trim() === '') {
    refuse(errors, 'EINVAL', path, 'this cannot be a query: it is blank, or begins with a dot');
  }
  return name;
}

/** Logs when no more can be pinned, since nobody can guess that from the errno. */
function tellingWhenFull({ errors }: PinChangesParts, path: SubPath, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (isFsError(error, 'ENOSPC')) refuse(errors, 'ENOSPC', path, error.why);
    throw error;
  }
}

function refuse(errors: ErrorLog, code: ErrnoCode, path: SubPath, why: string): never {
  errors.add({ code, path: `/search/${path}`, message: why });
  throw new FsError(code, path, why);
}
