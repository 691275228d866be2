import type { MemoryEntry } from '../core/memory-entry.ts';
import type { WholeMemoryRow } from '../store/memory-entries.ts';
import { fieldsOfRow } from './entries.ts';
import { parsePlace, placeOfRow } from './memory-places.ts';
import { metadataOf } from './metadata.ts';

/** An entry with all its metadata. @param uncountedAccesses accesses that the row does not count yet */
export function wholeEntry(row: WholeMemoryRow, uncountedAccesses: number): MemoryEntry {
  const duplicateOf = row.duplicateOf === null ? undefined : parsePlace(row.duplicateOf);
  const supersededBy = row.supersededBy === null ? undefined : parsePlace(row.supersededBy);
  return {
    id: row.id,
    ...placeOfRow(row),
    content: row.content,
    ...metadataOf(fieldsOfRow(row)),
    ...(row.actor === null ? {} : { actor: row.actor }),
    ...(row.session === null ? {} : { session: row.session }),
    accessCount: row.accessCount + uncountedAccesses,
    createdMs: row.createdMs,
    updatedMs: row.updatedMs,
    ...(row.expiresMs === null ? {} : { expiresMs: row.expiresMs }),
    version: row.version,
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
    ...(supersededBy === undefined ? {} : { supersededBy }),
    ...(row.reviewer === null ? {} : { reviewer: row.reviewer }),
    ...(row.reviewedMs === null ? {} : { reviewedMs: row.reviewedMs }),
    ...(row.removedMs === null ? {} : { removedMs: row.removedMs }),
  };
}
