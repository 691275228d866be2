import type { Changes } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import type { SubPath } from '../core/paths.ts';
import type { Resolver } from '../core/resolver.ts';

/** All that a disk can do: what `openScratchpad` gives. */
export type ScratchpadFiles = Changes<SubPath> &
  Required<Pick<Resolver, 'stat' | 'find' | 'list' | 'open' | 'readLink' | 'attributes'>>;

/** Where they come from. */
export interface ScratchpadSource {
  /** Asked for each time, so that one that nobody uses need not be opened. */
  readonly files: () => ScratchpadFiles;
  /** Another one, where the folder of the one before was removed from the disk. */
  readonly renewed: () => ScratchpadFiles | undefined;
  /**
   * Attributes that no file here takes: ENOTSUP, which mv(1) and `cp -a` pass over in silence. Default: none. What memory keeps of itself is such:
   * of a copy it would be wrong, and whoever moved the copy back would be told that it cannot be set.
   */
  readonly refuses?: (attribute: string) => boolean;
}

/**
 * The subtree `context/scratchpad/`: an ordinary folder of the session. What a removed folder refuses, or does not know, another one
 * is asked for; that costs who is served nothing.
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
  /** A folder that is gone has attributes, and a listing, of its own. */
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
