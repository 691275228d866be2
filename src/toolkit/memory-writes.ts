import { FsError, UserError } from '../core/errors.ts';
import {
  type MemoryEntry,
  type MemoryMetadata,
  type MemoryPlace,
  placeText,
  REVIEW_TAG,
} from '../core/memory-entry.ts';
import { below, type VfsPath } from '../core/paths.ts';
import type { OpContext } from '../core/resolver.ts';
import { MEMORY_POINT } from '../core/tree-points.ts';
import { parsePlace } from '../memory/memory-places.ts';
import type { Found, Toolbox } from './tool.ts';

/** Front matter could say of an entry that it supersedes another one, which nobody has reviewed. */
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n/;

interface GivenMetadata {
  readonly confidence?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly source_paths?: readonly string[] | undefined;
}

type WritingBox = Pick<Toolbox, 'memory' | 'writesCountAtOnce'>;

/** The place of the entry at a path of the tree; undefined for a path elsewhere. */
export function memoryPlaceAt(path: VfsPath): MemoryPlace | undefined {
  return parsePlace(below(path, MEMORY_POINT) ?? '');
}

/** @throws UserError if there is no entry with this name, or several have it */
export function entryNamed(name: string, { memory }: Pick<Toolbox, 'memory'>): MemoryEntry {
  const found = memory.find(name.replace(/^\/?context\/(memory|review)\//, ''));
  const [entry, other] = found;
  if (entry !== undefined && other === undefined) return entry;
  throw new UserError(
    entry === undefined
      ? `there is no memory "${name}"; vfs_list /context/memory shows those there are`
      : `several memories have the name "${name}": ${found.map(placeText).join(', ')}`,
  );
}

/** Makes an entry, or replaces one if that is allowed, which is checked in the same transaction. */
export function remember(
  place: MemoryPlace,
  content: Uint8Array,
  given: GivenMetadata,
  box: WritingBox,
  context: OpContext,
): Found {
  return box.memory.transact(() => {
    const before = box.memory.get(place);
    if (before !== undefined) requireOwn(before, box, context);
    return put(place, content, metadataOf(given, given.tags ?? before?.tags ?? [], box), box, context);
  });
}

/** Stores content and metadata in one transaction, so that an entry waits for review from the first moment on. */
function put(
  place: MemoryPlace,
  content: Uint8Array,
  metadata: Partial<MemoryMetadata>,
  box: WritingBox,
  context: OpContext,
): Found {
  if (!box.writesCountAtOnce && FRONT_MATTER.test(Buffer.from(content).toString())) {
    throw new FsError(
      'EINVAL',
      placeText(place),
      'it begins with front matter; give confidence, tags and source_paths as arguments, and relations by memory_relate',
    );
  }
  box.memory.addAll([{ ...place, content, ...metadata }], context);
  const entry = box.memory.get(place);
  if (entry === undefined)
    throw new FsError('ENOENT', placeText(place), 'somebody has removed it in the meantime');
  return shown(entry);
}

/** Changes an entry if that is allowed, as {@link remember} does. */
export function changeEntry(
  name: string,
  content: string | undefined,
  given: GivenMetadata,
  box: WritingBox,
  context: OpContext,
): Found {
  return box.memory.transact(() => {
    const entry = entryNamed(name, box);
    requireOwn(entry, box, context);
    const metadata = metadataOf(given, given.tags ?? entry.tags, box);
    if (content !== undefined) {
      const place = { type: entry.type, key: entry.key };
      return put(place, Buffer.from(content), metadata, box, context);
    }
    return shown(box.memory.describe(entry, metadata, context));
  });
}

/**
 * A model may change what it has written itself, as long as nobody has accepted it. Everything else is changed by people, or by a model that is
 * allowed to. To be called in the transaction that makes the change, since the entry may be accepted at any moment.
 * @throws FsError EACCES
 */
export function requireOwn(
  entry: MemoryEntry,
  { writesCountAtOnce }: WritingBox,
  { caller }: OpContext,
): void {
  const isOwn = entry.actor === caller?.name && entry.tags.includes(REVIEW_TAG);
  if (writesCountAtOnce || isOwn) return;
  throw new FsError(
    'EACCES',
    placeText(entry),
    'this memory counts already, so only a person may change it; write another one and relate it (contradicts, related_to)',
  );
}

function metadataOf(
  { confidence, source_paths: sourcePaths }: GivenMetadata,
  tags: readonly string[],
  { writesCountAtOnce }: WritingBox,
) {
  const waiting = writesCountAtOnce || tags.includes(REVIEW_TAG) ? tags : [...tags, REVIEW_TAG];
  return {
    tags: waiting,
    ...(confidence === undefined ? {} : { confidence }),
    ...(sourcePaths === undefined ? {} : { sourcePaths }),
  };
}

function shown({ type, key, confidence, tags, sourcePaths, version }: MemoryEntry): Found {
  const waits = tags.includes(REVIEW_TAG);
  return {
    fields: {
      entry: `${type}/${key}`,
      version,
      confidence: confidence ?? null,
      tags,
      source_paths: sourcePaths,
      ...(waits ? { note: 'it waits in /context/review for a person to accept it' } : {}),
    },
  };
}
