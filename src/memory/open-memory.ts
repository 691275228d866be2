import { MS_PER_DAY } from '../core/clock.ts';
import { FsError } from '../core/errors.ts';
import type { MemoryPlace } from '../core/memory-entry.ts';
import { msToNs } from '../core/node-info.ts';
import { DEFAULT_LIMITS } from '../settings/limits.ts';
import { AccessCounts } from './access-counts.ts';
import { Announcer } from './announcer.ts';
import { Commits } from './commits.ts';
import { Entries } from './entries.ts';
import { FileChanges } from './file-changes.ts';
import { FileTree } from './file-tree.ts';
import { Journal } from './journal.ts';
import { LiveFiles } from './live-files.ts';
import type { Memory } from './memory.ts';
import type { MemoryFiles, PlacedFiles, ReviewFiles } from './memory-files.ts';
import { Moves } from './moves.ts';
import type { MemoryLimits, MemoryParts } from './parts.ts';
import { RememberedMemory } from './remembered-memory.ts';
import { ReviewShelf } from './review.ts';
import { Writer } from './writer.ts';

const DEFAULT_MEMORY_LIMITS: MemoryLimits = {
  maxEntryBytes: DEFAULT_LIMITS.memoryEntryBytes,
  keepRemovedMs: DEFAULT_LIMITS.removedMemoryDays * MS_PER_DAY,
  keepTemporaryMs: 30 * MS_PER_DAY,
};

/** Memory as entries, and as files. */
export interface OpenMemory extends Memory {
  readonly files: MemoryFiles;
}

/** What memory is opened with. Limits that are not given have their defaults. */
export type MemoryOptions = Omit<MemoryParts, 'limits'> & { readonly limits?: Partial<MemoryLimits> };

/** Opens the memory in a store. The store still belongs to the caller, who has to close it after the memory. */
export function openMemory(options: MemoryOptions): OpenMemory {
  const parts: MemoryParts = { ...options, limits: { ...DEFAULT_MEMORY_LIMITS, ...options.limits } };
  const journal = new Journal(parts.store);
  const entries = new Entries(parts, journal);
  const writer = new Writer(entries);
  const moves = new Moves(entries, writer);
  const accesses = new AccessCounts(parts.store);
  const review = new ReviewShelf(entries);
  const announcer = new Announcer(review);
  const live = new LiveFiles(entries, new Commits(entries, writer, moves), (place) =>
    announcer.surprise(place),
  );
  journal.onChange((changed) => live.changed(changed));
  journal.onChange((changed) => announcer.changed(changed));
  const changesOf = (tree: FileTree): FileChanges => new FileChanges(tree, moves, accesses);
  const common = { entries, live, accesses };
  const tree = new FileTree({
    ...common,
    knowing: (paths, act) => announcer.knowing(paths, act),
    hasInodes: true,
  });
  const treeOfReview = new FileTree({ ...common, knowing: (_, act) => act(), hasInodes: false });
  const files: MemoryFiles = {
    ...filesOf(tree, changesOf(tree)),
    review: reviewOf(treeOfReview, changesOf(treeOfReview), review),
    onChange: (listener) => announcer.onChange(listener),
  };
  const memory = new RememberedMemory({ entries, writer, moves, accesses, live });
  return Object.assign(memory, { files });
}

function filesOf(tree: FileTree, changes: FileChanges): PlacedFiles {
  return {
    stat: (place) => tree.stat(place),
    list: (place) => tree.list(place),
    open: (place, context) => tree.open(place, context),
    openToWrite: (place, options, context) => tree.openToWrite(place, options, context),
    create: (place, options, context) => tree.create(place, options, context),
    truncate: (place, sizeBytes, context) => tree.truncate(place, sizeBytes, context),
    makeFolder: (place, mode) => changes.makeFolder(place, mode),
    removeFolder: (place) => changes.removeFolder(place),
    remove: (place, context) => changes.remove(place, context),
    rename: (from, to, context) => changes.rename(from, to, context),
    changeMode: (place, mode) => tree.changeMode(place, mode),
    changeTimes: (place, times, context) => tree.changeTimes(place, times, context),
    attributes: (place) => changes.attributes(place),
    setAttribute: (place, name, value, use, context) =>
      changes.setAttribute(place, name, value, use, context),
    removeAttribute: (place, name, context) => changes.removeAttribute(place, name, context),
    sync: () => tree.entries.parts.store.sync(),
    space: () => tree.space(),
  };
}

function reviewOf(tree: FileTree, changes: FileChanges, shelf: ReviewShelf): ReviewFiles {
  const waiting = (name: string): MemoryPlace => {
    const place = shelf.placeOf(name);
    if (place === undefined) throw new FsError('ENOENT', name, 'nothing with this name waits for review');
    return place;
  };
  return {
    files: filesOf(tree, changes),
    placeOf: (name) => shelf.placeOf(name),
    list: (name) => shelf.list(name),
    modifiedNs: () => msToNs(shelf.changedMs),
    accept: (name, to, context) => changes.accept(waiting(name), to, context),
    reject: (name, context) => changes.reject(waiting(name), context),
  };
}
