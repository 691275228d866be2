import { FsError } from '../../core/errors.ts';
import { isoTime } from '../../core/iso-time.ts';
import { decodeName } from '../../core/names.ts';
import { parsePath } from '../../core/paths.ts';
import type { RelatedTo } from '../../core/search.ts';

export const MAX_RELATED_DEPTH = 5;

/** Midnight, UTC, at the start of a day, month or year, in milliseconds since 1970; undefined if it is none of these. */
export function startOf(value: string): number | undefined {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value) ?? [];
  if (year === undefined) return undefined;
  const startMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  const isReal = !Number.isNaN(startMs) && isoTime(startMs).startsWith(`${year}-${month}-${day}`);
  return isReal ? startMs : undefined;
}

/** Reads `Charge` or `Charge~2`; undefined if there is no name, or the depth is impossible. */
export function relatedTo(value: string): RelatedTo | undefined {
  const [, name = '', depth = '1'] = /^(.*?)(?:~(\d+))?$/s.exec(value) ?? [];
  const isPossible = name.trim() !== '' && Number(depth) >= 1 && Number(depth) <= MAX_RELATED_DEPTH;
  return isPossible ? { name: name.trim(), depth: Number(depth) } : undefined;
}

/** Reads a path of the mount, with or without its first slash. A query that is a file name cannot contain a slash, so `%2F` stands for one there. */
export function scopeOf(value: string): string | undefined {
  try {
    return parsePath(value.includes('/') ? value : decodeName(value.replaceAll('%2f', '%2F')));
  } catch (error) {
    if (error instanceof FsError) return undefined;
    throw error;
  }
}
