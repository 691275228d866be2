import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { FsError } from '../core/errors.ts';
import type { VfsPath } from '../core/paths.ts';

/** Contents up to this size are put into the history in full; of larger ones, only the size and the hash. */
const MAX_INLINE_BYTES = 64 * 1024;
/** The limit for a content that was appended to: since it is still there, it is repeated only if that costs little. */
const MAX_INLINE_APPENDED_BYTES = 4 * 1024;
/** How many bytes are looked at to find out whether a content is text. */
const SAMPLE_BYTES = 8192;

/** The SHA-256 of a content, as hexadecimal digits. */
export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The text that is searched: the key in the first line, then the content, both in lower case. Undefined if the content is not text. */
export function foldedText(key: string, content: Uint8Array): string | undefined {
  if (content.subarray(0, SAMPLE_BYTES).includes(0)) return undefined;
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString();
  return `${key.replaceAll('\n', ' ')}\n${text}`.toLowerCase();
}

export function isPrefix(start: Uint8Array, whole: Uint8Array): boolean {
  return start.length <= whole.length && Buffer.compare(start, whole.subarray(0, start.length)) === 0;
}

/** A content together with its hash and version. */
export interface VersionedContent {
  readonly content: Uint8Array;
  readonly sha256: string;
  readonly version: number;
}

/** A content as the history describes it. */
export function summaryOf({ content, sha256, version }: VersionedContent): Record<string, unknown> {
  return { bytes: content.length, sha256, version };
}

/** The previous version as the history stores it: with its text if that is short enough. */
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
