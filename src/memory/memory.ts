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

/** What to make an entry of. */
export interface NewMemory extends MemoryPlace, Partial<MemoryMetadata> {
  readonly content: Uint8Array;
  /** Default: now. */
  readonly createdMs?: number;
  readonly updatedMs?: number;
  /** Of one with a time to live. Default: that long after it was last changed. */
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
  /** `kind` of the provenance: found without reading all. Not of removed ones. */
  readonly kind?: string;
  /** Removed entries instead of those that are there. Default false. */
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

/** What `gc` would forget, or has forgotten for good. */
export interface GcReport {
  readonly removed: readonly MemoryPlace[];
  /** Those whose time to live had ended: they are removed, and forgotten for good by a later gc. */
  readonly expired: readonly MemoryPlace[];
  readonly freedBytes: number;
}

/**
 * What a team and its agents remember. Every method is one transaction with its entries in the history, or a part of one that is under way; what is removed or replaced stays
 * recoverable. Paths in errors are those of the mount.
 */
export interface Memory {
  /** By type and key. */
  list(filter?: MemoryFilter): MemoryEntry[];
  /** Where there are entries, by type and key; what they say is not read. */
  places(): MemoryPlace[];
  count(): number;
  get(place: MemoryPlace): MemoryEntry | undefined;
  /** All entries of this key, whatever their type; `fact/refunds` names one. */
  find(name: string): MemoryEntry[];
  /** @throws FsError EEXIST, EINVAL, EFBIG, ENOSPC */
  add(entry: NewMemory, context: OpContext): MemoryEntry;
  /** Adds what is new and replaces what differs, in transactions of a thousand. @throws FsError EINVAL, EFBIG, ENOSPC: what was read before is kept */
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
   * Runs the body with all that it reads and changes in one transaction: no other process writes in between.
   * @throws FsError ENOSPC, EROFS, EBUSY, EIO; what the body throws, and then nothing of it is kept
   */
  transact<T>(body: () => Settled<T>): T;
  /** Contents of an entry that were replaced and not merely appended to, the latest first, until gc forgets them. @throws FsError ENOENT */
  versions(place: MemoryPlace): MemoryVersion[];
  /** Those set by `relate` and by front matter, by place: of all entries, or those that begin or end at one of these. */
  links(around?: readonly MemoryPlace[]): MemoryLink[];
  /** @throws FsError ENOENT */
  remove(place: MemoryPlace, context: OpContext): void;
  /**
   * Has an entry that waits for review count, at the place where it belongs; folders on the way there are made.
   * @throws FsError ENOENT, EINVAL where it does not wait or the name is none, EEXIST, ENOTDIR
   */
  accept(waiting: MemoryPlace, to: MemoryPlace, context: OpContext): MemoryEntry;
  /** Removes an entry that waits for review; it can be restored. @throws FsError ENOENT, EINVAL where it does not wait */
  reject(waiting: MemoryPlace, context: OpContext): void;
  /** Brings back what was removed last under this key. @throws FsError ENOENT, EEXIST where the key is in use again */
  restore(name: string, context: OpContext): MemoryEntry;
  gc(options: { readonly dryRun: boolean }, context: OpContext): GcReport;
  /** Entries that hold all words, best first; superseded ones only where the query has `superseded: true`. */
  search(query: Query): (Hit & MemoryPlace)[];
  /** Changes whenever an entry, its metadata or a link does, by whatever process. */
  revision(): number;
  /** Tells which places changed; an empty list says that any may have. */
  onChange(listener: (places: readonly MemoryPlace[]) => void): Unsubscribe;
  /**
   * Looks whether another process changed something, or the time of an entry has ended, and tells.
   * @returns when the time of the next one ends, in ms since 1970; undefined where none has an end
   */
  refresh(): number | undefined;
  /** Commits what is still pending (access counts) and lets go. */
  close(): void;
}
