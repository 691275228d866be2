import type { CreateOptions, Space, TimeNs, Times, WriteOptions } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import { PERMISSION_BITS } from '../core/file-modes.ts';
import { type MemoryPlace, placeText } from '../core/memory-entry.ts';
import { folderInfo } from '../core/node-info.ts';
import type { SubPath } from '../core/paths.ts';
import type { DirEntry, NodeInfo, OpContext } from '../core/resolver.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { MemoryFolderRow } from '../store/memory-folders.ts';
import type { Settled } from '../store/store.ts';
import type { AccessCounts } from './access-counts.ts';
import type { Entries } from './entries.ts';
import type { LiveFile } from './live-file.ts';
import type { LiveFiles } from './live-files.ts';
import { type HandleParts, ReadingHandle, WritingHandle } from './live-handles.ts';
import { foldersOf, pathOf, splitKey, subPathOf } from './memory-places.ts';
import { laterThan, modifiedNsOf, modifiedOf } from './times.ts';

/** Runs a change that was asked for at these paths. Whoever asked for it knows of it, and is not told. */
type Knowing = <T>(paths: readonly SubPath[], act: () => T) => T;

interface FileTreeParts {
  readonly entries: Entries;
  readonly live: LiveFiles;
  readonly accesses: AccessCounts;
  readonly knowing: Knowing;
  /**
   * Whether files have the inode numbers of their entries. Only one folder may do that: to rename(2), two paths with one inode are one file, and
   * there is nothing to move.
   */
  readonly hasInodes: boolean;
}

/** What is found at a place. */
type Found = { readonly file: LiveFile | undefined; readonly row: MemoryRow | undefined };

/** Finds, opens and shows what is at places. */
export class FileTree {
  readonly entries: Entries;
  readonly live: LiveFiles;
  readonly #knowing: Knowing;
  readonly #accesses: AccessCounts;
  readonly #hasInodes: boolean;

  constructor({ entries, live, accesses, knowing, hasInodes }: FileTreeParts) {
    this.entries = entries;
    this.live = live;
    this.#knowing = knowing;
    this.#accesses = accesses;
    this.#hasInodes = hasInodes;
  }

  stat(place: MemoryPlace): NodeInfo {
    const file = this.live.at(place);
    if (file !== undefined) return this.#infoOf(file);
    const row = place.key === '' ? undefined : this.entries.at(place);
    if (row !== undefined) {
      const info = { sizeBytes: row.sizeBytes, modifiedNs: modifiedNsOf(row), mode: row.mode };
      const inode = this.#hasInodes ? { inode: this.entries.inodes.of(row.id) } : {};
      return { kind: 'file', ...info, ...inode };
    }
    const folder = this.entries.folders.at(place);
    if (folder === undefined) return this.missing(place);
    return { ...folderInfo(modifiedNsOf(folder)), mode: folder.mode };
  }

  list(place: MemoryPlace): DirEntry[] {
    if (!this.isFolder(place)) {
      if (this.isFile(place)) throw new FsError('ENOTDIR', pathOf(place), 'this is not a folder');
      return this.missing(place);
    }
    const { tables, folders } = this.entries;
    const expired = new Set(tables.entries.expiredNames(place.type, place.key, this.entries.nowMs()));
    const kept = tables.entries.names(place.type, place.key);
    const files = expired.size === 0 ? kept : kept.filter((name) => !expired.has(name));
    const entries: DirEntry[] = [...new Set([...files, ...this.live.newNames(place)])].map((name) => ({
      name,
      kind: 'file',
    }));
    for (const name of folders.names(place)) entries.push({ name, kind: 'directory' });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  open(place: MemoryPlace, context: OpContext): ReadingHandle {
    const { file, row } = this.fileAt(place);
    if (row?.isTemporary === 0) this.#accesses.count(row.id);
    return new ReadingHandle(this.#handleOf(file ?? this.#take(place, row), context));
  }

  openToWrite(place: MemoryPlace, { append, truncate }: WriteOptions, context: OpContext): WritingHandle {
    const { file, row } = this.fileAt(place);
    const opened = row === undefined && file !== undefined ? file : this.#take(place, row);
    const handle = new WritingHandle(this.#handleOf(opened, context), { append });
    try {
      if (truncate) handle.empty();
      return handle;
    } catch (error) {
      handle.close();
      throw error;
    }
  }

  create(place: MemoryPlace, options: CreateOptions, context: OpContext): WritingHandle {
    if (this.isFile(place)) {
      if (options.exclusive)
        throw new FsError('EEXIST', pathOf(place), 'there is already something with this name');
      return this.openToWrite(place, options, context);
    }
    if (this.isFolder(place)) {
      throw new FsError(
        options.exclusive ? 'EEXIST' : 'EISDIR',
        pathOf(place),
        'there is a folder with this name',
      );
    }
    this.requireParent(place);
    const file = this.live.make(place, options.mode & PERMISSION_BITS);
    return new WritingHandle(this.#handleOf(file, context), options);
  }

  truncate(place: MemoryPlace, sizeBytes: number, context: OpContext): void {
    const { file, row } = this.fileAt(place);
    const handle = new WritingHandle(this.#handleOf(file ?? this.#take(place, row), context), {
      append: false,
    });
    try {
      handle.truncate(sizeBytes);
      handle.flush(context);
    } finally {
      handle.close();
    }
  }

  changeMode(place: MemoryPlace, mode: number): void {
    if (!this.isFile(place) && this.isFolder(place)) {
      this.#showFolder(place, () => ({ mode: mode & PERMISSION_BITS }));
      return;
    }
    const { file, row } = this.fileAt(place);
    // The store comes first: if it refuses the change, nothing has been done.
    if (row !== undefined) this.#showEntry(place, { mode: mode & PERMISSION_BITS });
    file?.show({ mode: mode & PERMISSION_BITS });
  }

  changeTimes(place: MemoryPlace, { modifiedNs }: Times, context: OpContext): void {
    if (this.isFile(place) || !this.isFolder(place)) this.#changeFileTimes(place, modifiedNs, context);
    else if (modifiedNs !== undefined) {
      this.#showFolder(place, (folder) => modifiedOf(this.#timeNs(modifiedNs, modifiedNsOf(folder))));
    }
  }

  space(): Space {
    return this.entries.tables.space();
  }

  isFile(place: MemoryPlace): boolean {
    return place.key !== '' && (this.live.at(place) !== undefined || this.entries.at(place) !== undefined);
  }

  isFolder(place: MemoryPlace): boolean {
    return this.entries.folders.at(place) !== undefined;
  }

  /** @throws FsError ENOENT, ENOTDIR, EISDIR */
  fileAt(place: MemoryPlace): Found {
    const file = this.live.at(place);
    const row = place.key === '' ? undefined : this.entries.at(place);
    if (file !== undefined || row !== undefined) return { file, row };
    if (this.isFolder(place)) throw new FsError('EISDIR', pathOf(place), 'this is a folder');
    return this.missing(place);
  }

  /** The row as it is within a transaction: another process may have changed it since it was found. @throws FsError ENOENT, ENOTDIR */
  rowAt(place: MemoryPlace): MemoryRow {
    return this.entries.at(place) ?? this.missing(place);
  }

  /** @throws FsError ENOENT, ENOTDIR if there is no folder that could contain this place */
  requireParent(place: MemoryPlace): void {
    const parent = { type: place.type, key: splitKey(place.key).folder };
    if (!this.isFolder(parent)) this.missing(place);
  }

  /** @throws FsError ENOTDIR if a file is on the way, else ENOENT */
  missing({ type, key }: MemoryPlace): never {
    const path = pathOf({ type, key });
    if (foldersOf(key).some((folder) => this.isFile({ type, key: folder }))) {
      throw new FsError('ENOTDIR', path, 'a part of this path is not a folder');
    }
    throw new FsError('ENOENT', path, 'there is nothing with this name');
  }

  /** Runs a change that was made through the paths of these places, in one transaction. */
  change<T>(places: readonly [MemoryPlace, ...MemoryPlace[]], act: () => Settled<T>): T {
    return this.#knowing(places.map(subPathOf), () =>
      this.live.whileMoving(() => this.entries.journal.transact<T>(pathOf(places[0]), act)),
    );
  }

  /** Runs a commit of what was written through the path of a file. */
  committing<T>(file: LiveFile, act: () => T): T {
    return this.#knowing(file.place === undefined ? [] : [subPathOf(file.place)], act);
  }

  #timeNs(time: TimeNs, beforeNs: bigint): bigint {
    return time === 'now' ? laterThan(beforeNs, this.entries.nowMs()) : time;
  }

  #changeFileTimes(place: MemoryPlace, time: TimeNs | undefined, context: OpContext): void {
    const { file } = this.fileAt(place);
    // `touch` makes a file and sets its times, and does nothing else to it: so it is settled here.
    if (file?.isNew && file.isEmptied) this.#knowing([subPathOf(place)], () => file.settle(context));
    if (time === undefined) return;
    const row = this.entries.at(place);
    const beforeNs = file?.info().modifiedNs ?? (row === undefined ? 0n : modifiedNsOf(row));
    const modifiedNs = this.#timeNs(time, beforeNs);
    if (row !== undefined && (file === undefined || file.isKept))
      this.#showEntry(place, modifiedOf(modifiedNs));
    file?.show({ modifiedNs });
  }

  #showEntry(place: MemoryPlace, shown: Parameters<Entries['show']>[1]): void {
    this.change([place], () => this.entries.show(this.rowAt(place), shown));
  }

  #showFolder(place: MemoryPlace, shown: (folder: MemoryFolderRow) => Partial<MemoryFolderRow>): void {
    this.change([place], () => {
      const folder = this.entries.folders.at(place) ?? this.missing(place);
      this.entries.folders.put({ ...folder, ...shown(folder) });
      this.entries.journal.note(place);
    });
  }

  #infoOf(file: LiveFile): NodeInfo {
    const { inode, ...rest } = file.info();
    return inode !== undefined && this.#hasInodes ? { ...rest, inode } : rest;
  }

  #take(place: MemoryPlace, row: MemoryRow | undefined): LiveFile {
    if (row === undefined) throw new Error(`${placeText(place)} has neither file nor row`);
    return this.live.take(place, row);
  }

  #handleOf(file: LiveFile, context: OpContext): HandleParts {
    const { store, errors } = this.entries.parts;
    return {
      file,
      context,
      info: () => this.#infoOf(file),
      changeMode: (mode) => {
        if (file.place === undefined) file.show({ mode: mode & PERMISSION_BITS });
        else this.changeMode(file.place, mode);
      },
      changeTimes: (times, context) => {
        if (file.place !== undefined) this.changeTimes(file.place, times, context);
        else if (times.modifiedNs !== undefined)
          file.show({ modifiedNs: this.#timeNs(times.modifiedNs, file.info().modifiedNs) });
      },
      committing: (act) => this.committing(file, act),
      syncStore: () => store.sync(),
      lost: ({ code, path, why }) => errors.add({ code, path, message: `not kept: ${why}` }),
      closed: () => this.live.drop(file),
    };
  }
}
