import { readFileSync } from 'node:fs';
import { parseMountInfo } from './mount-info.ts';

/** Finds changes of what is mounted below a folder. inotify does not tell of them: a watch stays with what lay at a place before. */
export class MountsBelow {
  readonly #top: string;
  readonly #isLeftOut: (path: string) => boolean;
  #known: ReadonlyMap<string, string>;

  /**
   * @param folder its real path; the mount that the folder itself lies on does not count
   * @param isLeftOut paths, relative to the folder, that are not reported
   */
  constructor(folder: string, isLeftOut: (path: string) => boolean = () => false) {
    this.#isLeftOut = isLeftOut;
    this.#top = folder === '/' ? folder : `${folder}/`;
    this.#known = this.#look();
  }

  /** Paths, relative to the folder, where something was mounted or unmounted since the last call. */
  changed(): string[] {
    const before = this.#known;
    const now = this.#look();
    this.#known = now;
    const came = [...now].filter(([line]) => !before.has(line));
    const went = [...before].filter(([line]) => !now.has(line));
    return [...new Set([...came, ...went].map(([, path]) => path))];
  }

  /** What is mounted at a path, by text that tells one mount there from the next. */
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
