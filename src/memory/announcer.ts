import { Listeners } from '../core/listeners.ts';
import type { MemoryPlace } from '../core/memory-entry.ts';
import type { SubPath } from '../core/paths.ts';
import type { ChangeListener, Unsubscribe } from '../core/resolver.ts';
import type { PlacesChanged } from './journal.ts';
import { reviewPathOf, subPathOf } from './memory-places.ts';
import type { ReviewShelf } from './review.ts';

const ALL: readonly SubPath[] = ['memory' as SubPath, reviewPathOf('')];

/**
 * Tells which paths show something that the caller who changed them cannot know: what others have done, and what a change of
 * one path has done to another.
 */
export class Announcer {
  readonly #review: ReviewShelf;
  readonly #listeners = new Listeners<[paths: readonly SubPath[]]>();
  #known: ReadonlySet<string> = new Set();

  constructor(review: ReviewShelf) {
    this.#review = review;
  }

  onChange(listener: ChangeListener): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /** Runs a change whose effects on these paths are known to whoever asked for it, and so are not told. */
  knowing<T>(paths: readonly SubPath[], act: () => T): T {
    const outer = this.#known;
    this.#known = new Set([...outer, ...paths]);
    try {
      return act();
    } finally {
      this.#known = outer;
    }
  }

  /** Tells of a place after all, since something else came of a change than its caller knows. */
  surprise(place: MemoryPlace): void {
    const name = this.#review.nameOf(place);
    this.#tell([subPathOf(place), ...(name === undefined ? [] : [reviewPathOf(name)])]);
  }

  changed({ places, isOurs }: PlacesChanged): void {
    const isReviewChanged = this.#review.refresh(places);
    if (places.length === 0) {
      this.#tell(ALL);
      return;
    }
    const paths = places.flatMap((place) => {
      const name = this.#review.nameOf(place);
      return [subPathOf(place), ...(name === undefined ? [] : [reviewPathOf(name)])];
    });
    const news = isOurs ? paths.filter((path) => !this.#known.has(path)) : paths;
    this.#tell(isReviewChanged ? [...news, reviewPathOf('')] : news);
  }

  #tell(paths: readonly SubPath[]): void {
    if (paths.length > 0) this.#listeners.tell(paths);
  }
}
