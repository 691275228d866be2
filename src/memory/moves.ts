import { FsError } from '../core/errors.ts';
import { type MemoryPlace, placeText, REVIEW_TAG } from '../core/memory-entry.ts';
import type { OpContext } from '../core/resolver.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import { type Entries, fieldsOfRow, nameOf } from './entries.ts';
import { foldersOf, pathOf, placeOfRow } from './memory-places.ts';
import type { Fields } from './metadata.ts';
import type { Draft } from './parts.ts';
import { isTemporaryKey, mayBeTemporaryName, NAME_ALONE } from './temporary-name.ts';
import { modifiedNsOf } from './times.ts';
import type { Writer } from './writer.ts';

/**
 * Changes of names: what rename(2) means for memories, their folders and the files of editors. Each method has to be called within a
 * transaction of the journal.
 */
export class Moves {
  readonly #entries: Entries;
  readonly #writer: Writer;

  constructor(entries: Entries, writer: Writer) {
    this.#entries = entries;
    this.#writer = writer;
  }

  /**
   * Renames an existing file to a name in an existing folder.
   * - A temporary file that takes the name of an entry becomes the new content of that: the entry keeps its author, its creation time and its
   *   metadata.
   * - An entry that takes the name of a temporary file was set aside by an editor. Whatever is written under its old name later is still the same
   * entry; if nothing is, the entry counts as removed.
   * - An entry that takes the name of another one replaces it. The other can be restored.
   * @throws FsError EINVAL if the front matter of a temporary file has an impossible value
   */
  renameFile(from: MemoryRow, to: MemoryPlace, context: OpContext): MemoryRow {
    const old = placeOfRow(from);
    const isToTemporary = isTemporaryKey(to.key, NAME_ALONE);
    const target = this.#entries.at(to);
    this.#entries.journal.note(old);
    this.#entries.folders.touch(old);
    this.#entries.folders.touch(to);
    if (isToTemporary) {
      if (target !== undefined) this.#entries.dropTemporary(target, context);
      return from.isTemporary === 1 ? this.#place(from, to) : this.#setAside(from, to, context);
    }
    const isTemporary = from.isTemporary === 1 || (target !== undefined && mayBeTemporaryName(from.name));
    if (isTemporary) return this.#adopt(from, target, to, context);
    if (target !== undefined) this.#entries.remove(target, context);
    const row = this.#place(from, to);
    this.#indexed(row);
    this.#recordRename(old, to, context);
    return row;
  }

  /** @param to a name that is not taken, in an existing folder */
  renameFolder(from: MemoryPlace, to: MemoryPlace, context: OpContext): void {
    const { folders, tables } = this.#entries;
    const below = tables.entries.below(from.type, from.key);
    folders.move(from, to);
    for (const row of below) {
      const { key } = placeOfRow(row);
      const place = { type: to.type, key: `${to.key}${key.slice(from.key.length)}` };
      if (row.isTemporary === 0 && !isTemporaryKey(place.key, NAME_ALONE)) {
        this.#entries.journal.note(placeOfRow(row));
        this.#indexed(this.#place(row, place));
      } else this.renameFile(row, place, context);
    }
    this.#entries.journal.note(from);
    this.#entries.journal.note(to);
    const data = { to: pathOf(to), count: below.length };
    this.#entries.parts.record({ type: 'rename', path: pathOf(from), data, context });
  }

  /** Moves an entry that waited for review to where it belongs, for the person who accepts it. */
  accept(waiting: MemoryRow, to: MemoryPlace, context: OpContext): MemoryRow {
    const isElsewhere = placeText(placeOfRow(waiting)) !== placeText(to);
    const moved = isElsewhere ? this.renameFile(waiting, to, context) : waiting;
    const fields = fieldsOfRow(moved);
    const tags = fields.tags?.filter((tag) => tag !== REVIEW_TAG) ?? [];
    const { tags: _, ...rest } = fields;
    const accepted = { confidence: 1, ...rest, ...(tags.length === 0 ? {} : { tags }) };
    const nowMs = this.#entries.nowMs();
    const row: MemoryRow = {
      ...moved,
      ...this.#entries.describing(accepted, nowMs),
      reviewer: this.#entries.parts.actorOf(context),
      reviewedMs: nowMs,
      updatedMs: nowMs,
      version: moved.version + 1,
    };
    this.#entries.tables.entries.update(row);
    this.#entries.journal.note(to);
    const data = {
      decision: 'accepted',
      confidence: accepted.confidence,
      version: row.version,
      ...(isElsewhere ? { from: pathOf(placeOfRow(waiting)) } : {}),
    };
    this.#entries.parts.record({ type: 'review', path: pathOf(to), data, context });
    return row;
  }

  /** Restores an entry that was removed or had expired. @throws FsError EEXIST, ENOTDIR */
  restore(removed: MemoryRow, context: OpContext): MemoryRow {
    const place = placeOfRow(removed);
    if (this.#entries.at(place) !== undefined || this.#entries.folders.at(place) !== undefined) {
      throw new FsError(
        'EEXIST',
        pathOf(place),
        'there is something with this name again; move it away first',
      );
    }
    this.makeFolders(place);
    if (removed.removedMs !== null) this.#entries.clear(place, context);
    const nowMs = this.#entries.nowMs();
    const { expiresMs } = this.#entries.describing(fieldsOfRow(removed), nowMs);
    const row = { ...this.#entries.revived(removed), expiresMs, version: removed.version + 1 };
    this.#entries.tables.entries.update(row);
    this.#indexed(row);
    this.#entries.folders.touch(place);
    const { sizeBytes: bytes, sha256, version } = row;
    this.#entries.parts.record({
      type: 'restore',
      path: pathOf(place),
      data: { bytes, sha256, version },
      context,
    });
    return row;
  }

  /** Makes the folders of a key that do not exist yet. @throws FsError ENOTDIR if an entry has the name of one of them */
  makeFolders({ type, key }: MemoryPlace): void {
    for (const folder of foldersOf(key)) {
      const place = { type, key: folder };
      if (this.#entries.at(place) !== undefined) {
        throw new FsError('ENOTDIR', pathOf({ type, key }), `${folder} is an entry and no folder`);
      }
      if (this.#entries.folders.at(place) === undefined) {
        this.#entries.folders.make(place);
        this.#entries.journal.note(place);
      }
    }
  }

  /** Makes a memory of a temporary file: its content goes to the entry that has the name, or had it, or to a new one. */
  #adopt(from: MemoryRow, target: MemoryRow | undefined, to: MemoryPlace, context: OpContext): MemoryRow {
    const { tables } = this.#entries;
    if (target === undefined && from.origin !== null) return this.#putBack(from, to, context);
    const owner = target ?? tables.entries.setAsideFrom(placeText(to));
    const content = tables.entries.content(from.id);
    const { mode, createdMs } = from;
    const fields = fieldsOfRow(from);
    const describe = (there: Fields): Fields => ({ ...there, ...fields });
    const draft: Draft = { content, mode, createdMs, modifiedNs: modifiedNsOf(from), describe };
    if (owner !== undefined) {
      this.#entries.remove(from, context);
      const row = this.#writer.put(to, draft, context);
      tables.adoptions.add(from.id, row.id, this.#entries.nowMs());
      return row;
    }
    const { id: temporaryId, actor, session } = from;
    const made = { ...(actor === null ? {} : { actor }), ...(session === null ? {} : { session }) };
    return this.#writer.put(to, { ...draft, ...made, temporaryId }, context);
  }

  /** Gives an entry that was set aside the name of a memory again. */
  #putBack(aside: MemoryRow, to: MemoryPlace, context: OpContext): MemoryRow {
    const row = this.#place({ ...aside, isTemporary: 0, origin: null }, to);
    this.#indexed(row);
    this.#recordRename(placeOfRow(aside), to, context);
    return row;
  }

  #setAside(entry: MemoryRow, to: MemoryPlace, context: OpContext): MemoryRow {
    const origin = placeOfRow(entry);
    const row = this.#place({ ...entry, isTemporary: 1, origin: placeText(origin) }, to);
    this.#entries.tables.texts.remove(row.id);
    this.#recordRename(origin, to, context);
    return row;
  }

  #place(row: MemoryRow, to: MemoryPlace): MemoryRow {
    this.#entries.clear(to, {});
    const moved = { ...row, ...nameOf(to) };
    this.#entries.tables.entries.update(moved);
    this.#entries.journal.note(to);
    return moved;
  }

  #indexed(row: MemoryRow): void {
    this.#entries.index(row, this.#entries.tables.entries.content(row.id));
    this.#entries.journal.note(placeOfRow(row));
  }

  #recordRename(from: MemoryPlace, to: MemoryPlace, context: OpContext): void {
    const data = { to: pathOf(to) };
    this.#entries.parts.record({ type: 'rename', path: pathOf(from), data, context });
  }
}
