import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../core/clock.ts';
import type { MemoryEntry, MemoryPlace } from '../core/memory-entry.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { Memory } from '../memory/memory.ts';
import { contributionOfEntry, contributionOfSession, edgeOfLink } from './contribution.ts';
import { DocsNames } from './docs-names.ts';
import type { Ledger } from './ledger.ts';
import type { NodeId, SessionFacts } from './model.ts';
import { entryId, placeOfEntry, sessionId } from './node-names.ts';

/** The sessions to show, and a number that changes whenever what is shown of one does. */
export interface SessionSource {
  revision(): number;
  all(): readonly SessionFacts[];
}

export interface FeedOptions {
  readonly memory: Pick<Memory, 'places' | 'get' | 'links' | 'revision'>;
  readonly sessions: SessionSource;
  readonly docs: Pick<GraphQueries, 'revision' | 'identities'>;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** How many entries are taken in between two checks whether to stop. At least that many are taken in at a time, however slow the machine is. */
const AT_ONCE = 32;

/** Used before anything was looked up by name. */
const NO_NAMES = new DocsNames([]);

/** Keeps a ledger equal to memory, sessions and the names of the docs, with an effort in proportion to the changes. */
export class MemoryFeed {
  readonly #options: FeedOptions;
  /** The version of each entry in the ledger; an empty text if it has to be read again. */
  readonly #entries = new Map<NodeId, string>();
  /** What the ledger has of each session; undefined if it has to be read again. */
  readonly #sessions = new Map<NodeId, SessionFacts | undefined>();
  /** Places that memory has reported as changed; undefined if any may have. */
  #changed: Map<NodeId, MemoryPlace> | undefined;
  /** Places that were taken in since everything was. Their links were not yet. */
  readonly #taken = new Map<NodeId, MemoryPlace>();
  /** Whether all places are being taken in, or only those that have changed. */
  #takes: 'all' | 'changed' = 'changed';
  /** Read together with the first text: a project without memory need not know the names of its docs. */
  #names: DocsNames | undefined;
  #memoryRevision: number | undefined;
  #sessionRevision: number | undefined;
  #docsRevision: number | undefined;
  #version = 0;
  /** When the next entry will expire. */
  #expiresMs = Number.POSITIVE_INFINITY;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** The names of the docs as the ledger knows them. */
  names(): DocsNames {
    return this.#names ?? NO_NAMES;
  }

  /** Notes what memory reports as changed. Nothing is read before it is asked for. */
  note(places: readonly MemoryPlace[]): void {
    if (places.length === 0) this.#changed = undefined;
    for (const place of places) this.#changed?.set(entryId(place), place);
  }

  /** Brings the ledger up to date. If memory cannot be read, the rest is done the next time. */
  takeIn(): void {
    this.#takeInUntil(() => false);
  }

  /** The same for this many milliseconds, or a little more. @returns whether nothing is left */
  takeInSome(budgetMs: number): boolean {
    const endMs = performance.now() + budgetMs;
    return this.#takeInUntil(() => performance.now() >= endMs);
  }

  #takeInUntil(isOver: () => boolean): boolean {
    const { memory, sessions, docs, ledger, clock } = this.#options;
    const memoryRevision = memory.revision();
    const sessionRevision = sessions.revision();
    const docsRevision = docs.revision();
    if (clock.nowMs() >= this.#expiresMs) this.#changed = undefined;
    const isMemoryNew = () => this.#changed?.size !== 0 || memoryRevision !== this.#memoryRevision;
    const areSessionsNew = () => sessionRevision !== this.#sessionRevision;
    if (docsRevision === this.#docsRevision && !isMemoryNew() && !areSessionsNew()) return true;
    this.#version += 1;
    const isFirst = this.#memoryRevision === undefined;
    ledger.begin({ version: this.#version, nowMs: isFirst ? undefined : clock.nowMs() });
    if (docsRevision !== this.#docsRevision) this.#takeInNames();
    this.#docsRevision = docsRevision;
    if (isMemoryNew() && !this.#takeInMemory(isOver)) return false;
    this.#memoryRevision = memoryRevision;
    if (areSessionsNew()) this.#takeInSessions();
    this.#sessionRevision = sessionRevision;
    return true;
  }

  /** If texts name other things than before, all have to be read again. */
  #takeInNames(): void {
    if (this.#names === undefined) return;
    const { docs, ledger } = this.#options;
    const before = this.#names;
    const names = new DocsNames(docs.identities());
    this.#names = names;
    for (const key of names.shownOtherwiseIn(before)) ledger.touchAround(key);
    if (names.meansAs(before)) return;
    this.#changed = undefined;
    this.#sessionRevision = undefined;
    for (const id of this.#entries.keys()) this.#entries.set(id, '');
    for (const id of this.#sessions.keys()) this.#sessions.set(id, undefined);
  }

  /** @returns whether everything was taken in */
  #takeInMemory(isOver: () => boolean): boolean {
    let changed = this.#changed;
    if (changed === undefined || changed.size === 0) {
      this.#takes = 'all';
      changed = this.#beginWhole();
      this.#changed = changed;
    }
    for (const [id, place] of changed) {
      this.#takeInPlace(id, place);
      changed.delete(id);
      this.#taken.set(id, place);
      if (changed.size > 0 && this.#taken.size % AT_ONCE === 0 && isOver()) return false;
    }
    const { memory, ledger } = this.#options;
    if (this.#takes === 'all') ledger.setLinks(memory.links().map(edgeOfLink));
    else this.#takeInLinksAround(this.#taken);
    this.#takes = 'changed';
    this.#taken.clear();
    return true;
  }

  /** @returns the places of all entries */
  #beginWhole(): Map<NodeId, MemoryPlace> {
    const places = new Map(this.#options.memory.places().map((place) => [entryId(place), place]));
    for (const id of this.#entries.keys()) if (!places.has(id)) this.#remove(id);
    this.#expiresMs = Number.POSITIVE_INFINITY;
    return places;
  }

  #takeInPlace(id: NodeId, place: MemoryPlace): void {
    const entry = this.#options.memory.get(place);
    if (entry === undefined || entry.removedMs !== undefined) this.#remove(id);
    else this.#put(id, entry);
  }

  /**
   * Takes in all links of the entries at these places, and of those that had or have a link to them, since a name in front matter may mean another
   * entry now.
   */
  #takeInLinksAround(places: ReadonlyMap<NodeId, MemoryPlace>): void {
    const { memory, ledger } = this.#options;
    const sources = new Map(places);
    for (const id of places.keys()) {
      for (const source of ledger.linkSources(id)) {
        const place = placeOfEntry(source);
        if (place !== undefined) sources.set(source, place);
      }
    }
    for (const { from } of memory.links([...places.values()])) sources.set(entryId(from), from);
    const links = memory.links([...sources.values()]).map(edgeOfLink);
    ledger.setLinks(
      links.filter(({ source }) => sources.has(source)),
      sources.keys(),
    );
  }

  #put(id: NodeId, entry: MemoryEntry): void {
    const version = `${entry.id} ${entry.version}`;
    if (entry.expiresMs !== undefined) this.#expiresMs = Math.min(this.#expiresMs, entry.expiresMs);
    if (this.#entries.get(id) === version) return;
    this.#options.ledger.put(contributionOfEntry(entry, this.#namesNow()));
    this.#entries.set(id, version);
  }

  #remove(id: NodeId): void {
    this.#options.ledger.remove(id);
    this.#entries.delete(id);
  }

  #takeInSessions(): void {
    const { sessions, ledger } = this.#options;
    const gone = new Set(this.#sessions.keys());
    for (const session of sessions.all()) {
      const id = sessionId(session.id);
      gone.delete(id);
      if (isDeepStrictEqual(this.#sessions.get(id), session)) continue;
      const names = session.summary ? this.#namesNow() : NO_NAMES;
      ledger.put(contributionOfSession(session, names));
      this.#sessions.set(id, session);
    }
    for (const id of gone) {
      ledger.remove(id);
      this.#sessions.delete(id);
    }
  }

  #namesNow(): DocsNames {
    this.#names ??= new DocsNames(this.#options.docs.identities());
    return this.#names;
  }
}
