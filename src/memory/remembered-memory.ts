/** Long because each way to use memory has its method here. */
import { FsError } from '../core/errors.ts';
import { batchesOf } from '../core/group.ts';
import {
  MEMORY_TYPES,
  type MemoryEntry,
  type MemoryLink,
  type MemoryMetadata,
  type MemoryPlace,
  type MemoryRelation,
  PROVENANCE_KEYS,
  placeText,
} from '../core/memory-entry.ts';
import type { OpContext, Unsubscribe } from '../core/resolver.ts';
import { MEMORY_POINT } from '../core/tree-points.ts';
import type { MemoryRow, WholeMemoryRow } from '../store/memory-entries.ts';
import type { Settled } from '../store/store.ts';
import type { AccessCounts } from './access-counts.ts';
import { sha256Of } from './content.ts';
import { type Entries, fieldsOfRow } from './entries.ts';
import { collectGarbage } from './gc.ts';
import type { LiveFiles } from './live-files.ts';
import type { GcReport, Memory, MemoryFilter, MemoryVersion, NewMemory } from './memory.ts';
import { comparePlaces, parsePlace, pathOf, placeOfRow, requireKey, splitKey } from './memory-places.ts';
import { type Fields, isMetadataField, readField } from './metadata.ts';
import type { Moves } from './moves.ts';
import type { Draft } from './parts.ts';
import { searchEntries } from './search.ts';
import { isTemporaryKey, NAME_ALONE } from './temporary-name.ts';
import { wholeEntry } from './whole-entry.ts';
import type { Writer } from './writer.ts';

interface RememberedParts {
  readonly entries: Entries;
  readonly writer: Writer;
  readonly moves: Moves;
  readonly accesses: AccessCounts;
  readonly live: LiveFiles;
}

const BATCH = 1000;

export class RememberedMemory implements Memory {
  readonly #entries: Entries;
  readonly #writer: Writer;
  readonly #moves: Moves;
  readonly #accesses: AccessCounts;
  readonly #live: LiveFiles;
  #lookedAtMs: number;

  constructor({ entries, writer, moves, accesses, live }: RememberedParts) {
    this.#entries = entries;
    this.#writer = writer;
    this.#moves = moves;
    this.#accesses = accesses;
    this.#live = live;
    this.#lookedAtMs = entries.nowMs();
  }

  list({ type, tag, kind, removed = false }: MemoryFilter = {}): MemoryEntry[] {
    const { tables } = this.#entries;
    const nowMs = this.#entries.nowMs();
    const present =
      kind === undefined
        ? () => tables.entries.allWhole(nowMs, type)
        : () => tables.entries.kindWhole(nowMs, kind);
    const rows = removed ? tables.entries.removedWhole(nowMs) : present();
    return rows
      .map((row) => this.#entryOf(row))
      .filter(
        (entry) =>
          (type === undefined || entry.type === type) && (tag === undefined || entry.tags.includes(tag)),
      )
      .sort((a, b) => comparePlaces(a, b) || (a.removedMs ?? 0) - (b.removedMs ?? 0));
  }

  places(): MemoryPlace[] {
    const rows = this.#entries.tables.entries.places(this.#entries.nowMs());
    return rows.map(placeOfRow).sort(comparePlaces);
  }

  count(): number {
    return this.#entries.tables.entries.count(this.#entries.nowMs());
  }

  get(place: MemoryPlace): MemoryEntry | undefined {
    const row = this.#entries.at(place);
    return row === undefined || row.isTemporary === 1 ? undefined : this.#whole(row);
  }

  find(name: string): MemoryEntry[] {
    return placesNamed(name).flatMap((place) => this.get(place) ?? []);
  }

  add(entry: NewMemory, context: OpContext): MemoryEntry {
    return this.#entries.journal.transact(pathOf(entry), () => {
      if (this.#entries.at(entry) !== undefined) {
        throw new FsError('EEXIST', pathOf(entry), 'there is already a memory with this name');
      }
      return this.#whole(this.#put(entry, context));
    });
  }

  addAll(
    entries: Iterable<NewMemory>,
    context: OpContext,
  ): { added: number; replaced: number; same: number } {
    const counts = { added: 0, replaced: 0, same: 0 };
    for (const batch of batchesOf(entries, BATCH)) {
      // An error in one entry does not undo those before it.
      const failure = this.#entries.journal.transact<{ error: unknown } | undefined>(MEMORY_POINT, () => {
        for (const entry of batch) {
          try {
            counts[this.#addOrReplace(entry, context)] += 1;
          } catch (error) {
            return { error };
          }
        }
        return undefined;
      });
      if (failure !== undefined) throw failure.error;
    }
    return counts;
  }

  replace(place: MemoryPlace, content: Uint8Array, context: OpContext): MemoryEntry {
    return this.#entries.journal.transact(pathOf(place), () => {
      this.#entries.entryAt(place);
      return this.#whole(this.#writer.put(place, { content }, context));
    });
  }

  describe(place: MemoryPlace, change: Partial<MemoryMetadata>, context: OpContext): MemoryEntry {
    return this.#entries.journal.transact(pathOf(place), () => {
      const row = this.#entries.entryAt(place);
      const fields = withChange(fieldsOfRow(row), change, place);
      return this.#whole(this.#entries.describe(row, fields, context));
    });
  }

  relate(
    from: MemoryPlace,
    relation: MemoryRelation,
    to: MemoryPlace,
    weight: number,
    context: OpContext,
  ): void {
    this.#entries.journal.transact(pathOf(from), () => {
      const source = this.#entries.entryAt(from);
      const target = this.#entries.entryAt(to);
      if (!(weight > 0 && weight <= 1))
        throw new FsError('EINVAL', pathOf(from), 'a weight has to be over 0 and at most 1');
      if (source.id === target.id)
        throw new FsError('EINVAL', pathOf(from), 'a memory is not related to itself');
      this.#entries.tables.links.put(source.id, relation, target.id, weight);
      this.#entries.journal.note(from);
      this.#entries.journal.note(to);
      const data = { relation, to: pathOf(to), weight };
      this.#entries.parts.record({ type: 'relate', path: pathOf(from), data, context });
    });
  }

  transact<T>(body: () => Settled<T>): T {
    return this.#entries.journal.transact(MEMORY_POINT, body);
  }

  links(around?: readonly MemoryPlace[]): MemoryLink[] {
    const { links } = this.#entries.tables;
    const nowMs = this.#entries.nowMs();
    const idsOf = (places: readonly MemoryPlace[]) =>
      places.flatMap((place) => this.#entries.at(place)?.id ?? []);
    const rows = around === undefined ? links.all(nowMs) : links.around(idsOf(around), nowMs);
    return rows.flatMap((row) => {
      const from = parsePlace(row.fromPlace);
      const to = parsePlace(row.toPlace);
      return from && to ? [{ from, relation: row.relation, to, weight: row.weight }] : [];
    });
  }

  versions(place: MemoryPlace): MemoryVersion[] {
    return this.#entries.tables.versions.of(this.#entries.entryAt(place).id);
  }

  remove(place: MemoryPlace, context: OpContext): void {
    this.#entries.journal.transact(pathOf(place), () => {
      this.#entries.remove(this.#entries.entryAt(place), context);
    });
  }

  accept(waiting: MemoryPlace, to: MemoryPlace, context: OpContext): MemoryEntry {
    return this.#entries.journal.transact(pathOf(to), () => {
      const row = this.#waiting(waiting);
      if (placeText(waiting) !== placeText(to)) this.#prepare(to, context);
      return this.#whole(this.#moves.accept(row, to, context));
    });
  }

  reject(waiting: MemoryPlace, context: OpContext): void {
    this.#entries.journal.transact(pathOf(waiting), () => {
      this.#entries.remove(this.#waiting(waiting), context, 'review');
    });
  }

  restore(name: string, context: OpContext): MemoryEntry {
    return this.#entries.journal.transact(MEMORY_POINT, () => {
      const place = parsePlace(name);
      const named = place === undefined ? [] : this.#removedFrom(place);
      const removed =
        named.length > 0 ? named : placesNamed(name).flatMap((place) => this.#removedFrom(place));
      const [last] = removed.sort((a, b) => endOf(b) - endOf(a) || b.id - a.id);
      if (last === undefined) throw this.#nothingToRestore(name);
      return this.#whole(this.#moves.restore(last, context));
    });
  }

  gc(options: { readonly dryRun: boolean }, context: OpContext): GcReport {
    const isOpen = (place: MemoryPlace): boolean => this.#live.at(place) !== undefined;
    return this.#entries.journal.transact<GcReport>(MEMORY_POINT, () =>
      collectGarbage(this.#entries, options, isOpen, context),
    );
  }

  search(query: Parameters<Memory['search']>[0]): ReturnType<Memory['search']> {
    return searchEntries(this.#entries, query);
  }

  revision(): number {
    return this.#entries.journal.revision();
  }

  onChange(listener: (places: readonly MemoryPlace[]) => void): Unsubscribe {
    return this.#entries.journal.onChange(({ places }) => listener(places));
  }

  refresh(): number | undefined {
    const { journal, tables } = this.#entries;
    journal.catchUp();
    const sinceMs = this.#lookedAtMs;
    this.#lookedAtMs = this.#entries.nowMs();
    journal.tellElapsed(tables.entries.expired(this.#lookedAtMs, sinceMs).map(placeOfRow));
    return tables.entries.nextExpiryMs(this.#lookedAtMs);
  }

  close(): void {
    this.#accesses.keep();
  }

  #addOrReplace(entry: NewMemory, context: OpContext): 'added' | 'replaced' | 'same' {
    const row = this.#entries.at(entry);
    if (row === undefined || row.isTemporary === 1) {
      this.#put(entry, context);
      return 'added';
    }
    const fields = withChange(fieldsOfRow(row), entry, entry);
    const { content, review } = entry;
    const isSame =
      sha256Of(content) === row.sha256 &&
      JSON.stringify(fields) === row.metadata &&
      (review === undefined || review.reviewer === row.reviewer);
    if (isSame) return 'same';
    this.#put(entry, context);
    return 'replaced';
  }

  #put(entry: NewMemory, context: OpContext): MemoryRow {
    const { type, key, content, createdMs, updatedMs, expiresMs, review, actor, session } = entry;
    const place = { type, key };
    this.#requireEntryPlace(place);
    this.#moves.makeFolders(place);
    const draft: Draft = {
      content,
      describe: (fields) => withChange(fields, entry, place),
      ...(createdMs === undefined ? {} : { createdMs }),
      ...(updatedMs === undefined ? {} : { updatedMs }),
      ...(expiresMs === undefined ? {} : { expiresMs }),
      ...(review === undefined ? {} : { review }),
      ...(actor === undefined ? {} : { actor }),
      ...(session === undefined ? {} : { session }),
    };
    return this.#writer.put(place, draft, context);
  }

  /** @throws FsError EINVAL, EEXIST if there can be no entry at this place */
  #requireEntryPlace(place: MemoryPlace): void {
    requireKey(place);
    if (isTemporaryKey(place.key, NAME_ALONE)) {
      throw new FsError(
        'EINVAL',
        pathOf(place),
        'names like this are those of temporary files, which are not memories',
      );
    }
    if (this.#entries.folders.at(place) !== undefined) {
      throw new FsError('EEXIST', pathOf(place), 'there is a folder with this name');
    }
  }

  /** Makes way for an entry that is moved to a place. */
  #prepare(place: MemoryPlace, context: OpContext): void {
    this.#requireEntryPlace(place);
    if (this.#entries.at(place) !== undefined) {
      throw new FsError('EEXIST', pathOf(place), 'there is already a memory with this name');
    }
    this.#moves.makeFolders(place);
    this.#entries.clear(place, context);
  }

  #waiting(place: MemoryPlace): MemoryRow {
    const row = this.#entries.entryAt(place);
    if (row.needsReview === 1) return row;
    throw new FsError('EINVAL', pathOf(place), 'this does not wait for review');
  }

  #nothingToRestore(name: string): FsError {
    if (this.find(name).length > 0)
      return new FsError('EEXIST', name, 'this is remembered, and was not removed');
    return new FsError('ENOENT', name, 'nothing with this name was removed');
  }

  /** Entries that were removed from a place, and the expired one that is still there, if any. */
  #removedFrom({ type, key }: MemoryPlace): MemoryRow[] {
    const { folder, name } = splitKey(key);
    const { entries } = this.#entries.tables;
    const there = entries.at(type, folder, name);
    const removed = entries.removedAs(folder, name).filter((row) => row.type === type);
    return there !== undefined && this.#entries.isExpired(there) ? [there, ...removed] : removed;
  }

  #whole(row: MemoryRow): MemoryEntry {
    const whole = this.#entries.tables.entries.whole(row.id, this.#entries.nowMs());
    if (whole === undefined) throw new Error(`there is no entry ${row.id}: ${placeText(placeOfRow(row))}`);
    return this.#entryOf(whole);
  }

  #entryOf(row: WholeMemoryRow): MemoryEntry {
    return wholeEntry(row, this.#accesses.pending(row.id));
  }
}

/** The places that a name may mean. If it has the form of a place, like `fact/refunds`, that comes first. */
function placesNamed(name: string): MemoryPlace[] {
  const place = parsePlace(name);
  const ofEachType = MEMORY_TYPES.map((type) => ({ type, key: name }));
  return place === undefined ? ofEachType : [place, ...ofEachType];
}

/** When an entry was removed, or expired. */
function endOf({ removedMs, expiresMs }: MemoryRow): number {
  return removedMs ?? expiresMs ?? 0;
}

/**
 * The fields after a change, which uses the program's own names for them. An empty list removes a field.
 * @throws FsError EINVAL
 */
function withChange(fields: Fields, change: Partial<MemoryMetadata>, place: MemoryPlace): Fields {
  const given: [string, unknown][] = [
    ['confidence', change.confidence],
    ['tags', change.tags],
    ['source_paths', change.sourcePaths],
    ['ttl', change.ttlSeconds],
    ...PROVENANCE_KEYS.map((key): [string, unknown] => [key, change.provenance?.[key]]),
  ];
  let changed = fields;
  for (const [name, value] of given) {
    if (value === undefined || !isMetadataField(name)) continue;
    const read = readField(name, value);
    if ('problem' in read) throw new FsError('EINVAL', pathOf(place), read.problem);
    const { [name]: _, ...rest } = changed;
    changed = Array.isArray(value) && value.length === 0 ? rest : { ...changed, ...read.fields };
  }
  return changed;
}
