import { statSync } from 'node:fs';
import { reasonOf } from './core/errors.ts';
import type { SchemaRules } from './core/schema-rules.ts';
import { loadSchemaMap, READY_MAP } from './schema/load-map.ts';

export interface SchemaListener {
  readonly onMap: (schema: SchemaRules) => void;
  /** The last good map stays. */
  readonly onBroken: (reason: string) => void;
}

/** Follows the file of a schema map: looked at from time to time, read where it is another than before. */
export class SchemaWatch {
  readonly #file: string | undefined;
  readonly #listener: SchemaListener;
  #stamp: string;

  constructor(source: string | undefined, listener: SchemaListener) {
    this.#file = source === READY_MAP ? undefined : source;
    this.#listener = listener;
    this.#stamp = this.#stampNow();
  }

  look(): void {
    const now = this.#stampNow();
    if (this.#file === undefined || now === this.#stamp) return;
    this.#stamp = now;
    let schema: SchemaRules;
    try {
      schema = loadSchemaMap(this.#file);
    } catch (error) {
      this.#listener.onBroken(reasonOf(error));
      return;
    }
    this.#listener.onMap(schema);
  }

  #stampNow(): string {
    if (this.#file === undefined) return '';
    const status = statSync(this.#file, { bigint: true, throwIfNoEntry: false });
    return status === undefined ? '' : `${status.mtimeNs} ${status.size} ${status.ino}`;
  }
}
