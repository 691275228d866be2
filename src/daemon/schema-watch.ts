import { constants, readlinkSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { saysWhatIsThere } from '../config/schema-map-file.ts';
import type { Settings } from '../config/settings.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { READY_MAP } from '../core/schema-rules.ts';
import { loadSchemaMapBy } from '../schema/load-map.ts';
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
 * in several steps. Where it is looked for may lead into the mount by now, or to a disk that does not answer, so none of it is looked at from this thread.
 * Of docs that do not answer, or cannot be looked at, it is not known whether they have a map: the one before stays.
 */
export class SchemaWatch {
  readonly #place: MapPlace;
  #seen: Seen;
  #done: Seen;
  #state: ReadState;

  private constructor(place: MapPlace, seen: Seen, state: ReadState) {
    this.#place = place;
    this.#seen = seen;
    this.#done = seen;
    this.#state = state;
  }

  /** @param last the rules by which the docs were last read; used if the map is broken from the start, or does not answer */
  static async begin(place: MapPlace, last: SchemaRules | undefined): Promise<SchemaWatch> {
    const seen = await mapAt(place, UNKNOWN);
    return new SchemaWatch(place, seen, await read(seen, last));
  }

  state(): SchemaState {
    return this.#state;
  }

  /** The paths at which the map is or may appear, and the file that a link there leads to. Absolute. */
  async files(): Promise<string[]> {
    const { schemaMap, usualMaps } = this.#place;
    const own = schemaMap === undefined || schemaMap === READY_MAP ? [] : [schemaMap];
    const { realPath } = await mapAt(this.#place, this.#seen);
    return [...usualMaps, ...own, ...(realPath === undefined ? [] : [realPath])];
  }

  /** @returns false if the map changed since the last look: look again soon, so that it is read */
  async look(listener: SchemaListener): Promise<boolean> {
    const now = await mapAt(this.#place, this.#seen);
    const isSettled = isSame(now, this.#seen);
    this.#seen = now;
    // What could not be read may be readable by now, and does not change by that.
    if (!isSettled || (isSame(now, this.#done) && !this.#state.isUnread)) return isSettled;
    const before = this.#state;
    this.#state = await read(now, before.rules);
    const isToldAlready = isSame(now, this.#done) && isDeepStrictEqual(this.#state.faults, before.faults);
    this.#done = now;
    if (isToldAlready) return true;
    const { file, faults } = this.#state;
    if (file !== undefined && faults.length > 0) listener.onBroken(file, faults);
    else listener.onMap(this.#state.rules);
    return true;
  }
}

interface ReadState extends SchemaState {
  /** The map is there, as far as one can see, and what it says is not known. */
  readonly isUnread: boolean;
}

async function read({ file, stamp }: Seen, last: SchemaRules | undefined): Promise<ReadState> {
  const nothing = { file, faults: [], isUnread: false };
  if (file === undefined) return { ...nothing, rules: stamp === UNKNOWN.stamp ? last : undefined };
  let isUnread = false;
  const noteUnread = (error: unknown): never => {
    isUnread = true;
    throw error;
  };
  try {
    return { ...nothing, rules: await loadSchemaMapBy(file, (path) => textOf(path).catch(noteUnread)) };
  } catch (error) {
    if (!(error instanceof SchemaMapError)) throw error;
    return { file, rules: last, faults: error.faults, isUnread };
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

const NONE: Seen = { file: undefined, stamp: '' };
/** Whether there is one is not known. */
const UNKNOWN: Seen = { file: undefined, stamp: 'unknown' };

/** @param before what was seen the last time */
async function mapAt({ schemaMap, usualMaps }: MapPlace, before: Seen): Promise<Seen> {
  if (schemaMap === READY_MAP) return { file: schemaMap, stamp: '' };
  for (const file of usualMaps) {
    // First, since what lies in a folder that does not answer is not asked for.
    const folder = await folderOf(file);
    if (folder === NO_ANSWER) return before;
    const found = await fileAt(file);
    if (found === NO_ANSWER) return before;
    // A link out of its folder is none.
    if (found?.realPath.startsWith(`${folder}/`)) return { file, ...found };
  }
  if (usualMaps.length > 0 || schemaMap === undefined) return NONE;
  const found = await fileAt(schemaMap);
  return { file: schemaMap, stamp: '', ...(found === NO_ANSWER ? {} : found) };
}

function isSame(a: Seen, b: Seen): boolean {
  return a.file === b.file && a.stamp === b.stamp;
}

const NO_ANSWER = Symbol('no answer');

/** Undefined where nothing is to be read: reading it will say why. */
function fileAt(
  file: string,
): Promise<{ readonly realPath: string; readonly stamp: string } | typeof NO_ANSWER | undefined> {
  const look = async (handlePath: string) => {
    const { mtimeNs, size, ino } = await stat(handlePath, { bigint: true });
    return { realPath: readlinkSync(handlePath), stamp: `${mtimeNs} ${size} ${ino}` };
  };
  return atPlace(file, 0, look).catch(orNoAnswer);
}

function folderOf(file: string): Promise<string | typeof NO_ANSWER | undefined> {
  const look = (handlePath: string) => readlinkSync(handlePath);
  return atPlace(dirname(file), constants.O_DIRECTORY, look).catch(orNoAnswer);
}

function orNoAnswer(error: unknown): typeof NO_ANSWER | undefined {
  return saysWhatIsThere(error) ? undefined : NO_ANSWER;
}

function textOf(file: string): Promise<string> {
  return atPlace(file, 0, async (handlePath) => {
    // What a pipe says would be waited for.
    if (!(await stat(handlePath)).isFile()) throw new Error('it is no file');
    return readFile(handlePath, 'utf8');
  });
}
