import { FsError } from '../core/errors.ts';
import type { Resolver } from '../core/resolver.ts';
import type { Sessions } from '../history/sessions.ts';
import { isKeptAttribute } from '../memory/attributes.ts';
import { scratchpadResolver } from '../resolvers/scratchpad.ts';
import {
  type LiveMount,
  type MountedScratchpad,
  mountedScratchpad,
} from '../scratchpad/mounted-scratchpad.ts';
import { openScratchpad, type Scratchpad } from '../scratchpad/scratchpad.ts';
import { prepareScratchpad } from '../scratchpad/session-folders.ts';
import type { Limits } from '../settings/limits.ts';
import type { StateFolder } from '../state/state-folder.ts';

export interface SessionScratchpadOptions {
  readonly state: StateFolder;
  readonly limits: Limits;
  readonly sessions: Sessions;
  readonly session: string;
}

/** The scratchpad of a session. Its folder is made when it is first used. */
export class SessionScratchpad {
  readonly #options: SessionScratchpadOptions;
  readonly #files = scratchpadResolver({
    files: () => this.open(),
    renewed: () => this.#renewed(),
    refuses: isKeptAttribute,
  });
  #opened: Scratchpad | undefined;
  /** Removed scratchpads to which open files may still write. */
  readonly #gone = new Set<Scratchpad>();

  constructor(options: SessionScratchpadOptions) {
    this.#options = options;
  }

  /** @throws FsError, UserError if its folder cannot be made */
  open(): Scratchpad {
    const { state, limits, session } = this.#options;
    this.#opened ??= openScratchpad(prepareScratchpad(state.scratchpadsFolder, session), {
      quotaBytes: limits.scratchpadBytes,
    });
    return this.#opened;
  }

  /** A new scratchpad if somebody has removed its folder from the disk. */
  #renewed(): Scratchpad | undefined {
    if (this.#gone.size > 0) this.#closeUnused();
    if (this.#opened?.isGone() !== true) return undefined;
    this.#gone.add(this.#opened);
    this.#opened = undefined;
    return this.open();
  }

  /** The resolver for the process that mounts the session. */
  asMounted(): Resolver {
    return this.#files;
  }

  /** The resolver for other processes: as long as there is a mount, they write through it. */
  asShared(): Resolver {
    const { sessions, session } = this.#options;
    return sharedScratchpad(this.#files, () => liveHolder(sessions, session));
  }

  #closeUnused(): void {
    for (const scratchpad of this.#gone) {
      if (scratchpad.isInUse()) continue;
      scratchpad.close();
      this.#gone.delete(scratchpad);
    }
  }

  close(): void {
    for (const scratchpad of [...this.#gone, ...(this.#opened ? [this.#opened] : [])]) scratchpad.close();
  }
}

/** The mount of a session, if there is one. */
function liveHolder(sessions: Sessions, id: string): LiveMount | undefined {
  const mountpoint = sessions.served(id)?.mountpoint ?? null;
  return mountpoint === null ? undefined : { session: id, mountpoint };
}

/**
 * While a mount shows this scratchpad, writes go through the mount. It would not notice what another process does in the folder, and would go on
 * showing the previous content.
 */
function sharedScratchpad(
  scratchpad: ReturnType<typeof scratchpadResolver>,
  holder: () => LiveMount | undefined,
): Resolver {
  const writer = (): MountedScratchpad => {
    const mount = holder();
    return mount === undefined ? scratchpad : mountedScratchpad(mount);
  };
  const alone = <Call extends readonly unknown[], Done>(change: (...call: Call) => Done) => {
    return (...call: Call): Done => {
      const mount = holder();
      if (mount === undefined) return change(...call);
      throw new FsError(
        'EBUSY',
        '',
        `the session is mounted: do it in ${mount.mountpoint}/context/scratchpad`,
      );
    };
  };
  return {
    ...scratchpad,
    openToWrite: (...call) => writer().openToWrite(...call),
    create: (...call) => writer().create(...call),
    makeFolder: (...call) => writer().makeFolder(...call),
    removeFolder: (...call) => writer().removeFolder(...call),
    remove: (...call) => writer().remove(...call),
    truncate: alone(scratchpad.truncate),
    rename: alone(scratchpad.rename),
    link: alone(scratchpad.link),
    symlink: alone(scratchpad.symlink),
    makeNode: alone(scratchpad.makeNode),
    changeMode: alone(scratchpad.changeMode),
    changeOwner: alone(scratchpad.changeOwner),
    changeTimes: alone(scratchpad.changeTimes),
  };
}
