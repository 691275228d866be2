/** One writer or reader of a race: works until its time is over, and prints what it found as JSON. */

import { constants } from 'node:os';
import { reasonOf } from '../../../src/core/errors.ts';
import { type Places, RACES, type Race } from './races.ts';
import { Scoreboard } from './scoreboard.ts';

export interface RacerOptions {
  readonly role: 'write' | 'read';
  readonly race: string;
  readonly places: Places;
  /** The file of the scoreboard. */
  readonly board: string;
  /** The first version to be written. */
  readonly from: number;
  readonly durationMs: number;
  /** How much longer a reader goes on at most: until it has seen the last version. */
  readonly afterwardsMs: number;
}

/** What a racer found. */
export interface Findings {
  /** Versions written, or reads. */
  readonly count: number;
  /** Reads during which nothing was written. */
  readonly quiet: number;
  /** What was wrong, the first few of them, and how often. */
  readonly wrong: number;
  readonly samples: readonly string[];
  /** Opens that were rightly told ESTALE: the kernel looks up anew once, and a folder on the way had changed twice within one open(2). */
  readonly stale: number;
  /** How long what was published was not seen, at most, since the reader was held up last. */
  readonly lagMs: number;
  /** How long the reader itself did not run, at most. */
  readonly heldUpMs: number;
}

/** A writer waits so long after one version and another: sometimes readers find nothing new, sometimes they are overtaken. */
const PAUSES_MS = [0, 0, 1, 3, 0, 8, 2, 25];
/** After so many a pause in which nobody tells of anything, so that what was not told stays wrong. */
const ROUND = 200;
const LONG_PAUSE_MS = 150;
const MOST_SAMPLES = 5;
/** A writer may begin so much later than readers. */
const WRITER_LATE_MS = 300;
/** A race has so many versions, and reads of each reader, however slow the machine is. */
const LEAST = 2;
/** A reader that did not run for so long was held up with the whole machine, and whoever was to tell it with it. */
const HELD_UP_MS = 1000;
/** How often the kernel looks a name up within one open(2), each of which may be overtaken. */
const LOOK_UPS = 2;

const options: RacerOptions = JSON.parse(process.argv[2] ?? '');
const board = new Scoreboard(options.board);
const race = RACES[options.race];
if (race === undefined) throw new Error(`there is no race ${options.race}`);
const findings = options.role === 'write' ? write(race) : read(race);
process.stdout.write(JSON.stringify(findings));

function write({ write }: Race): Findings {
  const endMs = Date.now() + options.durationMs;
  let version = options.from;
  for (; version < options.from + LEAST || Date.now() < endMs; version += 1) {
    board.begin(version);
    write(options.places, version);
    board.finish(version);
    sleep(version % ROUND === 0 ? LONG_PAUSE_MS : (PAUSES_MS[version % PAUSES_MS.length] ?? 0));
  }
  return { count: version - options.from, quiet: 0, wrong: 0, samples: [], stale: 0, lagMs: 0, heldUpMs: 0 };
}

function read({ read, seen, isAtomic, changesEach = 1, keeps }: Race): Findings {
  const enoughMs = Date.now() + options.durationMs + (options.afterwardsMs === 0 ? 0 : WRITER_LATE_MS);
  const endMs = Date.now() + options.durationMs + options.afterwardsMs;
  let hasSeenLast = false;
  let count = 0;
  let quiet = 0;
  let wrong = 0;
  let stale = 0;
  let lagMs = 0;
  let heldUpMs = 0;
  let lastMs = Date.now();
  let runsSinceMs = lastMs;
  const samples: string[] = [];
  while (count < LEAST || (Date.now() < endMs && !(hasSeenLast && Date.now() >= enoughMs))) {
    const done = board.done();
    const startMs = Date.now();
    heldUpMs = Math.max(heldUpMs, startMs - lastMs);
    if (startMs - lastMs > HELD_UP_MS) runsSinceMs = startMs;
    lastMs = startMs;
    let complaint: string | undefined;
    try {
      const { version, flaw } = read(options.places, done);
      const isQuiet = board.begun() === done;
      hasSeenLast = isQuiet && version >= done;
      count += 1;
      if (isQuiet) quiet += 1;
      const isGone = keeps !== undefined && board.begun() - done >= keeps;
      const mayMiss = isGone || (!isAtomic && !isQuiet);
      if (version < done && !(mayMiss && version === 0)) {
        if (seen === 'soon')
          lagMs = Math.max(lagMs, startMs - Math.max(runsSinceMs, board.doneAtMs(version + 1)));
        else complaint = `${version} instead of ${done}`;
      }
      if (flaw !== undefined && (isAtomic || isQuiet)) complaint = `${flaw}; ${version} of ${done}`;
    } catch (error) {
      const changes = (board.begun() - done) * changesEach;
      if (isStale(error) && !isAtomic && changes >= LOOK_UPS) {
        stale += 1;
        continue;
      }
      complaint = `${reasonOf(error)}, while its name changed ${changes} times at most`;
    }
    if (complaint === undefined) continue;
    wrong += 1;
    if (samples.length < MOST_SAMPLES) samples.push(complaint);
  }
  return { count, quiet, wrong, samples, stale, lagMs, heldUpMs };
}

function isStale(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === -constants.errno.ESTALE;
}

function sleep(ms: number): void {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
