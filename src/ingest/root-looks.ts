import { constants, readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { systemCodeOf } from '../core/errors.ts';
import { DiskFolder } from '../source/disk-folder.ts';
import { linkTextOf } from '../system/files.ts';
import { atPlace, ServedHereError } from '../system/found-place.ts';
import type { FolderEvent, Inotify } from '../system/inotify.ts';

/** The time between looks if no event would tell that another folder has come to lie at the path; also if there is no folder, to see it when it comes. */
const LOOK_EVERY_MS = 1000;
/** The time between looks if everything on the way is watched: on a network disk, another machine may still rename some of it. */
const LOOK_AT_TOLD_EVERY_MS = 20_000;
/** A limit for links that lead on to links without end. */
const MAX_PLACES = 200;

/** A folder that is watched. */
export interface WatchedRoot {
  readonly inotify: Inotify | undefined;
  readonly identity: string;
}

/** Causes looks at whether the docs root still is the same folder: when something on the way to it was moved or replaced, and from time to time. */
export class RootLooks {
  readonly #folder: string;
  readonly #look: () => Promise<WatchedRoot | undefined>;
  #looking: Promise<void> | undefined;
  /** A look that is asked for and has not begun. */
  #due: 'look' | 'may go' | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The watches of what lies on the way, and the inotify instance that they belong to. */
  #way = new Set<number>();
  #wayOf: Inotify | undefined;
  readonly #closing = new AbortController();

  /** @param look returns what is watched then, or undefined if there is no folder. Never called while a look is running */
  constructor(folder: string, look: () => Promise<WatchedRoot | undefined>) {
    this.#folder = folder;
    this.#look = look;
  }

  /** Looks at once, or after the look that is running. @param mayGo whether the folder is being emptied, perhaps to be removed */
  now(mayGo = false): void {
    if (mayGo) this.#due = 'may go';
    else this.#due ??= 'look';
    this.#looking ??= this.#lookWhileDue().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookWhileDue(): Promise<void> {
    while (this.#due !== undefined && !this.#closing.signal.aborted) {
      const mayGo = this.#due === 'may go';
      this.#due = undefined;
      await this.#lookLater(await this.#look(), mayGo);
    }
  }

  async #lookLater(watched: WatchedRoot | undefined, mayGo: boolean): Promise<void> {
    clearTimeout(this.#timer);
    // The kernel does not report the removal of a folder as long as somebody has it open, as the docs root is.
    const isTold = watched !== undefined && (await this.#watchWay(watched)) && !mayGo;
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => this.now(), isTold ? LOOK_AT_TOLD_EVERY_MS : LOOK_EVERY_MS);
  }

  /** Whether an event concerns the way to the root. */
  isAbout({ kind, watch }: FolderEvent): boolean {
    return kind === 'ended' && this.#way.has(watch);
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
  }

  /** @returns whether an event will tell when another folder comes to lie at the path */
  async #watchWay({ inotify, identity }: WatchedRoot): Promise<boolean> {
    if (inotify !== this.#wayOf) this.#way = new Set();
    this.#wayOf = inotify;
    if (inotify === undefined) return false;
    try {
      await wayTo(this.#folder, (handlePath) => this.#way.add(inotify.watchEnd(handlePath)));
      const top = await DiskFolder.openLater(this.#folder);
      try {
        return (await top.identity()) === identity;
      } finally {
        top.close();
      }
    } catch (error) {
      // No event tells of changes of a link that lies in a mount of this process, or of a place that does not answer.
      if (systemCodeOf(error) === undefined && !(error instanceof ServedHereError)) throw error;
      return false;
    }
  }
}

/**
 * The places whose renaming or replacing can bring another folder to a path: the folder itself and each one above it, each link on the way, and the same for
 * the targets of those. The topmost folder is not among them.
 * @param folder an absolute path
 * @param visit called for each place with a path that leads to it, or to the link itself, during the call
 * @throws as {@link findLater} if one of them cannot be reached
 */
export async function wayTo(folder: string, visit: (handlePath: string) => void): Promise<string[]> {
  const way = new Set<string>();
  const left = [folder];
  for (let path = left.pop(); path !== undefined && way.size < MAX_PLACES; path = left.pop()) {
    for (let place = path; place !== dirname(place); place = dirname(place)) {
      if (way.has(place)) continue;
      way.add(place);
      const look = (handlePath: string, descriptor: number) => {
        visit(handlePath);
        const text = linkTextOf(descriptor);
        return text === undefined ? undefined : resolve(dirname(readlinkSync(handlePath)), text);
      };
      const target = await atPlace(place, constants.O_NOFOLLOW, look, folder);
      if (target !== undefined) left.push(target);
    }
  }
  return [...way];
}
