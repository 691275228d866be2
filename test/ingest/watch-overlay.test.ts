import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import type { Teardown } from '../support/temporary.ts';
import { until, watching } from './watch-fixture.ts';

/** A docs folder of an overlay, into which nothing was written there. */
function docsBelow(t: Teardown): string {
  const disk = diskInMemory(t, 'size=8m');
  const [lower, upper, work, top] = ['lower', 'upper', 'work', 'top'].map((name) => join(disk, name));
  for (const folder of [`${lower}/docs`, `${upper}`, `${work}`, `${top}`])
    mkdirSync(folder, { recursive: true });
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  execFileSync('mount', ['-t', 'overlay', '-o', options, 'overlay', `${top}`]);
  t.teardown(() => execFileSync('umount', ['--', `${top}`]));
  return `${top}/docs`;
}

t.test(
  'a docs folder of an overlay stays the same when something is written into it for the first time',
  { ...needsRootToMount, timeout: 240_000 },
  async (t) => {
    // The watch is closed before the disk goes.
    const actions: (() => unknown)[] = [];
    const teardown = { teardown: (action: () => unknown) => actions.unshift(action) };
    t.teardown(() => {
      for (const action of actions) action();
    });
    const docs = docsBelow(teardown);
    const { watch, states, tells, isWatching } = await watching(teardown, { docs });
    await isWatching();
    const born = statSync(docs, { bigint: true }).birthtimeNs;
    for (const name of ['a.md', 'b.md']) {
      writeFileSync(join(docs, name), '');
      await tells(name);
      watch.look();
    }
    t.not(statSync(docs, { bigint: true }).birthtimeNs, born, 'the disk says that it was born anew');
    // One look ends before the next one begins, and the end of this one is told.
    rmSync(docs, { recursive: true });
    watch.look();
    await until('the folder to be gone', () => states.at(-1)?.kind === 'missing');
    t.same(
      states.map(({ kind }) => kind),
      ['watching', 'missing'],
    );
  },
);
