import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { daemonOf, mountPlace, until } from '../cli/mount/mount-place.ts';
import { kgraphfs } from '../cli/run-cli.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { shell } from './place.ts';

const PAGE_BYTES = 4096;

/** Overwrites all but the first page. */
function damage(file: string): void {
  const database = new Sqlite(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc((pages - 1) * PAGE_BYTES, 1), 0, undefined, PAGE_BYTES);
  closeSync(descriptor);
}

onEachDriver('a damaged index takes neither the mount away nor memory', needsFuse(), async (t, driver) => {
  const { mountpoint, state, at } = mountPlace(t, driver);
  t.equal(kgraphfs(['mount', mountpoint, '--wait', ...at]).status, 0);
  t.teardown(() => kgraphfs(['unmount', mountpoint]));
  const daemon = daemonOf(mountpoint);
  damage(join(state, 'index.sqlite'));

  t.match(await shell('cat "$1"/graph/nodes/Charge', mountpoint), { output: /Input\/output error/ });
  t.match(await shell('cat "$1"/docs/README.md', mountpoint), { status: 0 });
  t.match(
    await shell('echo kept > "$1"/context/memory/fact/f && cat "$1"/context/memory/fact/f', mountpoint),
    {
      output: 'kept\n',
    },
  );
  await until('it to be told', () =>
    /repairs damage with --repair/.test(kgraphfs(['status', mountpoint]).out),
  );
  t.match(await shell('cat "$1"/.kgraphfs/errors.jsonl', mountpoint), {
    output: /repairs damage with --repair/,
  });
  t.equal(daemonOf(mountpoint), daemon);
  const told = kgraphfs(['query', 'Charge', ...at]);
  t.equal(told.status, 1);
  t.match(told.err, /^kgraphfs: .*damaged .*\n$/, 'a command says it in a line');
});
