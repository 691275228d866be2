import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { FsError } from '../core/errors.ts';
import type { VfsPath } from '../core/paths.ts';

/** Contents up to this are put into the history as they were; of larger ones their hash and size. */
const MAX_INLINE_BYTES = 64 * 1024;
/** What was appended to is still there: it is repeated only where that costs little. */
const MAX_INLINE_APPENDED_BYTES = 4 * 1024;
/** Bytes looked at to tell text from anything else. */
const SAMPLE_BYTES = 8192;

/** Hexadecimal digits of the SHA-256. */
export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The text to search through: key and content in lower case, the key in the first line. Undefined for what is no text. */
export function foldedText(key: string, content: Uint8Array): string | undefined {
  if (content.subarray(0, SAMPLE_BYTES).includes(0)) return undefined;
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString();
  return `${key.replaceAll('\n', ' ')}\n${text}`.toLowerCase();
}

export function isPrefix(start: Uint8Array, whole: Uint8Array): boolean {
  return start.length <= whole.length && Buffer.compare(start, whole.subarray(0, start.length)) === 0;
}

/** A content and what is known of it. */
export interface VersionedContent {
  readonly content: Uint8Array;
  readonly sha256: string;
  readonly version: number;
}

/** What the history says of a content. */
export function summaryOf({ content, sha256, version }: VersionedContent): Record<string, unknown> {
  return { bytes: content.length, sha256, version };
}

/** The version before as the history keeps it: with its text where that is short enough. */
export function before(replaced: VersionedContent, isStillThere = false): Record<string, unknown> {
  const limit = isStillThere ? MAX_INLINE_APPENDED_BYTES : MAX_INLINE_BYTES;
  const { content } = replaced;
  const isInline = content.length <= limit && isUtf8(content);
  return { ...summaryOf(replaced), ...(isInline ? { text: Buffer.from(content).toString() } : {}) };
}

/** @throws FsError EFBIG */
export function requireSize(sizeBytes: number, maxBytes: number, path: VfsPath): void {
  if (sizeBytes <= maxBytes) return;
  throw new FsError(
    'EFBIG',
    path,
    `a memory has at most ${maxBytes} bytes; keep larger files in the scratchpad`,
  );
}
