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
  /** Absent for a file that is new. */
  readonly base: Base | undefined;
  readonly content: Uint8Array;
  /** Where all that was done to the base is that something was appended: where that begins. */
  readonly appendedFrom: number | undefined;
  /** Whether all that was done is that the file was made, or emptied: that replaces whatever is there. */
  readonly isEmptied: boolean;
  readonly modifiedNs: bigint;
  readonly mode: number;
  readonly createdMode: number;
  /** The entry of this name that was removed when the file was made, while somebody still had it open. */
  readonly heirOf: number | undefined;
}

export interface Committed {
  /** Where it is kept now: elsewhere if it was renamed meanwhile, or is a conflict copy. */
  readonly place: MemoryPlace;
  readonly row: MemoryRow;
  /** Differs from what was asked for where others had appended, too. */
  readonly content: Uint8Array;
  readonly isConflict: boolean;
}

/**
 * Commits the content of files that were open while others may have changed the same entries: each commit names the version it was made
 * from. Who only appended appends to what is there now. Else the first committer's content stays, and the other becomes a conflict copy
 * beside it, `<key>.conflict-<session>`, so that nothing is lost. A folder that is gone is made again, so that what is kept is seen.
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

  /** @throws FsError EINVAL, EFBIG, and what the disk refuses */
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
        // A temporary file that became an entry has its copy where that is looked for, or was while its time had not ended.
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

  /** Before its commit. @throws FsError EINVAL, as `Writer.requireReadable` */
  requireReadable(
    request: Pick<CommitRequest, 'place' | 'content' | 'createdMode'>,
    written: Uint8Array,
  ): void {
    const { place, content, createdMode } = request;
    if (this.#entries.at(place)?.isTemporary === 1) return;
    this.#writer.requireReadable(place, content, written, createdMode);
  }

  /** Where the content belongs; undefined where somebody else was first. */
  #targetOf(request: CommitRequest, there: MemoryRow | undefined): MemoryPlace | undefined {
    const { place, base, content, appendedFrom } = request;
    // Nobody looks for a copy of an editor's file, so the last one has it; what was appended is added as ever.
    if (there?.isTemporary === 1 && appendedFrom === undefined) return place;
    // Who makes a file with the same text has no conflict; who appends the same line has two.
    const isSame = appendedFrom === undefined && there?.sha256 === sha256Of(content);
    if (base === undefined) return !there || isSame ? place : undefined;
    if (there?.sha256 === base.sha256) return place;
    const row = this.#entries.became(base.id);
    // What is under a temporary name nobody looks for.
    if (row?.sha256 === base.sha256)
      return this.#entries.isExpired(row) && !isTemporaryName(place) ? place : placeOfRow(row);
    const isLeft = there === undefined && row?.isTemporary !== 0;
    return isLeft && isTemporaryName(place) ? place : undefined;
  }

  /** Whether somebody else has made a folder of the name that is to be an entry's. */
  #isFolder(place: MemoryPlace): boolean {
    return this.#entries.at(place) === undefined && this.#entries.folders.at(place) !== undefined;
  }

  /** Somebody else has made the file that was to be made. */
  #find(place: MemoryPlace, row: MemoryRow): Committed {
    return { place, row, content: this.#entries.tables.entries.content(row.id), isConflict: false };
  }

  #put(place: MemoryPlace, content: Uint8Array, request: CommitRequest, context: OpContext): Committed {
    const { modifiedNs, mode, createdMode, heirOf } = request;
    // Others see nothing of a file before its first commit, so they may have removed or renamed its folder, which was empty for them.
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

/** Whether a file is temporary whatever it has become. */
function isTemporaryName({ key }: MemoryPlace): boolean {
  return isTemporaryKey(key, { mode: 0, sizeBytes: 1 });
}

/** The beginning of a name that leaves room for an ending. */
function cutBefore(name: string, ending: string): string {
  let cut = name;
  while (Buffer.byteLength(cut) + Buffer.byteLength(ending) > MAX_NAME_BYTES)
    cut = [...cut].slice(0, -1).join('');
  return cut;
}
