/** A file whose every line says which version of it this is, and how many lines that has. */

const LINE_BYTES = 20;
const MOST_LINES = 700;
/** Of files that keep their size: more than one page. */
const SAME_LINES = 300;

/** @param size whether each version has another size */
export function textOf(version: number, size: 'same' | 'other'): string {
  const lines = size === 'same' ? SAME_LINES : 1 + ((version * 37) % MOST_LINES);
  return `${String(version).padStart(10, '0')} ${String(lines).padStart(8, '0')}\n`.repeat(lines);
}

/** What a reader saw. */
export interface Seen {
  /** The oldest version that a part of it is of; 0 for nothing at all. */
  readonly version: number;
  /** Why it is not all of one version; undefined where it is. */
  readonly flaw?: string;
}

export const NOTHING: Seen = { version: 0 };

/** @param sizeBytes that fstat(2) told */
export function seenIn(bytes: Buffer, sizeBytes: number): Seen {
  const lines = bytes.toString('latin1').split('\n').slice(0, -1);
  const versions = new Set(lines.map(Number.parseFloat));
  const version = Math.min(...versions);
  const rightBytes = Number(lines[0]?.slice(11)) * LINE_BYTES;
  if (versions.size > 1) return { version, flaw: `versions ${[...versions].join(', ')} in one` };
  if (bytes.length === 0 && sizeBytes === 0) return NOTHING;
  if (bytes.length === rightBytes && bytes.length === sizeBytes) return { version };
  return {
    version: versions.size === 0 ? 0 : version,
    flaw: `${bytes.length} bytes of ${rightBytes}, where fstat says ${sizeBytes}`,
  };
}
