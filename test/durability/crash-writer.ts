/**
 * A program that writes to a mount until that dies, and then, when it is mounted again, looks whether all is there that was
 * acknowledged: `crash-writer.js memory|scratchpad NAME SEED LOG [copies]`. It is told `look FOLDER` or `write FOLDER`, and answers with one line
 * of JSON: when it has looked, or when the folder has died under it. Each dot before that is an acknowledged change, which the log has
 * by then.
 */
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { randomNumbers } from '../../scripts/corpus.ts';
import { controlDescriptor } from '../../src/system/libc.ts';

/** What the writer's files hold, by their names. */
type World = ReadonlyMap<string, string>;

/** One system call or more that are acknowledged together, and what is there afterwards. */
interface Step {
  readonly act: () => void;
  readonly after: World;
  /** A file that may hold any beginning of what it is to hold, as a write of a disk may end early. */
  readonly growing?: string;
}

/** What the parent is told. */
export interface CrashReport {
  readonly acknowledged: number;
  /** What was wrong with the folder when it was looked at, or with the way it died. */
  readonly problems: readonly string[];
}

const SHARED_LOG = 'shared-log';
const FILES = 6;
const SMALL_FILES = 20;
/** Larger than one request of the kernel. */
const LARGE_BYTES = 300_000;
/** A command of fcntl(2), from fcntl.h: makes another descriptor of the same open file. */
const F_DUPFD = 0;
/** What a folder whose daemon has died answers. */
const DEAD: readonly unknown[] = ['ENOTCONN', 'ECONNABORTED', 'EIO'];

const [kind = '', name = '', seed = '0', log = '', copying] = process.argv.slice(2);
const random = randomNumbers(Number(seed));
const isMemory = kind === 'memory';
let folder = '';
let acknowledged = 0;
/** The one that is there; or, where a step was under way, what may be. */
let worlds: World[] = [new Map()];
let growing: string | undefined;
/** Descriptors that stay open until the folder has died. */
let copies: number[] = [];
let lines = 0;
let isLineInFlight = false;
let changes = 0;

for await (const line of createInterface(process.stdin)) {
  const at = line.indexOf(' ');
  folder = line.slice(at + 1);
  acknowledged = 0;
  const problems = line.startsWith('look ') ? look() : writeUntilDeath();
  process.stdout.write(`${JSON.stringify({ acknowledged, problems } satisfies CrashReport)}\n`);
}

function writeUntilDeath(): string[] {
  for (;;) {
    try {
      if (isMemory && chance(0.2)) appendShared();
      else for (const step of nextChange(worlds[0] ?? new Map())) take(step);
    } catch (error) {
      return isOfDead(error) ? closeCopies() : [`${name} was refused: ${error}`];
    }
  }
}

function isOfDead(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DEAD.includes(error.code);
}

/** @returns what was wrong with that */
function closeCopies(): string[] {
  const closing = copies;
  copies = [];
  return closing.flatMap((copy) => {
    try {
      closeSync(copy);
      return [];
    } catch (error) {
      return isOfDead(error) ? [] : [`a copy of ${name} was not closed: ${error}`];
    }
  });
}

function take({ act, after, growing: grows }: Step): void {
  const [before = after] = worlds;
  worlds = [before, after];
  growing = grows;
  act();
  worlds = [after];
  growing = undefined;
  acknowledge(
    isMemory ? [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path) : [],
  );
}

function appendShared(): void {
  isLineInFlight = true;
  put(SHARED_LOG, `${name} ${lines}\n`, 'a', false);
  isLineInFlight = false;
  lines += 1;
  // Where the other one's line went into the same commit, that is one entry of the history.
  acknowledge([]);
}

function acknowledge(paths: readonly string[]): void {
  for (const path of paths) appendFileSync(log, `${path}\n`);
  acknowledged += 1;
  writeSync(1, '.\n');
}

function look(): string[] {
  const found = new Map(ownNames('').map((path) => [path, read(path)]));
  const problems = worlds.some((world) => isSame(found, world)) ? [] : [describe(found)];
  worlds = [found];
  growing = undefined;
  return isMemory ? [...problems, ...lookAtShared()] : problems;
}

function lookAtShared(): string[] {
  if (lines === 0 && !isLineInFlight) return [];
  const numbers = (readdirSync(folder).includes(SHARED_LOG) ? read(SHARED_LOG) : '')
    .split('\n')
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => Number(line.split(' ')[1]));
  const isInOrder = numbers.every((number, index) => number === index);
  const expected = lines;
  const surplus = numbers.length - expected;
  lines = numbers.length;
  const isRight = isInOrder && (surplus === 0 || (surplus === 1 && isLineInFlight));
  isLineInFlight = false;
  return isRight ? [] : [`${name} has ${numbers.length} of ${expected} lines in ${SHARED_LOG}`];
}

/** Not by its encoding: then Node takes an error of close(2) for a bug of its own, and aborts. */
function read(path: string): string {
  return readFileSync(join(folder, path)).toString();
}

function ownNames(below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (!path.startsWith(name)) return [];
    return entry.isDirectory() ? ownNames(path) : [path];
  });
}

function isSame(found: World, world: World): boolean {
  const [before = world, after = world] = worlds;
  const grown = growing === undefined ? undefined : found.get(growing);
  const mayGrow = (path: string, text: string): boolean =>
    path === growing &&
    grown !== undefined &&
    text.startsWith(grown) &&
    grown.length >= (before.get(path)?.length ?? 0) &&
    world === after;
  return (
    found.size === world.size &&
    [...world].every(([path, text]) => found.get(path) === text || mayGrow(path, text))
  );
}

function describe(found: World): string {
  const summary = (world: World): string =>
    [...world]
      .map(([path, text]) => `${path}:${text.length}:${text.slice(0, 20)}`)
      .sort()
      .join(', ');
  return `${name} found [${summary(found)}] and not ${worlds.map((world) => `[${summary(world)}]`).join(' or ')}`;
}

function chance(probability: number): boolean {
  return random() < probability;
}

function oneOf<T>(items: readonly T[]): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** A text that is never the same twice. */
function newText(): string {
  changes += 1;
  const start = `${name} ${changes} `;
  return start + 'x'.repeat(Math.floor(random() ** 4 * (isMemory && chance(0.1) ? LARGE_BYTES : 5000)));
}

function nextChange(world: World): Step[] {
  const path = `${name}-${Math.floor(random() * FILES)}`;
  const there = oneOf([...world.keys()].filter((path) => !path.includes('/')));
  const roll = random();
  if (roll < 0.15 && there !== undefined) return [remove(world, there)];
  if (roll < 0.3 && there !== undefined) return [rename(world, there, path)];
  if (roll < 0.5) return saveAsEditor(world, path);
  if (roll < 0.7 && there !== undefined) return [append(world, there)];
  if (isMemory) return roll < 0.75 ? [empty(world, path)] : [overwrite(world, path)];
  return roll < 0.75 ? manySmall(world) : writeStepwise(world, path, chance(0.5));
}

function remove(world: World, path: string): Step {
  return { act: () => unlinkSync(join(folder, path)), after: without(world, path) };
}

function rename(world: World, from: string, to: string): Step {
  const text = world.get(from) ?? '';
  const after = from === to ? world : new Map(without(world, from)).set(to, text);
  return { act: () => renameSync(join(folder, from), join(folder, to)), after };
}

/** A temporary file beside it, and a rename over it. */
function saveAsEditor(world: World, path: string): Step[] {
  const temporary = `${path}.tmp`;
  const text = newText();
  const written = new Map(world).set(temporary, text);
  const write: Step[] = isMemory
    ? [{ act: () => put(temporary, text, 'w', true), after: written }]
    : writeStepwise(world, temporary, true, text);
  const act = () => renameSync(join(folder, temporary), join(folder, path));
  return [...write, { act, after: new Map(without(written, temporary)).set(path, text) }];
}

function append(world: World, path: string): Step {
  const text = ` and ${newText()}`;
  const after = new Map(world).set(path, (world.get(path) ?? '') + text);
  return { act: () => put(path, text, 'a', false), after, ...(isMemory ? {} : { growing: path }) };
}

/** With O_TRUNC. What is kept stays until something else is. */
function overwrite(world: World, path: string): Step {
  const text = newText();
  return { act: () => put(path, text, 'w', chance(0.2)), after: new Map(world).set(path, text) };
}

/** Only the last close keeps what was merely emptied, and close(2) does not wait for that; fsync(2) does. */
function empty(world: World, path: string): Step {
  return { act: () => put(path, '', 'w', true), after: new Map(world).set(path, '') };
}

/** Each system call is acknowledged on its own, as on a disk. */
function writeStepwise(world: World, path: string, isSynced: boolean, text = newText()): Step[] {
  let descriptor = -1;
  const open = () => {
    descriptor = openSync(join(folder, path), 'w');
  };
  const write = () => {
    if (writeSync(descriptor, text) !== Buffer.byteLength(text)) throw new Error('a write was cut short');
    if (isSynced) fsyncSync(descriptor);
    closeSync(descriptor);
  };
  return [
    { act: open, after: new Map(world).set(path, '') },
    { act: write, after: new Map(world).set(path, text), growing: path },
  ];
}

function manySmall(world: World): Step[] {
  const below = `${name}-many/${Math.floor(random() * FILES)}`;
  const steps: Step[] = [`${name}-many`, below].map((path) => ({
    act: () => makeFolder(path),
    after: world,
  }));
  let now = world;
  for (let number = 0; number < SMALL_FILES; number += 1) {
    const step = writeStepwise(now, `${below}/${number}`, false, newText().slice(0, 40));
    now = step.at(-1)?.after ?? now;
    steps.push(...step);
  }
  return steps;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(join(folder, path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Has a copy of the descriptor stay open now and then. The file is not released then, which would keep what was written a moment after close(2), even where
 * that did not.
 */
function put(path: string, text: string, flags: 'w' | 'a', isSynced: boolean): void {
  const descriptor = openSync(join(folder, path), flags);
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += writeSync(descriptor, bytes, at));
    if (isSynced) fsyncSync(descriptor);
    if (copying === 'copies' && chance(0.5)) copies.push(controlDescriptor(descriptor, F_DUPFD, 0));
  } finally {
    closeSync(descriptor);
  }
}

function without(world: World, path: string): World {
  return new Map([...world].filter(([other]) => other !== path));
}
