import { createHash } from 'node:crypto';
import { MAX_NAME_BYTES } from './paths.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be escaped
const UNSAFE = /[%/\u0000-\u001f\u007f]|\p{Cs}|\uFFFD|^\./gu;
const HASH_DIGITS = 8;

/**
 * The file name of a label: `%`, `/`, control characters, U+FFFD, lone surrogates and a leading `.` percent-encoded. A name over 255
 * bytes of UTF-8 is cut at a character and ended with `~` and 8 hex digits of the label's SHA-256, so that two
 * long labels never meet. `decodeName` is the inverse for every name that was not cut.
 */
export function encodeName(label: string): string {
  const name = label.replace(UNSAFE, percentEncode);
  if (name === '') return '%';
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const hash = createHash('sha256').update(label).digest('hex').slice(0, HASH_DIGITS);
  return `${cutToBytes(name, MAX_NAME_BYTES - HASH_DIGITS - 1)}~${hash}`;
}

/** The label behind a name that `encodeName` wrote and did not cut; any other name is returned as it is. */
export function decodeName(name: string): string {
  if (name === '%') return '';
  return name.replace(/(?:%[0-9A-F]{2})+/g, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) ? text : run;
  });
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/** Cuts before `limit` bytes, never inside a character or an escape. */
function cutToBytes(name: string, limit: number): string {
  let bytes = 0;
  let cut = '';
  for (const unit of name.match(/%[0-9A-F]{2}|./gsu) ?? []) {
    bytes += Buffer.byteLength(unit);
    if (bytes > limit) break;
    cut += unit;
  }
  return cut;
}
