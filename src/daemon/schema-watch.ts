import { realpathSync, statSync } from 'node:fs';
import { usualMapNow } from '../config/schema-map-file.ts';
import type { Settings } from '../config/settings.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { loadSchemaMap, READY_MAP } from '../schema/load-map.ts';
import { type MapFault, SchemaMapError } from '../schema/map-error.ts';

export interface SchemaListener {
  /** The map changed, appeared or went. */
  readonly onMap: (schema: SchemaRules | undefined) => void;
  /** The last good map stays. @param file absolute */
  readonly onBroken: (file: string, faults: readonly MapFault[]) => void;
}

/** The state of the map. */
export interface SchemaState {
  /** Absolute, or the name of a built-in map; undefined if there is none. */
  readonly file: string | undefined;
  /** The rules by which the docs are read: while the map is broken, the last good ones. */
  readonly rules: SchemaRules | undefined;
  /** What is wrong with the map as it is now. */
  readonly faults: readonly MapFault[];
}

/** Where a project's map is. */
type MapPlace = Pick<Settings, 'schemaMap' | 'usualMaps'>;

/**
 * Follows the file of a schema map. It is read at the start, and again once it has changed and stayed the same for two looks, since editors write
 * in several steps.
 */
export class SchemaWatch {
  readonly #place: MapPlace;
  #seen: Seen;
  #done: Seen;
  #state: SchemaState;

  /** @param last the rules by which the docs were last read; used if the map is broken from the start */
  constructor(place: MapPlace, last: SchemaRules | undefined) {
    this.#place = place;
    this.#seen = this.#now();
    this.#done = this.#seen;
    this.#state = this.#read(last);
  }

  state(): SchemaState {
    return this.#state;
  }

  /** The paths at which the map is or may appear, and the file that a link there leads to. Absolute. */
  files(): string[] {
    const { schemaMap, usualMaps } = this.#place;
    const own = schemaMap === undefined || schemaMap === READY_MAP ? [] : [schemaMap];
    const { file } = this.#now();
    return [...usualMaps, ...own, ...(file === undefined || file === READY_MAP ? [] : realPathOf(file))];
  }

  /** @returns false if the map changed since the last look: look again soon, so that it is read */
  look(listener: SchemaListener): boolean {
    const now = this.#now();
    const isSettled = isSame(now, this.#seen);
    this.#seen = now;
    if (!isSettled || isSame(now, this.#done)) return isSettled;
    this.#done = now;
    const { rules } = this.#state;
    this.#state = this.#read(rules);
    const { file, faults } = this.#state;
    if (file !== undefined && faults.length > 0) listener.onBroken(file, faults);
    else listener.onMap(this.#state.rules);
    return true;
  }

  #read(last: SchemaRules | undefined): SchemaState {
    const { file } = this.#seen;
    if (file === undefined) return { file, rules: undefined, faults: [] };
    try {
      return { file, rules: loadSchemaMap(file), faults: [] };
    } catch (error) {
      if (!(error instanceof SchemaMapError)) throw error;
      return { file, rules: last, faults: error.faults };
    }
  }

  #now(): Seen {
    const { schemaMap, usualMaps } = this.#place;
    const file = usualMaps.length === 0 ? schemaMap : usualMapNow(usualMaps);
    return { file, stamp: file === undefined || file === READY_MAP ? '' : stampOf(file) };
  }
}

interface Seen {
  readonly file: string | undefined;
  readonly stamp: string;
}

function isSame(a: Seen, b: Seen): boolean {
  return a.file === b.file && a.stamp === b.stamp;
}

/** Empty if the path leads nowhere. */
function realPathOf(file: string): string[] {
  try {
    return [realpathSync(file)];
  } catch {
    return [];
  }
}

function stampOf(file: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(file, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    // Reading the map will say what is wrong.
    return '';
  }
}
