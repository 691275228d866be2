import type { WriteWay } from '../core/changes.ts';
import { type ErrnoCode, FsError, isFsError } from '../core/errors.ts';
import { type MemoryPlace, placeText } from '../core/memory-entry.ts';
import type { VfsPath } from '../core/paths.ts';
import type { NodeInfo, OpContext } from '../core/resolver.ts';
import { NO_ROOM } from '../core/room.ts';
import { MEMORY_POINT } from '../core/tree-points.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { Base } from './commits.ts';
import { requireSize } from './content.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { FileOrigin, LiveFileKeeper } from './live-file-keeper.ts';
import { pathOf, placeOfRow } from './memory-places.ts';
import { ShownPages } from './shown-pages.ts';
import { laterThan, modifiedNsOf, modifiedOf } from './times.ts';

/** What a commit may write besides the text: pages of tables and indexes, and of the log. */
const COMMIT_BYTES = 128 << 10;

/** What stat(2) shows apart from the size. */
export interface Shown {
  readonly modifiedNs: bigint;
  readonly mode: number;
}

/** The end of a buffer where one handle alone has appended, and has not flushed it yet. */
interface Tail {
  readonly handle: object;
  readonly from: number;
}

/**
 * How the buffer differs from what is kept: not at all; emptied, or new, with nothing written yet, which only the last close makes
 * durable; or changed.
 */
type State = 'kept' | 'emptied' | 'changed';

/**
 * One file that somebody has open: a buffer that all its handles share. It outlives its name. What cannot be kept (too large, front
 * matter that says something impossible, or no room for it) is given up at the next flush, which says why, and the buffer is again what is kept; what the
 * disk refuses stays in the buffer, to be tried again. Long because all that can become of an open file meets here.
 */
export class LiveFile {
  /** As many have it open. */
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
  /** Of the version that is kept. */
  #keptNs = 0n;
  readonly #inode: number;
  readonly #createdMode: number;
  readonly #heirOf: number | undefined;
  /** Why what is in the buffer cannot be kept. */
  #failure: FsError | undefined;
  /** Why a new file did not get the only thing that was asked of it. */
  #refused: FsError | undefined;
  /** Why a file that was new is not there any more. */
  #gone: FsError | undefined;
  #isCommitting = false;
  /** Handles that have written what is not kept yet; and those of which that was given up, and why, until their own flush says so. */
  readonly #writers = new Set<object>();
  readonly #untold = new Map<object, FsError>();

  /** @param origin the entry; or, for a file that is new, the one of its name that was just removed */
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

  /** Undefined once its name is gone. */
  get place(): MemoryPlace | undefined {
    return this.#place;
  }

  /** Whether there is nothing of it in the store yet. */
  get isNew(): boolean {
    return this.#base === undefined;
  }

  /** The entry that it is, or was. */
  get entryId(): number | undefined {
    return this.#base?.id;
  }

  get isKept(): boolean {
    return this.#state === 'kept';
  }

  /** Whether it was made or emptied, and nothing was done to it since. */
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
   * @param handle who writes
   * @param way `as opened` is behind the end here
   * @throws FsError EFBIG, ENOSPC, EINVAL; then, until the next flush, all else that is written is refused too
   */
  write(given: Uint8Array, position: number, handle: object, way: WriteWay, context: OpContext): void {
    this.#requireSound();
    const isAppended = way === 'as opened';
    const at = isAppended ? this.#bytes.length : position;
    this.#poisoning(() => {
      this.#requireSize(at + given.byteLength);
      this.#requireRoom(at + given.byteLength);
    });
    // What others have written meanwhile is what this goes into.
    this.catchUp();
    const bytes = way === 'mapped' ? this.#asMapped(given, position, context) : given;
    // Who has the file's pages has put this where the file ended before others appended to it.
    if (isAppended && position !== this.#bytes.length) this.#surprise();
    // What is new, and untouched, has nothing that an addition would replace.
    if (this.#state === 'kept' || (this.isNew && this.isEmptied))
      this.#appendedFrom = isAppended ? this.#bytes.length : undefined;
    else if (!isAppended) this.#appendedFrom = undefined;
    if (!isAppended) this.#tail = undefined;
    else if (this.#tail?.handle !== handle) this.#tail = { handle, from: this.#bytes.length };
    this.#writers.add(handle);
    const end = this.#bytes.length;
    this.#bytes.write(bytes, isAppended ? end : position);
    this.#pages.written(isAppended ? end : position, bytes.byteLength);
    this.#changed();
    this.#poisoning(() => this.#requireReadable(bytes));
  }

  /**
   * What others have written since the page was read is none of this writer's doing, and the page has nothing of it: it goes into what was read,
   * whose commit will see the conflict.
   * @returns what is within the file as it was then: behind its end a page has nothing that is kept (mmap(2))
   */
  #asMapped(bytes: Uint8Array, position: number, context: OpContext): Uint8Array {
    const read = this.#pages.revive(position, () => {
      // What others write here has gone into what is there now.
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
   * @param handle who cuts
   * @throws FsError EFBIG, which leaves all as it is; a new file is not made, unless something else is done to it after that
   */
  truncate(sizeBytes: number, handle: object): void {
    this.#requireSound();
    try {
      this.#requireSize(sizeBytes);
    } catch (error) {
      if (error instanceof FsError && this.isNew && this.isEmptied) this.#refused = error;
      throw error;
    }
    this.catchUp();
    this.#cut(sizeBytes, handle);
    this.#changed();
  }

  /** O_TRUNC. What is kept stays until something is written, or the last handle is closed. @param handle who has opened it so */
  empty(handle: object): void {
    this.#requireSound();
    this.catchUp();
    if (this.#bytes.length === 0 && this.#state === 'kept') return;
    this.#cut(0, handle);
    this.#state = 'emptied';
    this.#touch();
  }

  #cut(sizeBytes: number, handle: object): void {
    this.#writers.add(handle);
    this.#bytes.resize(sizeBytes);
    this.#pages.cut();
    this.#appendedFrom = undefined;
    this.#tail = undefined;
  }

  show(shown: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...shown };
  }

  /**
   * Commits what was written. Where it is a handle that flushes, what another handle is appending waits for that one's flush: the kernel sends one write(2)
   * as two where a page ends that it does not hold, and with half a line committed, another mount's line would go between the halves.
   * @throws FsError EINVAL, EFBIG, ENOSPC, EROFS, EBUSY, EIO; also where what this handle wrote was given up with what another one did
   */
  flush(context: OpContext, handle?: object): void {
    this.#telling(handle, () => this.#flush(context, handle));
  }

  /** Commits all, also what was only made or emptied. @throws FsError as `flush` */
  settle(context: OpContext, handle?: object): void {
    this.#telling(handle, () => {
      this.#flush(context);
      if (this.#state === 'emptied') this.#commit(context);
    });
  }

  #telling(handle: object | undefined, act: () => void): void {
    const untold = handle && this.#untold.get(handle);
    try {
      act();
    } finally {
      if (handle) this.#untold.delete(handle);
    }
    if (untold !== undefined) throw untold;
  }

  #flush(context: OpContext, handle?: object): void {
    const failure = this.#failure ?? this.#refused;
    if (failure !== undefined) {
      this.#failure = undefined;
      this.#refused = undefined;
      this.#giveUp(failure);
      throw failure;
    }
    if (this.#state !== 'changed') return;
    if (handle === undefined || this.#tail === undefined || this.#tail.handle === handle)
      this.#commit(context);
    else if (this.#tail.from > (this.#appendedFrom ?? 0)) this.#commit(context, this.#tail);
  }

  /** A handle is closed: nobody waits for its flush any more. */
  leave(handle: object): void {
    this.handles -= 1;
    this.#writers.delete(handle);
    this.#untold.delete(handle);
    if (this.#tail?.handle === handle) this.#tail = undefined;
  }

  /** Looks what became of the entry by other hands. What is uncommitted here stays; its commit will see. */
  refresh(): void {
    if (this.#place === undefined || this.#state !== 'kept' || this.#isCommitting) return;
    const row = this.#rowNow(this.#place);
    if (row === undefined) this.detach();
    else this.#follow(row);
  }

  /** As `refresh`, of what nobody has been told yet. */
  catchUp(): void {
    const before = this.#bytes;
    this.refresh();
    if (this.#bytes !== before) this.#surprise();
  }

  /** The name is gone: what is written from now on is kept by nobody. */
  detach(): void {
    const place = this.#place;
    this.#place = undefined;
    const { inodes } = this.#keeper.entries;
    // Should the entry be restored, it is another file than the one that is still open here.
    if (place !== undefined && this.#base !== undefined) inodes.give(this.#base.id, inodes.fresh());
    if (place !== undefined) this.#keeper.moved(this, place);
  }

  /** The file was renamed. @param row what is kept of it, where that has changed with it: others may have written it just before */
  moveTo(place: MemoryPlace, row?: MemoryRow): void {
    const from = this.#place;
    this.#place = place;
    const isWritten = row !== undefined && this.#state === 'kept' && row.sha256 !== this.#base?.sha256;
    if (isWritten) this.#show(row);
    // What is not kept yet was not made from what others have written.
    if (row !== undefined) this.#base = { id: row.id, sha256: this.#base?.sha256 ?? row.sha256 };
    if (from !== undefined && placeText(from) !== placeText(place)) this.#keeper.moved(this, from);
    if (isWritten) this.#surprise();
  }

  /** @param waiting what is not to be committed yet */
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

  /** What is open stays the same file, also as a conflict copy: else the kernel would have who has it open read and map what has its number. */
  #number(row: MemoryRow): void {
    this.#keeper.entries.inodes.give(row.id, this.#inode);
  }

  #keep(row: MemoryRow): void {
    this.#base = row;
    this.#state = 'kept';
    this.#appendedFrom = undefined;
    this.#tail = undefined;
    this.#writers.clear();
    this.#shown = shownOf(row);
    this.#keptNs = this.#shown.modifiedNs;
  }

  /** What comes after that which is kept was appended by one handle, and is not kept yet. */
  #goOn(tail: Tail): void {
    this.#appendedFrom = tail.from;
    this.#tail = tail;
    this.#writers.add(tail.handle);
    this.#changed();
  }

  /** Back to what is kept, with a later time, so that whoever has cached the rest drops it. */
  #giveUp(why: FsError): void {
    const place = this.#place;
    if (place === undefined) return;
    for (const handle of this.#writers) this.#untold.set(handle, why);
    const row = this.#base === undefined ? undefined : this.#rowNow(place);
    if (row === undefined) {
      this.#gone = why;
      this.detach();
    } else {
      const later = modifiedOf(laterThan(this.#shown.modifiedNs, this.#keeper.entries.nowMs()));
      this.#bytes = new GrowingBytes(this.#keeper.entries.tables.entries.content(row.id));
      this.#keep({ ...row, ...later });
      this.#showLater(row, later);
    }
    this.#keeper.surprising(place);
  }

  /** So that it stays later when the file is closed. A disk that refuses that has refused more important things before. */
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

  /** What others have written is what the file is from now on. */
  #show(row: MemoryRow): void {
    if (row.sha256 !== this.#base?.sha256) {
      this.#pages.supersede({ base: this.#base, bytes: this.#bytes });
      this.#bytes = new GrowingBytes(this.#keeper.entries.tables.entries.content(row.id));
    }
    this.#keep(row);
  }

  /** What is there under the name with the content that we know; else the entry itself, wherever it is; else what is there. */
  #rowNow(place: MemoryPlace): MemoryRow | undefined {
    const { entries } = this.#keeper;
    const there = entries.at(place);
    if (there === undefined || there.sha256 !== this.#base?.sha256) {
      const row = this.#base && entries.living(this.#base.id);
      if (row !== undefined) return row;
    }
    return there;
  }

  /** It shows something else than those know who have used it through its path. */
  #surprise(): void {
    if (this.#place !== undefined) this.#keeper.surprising(this.#place);
  }

  #changed(): void {
    this.#state = 'changed';
    this.#touch();
  }

  #touch(): void {
    this.#refused = undefined;
    this.show({ modifiedNs: laterThan(this.#keptNs, this.#keeper.entries.nowMs()) });
  }

  #requireSound(): void {
    const why = this.#failure ?? this.#gone;
    if (why !== undefined) throw why;
  }

  #requireSize(sizeBytes: number): void {
    requireSize(sizeBytes, this.#keeper.entries.parts.limits.maxEntryBytes, this.#path);
  }

  #requireRoom(sizeBytes: number): void {
    const { store, room } = this.#keeper.entries.parts;
    const unkept = store.whyUnkept();
    if (unkept !== undefined) this.#refuse(unkept.code, unkept.why);
    const none = room?.whyNone(sizeBytes + COMMIT_BYTES);
    if (none !== undefined) this.#refuse(none, NO_ROOM[none]);
  }

  #refuse(code: ErrnoCode, message: string): never {
    const path = this.#path;
    this.#keeper.entries.parts.errors.add({ code, path, message });
    throw new FsError(code, path, message);
  }

  get #path(): VfsPath {
    return this.#place === undefined ? MEMORY_POINT : pathOf(this.#place);
  }

  #requireReadable(written: Uint8Array): void {
    const [place, content, createdMode] = [this.#place, this.#bytes.view(), this.#createdMode];
    if (place) this.#keeper.commits.requireReadable({ place, content, createdMode }, written);
  }

  #poisoning(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (error instanceof FsError) this.#failure = error;
      throw error;
    }
  }
}

function shownOf(row: MemoryRow): Shown {
  return { modifiedNs: modifiedNsOf(row), mode: row.mode };
}
