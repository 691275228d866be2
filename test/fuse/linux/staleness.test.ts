import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { Place } from '../../durability/place.ts';
import { needsFuse } from '../fuse-available.ts';
import type { Findings, RacerOptions } from './racer-process.ts';
import { type Places, RACES } from './races.ts';
import { Scoreboard } from './scoreboard.ts';

const RACER = fileURLToPath(new URL('./racer-process.js', import.meta.url));
/** KGRAPHFS_SOAK=1 has each race go on for a minute. */
const RACE_MS = process.env['KGRAPHFS_SOAK'] === '1' ? 60_000 : 350;
/** What was told late is to be seen by then, on however slow a machine: attributes, listings, what others wrote to memory, and the graph. */
const SOON_MS = 10_000;
const READERS = 2;

const run = promisify(execFile);

async function race(options: RacerOptions): Promise<Findings> {
  const limitS = String(Math.ceil((options.durationMs + options.afterwardsMs) / 1000) + 20);
  const { stdout } = await run('timeout', [
    '-s',
    'KILL',
    limitS,
    process.execPath,
    RACER,
    JSON.stringify(options),
  ]);
  return JSON.parse(stdout);
}

const LIMIT_MS = Object.keys(RACES).length * (RACE_MS + 30_000);
t.setTimeout(LIMIT_MS);

t.test(
  'with all that the kernel keeps kept for an hour, who opens sees what was there before',
  { ...needsFuse(), timeout: LIMIT_MS },
  async (t) => {
    const place = new Place(t, 'linux');
    const [mount, other] = await Promise.all([place.mount('ctx'), place.mount('other')]);
    const places: Places = {
      docs: place.docs,
      staging: join(place.folder, 'staging'),
      mount: mount.point,
      other: other.point,
    };
    mkdirSync(places.staging);
    for (const [index, [title, { seen, write }]] of Object.entries(RACES).entries()) {
      await t.test(title, async (t) => {
        const board = join(place.folder, `board-${index}`);
        const common = { race: title, places, board, from: 2 };
        const scoreboard = new Scoreboard(board);
        scoreboard.begin(1);
        write(places, 1);
        scoreboard.finish(1);
        scoreboard.close();
        const timed = { ...common, durationMs: RACE_MS, afterwardsMs: seen === 'soon' ? SOON_MS : 0 };
        const readers = Array.from({ length: READERS }, () => race({ ...timed, role: 'read' }));
        const written = await race({ ...timed, role: 'write' });
        const found = await Promise.all(readers);
        const sum = (of: (findings: Findings) => number) =>
          found.reduce((total, findings) => total + of(findings), 0);
        const most = (of: (findings: Findings) => number) => Math.max(...found.map(of));
        const lagMs = most((findings) => findings.lagMs);
        t.comment(
          `${written.count} versions, ${sum(({ count }) => count)} reads, ${sum(({ quiet }) => quiet)} of them quiet, ${lagMs} ms late, readers held up for ${most(({ heldUpMs }) => heldUpMs)} ms at most, ${sum(({ stale }) => stale)} were overtaken twice within one open(2)`,
        );
        t.same(
          found.flatMap(({ samples }) => samples),
          [],
          `wrong: ${sum(({ wrong }) => wrong)}`,
        );
        t.ok(lagMs <= SOON_MS, `${lagMs} ms late at most`);
        t.ok(written.count > 1 && found.every(({ count }) => count > 1), 'there was a race');
      });
    }
    await Promise.all([mount.unmount(), other.unmount()]);
  },
);
