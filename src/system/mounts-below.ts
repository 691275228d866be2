import { readFileSync } from 'node:fs';
import { parseMountInfo } from './mount-info.ts';

/** What is mounted below a folder. inotify tells nothing of it: a watch stays with what lay at a place before. */
export class MountsBelow {
  readonly #top: string;
  readonly #isLeftOut: (path: string) => boolean;
  #known: ReadonlyMap<string, string>;

  /**
   * @param folder its real path; the mount that it lies on itself does not count
   * @param isLeftOut places, relative to the folder, of which nothing is said
   */
  constructor(folder: string, isLeftOut: (path: string) => boolean = () => false) {
    this.#isLeftOut = isLeftOut;
    this.#top = folder === '/' ? folder : `${folder}/`;
    this.#known = this.#look();
  }

  /** Where something was mounted or unmounted since this was last asked, relative to the folder. */
  changed(): string[] {
    const before = this.#known;
    const now = this.#look();
    this.#known = now;
    const came = [...now].filter(([line]) => !before.has(line));
    const went = [...before].filter(([line]) => !now.has(line));
    return [...new Set([...came, ...went].map(([, path]) => path))];
  }

  /** Paths by what tells one mount at a place from the next. */
  #look(): Map<string, string> {
    const mounts = parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));
    return new Map(
      mounts.flatMap(({ id, device, root, point }): [string, string][] => {
        if (!point.startsWith(this.#top) || point === this.#top) return [];
        const path = point.slice(this.#top.length);
        return this.#isLeftOut(path) ? [] : [[JSON.stringify([id, device, root, point]), path]];
      }),
    );
  }
}
