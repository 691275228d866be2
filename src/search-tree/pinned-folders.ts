import { setTimeout } from 'node:timers';
import { after, isPromiseLike } from '../core/awaitable.ts';
import type { Clock } from '../core/clock.ts';
import { Listeners } from '../core/listeners.ts';
import { encodeName } from '../core/names.ts';
import type { Awaitable, Unsubscribe } from '../core/resolver.ts';
import type { SearchEngine } from '../core/search.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import { queryOf } from './query-name.ts';

/** A link of a pinned query. */
export interface RankedLink {
  readonly target: string;
  /** Since when it has had this rank: milliseconds since 1970. */
  readonly sinceMs: number;
}

/** What a pinned query finds at one revision. */
export interface PinnedFolder {
  /** Links by name, in the order of their ranks. */
  readonly links: ReadonlyMap<string, RankedLink>;
  /** When the ranking last changed: milliseconds since 1970. */
  readonly changedMs: number;
}

export interface PinnedFoldersParts {
  readonly engine: Pick<SearchEngine, 'search'>;
  /** Stays the same as long as answers do. */
  readonly revision: () => string;
  readonly clock: Clock;
}

const MAX_LINKS = 20;
/** Several passages of one file are one link. */
const HITS_ASKED = 30;
/** Rankings are made again when nothing has changed for this long, or this long after the first change. */
const QUIET_MS = 40;
const WITHIN_MS = 400;
/** How long to pause after each ranking, as a multiple of the time that it took, so that requests are served. */
const REST_FACTOR = 3;

interface KnownFolder extends PinnedFolder {
  readonly revision: string;
}

/**
 * The rankings of pinned queries. When content changes, those that somebody looked at are made again, one after another and with pauses, and only
 * links that moved are reported.
 */
export class PinnedFolders {
  readonly #parts: PinnedFoldersParts;
  readonly #known = new Map<string, KnownFolder>();
  /** One symbol for each pin that was looked into, so that a later pin of the same name is distinguished from it. */
  readonly #pins = new Map<string, symbol>();
  readonly #listeners = new Listeners<[paths: readonly string[]]>();
  #timer: NodeJS.Timeout | undefined;
  #firstChangeMs: number | undefined;
  #following: Promise<void> | undefined;

  constructor(parts: PinnedFoldersParts) {
    this.#parts = parts;
  }

  /**
   * What a pinned query finds now.
   * @param madeMs when it was pinned: the time of the folder as long as nobody has seen its ranking change
   */
  folder(name: string, madeMs: number): Awaitable<PinnedFolder> {
    const revision = this.#parts.revision();
    const known = this.#known.get(name);
    if (known?.revision === revision) return known;
    const pin = this.#pins.get(name) ?? Symbol(name);
    this.#pins.set(name, pin);
    const answer = this.#parts.engine.search(parseQuery(queryOf(name)), { limit: HITS_ASKED });
    return after(answer, ({ hits }) => {
      const paths = new Set(hits.map(({ path }) => path));
      const isDropped = this.#pins.get(name) !== pin;
      if (isDropped) return this.#ranked(undefined, madeMs, paths);
      const latest = this.#known.get(name);
      const revisionNow = this.#parts.revision();
      if (revision === revisionNow)
        return this.#keep(name, { ...this.#ranked(latest, madeMs, paths), revision });
      // Content has changed while this was made. A later caller may have got its answer first.
      if (latest?.revision === revisionNow) return latest;
      const folder = this.#keep(name, { ...this.#ranked(latest, madeMs, paths), revision });
      this.contentChanged();
      return folder;
    });
  }

  /** The folder as it was when somebody last looked into it. */
  known(name: string): PinnedFolder | undefined {
    return this.#known.get(name);
  }

  /** Forgets a query that was unpinned, or pinned again. */
  drop(name: string): void {
    this.#known.delete(name);
    this.#pins.delete(name);
  }

  /** Tells of links that were added, removed or moved: `<name>/<link>`. */
  onMove(listener: (paths: readonly string[]) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /** To be called when content has changed: rankings that somebody looked at are soon made again. */
  contentChanged(): void {
    if (this.#known.size === 0) return;
    const nowMs = performance.now();
    this.#firstChangeMs ??= nowMs;
    if (this.#following !== undefined) return;
    clearTimeout(this.#timer);
    const waitMs = Math.max(0, Math.min(QUIET_MS, this.#firstChangeMs + WITHIN_MS - nowMs));
    this.#timer = setTimeout(() => {
      this.#following = this.#follow().finally(() => {
        this.#following = undefined;
        if (this.#firstChangeMs !== undefined) this.contentChanged();
      });
    }, waitMs).unref();
  }

  async #follow(): Promise<void> {
    this.#firstChangeMs = undefined;
    for (const name of [...this.#known.keys()]) {
      const startedMs = performance.now();
      // An error is reported to the next one who looks.
      await this.#renew(name).catch(() => this.#known.delete(name));
      await pause(REST_FACTOR * (performance.now() - startedMs));
    }
  }

  async #renew(name: string): Promise<void> {
    const known = this.#known.get(name);
    if (known === undefined || this.#parts.revision() === known.revision) return;
    const folder = this.folder(name, known.changedMs);
    if (isPromiseLike(folder)) await folder;
  }

  /**
   * @param before the folder as it was when somebody last looked into it
   * @param paths in the order of their ranks, each once
   */
  #ranked(before: PinnedFolder | undefined, madeMs: number, paths: ReadonlySet<string>): PinnedFolder {
    const nowMs = this.#parts.clock.nowMs();
    const links = new Map<string, RankedLink>();
    const targets = [...paths].slice(0, MAX_LINKS);
    const digits = Math.max(2, String(targets.length).length);
    for (const [index, path] of targets.entries()) {
      const rank = String(index + 1).padStart(digits, '0');
      const linkName = encodeName(`${rank} ${path.slice(1)}`);
      const sinceMs = before === undefined ? madeMs : (before.links.get(linkName)?.sinceMs ?? nowMs);
      links.set(linkName, { target: `../../..${path}`, sinceMs });
    }
    if (before === undefined) return { links, changedMs: madeMs };
    const isSame = movedBetween(before.links, links).length === 0;
    // Each ranking has another time, even in the same millisecond.
    return { links, changedMs: isSame ? before.changedMs : Math.max(before.changedMs + 1, nowMs) };
  }

  #keep(name: string, folder: KnownFolder): PinnedFolder {
    const before = this.#known.get(name);
    this.#known.set(name, folder);
    const moved = before === undefined ? [] : movedBetween(before.links, folder.links);
    if (moved.length > 0) this.#listeners.tell(moved.map((link) => `${name}/${link}`));
    return folder;
  }
}

/** Names that only one of the two has. */
function movedBetween(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): string[] {
  return [...one.keys()]
    .filter((name) => !other.has(name))
    .concat([...other.keys()].filter((name) => !one.has(name)));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
