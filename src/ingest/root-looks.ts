import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { systemCodeOf } from '../core/errors.ts';
import type { FolderEvent, Inotify } from '../system/inotify.ts';
import { identityOf } from './opened-root.ts';

/** Where nothing tells that another folder came to lie at the path; and where there is none, which is to be seen when it comes. */
const LOOK_EVERY_MS = 1000;
/** Where all that lies on the way is watched: another machine may still rename some of it on a disk of the network. */
const LOOK_AT_TOLD_EVERY_MS = 20_000;
/** Links that lead on to links without end come to an end here. */
const MAX_PLACES = 200;

/** A folder as it is watched. */
export interface WatchedRoot {
  readonly inotify: Inotify | undefined;
  readonly identity: string;
}

/** Has it be looked whether the docs root is still the same folder: when something on the way to it was moved or replaced, and from time to time. */
export class RootLooks {
  readonly #folder: string;
  readonly #look: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Watches of what lies on the way, and whose they are. */
  #way = new Set<number>();
  #wayOf: Inotify | undefined;

  /** @param look also to call {@link next} */
  constructor(folder: string, look: () => void) {
    this.#folder = folder;
    this.#look = look;
  }

  /**
   * Has the next look come.
   * @param watched undefined where there is no folder
   * @param mayGo whether it is being emptied, maybe to be removed
   */
  next(watched: WatchedRoot | undefined, mayGo = false): void {
    clearTimeout(this.#timer);
    // The kernel does not tell that a folder is removed as long as somebody has it open, as the docs root is.
    const isTold = watched !== undefined && this.#watchWay(watched) && !mayGo;
    this.#timer = setTimeout(this.#look, isTold ? LOOK_AT_TOLD_EVERY_MS : LOOK_EVERY_MS);
  }

  /** Whether that is what is to be looked for. */
  isAbout({ kind, watch }: FolderEvent): boolean {
    return kind === 'ended' && this.#way.has(watch);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** @returns whether it will be told when another folder comes to lie at the path */
  #watchWay({ inotify, identity }: WatchedRoot): boolean {
    if (inotify !== this.#wayOf) this.#way = new Set();
    this.#wayOf = inotify;
    if (inotify === undefined) return false;
    try {
      for (const place of wayTo(this.#folder)) this.#way.add(inotify.watchEnd(place));
      return identityOf(this.#folder) === identity;
    } catch (error) {
      if (systemCodeOf(error) === undefined) throw error;
      return false;
    }
  }
}

/**
 * The places whose renaming or replacing can bring another folder to a path: the folder itself and each above it, each link on the way, and the same
 * for where those lead. The topmost folder is not among them.
 * @param folder absolute
 */
export function wayTo(folder: string): string[] {
  const way = new Set<string>();
  const left = [folder];
  for (let path = left.pop(); path !== undefined && way.size < MAX_PLACES; path = left.pop()) {
    for (let place = path; place !== dirname(place); place = dirname(place)) {
      if (way.has(place)) continue;
      way.add(place);
      const target = targetOf(place);
      if (target !== undefined) left.push(target);
    }
  }
  return [...way];
}

/** Undefined for what is no link. */
function targetOf(place: string): string | undefined {
  try {
    const target = readlinkSync(place);
    return resolve(realpathSync(dirname(place)), target);
  } catch {
    return undefined;
  }
}
