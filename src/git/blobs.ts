import type { Repository } from './repository.ts';
import { GitFailure } from './run-git.ts';

/** The content of a blob; `oversize` if it is larger than the limit. */
export type BlobContent = Buffer | 'oversize';

/** Up to this many bytes are read without asking for sizes first. */
const MAX_UNASKED_BYTES = 32 * 1024 * 1024;
/** At most this many bytes are held in memory at once. */
const MAX_BATCH_BYTES = 64 * 1024 * 1024;
const MAX_BATCH = 2048;

/**
 * Reads blobs in batches, each blob once.
 * @param maxBytes larger blobs are not read
 * @throws GitFailure, also if the clone lacks one of them: a graph without it would be that of no commit
 */
export function* readBlobs(
  repository: Repository,
  objects: Iterable<string>,
  maxBytes: number,
): Generator<ReadonlyMap<string, BlobContent>, void, undefined> {
  const all = [...new Set(objects)];
  for (let start = 0; start < all.length; start += MAX_BATCH) {
    yield* readBatch(repository, all.slice(start, start + MAX_BATCH), maxBytes);
  }
}

/** Reads one blob. @throws GitFailure as `readBlobs` */
export function readBlob(repository: Repository, object: string, maxBytes: number): BlobContent {
  for (const contents of readBlobs(repository, [object], maxBytes)) {
    const content = contents.get(object);
    if (content !== undefined) return content;
  }
  throw absentObject(repository, object);
}

function* readBatch(
  repository: Repository,
  objects: readonly string[],
  maxBytes: number,
): Generator<ReadonlyMap<string, BlobContent>, void, undefined> {
  try {
    const output = repository.run(['cat-file', '--batch'], {
      input: lines(objects),
      maxOutputBytes: MAX_UNASKED_BYTES,
    });
    yield contentsOf(repository, output, maxBytes);
  } catch (error) {
    if (!(error instanceof GitFailure && error.isTooLong)) throw error;
    yield* readBySize(repository, objects, maxBytes);
  }
}

/** Reads blobs of which some are large. Those past the limit are not read. */
function* readBySize(
  repository: Repository,
  objects: readonly string[],
  maxBytes: number,
): Generator<ReadonlyMap<string, BlobContent>, void, undefined> {
  const sizes = repository.run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: lines(objects),
  });
  const contents = new Map<string, BlobContent>();
  let batch: string[] = [];
  let batchBytes = 0;
  for (const line of sizes.toString('utf8').trimEnd().split('\n')) {
    const [object = '', size = ''] = line.split(' ');
    if (size === 'missing') throw absentObject(repository, object);
    if (Number(size) > maxBytes) contents.set(object, 'oversize');
    else {
      if (batchBytes + Number(size) > MAX_BATCH_BYTES) {
        yield readAll(repository, batch, maxBytes);
        batch = [];
        batchBytes = 0;
      }
      batch.push(object);
      batchBytes += Number(size);
    }
  }
  yield contents;
  if (batch.length > 0) yield readAll(repository, batch, maxBytes);
}

function readAll(
  repository: Repository,
  objects: readonly string[],
  maxBytes: number,
): ReadonlyMap<string, BlobContent> {
  const output = repository.run(['cat-file', '--batch'], { input: lines(objects) });
  return contentsOf(repository, output, maxBytes);
}

/** @param output `<object> blob <size>\n<content>\n` or `<object> missing\n` for each object, see "Batch output" in git-cat-file(1) */
function contentsOf(repository: Repository, output: Buffer, maxBytes: number): Map<string, BlobContent> {
  const contents = new Map<string, BlobContent>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at);
    const [object = '', kind, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind === 'missing') throw absentObject(repository, object);
    const sizeBytes = Number(size);
    contents.set(object, sizeBytes > maxBytes ? 'oversize' : output.subarray(at, at + sizeBytes));
    at += sizeBytes + 1;
  }
  return contents;
}

/**
 * The failure for an object that is missing. Git 2.45 and newer, told to fetch nothing, report an object that a partial clone left at its origin in the same
 * way as one that is lost. Older ones report the first with the words that are used here.
 */
export function absentObject(repository: Repository, object: string): GitFailure {
  const said = isPartial(repository)
    ? `could not fetch ${object} from promisor remote`
    : `there is no object ${object}; "git fsck" shows what the repository lacks`;
  return new GitFailure('cat-file', said);
}

function isPartial(repository: Repository): boolean {
  try {
    repository.run(['config', '--get-regexp', '^(remote\\..*\\.promisor|extensions\\.partialclone)$']);
    return true;
  } catch (error) {
    // Git exits with 1 if there is no such setting. A configuration that cannot be read would have failed earlier.
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

function lines(objects: readonly string[]): string {
  return `${objects.join('\n')}\n`;
}
