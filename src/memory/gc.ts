import type { MemoryPlace } from '../core/memory-entry.ts';
import type { OpContext } from '../core/resolver.ts';
import { sum } from '../core/sum.ts';
import { MEMORY_POINT } from '../core/tree-points.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { Entries } from './entries.ts';
import type { GcReport } from './memory.ts';
import { comparePlaces, pathOf, placeOfRow } from './memory-places.ts';

/** How many paths the history lists at most. */
const MAX_NAMED = 100;

/**
 * Deletes for good what was removed or replaced long enough ago, and files that editors have left behind; and removes expired
 * entries. To be called within a transaction of the journal.
 * @param isOpen whether somebody has the file at this place open
 */
export function collectGarbage(
  entries: Entries,
  { dryRun }: { readonly dryRun: boolean },
  isOpen: (place: MemoryPlace) => boolean,
  context: OpContext,
): GcReport {
  const { tables, parts } = entries;
  const nowMs = entries.nowMs();
  const removedBeforeMs = nowMs - parts.limits.keepRemovedMs;
  const temporaryBeforeMs = nowMs - parts.limits.keepTemporaryMs;
  const expired = tables.entries.expired(nowMs);
  const forgotten = tables.entries.removedBefore(removedBeforeMs);
  const left = tables.entries.temporaryBefore(temporaryBeforeMs).filter((row) => !isOpen(placeOfRow(row)));
  const freedBytes =
    sum(forgotten.map(({ id, sizeBytes }) => sizeBytes + tables.versions.sizeBytesOf(id))) +
    sum(left.map(({ origin, sizeBytes }) => (origin === null ? sizeBytes : 0))) +
    tables.versions.sizeBytesBefore(removedBeforeMs, removedBeforeMs);
  if (!dryRun) {
    for (const row of expired) entries.remove(row, context, 'expire');
    for (const row of forgotten) tables.entries.forget(row.id);
    for (const row of left) entries.dropTemporary(row, context);
    tables.versions.forgetBefore(removedBeforeMs);
    tables.adoptions.forgetBefore(temporaryBeforeMs);
    if (forgotten.length > 0) {
      const paths = forgotten.slice(0, MAX_NAMED).map((row) => pathOf(placeOfRow(row)));
      const data = { forgotten: forgotten.length, paths };
      parts.record({ type: 'remove', path: MEMORY_POINT, data, context });
    }
  }
  const removed = [...forgotten, ...left.filter(({ origin }) => origin === null)];
  return { removed: placesOf(removed), expired: placesOf(expired), freedBytes };
}

function placesOf(rows: readonly MemoryRow[]): MemoryPlace[] {
  return rows.map(placeOfRow).sort(comparePlaces);
}
