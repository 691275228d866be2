import type {
  MemoryEntry,
  MemoryLink,
  MemoryMetadata,
  MemoryPlace,
  MemoryRelation,
  MemoryType,
} from '../core/memory-entry.ts';
import type { Hit, OpContext, Query, Unsubscribe } from '../core/resolver.ts';
import type { Settled } from '../store/store.ts';

/** An entry to be made. */
export interface NewMemory extends MemoryPlace, Partial<MemoryMetadata> {
  readonly content: Uint8Array;
  /** Default: now. */
  readonly createdMs?: number;
  readonly updatedMs?: number;
  /** When an entry with a time to live expires. Default: that long after its last change. */
  readonly expiresMs?: number;
  /** Who accepted it from review, and when. Default: nobody has. */
  readonly review?: { readonly reviewer: string; readonly reviewedMs: number | null };
  /** Default: the caller's. */
  readonly actor?: string;
  readonly session?: string;
}

export interface MemoryFilter {
  readonly type?: MemoryType;
  readonly tag?: string;
  /** The `kind` of the provenance, found without reading all entries. Not for removed ones. */
  readonly kind?: string;
  /** Whether to list removed entries instead of the present ones. Default false. */
  readonly removed?: boolean;
}

/** A content that was replaced. Times are milliseconds since 1970. */
export interface MemoryVersion {
  readonly version: number;
  readonly content: Uint8Array;
  /** When it was written, and when it was replaced. */
  readonly updatedMs: number;
  readonly replacedMs: number;
}

/** What `gc` has forgotten for good, or would forget. */
export interface GcReport {
  readonly removed: readonly MemoryPlace[];
  /** Expired entries: they are removed now, and forgotten for good by a later gc. */
  readonly expired: readonly MemoryPlace[];
  readonly freedBytes: number;
}

/**
 * What a team and its agents remember. Every method is one transaction together with its entries in the history, or a part of the one that is under way.
 * What is removed or replaced can be recovered for a while. Paths in errors are those of the mount.
 */
export interface Memory {
  /** Entries, sorted by type and key. */
  list(filter?: MemoryFilter): MemoryEntry[];
  /** The places of all entries, sorted by type and key, without reading their content. */
  places(): MemoryPlace[];
  count(): number;
  get(place: MemoryPlace): MemoryEntry | undefined;
  /** All entries of this key, whatever their type; `fact/refunds` names one. */
  find(name: string): MemoryEntry[];
  /** @throws FsError EEXIST, EINVAL, EFBIG, ENOSPC */
  add(entry: NewMemory, context: OpContext): MemoryEntry;
  /** Adds new entries and replaces those that differ, in transactions of a thousand. @throws FsError EINVAL, EFBIG, ENOSPC; the entries before that one are stored */
  addAll(entries: Iterable<NewMemory>, context: OpContext): { added: number; replaced: number; same: number };
  /** Replaces the content. @throws FsError ENOENT, EINVAL, EFBIG, ENOSPC */
  replace(place: MemoryPlace, content: Uint8Array, context: OpContext): MemoryEntry;
  /** Changes metadata; what is undefined in the change stays. @throws FsError ENOENT, EINVAL */
  describe(place: MemoryPlace, change: Partial<MemoryMetadata>, context: OpContext): MemoryEntry;
  /** @param weight over 0 and at most 1. @throws FsError ENOENT, EINVAL */
  relate(
    from: MemoryPlace,
    relation: MemoryRelation,
    to: MemoryPlace,
    weight: number,
    context: OpContext,
  ): void;
  /**
   * Runs the body in one transaction with everything that it reads and changes: no other process writes in between.
   * @throws FsError ENOSPC, EROFS, EBUSY, EIO, and whatever the body throws; nothing is changed then
   */
  transact<T>(body: () => Settled<T>): T;
  /** Former contents of an entry, the latest first, until gc forgets them. A content that was only appended to is not among them. @throws FsError ENOENT */
  versions(place: MemoryPlace): MemoryVersion[];
  /** The links that `relate` and front matter have set, sorted by place: all of them, or those from or to one of the given places. */
  links(around?: readonly MemoryPlace[]): MemoryLink[];
  /** @throws FsError ENOENT */
  remove(place: MemoryPlace, context: OpContext): void;
  /**
   * Accepts an entry that waits for review, and moves it to where it belongs; folders on the way there are made.
   * @throws FsError ENOENT, EINVAL if it does not wait or the name is invalid, EEXIST, ENOTDIR
   */
  accept(waiting: MemoryPlace, to: MemoryPlace, context: OpContext): MemoryEntry;
  /** Removes an entry that waits for review; it can be restored. @throws FsError ENOENT, EINVAL if it does not wait */
  reject(waiting: MemoryPlace, context: OpContext): void;
  /** Restores what was last removed under this key. @throws FsError ENOENT, EEXIST if the key is in use again */
  restore(name: string, context: OpContext): MemoryEntry;
  gc(options: { readonly dryRun: boolean }, context: OpContext): GcReport;
  /** Entries that contain all words, best first; superseded ones only if the query has `superseded: true`. */
  search(query: Query): (Hit & MemoryPlace)[];
  /** Changes whenever any process changes an entry, its metadata or a link. */
  revision(): number;
  /** Tells which places have changed; with an empty list, any may have. */
  onChange(listener: (places: readonly MemoryPlace[]) => void): Unsubscribe;
  /**
   * Finds out whether another process has changed something, or an entry has expired, and tells listeners.
   * @returns when the next entry expires, in ms since 1970; undefined if none does
   */
  refresh(): number | undefined;
  /** Stores what is still pending (access counts). */
  close(): void;
}
