import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PROGRAM = resolve('dist/cli/main.js');
const POLL_MS = 20;
export const READINGS = 5;

/** Words before each command: none, or those that pin it and its children to one core. */
export type Pin = readonly string[];

/** The settings of a run. */
export interface Bench {
  readonly pin: Pin;
  /** A folder of its own, on the disk that everything is compared with. */
  readonly work: string;
  readonly drivers: readonly string[];
}

/** A way of mounting, with its name in tables. */
interface Way {
  readonly name: string;
  readonly flags: readonly string[];
}

/** How opens are recorded, or not. */
const AUDITS: readonly Way[] = [
  { name: '', flags: [] },
  { name: ' --audit off', flags: ['--audit', 'off'] },
  { name: ' --audit off --read-only', flags: ['--audit', 'off', '--read-only'] },
];

/** Each driver in each of those ways. */
export function waysOf(drivers: readonly string[]): Way[] {
  return drivers.flatMap((driver) =>
    AUDITS.map(({ name, flags }) => ({ name: `${driver}${name}`, flags: ['--driver', driver, ...flags] })),
  );
}

/** The milliseconds that a shell command takes. @param folder where it runs @throws if it fails */
export function timed(pin: Pin, command: string, folder: string): number {
  const startMs = performance.now();
  outputOf(pin, command, folder);
  return performance.now() - startMs;
}

/** As {@link timed}, for short commands: the median of {@link READINGS} readings, one after another. */
export function timedAgain(pin: Pin, command: string, folder: string): number {
  const sorted = Array.from({ length: READINGS }, () => timed(pin, command, folder)).sort((a, b) => a - b);
  return sorted[READINGS >> 1] ?? Number.NaN;
}

/** The output of a shell command. @throws if it fails */
export function outputOf(pin: Pin, command: string, folder: string, ...args: readonly string[]): string {
  const [program = 'sh', ...rest] = [...pin, 'sh', '-c', command, 'sh', ...args];
  const { status, stdout } = spawnSync(program, rest, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${command} in ${folder} ended with ${status}`);
  return stdout;
}

/** Runs the program. @returns what it printed */
export function kgraphfs(pin: Pin, ...args: readonly string[]): string {
  const [program = 'node', ...rest] = [...pin, process.execPath, PROGRAM, ...args];
  return execFileSync(program, rest, { encoding: 'utf8', cwd: tmpdir() });
}

/** The status of a mount; see docs/cli.md. */
export interface Status {
  readonly pid: number;
  readonly session: string;
  readonly nodes: number;
  readonly edges: number;
}

/** Mounts docs for as long as `use` takes. Their index is in `state`, which is made if it does not exist. */
export async function withMount<Result>(
  { pin, work }: Bench,
  { docs, state, flags }: { docs: string; state: string; flags: readonly string[] },
  use: (point: string, status: Status) => Result | Promise<Result>,
): Promise<Result> {
  const point = mkdtempSync(join(work, 'ctx-'));
  const at = ['--docs', docs, '--state', state];
  const status: Status = JSON.parse(kgraphfs(pin, 'mount', point, ...at, ...flags, '--wait', '--json'));
  const { session }: Status = JSON.parse(outputOf([], 'cat .kgraphfs/status.json', point));
  try {
    return await use(point, { ...status, session });
  } finally {
    kgraphfs([], 'unmount', point);
    rmdirSync(point);
  }
}

/** Shows a folder through bindfs, a filesystem in C++ on libfuse 3, for as long as `use` takes. */
export async function withBindfs<Result>(
  { pin, work }: Bench,
  from: string,
  use: (point: string) => Result | Promise<Result>,
): Promise<Result> {
  const point = join(work, 'bindfs');
  mkdirSync(point, { recursive: true });
  const [program = 'bindfs', ...rest] = [...pin, 'bindfs', '-f', '--no-allow-other', from, point];
  const child = spawn(program, rest, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (!readFileSync('/proc/mounts', 'utf8').includes(` ${point} fuse`)) {
    if (child.exitCode !== null) throw new Error('bindfs did not mount');
    await delay(POLL_MS);
  }
  try {
    return await use(point);
  } finally {
    spawnSync('fusermount3', ['-u', point]);
    await ended;
  }
}
