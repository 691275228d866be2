import { setTimeout } from 'node:timers';
import { ALL_BELOW, type SubPath } from '../core/paths.ts';

/** How many queries are remembered whose pages the kernel may have cached. If there are more, the whole tree is reported. */
const MAX_ASKED = 1000;
/** Changes of pages are reported at most this often. */
const TELL_EVERY_MS = 250;

/** Names below `search/` that somebody looked at. When content changes, these are reported to callers that cache what they know. */
export class AskedQueries {
  readonly #names = new Set<string>();
  readonly #tell: (paths: readonly SubPath[]) => void;
  #timer: NodeJS.Timeout | undefined;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(tell: (paths: readonly SubPath[]) => void) {
    this.#tell = tell;
  }

  add(name: string): void {
    if (this.#names.size <= MAX_ASKED) this.#names.add(name);
  }

  contentChanged(): void {
    if (this.#names.size === 0) return;
    const waitMs = Math.max(0, this.#toldMs + TELL_EVERY_MS - performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#toldMs = performance.now();
      const paths =
        this.#names.size > MAX_ASKED ? ALL_BELOW : Array.from(this.#names, (name) => name as SubPath);
      this.#names.clear();
      this.#tell(paths);
    }, waitMs).unref();
  }
}
