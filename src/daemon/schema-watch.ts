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
  /** The map has changed, appeared or gone. */
  readonly onMap: (schema: SchemaRules | undefined) => void;
  /** The map is broken, so the last good one stays in use. @param file an absolute path */
  readonly onBroken: (file: string, faults: readonly MapFault[]) => void;
}

/** The state of the map. */
export interface SchemaState {
  /** An absolute path, or the name of a built-in map; undefined if there is none. */
  readonly file: string | undefined;
  /** The rules by which the docs are read. While the map is broken, these are the last good ones. */
  readonly rules: SchemaRules | undefined;
  /** What is wrong with the map as it is now. */
  readonly faults: readonly MapFault[];
}

/** Where a project's map may be. */
type MapPlace = Pick<Settings, 'schemaMap' | 'usualMaps'>;

/**
 * Follows the file of a schema map. The map is read at the start, and again once it has changed and then stayed the same for two looks, since editors write in
 * several steps. By now, its path may lead into the mount or to a disk that does not answer, so this thread never looks at it itself. If the docs do not answer
 * or cannot be looked at, it is not known whether they have a map: the previous one stays.
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

  /** @param last the rules by which the docs were last read; used if the map is broken from the start, or its disk does not answer */
  static async begin(place: MapPlace, last: SchemaRules | undefined): Promise<SchemaWatch> {
    const seen = await mapAt(place, UNKNOWN);
    return new SchemaWatch(place, seen, await read(seen, last));
  }

  state(): SchemaState {
    return this.#state;
  }

  /** The paths at which the map is or may appear, and the target of a link there. Absolute. */
  async files(): Promise<string[]> {
    const { schemaMap, usualMaps } = this.#place;
    const own = schemaMap === undefined || schemaMap === READY_MAP ? [] : [schemaMap];
    const { realPath } = await mapAt(this.#place, this.#seen);
    return [...usualMaps, ...own, ...(realPath === undefined ? [] : [realPath])];
  }

  /** @returns false if the map has changed since the last look. Then look again soon, so that it is read */
  async look(listener: SchemaListener): Promise<boolean> {
    const now = await mapAt(this.#place, this.#seen);
    const isSettled = isSame(now, this.#seen);
    this.#seen = now;
    // A map that could not be read is tried again, as it may have become readable without a change of its stamp.
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
  /** Whether the map seems to exist, but could not be read. */
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

/** The map as it is on disk. */
interface Seen {
  /** As in {@link SchemaState}. */
  readonly file: string | undefined;
  /** The path of the file without links; undefined if there is no file, or the map is a built-in one. */
  readonly realPath?: string;
  readonly stamp: string;
}

const NONE: Seen = { file: undefined, stamp: '' };
/** It is not known whether there is a map. */
const UNKNOWN: Seen = { file: undefined, stamp: 'unknown' };

/** @param before what was seen at the last look */
async function mapAt({ schemaMap, usualMaps }: MapPlace, before: Seen): Promise<Seen> {
  if (schemaMap === READY_MAP) return { file: schemaMap, stamp: '' };
  for (const file of usualMaps) {
    // The folder comes first, since a file in a folder that does not answer must not be asked for.
    const folder = await folderOf(file);
    if (folder === NO_ANSWER) return before;
    const found = await fileAt(file);
    if (found === NO_ANSWER) return before;
    // A link that leads out of the folder does not count as a map.
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

/** Where a file lies and its stamp. Undefined if there is nothing to be read; reading it then gives the reason. */
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
    // Reading a pipe would wait for its writer.
    if (!(await stat(handlePath)).isFile()) throw new Error('it is no file');
    return readFile(handlePath, 'utf8');
  });
}
