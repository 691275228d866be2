import type { AttributeUse } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import type { MemoryPlace } from '../core/memory-entry.ts';
import type { OpContext } from '../core/resolver.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { AccessCounts } from './access-counts.ts';
import { attributesOf, removeField, setField } from './attributes.ts';
import { fieldsOfRow } from './entries.ts';
import type { FileTree } from './file-tree.ts';
import type { LiveFile } from './live-file.ts';
import type { Fields } from './metadata.ts';
import type { Moves } from './moves.ts';
import { isWithin, pathOf, placeText } from './places.ts';
import { isTemporaryKey } from './temporary-name.ts';
import { wholeEntry } from './whole-entry.ts';

const PERMISSIONS = 0o7777;

/** Changes of names and attributes, for memories that somebody may have open. */
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
    if (this.#tree.isFile(place) || this.#tree.isFolder(place)) {
      throw new FsError('EEXIST', pathOf(place), 'there is something of this name already');
    }
    this.#tree.requireParent(place);
    const { folders, journal } = this.#tree.entries;
    this.#tree.change([place], () => {
      folders.make(place, mode & PERMISSIONS);
      journal.note(place);
    });
  }

  removeFolder(place: MemoryPlace): void {
    if (this.#tree.list(place).length > 0) {
      throw new FsError('ENOTEMPTY', pathOf(place), 'this folder is not empty');
    }
    const { folders, journal } = this.#tree.entries;
    this.#tree.change([place], () => {
      folders.remove(place);
      journal.note(place);
    });
  }

  remove(place: MemoryPlace, context: OpContext): void {
    const { file, row } = this.#tree.fileAt(place);
    this.#tree.live.whileMoving(() => {
      if (row !== undefined) this.#tree.change([place], () => this.#tree.entries.remove(row, context));
      if (file !== undefined) this.#tree.live.remove(file);
    });
  }

  rename(from: MemoryPlace, to: MemoryPlace, context: OpContext): void {
    this.#tree.requireParent(from);
    this.#tree.requireParent(to);
    if (!this.#tree.isFile(from) && this.#tree.isFolder(from)) this.#renameFolder(from, to, context);
    else this.#renameFile(from, to, context, (row) => this.#moves.renameFile(row, to, context));
  }

  /** Takes an entry that waits for review to where it belongs. */
  accept(waiting: MemoryPlace, to: MemoryPlace, context: OpContext): void {
    if (isTemporaryKey(to.key, { mode: 0, sizeBytes: 1 })) {
      throw new FsError('EINVAL', pathOf(to), 'a temporary file is no memory');
    }
    if (placeText(waiting) !== placeText(to)) {
      this.#renameFile(waiting, to, context, (row) => this.#moves.accept(row, to, context));
      return;
    }
    const row = this.#tree.entries.entryAt(waiting);
    this.#tree.change([to], () => {
      this.#moves.accept(row, to, context);
    });
  }

  reject(waiting: MemoryPlace, context: OpContext): void {
    const row = this.#tree.entries.entryAt(waiting);
    this.#tree.change([waiting], () => this.#tree.entries.remove(row, context, 'review'));
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
      const row = entries.at(place);
      if (row === undefined) return;
      entries.describe(
        row,
        this.#explained(place, () => change(fieldsOfRow(row))),
        context,
      );
    });
  }

  /** What is wrong with a value cannot be guessed from EINVAL. */
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
    this.#tree.requireParent(to);
    if (!this.#tree.isFile(to) && this.#tree.isFolder(to)) {
      throw new FsError('EISDIR', pathOf(to), 'there is a folder of this name');
    }
    if (placeText(from) === placeText(to)) return;
    this.#commitBefore(file, context);
    const row = this.#tree.entries.at(from);
    if (row === undefined) this.#tree.missing(from);
    this.#tree.live.whileMoving(() => {
      const { inodes } = this.#tree.entries;
      const inode = inodes.of(row.id);
      const moved = this.#tree.change<MemoryRow>([from, to], () => move(row));
      this.#tree.live.at(to)?.detach();
      inodes.give(moved.id, inode);
      if (file?.place !== undefined && placeText(file.place) === placeText(from)) file.moveTo(to, moved);
    });
  }

  /** What was written goes with the name; a file that was emptied stays so, and is kept as it was until it is written. */
  #commitBefore(file: LiveFile | undefined, context: OpContext): void {
    if (file === undefined) return;
    this.#tree.committing(file, () => (file.isNew ? file.settle(context) : file.flush(context)));
  }

  #renameFolder(from: MemoryPlace, to: MemoryPlace, context: OpContext): void {
    if (placeText(from) === placeText(to)) return;
    if (from.type === to.type && isWithin(to.key, from.key)) {
      throw new FsError('EINVAL', pathOf(to), 'a folder cannot be moved into itself');
    }
    if (this.#tree.isFile(to)) throw new FsError('ENOTDIR', pathOf(to), 'there is a file of this name');
    if (this.#tree.isFolder(to) && this.#tree.list(to).length > 0) {
      throw new FsError('ENOTEMPTY', pathOf(to), 'this folder is not empty');
    }
    const open = this.#tree.live.below(from);
    for (const file of open) this.#commitBefore(file, context);
    this.#tree.live.whileMoving(() => {
      this.#tree.change([from, to], () => {
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
