import { createHash } from 'node:crypto';
import type { DocsSelection } from '../core/docs-selection.ts';
import { EXTRACTOR_VERSION } from '../ingest/extract/version.ts';
import { NO_MODEL_FIGURES } from '../ingest/model-facts/merge-answers.ts';
import type { ReadOutcome } from '../ingest/read-document.ts';
import { readOtherwise } from '../ingest/schema-stamps.ts';
import type { DocumentRow } from '../store/documents.ts';
import { openStore, type Store } from '../store/store.ts';
import type { BlobRequest } from './read-blobs.ts';

/** Fewer documents are read faster than the index is opened. */
const MIN_DOCUMENTS = 8;

/** Takes what documents contribute from the index of the docs, if it has the same text: after a switch of branches, it has already read most of them. */
export class IndexCopies {
  readonly #index: Store | undefined;
  readonly #isOtherwise: (row: DocumentRow) => boolean;

  /** @param count how many documents have to be read */
  constructor(indexFile: string | undefined, docs: DocsSelection, count: number) {
    const index = indexFile === undefined || count < MIN_DOCUMENTS ? undefined : openIfUsable(indexFile);
    this.#index = index;
    this.#isOtherwise = index === undefined ? () => true : readOtherwise(index, docs);
  }

  /** @returns undefined if the index has the document with another text or by other rules, or not at all */
  outcomeOf({ path, object }: BlobRequest, content: Buffer): ReadOutcome | undefined {
    const index = this.#index;
    const row = index?.documents.get(path);
    if (index === undefined || row?.extractorVersion !== EXTRACTOR_VERSION || this.#isOtherwise(row))
      return undefined;
    // The graph of a commit is what rules have read, without the answers of a model.
    if (row.extractionStamp !== '') return undefined;
    const { id, sha256, schemaStamp, title } = row;
    const outline = index.outlines.of(path)?.outline;
    if (outline === undefined || createHash('sha256').update(content).digest('hex') !== sha256)
      return undefined;
    const contribution = { title, problems: [], ...index.contributions.wholeOf(id) };
    return {
      outcome: 'read',
      path,
      stamp: object,
      sha256,
      contribution,
      outline,
      schemaStamp,
      extractionStamp: '',
      modelFigures: NO_MODEL_FIGURES,
    };
  }

  close(): void {
    this.#index?.close();
  }
}

/** Opens the index if possible. If it is missing, of another version, or on a disk that fails, its documents are read from the commit instead. */
function openIfUsable(file: string): Store | undefined {
  try {
    return openStore(file, { readOnly: true });
  } catch {
    // The code that needs the index itself reports what is wrong with it.
    return undefined;
  }
}
