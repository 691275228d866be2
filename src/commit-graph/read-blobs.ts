import { FsError } from '../core/errors.ts';
import type { BlobContent } from '../git/blobs.ts';
import { type ReadOutcome, type ReadRequest, readContribution } from '../ingest/read-document.ts';
import type { FileContent } from '../source/docs-file.ts';
import type { DocsSettings } from './tree-view.ts';

/** A document of a tree that is to be read. */
export interface BlobRequest extends ReadRequest {
  readonly object: string;
}

/** A status for content from Git, which keeps no times and no inodes. */
const NO_STATUS: Omit<FileContent['status'], 'sizeBytes'> = {
  mode: 0o100644,
  inode: 0,
  disk: 0,
  mount: 0,
  modifiedNs: 0n,
  changedNs: 0n,
  stamp: '',
};

/** Reads what a blob contributes, exactly as if it was a file of the docs. The stamp of the document is the name of the blob. */
export function readBlobDocument(
  request: BlobRequest,
  content: BlobContent,
  { selection, maxBytes }: DocsSettings,
): ReadOutcome {
  const folders = { readContent: (path: string): FileContent => contentOf(path, content, maxBytes) };
  const outcome = readContribution(folders, selection, request, maxBytes);
  return outcome.outcome === 'unreadable' ? outcome : { ...outcome, stamp: request.object };
}

function contentOf(path: string, content: BlobContent, maxBytes: number): FileContent {
  if (content === 'oversize') throw new FsError('EFBIG', path, `it is larger than ${maxBytes} bytes`);
  return { bytes: content, status: { ...NO_STATUS, sizeBytes: content.byteLength } };
}
