import type { Changes } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import type { SubPath } from '../core/paths.ts';
import type { Resolver } from '../core/resolver.ts';

/** All that a disk can do except for extended attributes: what `openScratchpad` gives. */
export type ScratchpadFiles = Required<Pick<Resolver, 'stat' | 'find' | 'list' | 'open' | 'readLink'>> &
  Omit<Changes<SubPath>, 'setAttribute' | 'removeAttribute'>;

/**
 * The subtree `context/scratchpad/`: an ordinary folder of the session. It has no extended attributes (ENOTSUP).
 * @param files asked for each time, so that one that nobody uses need not be opened
 */
export function scratchpadResolver(files: () => ScratchpadFiles): Required<Changes<SubPath>> & Resolver {
  return {
    name: 'scratchpad',
    stat: (...call) => files().stat(...call),
    find: (...call) => files().find(...call),
    list: (...call) => files().list(...call),
    open: (...call) => files().open(...call),
    readLink: (...call) => files().readLink(...call),
    openToWrite: (...call) => files().openToWrite(...call),
    create: (...call) => files().create(...call),
    truncate: (...call) => files().truncate(...call),
    makeFolder: (...call) => files().makeFolder(...call),
    removeFolder: (...call) => files().removeFolder(...call),
    remove: (...call) => files().remove(...call),
    rename: (...call) => files().rename(...call),
    link: (...call) => files().link(...call),
    symlink: (...call) => files().symlink(...call),
    makeNode: (...call) => files().makeNode(...call),
    changeMode: (...call) => files().changeMode(...call),
    changeOwner: (...call) => files().changeOwner(...call),
    changeTimes: (...call) => files().changeTimes(...call),
    syncFolder: (...call) => files().syncFolder(...call),
    space: (...call) => files().space(...call),
    setAttribute: refuseAttribute,
    removeAttribute: refuseAttribute,
  };
}

function refuseAttribute(path: SubPath): never {
  throw new FsError('ENOTSUP', path, 'files of the scratchpad have no extended attributes');
}
