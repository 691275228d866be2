import { FsError } from '../core/errors.ts';
import { type MemoryPlace, type MemoryRelation, REVIEW_TAG } from '../core/memory-entry.ts';
import type { OpContext } from '../core/resolver.ts';
import type { Flag, MemoryRow } from '../store/memory-entries.ts';
import type { MemoryTables } from '../store/memory-tables.ts';
import { before, foldedText } from './content.ts';
import { Folders } from './folders.ts';
import type { Said } from './front-matter.ts';
import { Inodes } from './inodes.ts';
import type { Journal } from './journal.ts';
import { parsePlace, pathOf, placeOfRow, splitKey } from './memory-places.ts';
import type { Fields } from './metadata.ts';
import type { MemoryParts } from './parts.ts';

/**
 * The entries as they are stored. Each method has to be called within a transaction of the journal. All changes to entries are made here,
 * in `Writer` and in `Moves`, so that texts, links, history and notifications always follow.
 */
export class Entries {
  readonly tables: MemoryTables;
  readonly folders: Folders;
  readonly inodes = new Inodes();
  readonly parts: MemoryParts;
  readonly journal: Journal;

  constructor(parts: MemoryParts, journal: Journal) {
    this.parts = parts;
    this.tables = parts.store.memory;
    this.folders = new Folders(parts.store.memory.folders, parts.clock);
    this.journal = journal;
  }

  nowMs(): number {
    return this.parts.clock.nowMs();
  }

  /** What is stored at a place, be it an entry or a temporary file. */
  at({ type, key }: MemoryPlace): MemoryRow | undefined {
    const { folder, name } = splitKey(key);
    const row = this.tables.entries.at(type, folder, name);
    return row !== undefined && this.isExpired(row) ? undefined : row;
  }

  /** The present state of an entry or a temporary file, wherever it is by now; undefined if it was removed. It may have expired. */
  became(id: number): MemoryRow | undefined {
    const { entries, adoptions } = this.tables;
    const itself = entries.byId(id);
    if (itself?.removedMs === null) return itself;
    const heirId = adoptions.entryOf(id);
    return heirId === undefined ? undefined : this.became(heirId);
  }

  /** As `became`, but undefined if it has expired. */
  living(id: number): MemoryRow | undefined {
    const row = this.became(id);
    return row !== undefined && this.isExpired(row) ? undefined : row;
  }

  isExpired({ expiresMs }: MemoryRow): boolean {
    return expiresMs !== null && expiresMs <= this.nowMs();
  }

  /** @throws FsError ENOENT */
  entryAt(place: MemoryPlace): MemoryRow {
    const row = this.at(place);
    if (row !== undefined && row.isTemporary === 0) return row;
    throw new FsError('ENOENT', pathOf(place), 'nothing with this name is remembered');
  }

  /** Changes the metadata of an entry. */
  describe(row: MemoryRow, fields: Fields, context: OpContext): MemoryRow {
    const metadata = JSON.stringify(fields);
    if (metadata === row.metadata) return row;
    const nowMs = this.nowMs();
    const next = { ...row, ...this.describing(fields, nowMs), updatedMs: nowMs, version: row.version + 1 };
    this.tables.entries.update(next);
    const place = placeOfRow(next);
    this.journal.note(place);
    if (next.isTemporary === 0) {
      const data = {
        version: next.version,
        metadata: fields,
        before: { version: row.version, metadata: fieldsOfRow(row) },
      };
      this.parts.record({ type: 'write', path: pathOf(place), data, context });
    }
    return next;
  }

  /** Changes what is only shown of a file: its permission bits, its times. */
  show(row: MemoryRow, change: Partial<Pick<MemoryRow, 'mode' | 'modifiedMs' | 'modifiedRestNs'>>): void {
    this.tables.entries.update({ ...row, ...change });
    this.journal.note(placeOfRow(row));
  }

  /** Removes an entry. It can be restored until it is gone for good. */
  remove(row: MemoryRow, context: OpContext, why: 'remove' | 'expire' | 'review' = 'remove'): void {
    if (row.isTemporary === 1) {
      this.dropTemporary(row, context);
      return;
    }
    const place = placeOfRow(row);
    this.#markRemoved(row);
    const { version, sha256 } = row;
    const data = {
      ...(why === 'review' ? { decision: 'rejected' } : {}),
      before: before({ content: this.tables.entries.content(row.id), sha256, version }),
    };
    this.parts.record({ type: why, path: pathOf(place), data, context });
    this.journal.note(place);
    this.folders.touch(place);
  }

  /** Revives a removed entry as itself, whatever has taken over its content meanwhile. */
  revived(row: MemoryRow): MemoryRow {
    this.tables.adoptions.forget(row.id);
    return { ...row, removedMs: null };
  }

  /** Removes an editor's file. An entry that was set aside under this name then counts as removed from where it belongs. */
  dropTemporary(row: MemoryRow, context: OpContext): void {
    const place = placeOfRow(row);
    const origin = row.origin === null ? undefined : parsePlace(row.origin);
    this.journal.note(place);
    this.folders.touch(place);
    if (origin === undefined) {
      this.tables.entries.forget(row.id);
      return;
    }
    this.#markRemoved({ ...row, ...nameOf(origin), isTemporary: 0, origin: null });
    this.parts.record({ type: 'remove', path: pathOf(origin), data: { version: row.version }, context });
  }

  /** To be called before a name is taken: an expired entry may still hold it. */
  clear(place: MemoryPlace, context: OpContext): void {
    const { folder, name } = splitKey(place.key);
    const there = this.tables.entries.at(place.type, folder, name);
    if (there !== undefined && this.isExpired(there)) this.remove(there, context, 'expire');
  }

  #markRemoved(row: MemoryRow): void {
    this.tables.entries.update({ ...row, removedMs: this.nowMs() });
    this.tables.texts.remove(row.id);
  }

  /** Makes an entry known to search, and to others that refer to it by name. */
  index(row: MemoryRow, content: Uint8Array): void {
    const { type, key } = placeOfRow(row);
    const text = foldedText(key, content);
    if (text === undefined) this.tables.texts.remove(row.id);
    else this.tables.texts.put(row.id, text);
    this.tables.links.resolve(row.id, type, key);
  }

  /** Relates an entry to those that its front matter names. */
  link(row: MemoryRow, { relations }: Said): void {
    const links = Object.entries(relations).flatMap(([relation, names]) =>
      names.map((name) => ({
        // The keys are those that `readRelation` has written.
        relation: relation as MemoryRelation,
        name,
        toId: this.named(name, row)?.id ?? null,
      })),
    );
    this.tables.links.replaceSaid(row.id, links);
  }

  /** The entry that another one means by a name: `fact/refunds`, or a key, which is first looked for among the entries of its own type. */
  named(name: string, by: Pick<MemoryRow, 'id' | 'type'>): MemoryRow | undefined {
    const places = [parsePlace(name), { type: by.type, key: name }].filter((place) => place !== undefined);
    const others = (['fact', 'episodic', 'procedural'] as const).map((type) => ({ type, key: name }));
    for (const place of [...places, ...others]) {
      const row = this.at(place);
      if (row !== undefined && row.isTemporary === 0 && row.id !== by.id) return row;
    }
    return undefined;
  }

  /** The columns of the table that are derived from the fields. */
  describing(
    fields: Fields,
    updatedMs: number,
    expiresMs = updatedMs + Math.ceil((fields.ttl ?? 0) * 1000),
  ): Pick<MemoryRow, 'metadata' | 'needsReview' | 'expiresMs'> {
    return {
      metadata: JSON.stringify(fields),
      needsReview: flag(fields.tags?.includes(REVIEW_TAG) ?? false),
      expiresMs: fields.ttl === undefined ? null : expiresMs,
    };
  }
}

export function fieldsOfRow({ metadata }: MemoryRow): Fields {
  return JSON.parse(metadata);
}

export function nameOf({ type, key }: MemoryPlace): Pick<MemoryRow, 'type' | 'folder' | 'name'> {
  return { type, ...splitKey(key) };
}

export function flag(value: boolean): Flag {
  return value ? 1 : 0;
}
