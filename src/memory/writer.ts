import { FsError } from '../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { type MemoryPlace, placeText } from '../core/memory-entry.ts';
import { msToNs } from '../core/node-info.ts';
import type { OpContext } from '../core/resolver.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import { before, isPrefix, requireSize, sha256Of, summaryOf } from './content.ts';
import { type Entries, fieldsOfRow, flag, nameOf } from './entries.ts';
import { FrontMatterError, mayCloseFrontMatter, readFrontMatter, type Said } from './front-matter.ts';
import { pathOf, placeOfRow } from './memory-places.ts';
import { type Fields, sayAnew } from './metadata.ts';
import type { Draft } from './parts.ts';
import { isProbeKey, isTemporaryKey } from './temporary-name.ts';
import { laterThan, modifiedNsOf, modifiedOf } from './times.ts';

/** The mode to give where the mode is not to decide whether a file is temporary. */
const NO_MODE_TOLD = 0;
const NOTHING_SAID = JSON.stringify({ fields: {}, relations: {} } satisfies Said);

/** Gives entries their contents. Each method has to be called within a transaction of the journal. */
export class Writer {
  readonly #entries: Entries;

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  /**
   * Stores a content at a place: as that of the entry there, else of the entry that an editor has set aside or
   * removed from there, else of a new entry.
   * @throws FsError EINVAL for front matter with an impossible value, EFBIG
   */
  put(place: MemoryPlace, draft: Draft, context: OpContext): MemoryRow {
    requireSize(draft.content.length, this.#entries.parts.limits.maxEntryBytes, pathOf(place));
    const there = this.#entries.at(place);
    if (there !== undefined) return this.rewrite(there, place, draft, context);
    this.#entries.clear(place, context);
    const aside = this.#entries.tables.entries.setAsideFrom(placeText(place));
    if (aside !== undefined) return this.#putBack(aside, place, draft, context);
    const removed = draft.heirOf === undefined ? undefined : this.#entries.tables.entries.byId(draft.heirOf);
    if (removed !== undefined && removed.removedMs !== null) {
      this.#entries.folders.touch(place);
      return this.rewrite(this.#entries.revived(removed), place, draft, context);
    }
    return this.#insert(place, draft, context);
  }

  /** Gives an entry a new content, at the place where it is to be. Everything else about the entry stays. */
  rewrite(row: MemoryRow, place: MemoryPlace, draft: Draft, context: OpContext): MemoryRow {
    const { content, review, expiresMs } = draft;
    const nowMs = this.#entries.nowMs();
    const updatedMs = draft.updatedMs ?? nowMs;
    const old = {
      content: this.#entries.tables.entries.content(row.id),
      sha256: row.sha256,
      version: row.version,
    };
    const sha256 = sha256Of(content);
    const isTemporary = flag(row.isTemporary === 1 && this.#staysTemporary(place.key, draft));
    const said = isTemporary ? undefined : this.#read(place, content);
    const fields = this.#fieldsAfter(row, said, draft);
    const isChanged = sha256 !== row.sha256;
    const isSaidAnew =
      JSON.stringify(fields) !== row.metadata || (review !== undefined && review.reviewer !== row.reviewer);
    const isAppended = isPrefix(old.content, content);
    const next: MemoryRow = {
      ...row,
      ...nameOf(place),
      isTemporary,
      origin: isTemporary ? row.origin : null,
      sizeBytes: content.length,
      sha256,
      mode: draft.mode ?? row.mode,
      ...this.#entries.describing(fields, updatedMs, expiresMs),
      said: said === undefined ? row.said : JSON.stringify(said),
      ...review,
      updatedMs,
      ...modifiedOf(draft.modifiedNs ?? laterThan(modifiedNsOf(row), nowMs)),
      version: row.version + (isChanged || isSaidAnew ? 1 : 0),
    };
    // An append takes nothing away that would have to be stored as an earlier version.
    if (isChanged && row.isTemporary === 0 && !isAppended) {
      const { sha256, version, updatedMs } = row;
      this.#entries.tables.versions.keep(row.id, {
        sha256,
        version,
        updatedMs,
        replacedMs: nowMs,
        content: old.content,
      });
    }
    this.#entries.tables.entries.update(next, content);
    this.#wrote(next, content, said, context, row.isTemporary === 1 ? undefined : before(old, isAppended));
    return next;
  }

  /** The entry gets its place and the new content. The file as which it was set aside keeps the old content, and is an ordinary file from then on. */
  #putBack(aside: MemoryRow, place: MemoryPlace, draft: Draft, context: OpContext): MemoryRow {
    const backup = placeOfRow(aside);
    const content = this.#entries.tables.entries.content(aside.id);
    const row = this.rewrite({ ...aside, isTemporary: 0 }, place, draft, context);
    const { id: _, ...copy } = aside;
    this.#entries.tables.entries.insert(
      { ...copy, origin: null, metadata: '{}', said: NOTHING_SAID, needsReview: 0 },
      content,
    );
    this.#entries.journal.note(backup);
    this.#entries.folders.touch(place);
    return row;
  }

  #insert(place: MemoryPlace, draft: Draft, context: OpContext): MemoryRow {
    const { content, mode = PRIVATE_FILE_MODE, createdMode = NO_MODE_TOLD, review, expiresMs } = draft;
    const nowMs = this.#entries.nowMs();
    const updatedMs = draft.updatedMs ?? nowMs;
    const isTemporary = flag(isTemporaryKey(place.key, { mode: createdMode, sizeBytes: content.length }));
    const said = isTemporary ? undefined : this.#read(place, content);
    const { type, folder, name } = nameOf(place);
    const described = this.#entries.describing(describedAs(said?.fields ?? {}, draft), updatedMs, expiresMs);
    const modified = modifiedOf(draft.modifiedNs ?? msToNs(nowMs));
    // Each column by its name: V8 takes as long to make a row of this size out of others as SQLite takes to write it.
    const row = this.#made(
      {
        type,
        folder,
        name,
        isTemporary,
        origin: null,
        sizeBytes: content.length,
        sha256: sha256Of(content),
        mode,
        metadata: described.metadata,
        said: said === undefined ? NOTHING_SAID : JSON.stringify(said),
        needsReview: described.needsReview,
        actor: draft.actor ?? this.#entries.parts.actorOf(context),
        session: draft.session ?? this.#entries.parts.sessionOf(context),
        reviewer: review?.reviewer ?? null,
        reviewedMs: review?.reviewedMs ?? null,
        accessCount: 0,
        createdMs: draft.createdMs ?? nowMs,
        updatedMs,
        modifiedMs: modified.modifiedMs,
        modifiedRestNs: modified.modifiedRestNs,
        expiresMs: described.expiresMs,
        removedMs: null,
        version: 1,
      },
      draft,
    );
    this.#wrote(row, content, said, context, undefined);
    this.#entries.folders.touch(place);
    return row;
  }

  #made(columns: Omit<MemoryRow, 'id'>, { content, temporaryId }: Draft): MemoryRow {
    const { entries } = this.#entries.tables;
    if (temporaryId === undefined) return entries.insert(columns, content);
    const row = { id: temporaryId, ...columns };
    entries.update(row, content);
    return row;
  }

  #wrote(
    row: MemoryRow,
    content: Uint8Array,
    said: Said | undefined,
    context: OpContext,
    before: Record<string, unknown> | undefined,
  ): void {
    const place = placeOfRow(row);
    this.#entries.journal.note(place);
    if (row.isTemporary === 1) return;
    this.#entries.index(row, content);
    if (said !== undefined) this.#entries.link(row, said);
    const data = { ...summaryOf({ ...row, content }), ...(before === undefined ? {} : { before }) };
    this.#entries.parts.record({
      type: before === undefined ? 'create' : 'write',
      path: pathOf(place),
      data,
      context,
    });
  }

  #fieldsAfter(row: MemoryRow, said: Said | undefined, draft: Draft): Fields {
    const current = fieldsOfRow(row);
    const after = said === undefined ? current : sayAnew(current, saidOfRow(row).fields, said.fields);
    return describedAs(after, draft);
  }

  /**
   * Refuses impossible front matter as soon as all of it is written: the shell's own echo and printf notice a failed write(2), but not
   * a failed close(2).
   * @param written the part of the content that was just written
   * @throws FsError EINVAL, with the line in errors.jsonl
   */
  requireReadable(place: MemoryPlace, content: Uint8Array, written: Uint8Array, createdMode: number): void {
    if (!mayCloseFrontMatter(written)) return;
    if (isTemporaryKey(place.key, { mode: createdMode, sizeBytes: content.length })) return;
    this.#read(place, content);
  }

  #staysTemporary(key: string, { content, createdMode = NO_MODE_TOLD }: Draft): boolean {
    return !isProbeKey(key) || isTemporaryKey(key, { mode: createdMode, sizeBytes: content.length });
  }

  /** @throws FsError EINVAL, with the line in errors.jsonl */
  #read(place: MemoryPlace, content: Uint8Array): Said {
    try {
      return readFrontMatter(content);
    } catch (error) {
      if (!(error instanceof FrontMatterError)) throw error;
      const { line, message } = error;
      this.#entries.parts.errors.add({ code: 'EINVAL', path: pathOf(place), line, message });
      throw new FsError('EINVAL', pathOf(place), `front matter, line ${line}: ${message}`, { cause: error });
    }
  }
}

function saidOfRow({ said }: MemoryRow): Said {
  return JSON.parse(said);
}

function describedAs(fields: Fields, { describe }: Draft): Fields {
  return describe === undefined ? fields : describe(fields);
}
