import type { SchemaRules } from '../../core/schema-rules.ts';
import { type Answer, answerOf } from '../../model-extraction/answer.ts';
import { type MapTypes, mapTypesOf } from '../../model-extraction/map-types.ts';
import { promptVersion } from '../../model-extraction/prompt.ts';
import type { DocumentRow } from '../../store/documents.ts';
import { type ExtractionStore, openExtractionsToRead } from '../../store/extractions.ts';
import type { Store } from '../../store/store.ts';

/** To be raised whenever the same answers would give other facts. */
const MERGE_VERSION = 2;

/** The answers of a model about a document of some content. */
export interface ModelAnswers {
  readonly model: string;
  /** The types of a schema map that the model was asked for. */
  readonly types: MapTypes;
  readonly answers: readonly Answer[];
}

/** The stored answers of models, used while documents are read. */
export class KeptAnswers {
  readonly #store: ExtractionStore | undefined;
  readonly #types: MapTypes;
  /** The version of the questions that are asked with this schema map. */
  readonly #version: number;

  /**
   * @param file the file with answers, if there are any; undefined: documents are read without answers
   * @param schema answers to questions about other types than those of this map are ignored
   */
  constructor(file: string | undefined, schema: SchemaRules | undefined) {
    this.#types = mapTypesOf(schema);
    this.#version = promptVersion(this.#types);
    this.#store = file === undefined ? undefined : openExtractionsToRead(file);
  }

  /** Changes whenever the answers that documents are indexed with change. */
  revision(): string {
    const store = this.#store;
    return store?.isUsed() ? `${MERGE_VERSION}:${this.#version}:${store.revision()}` : '';
  }

  /** A stamp of the answers about a content; empty if there are none. */
  stampOf(sha256: string): string {
    const stamp = this.#store?.find(sha256, this.#version)?.stamp;
    return stamp === undefined ? '' : `${MERGE_VERSION}:${stamp}`;
  }

  /** The answers about a content, with their stamp. */
  find(sha256: string): (ModelAnswers & { readonly stamp: string }) | undefined {
    const kept = this.#store?.find(sha256, this.#version);
    if (kept === undefined) return undefined;
    const answers = kept.answers.flatMap((text) => answerOf(JSON.parse(text), this.#types) ?? []);
    return { model: kept.model, types: this.#types, answers, stamp: `${MERGE_VERSION}:${kept.stamp}` };
  }

  /** Returns a test for documents that were indexed with other answers than the present ones. */
  readOtherwise(index: Store): (row: DocumentRow) => boolean {
    if ((index.meta('extractions') ?? '') === this.revision()) return () => false;
    return ({ sha256, extractionStamp }) => this.stampOf(sha256) !== extractionStamp;
  }

  close(): void {
    this.#store?.close();
  }
}
