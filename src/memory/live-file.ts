/** Long because everything that can happen to an open file meets here. */
import type { WriteWay } from '../core/changes.ts';
import { FsError, isFsError } from '../core/errors.ts';
import { type MemoryPlace, placeText } from '../core/memory-entry.ts';
import type { VfsPath } from '../core/paths.ts';
import type { NodeInfo, OpContext } from '../core/resolver.ts';
import { MEMORY_POINT } from '../core/tree-points.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { Base } from './commits.ts';
import { requireSize } from './content.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { FileOrigin, LiveFileKeeper } from './live-file-keeper.ts';
import { pathOf, placeOfRow } from './memory-places.ts';
import { ShownPages } from './shown-pages.ts';
import { laterThan, modifiedNsOf, modifiedOf } from './times.ts';
import { WriteRefusals } from './write-refusals.ts';
import { requireRoom } from './write-room.ts';

/** What stat(2) shows apart from the size. */
export interface Shown {
  readonly modifiedNs: bigint;
  readonly mode: number;
}

/** The end of a buffer, appended by one handle alone that has not flushed it yet. */
interface Tail {
  readonly handle: object;
  readonly from: number;
}

/**
 * How the buffer differs from what is stored:
 * - `kept`: not at all
 * - `emptied`: it was emptied, or is new, and nothing was written yet; only the last close stores that
 * - `changed`: something was written
 */
type State = 'kept' | 'emptied' | 'changed';

/**
 * One file that somebody has open: a buffer that all its handles share. It outlives its name. Content that can never be stored (it is too large, has
 * impossible front matter, or there is no room for it) is given up at the next flush, which fails with the reason, and the buffer goes back to what is
 * stored. Content that the disk refuses stays in the buffer, to be tried again.
 */
export class LiveFile {
  /** How many handles have it open. */
  handles = 0;
  readonly #keeper: LiveFileKeeper;
  #bytes: GrowingBytes;
  #place: MemoryPlace | undefined;
  #base: Base | undefined;
  #state: State;
  #appendedFrom: number | undefined;
  #tail: Tail | undefined;
  readonly #pages = new ShownPages();
  #shown: Shown;
  /** The time of the version that is stored. */
  #keptNs = 0n;
  readonly #inode: number;
  readonly #createdMode: number;
  readonly #heirOf: number | undefined;
  #isCommitting = false;
  readonly #refusals = new WriteRefusals();

  /** @param origin the entry that the file shows; for a new file, the entry of its name that was just removed, if any */
  constructor(keeper: LiveFileKeeper, place: MemoryPlace, mode: number, origin: FileOrigin) {
    const { kept, heirOf } = origin;
    this.#heirOf = heirOf;
    this.#keeper = keeper;
    this.#place = place;
    this.#base = kept;
    this.#state = kept === undefined ? 'emptied' : 'kept';
    this.#bytes = new GrowingBytes(kept && keeper.entries.tables.entries.content(kept.id));
    this.#shown = kept ? shownOf(kept) : { modifiedNs: laterThan(0n, keeper.entries.nowMs()), mode };
    if (kept) this.#keptNs = this.#shown.modifiedNs;
    const { inodes } = keeper.entries;
    this.#inode = kept ? inodes.of(kept.id) : inodes.fresh();
    this.#createdMode = mode;
  }

  /** Where the file is; undefined once its name is gone. */
  get place(): MemoryPlace | undefined {
    return this.#place;
  }

  /** Whether nothing of it has been stored yet. */
  get isNew(): boolean {
    return this.#base === undefined;
  }

  /** The entry that it shows, or showed. */
  get entryId(): number | undefined {
    return this.#base?.id;
  }

  get isKept(): boolean {
    return this.#state === 'kept';
  }

  /** Whether it was made or emptied, and nothing has been done to it since. */
  get isEmptied(): boolean {
    return this.#state === 'emptied';
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  info(): NodeInfo {
    const info = { kind: 'file', sizeBytes: this.#bytes.length, inode: this.#inode, ...this.#shown } as const;
    return this.#place === undefined ? { ...info, isRemoved: true } : info;
  }

  read(target: Uint8Array, position: number): number {
    this.#pages.read(position, target.byteLength);
    return this.#bytes.read(target, position);
  }

  /**
   * @param handle the one that writes
   * @throws FsError EFBIG, ENOSPC, EINVAL. After that, everything else that is written is refused too, until the next flush
   */
  write(
    given: Uint8Array,
    position: number,
    handle: object,
    way: Exclude<WriteWay, 'as opened'>,
    context: OpContext,
  ): void {
    this.#refusals.requireNone();
    const isAppended = this.#appends(way);
    const at = isAppended ? this.#bytes.length : position;
    this.#refusals.poisoning(() => {
      this.#requireSize(at + given.byteLength);
      requireRoom(this.#keeper.entries.parts, at + given.byteLength, this.#path);
    });
    // The bytes go into what others have written meanwhile.
    this.catchUp();
    const bytes = way === 'mapped' ? this.#asMapped(given, position, context) : given;
    // The writer's kernel has put these bytes where the file ended before others appended to it.
    if (isAppended && position !== this.#bytes.length) this.#surprise();
    // A new file that is still empty has nothing that an append could replace.
    if (this.#state === 'kept' || (this.isNew && this.isEmptied))
      this.#appendedFrom = isAppended ? this.#bytes.length : undefined;
    else if (!isAppended) this.#appendedFrom = undefined;
    if (!isAppended) this.#tail = undefined;
    else if (this.#tail?.handle !== handle) this.#tail = { handle, from: this.#bytes.length };
    this.#refusals.wrote(handle);
    const end = this.#bytes.length;
    this.#bytes.write(bytes, isAppended ? end : position);
    this.#pages.written(isAppended ? end : position, bytes.byteLength);
    this.#changed();
    this.#refusals.poisoning(() => this.#requireReadable(bytes));
  }

  /** Bytes that follow what is stored are appended to it. Those of a file of which nothing is stored yet are a content of its own. */
  #appends(way: WriteWay): boolean {
    const isBehindStored = this.#appendedFrom !== undefined || this.#state === 'kept';
    return way === 'at the end' || (way === 'where it ended' && isBehindStored);
  }

  /**
   * Prepares for a page of a mapping. The page does not have what others have written since it was read, and must not undo that. So it goes into the
   * content from which it was read, and the commit of that will notice the conflict.
   * @returns the part of the page that lies within the file as it was then: what a page has behind the end of the file is not stored (mmap(2))
   */
  #asMapped(bytes: Uint8Array, position: number, context: OpContext): Uint8Array {
    const read = this.#pages.revive(position, () => {
      // What other handles wrote here belongs to the present content, so that is committed first.
      if (this.#state !== 'kept') this.#commit(context);
      return { base: this.#base, bytes: this.#bytes };
    });
    if (read === undefined) return bytes;
    this.#base = read.base;
    this.#bytes = read.bytes;
    this.#surprise();
    return bytes.subarray(0, Math.max(0, read.bytes.length - position));
  }

  /**
   * @param handle the one that truncates
   * @throws FsError EFBIG, which changes nothing. A new file is not made then, unless something else is done to it later
   */
  truncate(sizeBytes: number, handle: object): void {
    this.#refusals.requireNone();
    try {
      this.#requireSize(sizeBytes);
    } catch (error) {
      if (error instanceof FsError && this.isNew && this.isEmptied) this.#refusals.leaveUnmade(error);
      throw error;
    }
    this.catchUp();
    this.#cut(sizeBytes, handle);
    this.#changed();
  }

  /** O_TRUNC. The stored content stays until something is written or the last handle is closed. @param handle the one that was opened so */
  empty(handle: object): void {
    this.#refusals.requireNone();
    this.catchUp();
    if (this.#bytes.length === 0 && this.#state === 'kept') return;
    this.#cut(0, handle);
    this.#state = 'emptied';
    this.#touch();
  }

  #cut(sizeBytes: number, handle: object): void {
    this.#refusals.wrote(handle);
    this.#bytes.resize(sizeBytes);
    this.#pages.cut();
    this.#appendedFrom = undefined;
    this.#tail = undefined;
  }

  show(shown: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...shown };
  }

  /**
   * Commits what was written. If one handle flushes, what another handle is appending waits for the flush of that one: the kernel splits a write(2) at the
   * end of a page that it does not have, and if the first half of a line were committed, a line of another mount could get between the halves.
   * @throws FsError EINVAL, EFBIG, ENOSPC, EROFS, EBUSY, EIO; also if what this handle wrote was given up along with what another one wrote
   */
  flush(context: OpContext, handle?: object): void {
    this.#refusals.telling(handle, () => this.#flush(context, handle));
  }

  /** Commits everything, even if the file was only made or emptied. @throws FsError like `flush` */
  settle(context: OpContext, handle?: object): void {
    this.#refusals.telling(handle, () => {
      this.#flush(context);
      if (this.#state === 'emptied') this.#commit(context);
    });
  }

  #flush(context: OpContext, handle?: object): void {
    const why = this.#refusals.take();
    if (why !== undefined) {
      this.#giveUp(why);
      throw why;
    }
    if (this.#state !== 'changed') return;
    if (handle === undefined || this.#tail === undefined || this.#tail.handle === handle)
      this.#commit(context);
    else if (this.#tail.from > (this.#appendedFrom ?? 0)) this.#commit(context, this.#tail);
  }

  /** To be called when a handle is closed: nobody waits for its flush any more. */
  leave(handle: object): void {
    this.handles -= 1;
    this.#refusals.leave(handle);
    if (this.#tail?.handle === handle) this.#tail = undefined;
  }

  /** Takes over what others have done to the entry. Uncommitted content stays; its commit will notice. */
  refresh(): void {
    if (this.#place === undefined || this.#state !== 'kept' || this.#isCommitting) return;
    const row = this.#rowNow(this.#place);
    if (row === undefined) this.detach();
    else this.#follow(row);
  }

  /** As `refresh`, and tells of a change that nobody has been told of yet. */
  catchUp(): void {
    const before = this.#bytes;
    this.refresh();
    if (this.#bytes !== before) this.#surprise();
  }

  /** To be called when the name is gone: what is written from now on is not stored any more. */
  detach(): void {
    const place = this.#place;
    this.#place = undefined;
    const { inodes } = this.#keeper.entries;
    // If the entry is restored, it has to be another file than the one that is still open here.
    if (place !== undefined && this.#base !== undefined) inodes.give(this.#base.id, inodes.fresh());
    if (place !== undefined) this.#keeper.moved(this, place);
  }

  /** To be called when the file was renamed. @param row the stored entry, if that has changed too: others may have written to it just before */
  moveTo(place: MemoryPlace, row?: MemoryRow): void {
    const from = this.#place;
    this.#place = place;
    const isWritten = row !== undefined && this.#state === 'kept' && row.sha256 !== this.#base?.sha256;
    if (isWritten) this.#show(row);
    // Uncommitted content was not made from what others have written, so it keeps the hash of its own base.
    if (row !== undefined) this.#base = { id: row.id, sha256: this.#base?.sha256 ?? row.sha256 };
    if (from !== undefined && placeText(from) !== placeText(place)) this.#keeper.moved(this, from);
    if (isWritten) this.#surprise();
  }

  /** @param waiting the end of the buffer that must not be committed yet */
  #commit(context: OpContext, waiting?: Tail): void {
    const place = this.#place;
    if (place === undefined) return;
    const content = this.#bytes.view();
    const request = {
      place,
      base: this.#base,
      content: content.subarray(0, waiting?.from),
      appendedFrom: this.#appendedFrom,
      isEmptied: this.#state === 'emptied',
      createdMode: this.#createdMode,
      heirOf: this.#heirOf,
      ...this.#shown,
    };
    this.#isCommitting = true;
    try {
      const committed = this.#keeper.commits.commit(request, context);
      if (committed.content !== request.content) {
        this.#pages.supersede({ base: this.#base, bytes: this.#bytes });
        this.#bytes = new GrowingBytes(committed.content);
        if (waiting) this.#bytes.write(content.subarray(waiting.from), this.#bytes.length);
        for (const at of [place, committed.place]) this.#keeper.surprising(at);
      }
      this.#number(committed.row);
      this.#keep(committed.row);
      if (waiting) this.#goOn({ ...waiting, from: committed.content.length });
      this.moveTo(committed.place);
      if (committed.isConflict) for (const at of [place, committed.place]) this.#keeper.surprising(at);
    } catch (error) {
      if (isFsError(error, 'EINVAL', 'EFBIG')) this.#giveUp(error);
      throw error;
    } finally {
      this.#isCommitting = false;
    }
  }

  /** An open file keeps its inode number, even when it becomes a conflict copy. Otherwise its readers would be served the pages of whatever has the number. */
  #number(row: MemoryRow): void {
    this.#keeper.entries.inodes.give(row.id, this.#inode);
  }

  #keep(row: MemoryRow): void {
    this.#base = row;
    this.#state = 'kept';
    this.#appendedFrom = undefined;
    this.#tail = undefined;
    this.#refusals.stored();
    this.#shown = shownOf(row);
    this.#keptNs = this.#shown.modifiedNs;
  }

  /** Notes that the buffer goes on behind what is stored: one handle has appended more. */
  #goOn(tail: Tail): void {
    this.#appendedFrom = tail.from;
    this.#tail = tail;
    this.#refusals.wrote(tail.handle);
    this.#changed();
  }

  /** Goes back to what is stored, with a later time, so that whoever has cached the rest drops it. */
  #giveUp(why: FsError): void {
    const place = this.#place;
    if (place === undefined) return;
    this.#refusals.givenUp(why);
    const row = this.#base === undefined ? undefined : this.#rowNow(place);
    if (row === undefined) {
      this.#refusals.lost(why);
      this.detach();
    } else {
      const later = modifiedOf(laterThan(this.#shown.modifiedNs, this.#keeper.entries.nowMs()));
      this.#bytes = new GrowingBytes(this.#keeper.entries.tables.entries.content(row.id));
      this.#keep({ ...row, ...later });
      this.#showLater(row, later);
    }
    this.#keeper.surprising(place);
  }

  /** Stores the later time, so that it is still shown after the file is closed. If the disk refuses, it has refused more important things before. */
  #showLater(row: MemoryRow, later: ReturnType<typeof modifiedOf>): void {
    const { entries } = this.#keeper;
    try {
      entries.journal.transact(pathOf(placeOfRow(row)), () =>
        entries.show(entries.tables.entries.byId(row.id) ?? row, later),
      );
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
    }
  }

  #follow(row: MemoryRow): void {
    this.#show(row);
    this.#keeper.entries.inodes.give(row.id, this.#inode);
    this.moveTo(placeOfRow(row));
  }

  /** Takes over what others have written as the content of the file. */
  #show(row: MemoryRow): void {
    if (row.sha256 !== this.#base?.sha256) {
      this.#pages.supersede({ base: this.#base, bytes: this.#bytes });
      this.#bytes = new GrowingBytes(this.#keeper.entries.tables.entries.content(row.id));
    }
    this.#keep(row);
  }

  /** The entry with this name if it has the content that we know; else our own entry, wherever it is now; else whatever has the name. */
  #rowNow(place: MemoryPlace): MemoryRow | undefined {
    const { entries } = this.#keeper;
    const there = entries.at(place);
    if (there === undefined || there.sha256 !== this.#base?.sha256) {
      const row = this.#base && entries.living(this.#base.id);
      if (row !== undefined) return row;
    }
    return there;
  }

  /** Tells those who have used the file by its path that it shows something else now. */
  #surprise(): void {
    if (this.#place !== undefined) this.#keeper.surprising(this.#place);
  }

  #changed(): void {
    this.#state = 'changed';
    this.#touch();
  }

  #touch(): void {
    this.#refusals.changed();
    this.show({ modifiedNs: laterThan(this.#keptNs, this.#keeper.entries.nowMs()) });
  }

  #requireSize(sizeBytes: number): void {
    requireSize(sizeBytes, this.#keeper.entries.parts.limits.maxEntryBytes, this.#path);
  }

  get #path(): VfsPath {
    return this.#place === undefined ? MEMORY_POINT : pathOf(this.#place);
  }

  #requireReadable(written: Uint8Array): void {
    const [place, content, createdMode] = [this.#place, this.#bytes.view(), this.#createdMode];
    if (place) this.#keeper.commits.requireReadable({ place, content, createdMode }, written);
  }
}

function shownOf(row: MemoryRow): Shown {
  return { modifiedNs: modifiedNsOf(row), mode: row.mode };
}
