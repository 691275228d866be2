import { constants, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { loadSchemaMapBy, READY_MAP } from '../schema/load-map.ts';
import { type MapFault, SchemaMapError } from '../schema/map-error.ts';
import { atPlace } from '../system/found-place.ts';

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
 * in several steps. Where it is looked for may lead into the mount by now, so none of it is looked at from this thread.
 */
export class SchemaWatch {
  readonly #place: MapPlace;
  #seen: Seen;
  #done: Seen;
  #state: SchemaState;

  private constructor(place: MapPlace, seen: Seen, state: SchemaState) {
    this.#place = place;
    this.#seen = seen;
    this.#done = seen;
    this.#state = state;
  }

  /** @param last the rules by which the docs were last read; used if the map is broken from the start */
  static async begin(place: MapPlace, last: SchemaRules | undefined): Promise<SchemaWatch> {
    const seen = await mapAt(place);
    return new SchemaWatch(place, seen, await read(seen, last));
  }

  state(): SchemaState {
    return this.#state;
  }

  /** The paths at which the map is or may appear, and the file that a link there leads to. Absolute. */
  async files(): Promise<string[]> {
    const { schemaMap, usualMaps } = this.#place;
    const own = schemaMap === undefined || schemaMap === READY_MAP ? [] : [schemaMap];
    const { realPath } = await mapAt(this.#place);
    return [...usualMaps, ...own, ...(realPath === undefined ? [] : [realPath])];
  }

  /** @returns false if the map changed since the last look: look again soon, so that it is read */
  async look(listener: SchemaListener): Promise<boolean> {
    const now = await mapAt(this.#place);
    const isSettled = isSame(now, this.#seen);
    this.#seen = now;
    if (!isSettled || isSame(now, this.#done)) return isSettled;
    this.#done = now;
    this.#state = await read(now, this.#state.rules);
    const { file, faults } = this.#state;
    if (file !== undefined && faults.length > 0) listener.onBroken(file, faults);
    else listener.onMap(this.#state.rules);
    return true;
  }
}

async function read({ file }: Seen, last: SchemaRules | undefined): Promise<SchemaState> {
  if (file === undefined) return { file, rules: undefined, faults: [] };
  try {
    return { file, rules: await loadSchemaMapBy(file, textOf), faults: [] };
  } catch (error) {
    if (!(error instanceof SchemaMapError)) throw error;
    return { file, rules: last, faults: error.faults };
  }
}

/** The map as it is now. */
interface Seen {
  /** As in {@link SchemaState}. */
  readonly file: string | undefined;
  /** Where that lies, by no link. Undefined for what is not there, and for a ready map. */
  readonly realPath?: string;
  readonly stamp: string;
}

async function mapAt({ schemaMap, usualMaps }: MapPlace): Promise<Seen> {
  if (schemaMap === READY_MAP) return { file: schemaMap, stamp: '' };
  for (const file of usualMaps) {
    const found = await fileAt(file);
    // A link out of its folder is none.
    if (found?.realPath.startsWith(`${await folderOf(file)}/`)) return { file, ...found };
  }
  if (usualMaps.length > 0 || schemaMap === undefined) return { file: undefined, stamp: '' };
  return { file: schemaMap, stamp: '', ...(await fileAt(schemaMap)) };
}

function isSame(a: Seen, b: Seen): boolean {
  return a.file === b.file && a.stamp === b.stamp;
}

/** Undefined where nothing is to be read: reading it will say why. */
async function fileAt(
  file: string,
): Promise<{ readonly realPath: string; readonly stamp: string } | undefined> {
  const look = (handlePath: string) => {
    const { mtimeNs, size, ino } = statSync(handlePath, { bigint: true });
    return { realPath: readlinkSync(handlePath), stamp: `${mtimeNs} ${size} ${ino}` };
  };
  return atPlace(file, 0, look).catch(() => undefined);
}

async function folderOf(file: string): Promise<string | undefined> {
  return atPlace(dirname(file), constants.O_DIRECTORY, (handlePath) => readlinkSync(handlePath)).catch(
    () => undefined,
  );
}

async function textOf(file: string): Promise<string> {
  return atPlace(file, 0, (handlePath) => {
    // What a pipe says would be waited for.
    if (!statSync(handlePath).isFile()) throw new Error('it is no file');
    return readFileSync(handlePath, 'utf8');
  });
}
