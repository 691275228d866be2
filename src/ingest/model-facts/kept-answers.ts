import type { SchemaRules } from '../../core/schema-rules.ts';
import { type Answer, answerOf } from '../../model-extraction/answer.ts';
import { type MapTypes, mapTypesOf } from '../../model-extraction/map-types.ts';
import { promptVersion } from '../../model-extraction/prompt.ts';
import type { DocumentRow } from '../../store/documents.ts';
import { type ExtractionStore, openExtractionsToRead } from '../../store/extractions.ts';
import type { Store } from '../../store/store.ts';

/** Raised whenever the same answers would give other facts. */
const MERGE_VERSION = 2;

/** What a model answered about a document of some content. */
export interface ModelAnswers {
  readonly model: string;
  /** Types of a schema map that it was asked for. */
  readonly types: MapTypes;
  readonly answers: readonly Answer[];
}

/** What models answered, as documents are read. */
export class KeptAnswers {
  readonly #store: ExtractionStore | undefined;
  readonly #types: MapTypes;
  /** Of what is asked under the schema map. */
  readonly #version: number;

  /**
   * @param file where answers are kept, if any were; undefined: documents are read without
   * @param schema what was answered to other types than those of this map is as if it had not been asked
   */
  constructor(file: string | undefined, schema: SchemaRules | undefined) {
    this.#types = mapTypesOf(schema);
    this.#version = promptVersion(this.#types);
    this.#store = file === undefined ? undefined : openExtractionsToRead(file);
  }

  /** Changes with what documents are indexed with. */
  revision(): string {
    const store = this.#store;
    return store?.isUsed() ? `${MERGE_VERSION}:${this.#version}:${store.revision()}` : '';
  }

  /** Stands for what was answered about a content; empty where nothing was. */
  stampOf(sha256: string): string {
    const stamp = this.#store?.find(sha256, this.#version)?.stamp;
    return stamp === undefined ? '' : `${MERGE_VERSION}:${stamp}`;
  }

  /** With the stamp that stands for it. */
  find(sha256: string): (ModelAnswers & { readonly stamp: string }) | undefined {
    const kept = this.#store?.find(sha256, this.#version);
    if (kept === undefined) return undefined;
    const answers = kept.answers.flatMap((text) => answerOf(JSON.parse(text), this.#types) ?? []);
    return { model: kept.model, types: this.#types, answers, stamp: `${MERGE_VERSION}:${kept.stamp}` };
  }

  /** Finds the documents that were indexed with other answers than there are now. */
  readOtherwise(index: Store): (row: DocumentRow) => boolean {
    if ((index.meta('extractions') ?? '') === this.revision()) return () => false;
    return ({ sha256, extractionStamp }) => this.stampOf(sha256) !== extractionStamp;
  }

  close(): void {
    this.#store?.close();
  }
}
