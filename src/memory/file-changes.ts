import type { AttributeUse } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import { PERMISSION_BITS } from '../core/file-modes.ts';
import { type MemoryPlace, placeText } from '../core/memory-entry.ts';
import { isWithin } from '../core/paths.ts';
import type { OpContext } from '../core/resolver.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { AccessCounts } from './access-counts.ts';
import { attributesOf, removeField, setField } from './attributes.ts';
import { fieldsOfRow } from './entries.ts';
import type { FileTree } from './file-tree.ts';
import type { LiveFile } from './live-file.ts';
import { pathOf } from './memory-places.ts';
import type { Fields } from './metadata.ts';
import type { Moves } from './moves.ts';
import { isTemporaryKey } from './temporary-name.ts';
import { wholeEntry } from './whole-entry.ts';

/**
 * Changes of names and attributes of memories that somebody may have open. Whatever is checked before a transaction is checked again inside it, since
 * another process may have made changes in between.
 */
export class FileChanges {
  readonly #tree: FileTree;
  readonly #moves: Moves;
  readonly #accesses: AccessCounts;

  constructor(tree: FileTree, moves: Moves, accesses: AccessCounts) {
    this.#tree = tree;
    this.#moves = moves;
    this.#accesses = accesses;
  }

  makeFolder(place: MemoryPlace, mode: number): void {
    const { folders, journal } = this.#tree.entries;
    this.#requireFree(place);
    this.#tree.change([place], () => {
      this.#requireFree(place);
      folders.make(place, mode & PERMISSION_BITS);
      journal.note(place);
    });
  }

  removeFolder(place: MemoryPlace): void {
    const { folders, journal } = this.#tree.entries;
    this.#requireEmpty(place);
    this.#tree.change([place], () => {
      this.#requireEmpty(place);
      folders.remove(place);
      journal.note(place);
    });
  }

  remove(place: MemoryPlace, context: OpContext): void {
    const { file, row } = this.#tree.fileAt(place);
    this.#tree.live.whileMoving(() => {
      if (row !== undefined)
        this.#tree.change([place], () => this.#tree.entries.remove(this.#tree.rowAt(place), context));
      if (file !== undefined) this.#tree.live.remove(file);
    });
  }

  rename(from: MemoryPlace, to: MemoryPlace, context: OpContext): void {
    this.#tree.requireParent(from);
    this.#tree.requireParent(to);
    if (!this.#tree.isFile(from) && this.#tree.isFolder(from)) this.#renameFolder(from, to, context);
    else this.#renameFile(from, to, context, (row) => this.#moves.renameFile(row, to, context));
  }

  /** Moves an entry that waits for review to where it belongs. */
  accept(waiting: MemoryPlace, to: MemoryPlace, context: OpContext): void {
    if (isTemporaryKey(to.key, { mode: 0, sizeBytes: 1 })) {
      throw new FsError('EINVAL', pathOf(to), 'a temporary file is not a memory');
    }
    if (placeText(waiting) !== placeText(to)) {
      this.#renameFile(waiting, to, context, (row) => this.#moves.accept(row, to, context));
      return;
    }
    this.#tree.change([to], () => {
      this.#moves.accept(this.#tree.entries.entryAt(waiting), to, context);
    });
  }

  reject(waiting: MemoryPlace, context: OpContext): void {
    const { entries } = this.#tree;
    this.#tree.change([waiting], () => entries.remove(entries.entryAt(waiting), context, 'review'));
    this.#tree.live.at(waiting)?.detach();
  }

  attributes(place: MemoryPlace): ReadonlyMap<string, string> {
    if (!this.#tree.isFile(place) && this.#tree.isFolder(place)) return new Map();
    const { row } = this.#tree.fileAt(place);
    const { tables } = this.#tree.entries;
    const whole = row && tables.entries.whole(row.id, this.#tree.entries.nowMs());
    return whole === undefined
      ? new Map()
      : attributesOf(wholeEntry(whole, this.#accesses.pending(whole.id)));
  }

  setAttribute(
    place: MemoryPlace,
    name: string,
    value: Uint8Array,
    use: AttributeUse,
    context: OpContext,
  ): void {
    const path = pathOf(place);
    this.#describe(place, context, (fields) => setField(fields, name, value, use, path));
  }

  removeAttribute(place: MemoryPlace, name: string, context: OpContext): void {
    this.#describe(place, context, (fields) => removeField(fields, name, pathOf(place)));
  }

  #describe(place: MemoryPlace, context: OpContext, change: (fields: Fields) => Fields): void {
    if (!this.#tree.isFile(place) && this.#tree.isFolder(place)) {
      throw new FsError('ENOTSUP', pathOf(place), 'folders of memories have no attributes');
    }
    const { file } = this.#tree.fileAt(place);
    const { entries } = this.#tree;
    if (file?.isNew) this.#commitBefore(file, context);
    this.#tree.change([place], () => {
      const row = this.#tree.rowAt(place);
      entries.describe(
        row,
        this.#explained(place, () => change(fieldsOfRow(row))),
        context,
      );
    });
  }

  /** Logs what is wrong with a value, since nobody can guess that from EINVAL. */
  #explained<T>(place: MemoryPlace, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof FsError && error.code === 'EINVAL') {
        this.#tree.entries.parts.errors.add({ code: error.code, path: pathOf(place), message: error.why });
      }
      throw error;
    }
  }

  #renameFile(
    from: MemoryPlace,
    to: MemoryPlace,
    context: OpContext,
    move: (row: MemoryRow) => MemoryRow,
  ): void {
    const { file } = this.#tree.fileAt(from);
    this.#requireTarget(to);
    if (placeText(from) === placeText(to)) return;
    this.#commitBefore(file, context);
    this.#tree.rowAt(from);
    this.#tree.live.whileMoving(() => {
      const { inodes } = this.#tree.entries;
      const { moved, inode } = this.#tree.change<{ moved: MemoryRow; inode: number }>([from, to], () => {
        this.#requireTarget(to);
        const row = this.#tree.rowAt(from);
        const inode = inodes.of(row.id);
        return { moved: move(row), inode };
      });
      this.#tree.live.at(to)?.detach();
      inodes.give(moved.id, inode);
      if (file?.place !== undefined && placeText(file.place) === placeText(from)) file.moveTo(to, moved);
    });
  }

  #requireFree(place: MemoryPlace): void {
    if (this.#tree.isFile(place) || this.#tree.isFolder(place)) {
      throw new FsError('EEXIST', pathOf(place), 'there is already something with this name');
    }
    this.#tree.requireParent(place);
  }

  #requireEmpty(folder: MemoryPlace): void {
    if (this.#tree.list(folder).length > 0) {
      throw new FsError('ENOTEMPTY', pathOf(folder), 'this folder is not empty');
    }
  }

  /** Checks the place that a file is to be renamed to. */
  #requireTarget(to: MemoryPlace): void {
    this.#tree.requireParent(to);
    if (!this.#tree.isFile(to) && this.#tree.isFolder(to)) {
      throw new FsError('EISDIR', pathOf(to), 'there is a folder with this name');
    }
  }

  /** Checks the place that a folder is to be renamed to. */
  #requireFolderTarget(to: MemoryPlace): void {
    if (this.#tree.isFile(to)) throw new FsError('ENOTDIR', pathOf(to), 'there is a file with this name');
    if (this.#tree.isFolder(to)) this.#requireEmpty(to);
  }

  /** Written content moves with the name. A file that was only emptied stays so: until it is written to, the store has it as it was. */
  #commitBefore(file: LiveFile | undefined, context: OpContext): void {
    if (file === undefined) return;
    this.#tree.committing(file, () => (file.isNew ? file.settle(context) : file.flush(context)));
  }

  #renameFolder(from: MemoryPlace, to: MemoryPlace, context: OpContext): void {
    if (placeText(from) === placeText(to)) return;
    if (from.type === to.type && isWithin(to.key, from.key)) {
      throw new FsError('EINVAL', pathOf(to), 'a folder cannot be moved into itself');
    }
    this.#requireFolderTarget(to);
    const open = this.#tree.live.below(from);
    for (const file of open) this.#commitBefore(file, context);
    this.#tree.live.whileMoving(() => {
      this.#tree.change([from, to], () => {
        if (!this.#tree.isFolder(from)) this.#tree.missing(from);
        this.#tree.requireParent(to);
        this.#requireFolderTarget(to);
        this.#tree.entries.folders.remove(to);
        this.#moves.renameFolder(from, to, context);
      });
      for (const file of open) this.#moveWith(file, from, to);
    });
  }

  #moveWith(file: LiveFile, from: MemoryPlace, to: MemoryPlace): void {
    const { place } = file;
    if (place === undefined || !isWithin(place.key, from.key)) return;
    const moved = { type: to.type, key: `${to.key}${place.key.slice(from.key.length)}` };
    file.moveTo(moved, this.#tree.entries.at(moved));
  }
}
