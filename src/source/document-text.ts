import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { DEFAULT_MAX_DOCUMENT_BYTES } from '../settings/limits.ts';
import { lastingInode } from '../system/inode.ts';
import type { DocsProblem } from './docs-problem.ts';
import type { DocsRoot } from './docs-root.ts';
import { contentKindOf } from './file-kind.ts';

/** One version of a file: its text and the status that belongs to it. */
export interface DocumentText {
  /** Without a byte order mark; line ends are as on disk. Empty for binary content. */
  readonly text: string;
  /** Whether the content is no text, whatever the file's ending says. */
  readonly isBinary: boolean;
  /** The hash of the bytes on disk, in hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
  readonly inode: bigint;
  /** At most one problem: what could not be read as it was meant. */
  readonly problems: readonly DocsProblem[];
}

/** A NUL within this many bytes makes a file binary, as for Git. */
const SNIFFED_BYTES = 8 * 1024;

/**
 * Reads a file of the docs root as text. Bytes that are not UTF-8 become U+FFFD, with a problem that names the place of the first one. A file with a NUL near
 * its beginning is binary, which is a problem only for markdown.
 * @throws FsError ENOENT, EFBIG past `maxBytes` (8 MiB by default), EACCES, EISDIR, ELOOP, EIO
 */
export function readDocument(
  root: Pick<DocsRoot, 'readContent'>,
  path: string,
  maxBytes = DEFAULT_MAX_DOCUMENT_BYTES,
): DocumentText {
  const { bytes, status } = root.readContent(path, maxBytes);
  const isNoText = isBinary(bytes);
  const { text, problems } = isNoText ? { text: '', problems: binaryProblems(path) } : decode(path, bytes);
  return {
    text,
    problems,
    isBinary: isNoText,
    sha256: hash('sha256', bytes, 'hex'),
    sizeBytes: bytes.byteLength,
    modifiedNs: status.modifiedNs,
    changedNs: status.changedNs,
    inode: lastingInode(status.inode),
  };
}

/** The text alone, as in {@link readDocument} and with its errors. It takes a sixth less time, since nothing is hashed. */
export function readText(
  root: Pick<DocsRoot, 'readContent'>,
  path: string,
  maxBytes = DEFAULT_MAX_DOCUMENT_BYTES,
): string {
  const { bytes } = root.readContent(path, maxBytes);
  return isBinary(bytes) ? '' : decode(path, bytes).text;
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

function binaryProblems(path: string): DocsProblem[] {
  if (contentKindOf(path) !== 'markdown') return [];
  const message = 'this markdown file holds NUL bytes, so it is not read; is it UTF-16? Save it as UTF-8';
  return [{ path, line: 0, code: 'binary', message }];
}

function decode(path: string, bytes: Buffer): Pick<DocumentText, 'text' | 'problems'> {
  // A decoder for each file would take as long as everything else that reading it takes.
  if (isUtf8(bytes)) return { text: withoutMark(bytes.toString('utf8')), problems: [] };
  const text = new TextDecoder('utf-8').decode(bytes);
  const { offsetBytes, line } = firstInvalidByte(bytes);
  const message = `byte ${offsetBytes} of ${path} is not UTF-8; what cannot be read is replaced by U+FFFD`;
  return { text, problems: [{ path, line, code: 'not-utf8', message }] };
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The place of the first byte that is not UTF-8, for bytes that have one. The offset counts from 0, the line from 1. */
function firstInvalidByte(bytes: Buffer): { offsetBytes: number; line: number } {
  const text = bytes.toString('utf8');
  let offsetBytes = 0;
  let start = 0;
  for (;;) {
    const end = text.indexOf('\uFFFD', start);
    offsetBytes += Buffer.byteLength(text.slice(start, end));
    // The text may contain a U+FFFD that stands in the file itself.
    if (bytes.toString('hex', offsetBytes, offsetBytes + 3) !== 'efbfbd') {
      return { offsetBytes, line: text.slice(0, end).split('\n').length };
    }
    offsetBytes += 3;
    start = end + 1;
  }
}
