import { isUtf8 } from 'node:buffer';
import { isoTime } from '../core/iso-time.ts';
import { type MemoryEntry, type MemoryLink, type MemoryType, placeText } from '../core/memory-entry.ts';
import type { Memory } from '../memory/memory.ts';

/**
 * Memory as JSON lines from which an import makes the same entries: first the entries, then the relations between them, each sorted by type and key.
 * Removed entries are left out.
 * @param type only entries of this type, and relations between them
 */
export function* exportLines(memory: Pick<Memory, 'list' | 'links'>, type?: MemoryType): Generator<string> {
  for (const entry of memory.list(type === undefined ? {} : { type })) yield JSON.stringify(entryLine(entry));
  for (const link of memory.links()) {
    if (type === undefined || (link.from.type === type && link.to.type === type)) {
      yield JSON.stringify(relationLine(link));
    }
  }
}

function entryLine(entry: MemoryEntry) {
  return {
    memory_type: entry.type,
    key: entry.key,
    ...contentView(entry.content),
    confidence: entry.confidence,
    tags: entry.tags,
    source_paths: entry.sourcePaths,
    provenance: entry.provenance,
    ttl: entry.ttlSeconds,
    created_at: isoTime(entry.createdMs),
    updated_at: isoTime(entry.updatedMs),
    expires_at: isoTime(entry.expiresMs),
    reviewer: entry.reviewer,
    reviewed_at: isoTime(entry.reviewedMs),
    session: entry.session,
    actor: entry.actor,
  };
}

/** Content in JSON: as text, or in base64 if it is not text. */
export function contentView(content: Uint8Array): { content: string; encoding?: 'base64' } {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return isUtf8(bytes)
    ? { content: bytes.toString('utf8') }
    : { content: bytes.toString('base64'), encoding: 'base64' };
}

function relationLine({ from, relation, to, weight }: MemoryLink) {
  return { relation, from: placeText(from), to: placeText(to), weight };
}
