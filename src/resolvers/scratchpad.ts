import type { Changes } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import type { SubPath } from '../core/paths.ts';
import type { Resolver } from '../core/resolver.ts';

/** All operations of a disk, as `openScratchpad` returns them. */
export type ScratchpadFiles = Changes<SubPath> &
  Required<Pick<Resolver, 'stat' | 'find' | 'list' | 'open' | 'readLink' | 'attributes'>>;

/** The source of the files. */
export interface ScratchpadSource {
  /** Called each time, so that a scratchpad that nobody uses need not be opened. */
  readonly files: () => ScratchpadFiles;
  /** Returns new files if the folder of the previous ones was removed from the disk. */
  readonly renewed: () => ScratchpadFiles | undefined;
  /**
   * Attributes that no file here accepts. They are refused with ENOTSUP, which mv(1) and `cp -a` ignore silently. Default: none. It is meant for
   * those in which memory stores facts about itself: they would be wrong for a copy, and moving the copy back would fail since they cannot be set.
   */
  readonly refuses?: (attribute: string) => boolean;
}

/**
 * The subtree `context/scratchpad/`: an ordinary folder of the session. If a removed folder refuses something, or does not know it, a new one is
 * asked. Other requests are not slowed down by that.
 */
export function scratchpadResolver({
  files,
  renewed,
  refuses = () => false,
}: ScratchpadSource): Required<Changes<SubPath>> & Resolver {
  const ask = <Answer>(question: (from: ScratchpadFiles) => Answer): Answer => {
    try {
      return question(files());
    } catch (error) {
      const others = renewed();
      if (others === undefined) throw error;
      return question(others);
    }
  };
  /** A folder that was removed has attributes, and a listing, of its own. */
  const lookAtTop = (path: SubPath): void => {
    if (path === '') renewed();
  };
  return {
    name: 'scratchpad',
    stat(path, context) {
      lookAtTop(path);
      return ask((from) => from.stat(path, context));
    },
    find(path, context) {
      lookAtTop(path);
      return files().find(path, context) ?? renewed()?.find(path, context);
    },
    list(path, context) {
      lookAtTop(path);
      return ask((from) => from.list(path, context));
    },
    open: (...call) => ask((from) => from.open(...call)),
    readLink: (...call) => ask((from) => from.readLink(...call)),
    openToWrite: (...call) => ask((from) => from.openToWrite(...call)),
    create: (...call) => ask((from) => from.create(...call)),
    truncate: (...call) => ask((from) => from.truncate(...call)),
    makeFolder: (...call) => ask((from) => from.makeFolder(...call)),
    removeFolder: (...call) => ask((from) => from.removeFolder(...call)),
    remove: (...call) => ask((from) => from.remove(...call)),
    rename: (...call) => ask((from) => from.rename(...call)),
    link: (...call) => ask((from) => from.link(...call)),
    symlink: (...call) => ask((from) => from.symlink(...call)),
    makeNode: (...call) => ask((from) => from.makeNode(...call)),
    changeMode: (...call) => ask((from) => from.changeMode(...call)),
    changeOwner: (...call) => ask((from) => from.changeOwner(...call)),
    changeTimes: (...call) => ask((from) => from.changeTimes(...call)),
    syncFolder: (...call) => ask((from) => from.syncFolder(...call)),
    space: (...call) => ask((from) => from.space(...call)),
    attributes: (...call) => ask((from) => from.attributes(...call)),
    setAttribute(path, name, ...how) {
      if (refuses(name))
        throw new FsError('ENOTSUP', path, `${name} is kept of a memory, not of a copy of it`);
      return ask((from) => from.setAttribute(path, name, ...how));
    },
    removeAttribute: (...call) => ask((from) => from.removeAttribute(...call)),
  };
}
