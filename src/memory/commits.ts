import { FsError, isFsError } from '../core/errors.ts';
import { CONFLICT_TAG, type MemoryPlace, placeText } from '../core/memory-entry.ts';
import { MAX_NAME_BYTES } from '../core/paths.ts';
import type { OpContext } from '../core/resolver.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import { sha256Of } from './content.ts';
import { type Entries, fieldsOfRow } from './entries.ts';
import { joinKey, pathOf, placeOfRow, splitKey } from './memory-places.ts';
import type { Moves } from './moves.ts';
import { isTemporaryKey } from './temporary-name.ts';
import type { Writer } from './writer.ts';

/** The version that a content was made from. */
export type Base = Pick<MemoryRow, 'id' | 'sha256'>;

export interface CommitRequest {
  readonly place: MemoryPlace;
  /** The version that the content was made from; absent for a new file. */
  readonly base: Base | undefined;
  readonly content: Uint8Array;
  /** Where the appended part begins, if the base was only appended to. */
  readonly appendedFrom: number | undefined;
  /** Whether the file was only made, or emptied. The empty content then replaces whatever is there. */
  readonly isEmptied: boolean;
  readonly modifiedNs: bigint;
  readonly mode: number;
  readonly createdMode: number;
  /** The entry with this name that was already removed when the file was made, but that somebody still had open. */
  readonly heirOf: number | undefined;
}

export interface Committed {
  /** Where the content is stored now: elsewhere if the file was renamed meanwhile, or has become a conflict copy. */
  readonly place: MemoryPlace;
  readonly row: MemoryRow;
  /** The stored content, which differs from that of the request if others had appended as well. */
  readonly content: Uint8Array;
  readonly isConflict: boolean;
}

/**
 * Commits the content of files that were open while others may have changed the same entries. Each commit names the version that it was made
 * from. If it only appended, it appends to what is there now. Otherwise the content that was committed first stays, and the other becomes a conflict
 * copy beside it, `<key>.conflict-<session>`, so that nothing is lost. A folder that is gone is made again, so that the content can be seen.
 */
export class Commits {
  readonly #entries: Entries;
  readonly #writer: Writer;
  readonly #moves: Moves;

  constructor(entries: Entries, writer: Writer, moves: Moves) {
    this.#entries = entries;
    this.#writer = writer;
    this.#moves = moves;
  }

  /** @throws FsError EINVAL, EFBIG, and the errors of the disk */
  commit(request: CommitRequest, context: OpContext): Committed {
    try {
      return this.#commit(request, context);
    } catch (error) {
      const isRefused = isFsError(error, 'ENOSPC', 'EDQUOT', 'EIO');
      if (!isRefused || !this.#entries.parts.room?.release()) throw error;
      return this.#commit(request, context);
    }
  }

  #commit(request: CommitRequest, context: OpContext): Committed {
    return this.#entries.journal.transact(pathOf(request.place), () => {
      const { place, content, appendedFrom } = request;
      const there = this.#entries.at(place);
      if (request.isEmptied && request.base === undefined && there !== undefined)
        return this.#find(place, there);
      const target = request.isEmptied ? place : this.#targetOf(request, there);
      if (target !== undefined && !this.#isFolder(target))
        return this.#put(target, content, request, context);
      const became = there ?? (request.base && this.#entries.became(request.base.id));
      const into = became && !this.#entries.isExpired(became) ? became : undefined;
      if (appendedFrom === undefined || into === undefined) {
        // A temporary file that became an entry gets its copy where people look for the entry, or did before it expired.
        const beside = became !== undefined && isTemporaryName(place) ? placeOfRow(became) : place;
        return this.#keepApart({ ...request, place: beside }, context);
      }
      const rebased = Buffer.concat([
        this.#entries.tables.entries.content(into.id),
        content.subarray(appendedFrom),
      ]);
      return this.#put(placeOfRow(into), rebased, request, context);
    });
  }

  /** Checks content before its commit. @throws FsError EINVAL, as `Writer.requireReadable` */
  requireReadable(
    request: Pick<CommitRequest, 'place' | 'content' | 'createdMode'>,
    written: Uint8Array,
  ): void {
    const { place, content, createdMode } = request;
    if (this.#entries.at(place)?.isTemporary === 1) return;
    this.#writer.requireReadable(place, content, written, createdMode);
  }

  /** Where the content belongs; undefined if somebody else has committed first. */
  #targetOf(request: CommitRequest, there: MemoryRow | undefined): MemoryPlace | undefined {
    const { place, base, content, appendedFrom } = request;
    // Nobody looks for a copy of an editor's file, so the last writer wins; what was appended is appended, as ever.
    if (there?.isTemporary === 1 && appendedFrom === undefined) return place;
    // Making a file with the same text is no conflict. Appending the same line twice gives two lines.
    const isSame = appendedFrom === undefined && there?.sha256 === sha256Of(content);
    if (base === undefined) return !there || isSame ? place : undefined;
    if (there?.sha256 === base.sha256) return place;
    const row = this.#entries.became(base.id);
    // Nobody looks for anything under a temporary name.
    if (row?.sha256 === base.sha256)
      return this.#entries.isExpired(row) && !isTemporaryName(place) ? place : placeOfRow(row);
    const isLeft = there === undefined && row?.isTemporary !== 0;
    return isLeft && isTemporaryName(place) ? place : undefined;
  }

  /** Whether somebody else has made a folder with the name of the entry. */
  #isFolder(place: MemoryPlace): boolean {
    return this.#entries.at(place) === undefined && this.#entries.folders.at(place) !== undefined;
  }

  /** For a new file whose name somebody else has taken meanwhile. */
  #find(place: MemoryPlace, row: MemoryRow): Committed {
    return { place, row, content: this.#entries.tables.entries.content(row.id), isConflict: false };
  }

  #put(place: MemoryPlace, content: Uint8Array, request: CommitRequest, context: OpContext): Committed {
    const { modifiedNs, mode, createdMode, heirOf } = request;
    // Before its first commit, others do not see a file. Its folder was empty to them, and they may have removed or renamed it.
    this.#moves.makeFolders(place);
    const row = this.#writer.put(place, { content, modifiedNs, mode, createdMode, heirOf }, context);
    return { place, row, content, isConflict: false };
  }

  #keepApart(request: CommitRequest, context: OpContext): Committed {
    const { place, content } = request;
    const { errors, record, sessionOf } = this.#entries.parts;
    const copy = this.#freeCopy(place, sessionOf(context));
    const { row } = this.#put(copy, content, { ...request, heirOf: undefined }, context);
    const fields = fieldsOfRow(row);
    const tagged = { ...fields, tags: [...new Set([...(fields.tags ?? []), CONFLICT_TAG])] };
    const message = `changed elsewhere before this was written; what was written here is kept as ${pathOf(copy)}`;
    errors.add({ code: 'EBUSY', path: pathOf(place), message });
    record({ type: 'write', path: pathOf(place), data: { conflict: pathOf(copy) }, context });
    return { place: copy, row: this.#entries.describe(row, tagged, context), content, isConflict: true };
  }

  #freeCopy({ type, key }: MemoryPlace, session: string): MemoryPlace {
    const { folder, name } = splitKey(key);
    for (let number = 1; number < Number.MAX_SAFE_INTEGER; number += 1) {
      const ending = `.conflict-${session}${number === 1 ? '' : `-${number}`}`;
      const place = { type, key: joinKey(folder, cutBefore(name, ending) + ending) };
      if (this.#entries.at(place) === undefined && !this.#entries.folders.at(place)) return place;
    }
    throw new FsError('ENOSPC', placeText({ type, key }), 'there are no names left for a conflict copy');
  }
}

/** Whether a file stays temporary whatever is written to it. */
function isTemporaryName({ key }: MemoryPlace): boolean {
  return isTemporaryKey(key, { mode: 0, sizeBytes: 1 });
}

/** Cuts a name so that there is room for an ending. */
function cutBefore(name: string, ending: string): string {
  let cut = name;
  while (Buffer.byteLength(cut) + Buffer.byteLength(ending) > MAX_NAME_BYTES)
    cut = [...cut].slice(0, -1).join('');
  return cut;
}
