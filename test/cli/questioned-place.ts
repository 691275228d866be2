import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { forgetUnmoving } from '../../src/disk/unmoving-files.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { kgraphfs, type Ran } from './run-cli.ts';
import { runHere } from './run-here.ts';

export interface Place {
  readonly folder: string;
  readonly state: string;
  /** In a process of its own. */
  run(...args: readonly string[]): Ran;
  /** In this process, as the first command of it. */
  runHere(...args: readonly string[]): Promise<Ran>;
}

export function placeIn(folder: string): Place {
  mkdirSync(join(folder, 'docs'));
  writeFileSync(
    join(folder, 'docs/charges.md'),
    '# Charges\n\nA `Charge` requires a `Customer`. Charges are blue.\n',
  );
  writeFileSync(join(folder, 'docs/refunds.md'), '# Refunds\n\nA `Refund` belongs to a `Charge`.\n');
  const state = join(folder, '.kgraphfs');
  mkdirSync(state, { mode: 0o700 });
  return {
    folder,
    state,
    run: (...args) => kgraphfs(args, { cwd: folder }),
    runHere: (...args) => runHere(args, { cwd: folder }).finally(() => forgetUnmoving()),
  };
}

/** What is asked of a place whose folder is written to, with memory and history. */
export const QUESTIONS: readonly (readonly [RegExp, ...string[]])[] = [
  [/Charge {2}/, 'query', 'Charge'],
  [/Refunds/, 'nodes'],
  [/charges\.md/, 'search', 'blue'],
  [/context\/memory\/fact\/sky/, 'search', 'violet'],
  [/documents? +2|Document +2/, 'stats'],
  [/Charge.*Refund/, 'connect', 'Charge', 'Refund'],
  [/"directed"/, 'export'],
  [/fact\/sky/, 'context', 'memory', 'list'],
  [/violet/, 'context', 'memory', 'show', 'sky'],
  [/"versions"/, 'context', 'memory', 'show', 'sky', '--json'],
  [/"key":"sky"/, 'context', 'memory', 'export'],
  [/documents +2/, 'status'],
  [/create \/context\/memory\/fact\/sky/, 'context', 'history'],
  [/charges\.md/, 'vfs', 'list', '/docs'],
  [/violet/, 'vfs', 'read', '/context/memory/fact/sky'],
];

/** The same of commands that a process of their own runs without loading all others, see src/cli/quick. */
export const QUICK_QUESTIONS: typeof QUESTIONS = [
  [/Charge/, 'inspect', 'Charge'],
  [/charges\.md/, 'ask', 'which charges are blue', '--no-llm'],
];

export async function built(place: Place): Promise<void> {
  for (const args of [['build'], ['context', 'memory', 'add', 'fact/sky', 'the sky is violet']]) {
    const { status, err } = await place.runHere(...args);
    if (status !== 0) throw new Error(err);
  }
}

export type Run = (...args: readonly string[]) => Ran | Promise<Ran>;

export async function asksAll(t: Test, run: Run, questions: typeof QUESTIONS): Promise<void> {
  for (const [expected, ...args] of questions)
    t.match(await run(...args), { status: 0, out: expected }, args.join(' '));
}

/** A place whose state folder is a disk of its own. */
export function onDisk(t: Test, folder = temporaryFolder(t)): Place & { mounted(...how: string[]): void } {
  const place = placeIn(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=700', 'tmpfs', place.state]);
  t.teardown(() => execFileSync('umount', ['--', place.state]));
  const mounted = (...how: string[]) =>
    execFileSync('mount', ['-o', ['remount', ...how].join(), '--', place.state]);
  return { ...place, mounted };
}

/** Takes what is left of the disk, but for so many bytes. @returns the file that has it */
export function fill({ state }: Place, leftBytes = 0): string {
  const ballast = join(state, 'ballast');
  const descriptor = openSync(ballast, 'w');
  try {
    for (const block = Buffer.alloc(4096); ; ) writeSync(descriptor, block);
  } catch {
    ftruncateSync(descriptor, fstatSync(descriptor).size - leftBytes);
    return ballast;
  } finally {
    closeSync(descriptor);
  }
}
