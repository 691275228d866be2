import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MAIN } from '../cli/run-cli.ts';
import { Place } from './place.ts';
import {
  needsDiskThatFails,
  needsRoot,
  onDiskThatFails,
  onSmallDisk,
  outcome,
  VANISH,
} from './small-disk.ts';

/** What a command line says on either stream. */
function said(place: Pick<Place, 'docs' | 'state'>, ...args: readonly string[]): Promise<string> {
  const command = [process.execPath, MAIN, ...args, '--docs', place.docs, '--state', place.state];
  return outcome('"$@"', ...command);
}

async function filled(place: Place): Promise<void> {
  await place.kgraphfs('build');
  await place.kgraphfs('context', 'memory', 'add', 'fact/kept', 'five days');
}

async function refuses(t: Test, place: Place, wayOut: RegExp, ...commands: string[]): Promise<void> {
  for (const command of commands) t.match(await said(place, ...command.split(' ')), wayOut, command);
}

t.test(
  'a disk that met an error is only read: it is asked as such a disk is',
  needsDiskThatFails(),
  async (t) => {
    const place = onDiskThatFails(t);
    await filled(place);
    await outcome('sync "$1"', place.state);
    place.fail();
    t.match(await said(place, 'search', 'Customer'), /charge\.md/);
    t.match(await said(place, 'query', 'Charge'), /Customer/);
    t.match(await said(place, 'context', 'memory', 'show', 'kept'), /five days/);
    t.match(await said(place, 'status'), /documents +1/);
    const wayOut = /only read.*fsck.*--state|fsck.*--state/s;
    const mount = `mount ${join(place.folder, 'ctx')}`;
    await refuses(
      t,
      place,
      wayOut,
      'context memory add fact/more text',
      'wipe --yes',
      'start',
      mount,
      'check',
    );
  },
);

t.test(
  'what is said of a disk that met an error is said of it, and of no other that is only read',
  needsDiskThatFails(),
  async (t) => {
    const failed = onDiskThatFails(t);
    failed.fail();
    const inIt = { docs: failed.docs, state: join(failed.state, 'of/ana') };
    t.match(await said(inIt, 'build'), /unmount the disk, repair it with fsck.*--state/s);
    const place = onDiskThatFails(t);
    await filled(place);
    execFileSync('mount', ['-o', 'remount,ro', '--', place.state]);
    const wayOut = /^(?!.*fsck).*have the disk mounted for writing.*--state/s;
    await refuses(t, place, wayOut, 'start', 'context memory add fact/more text', 'wipe --yes');
  },
);

t.test('a disk that takes no more files says so, and the way out', needsRoot(), async (t) => {
  const place = onSmallDisk(t, '40m,nr_inodes=60');
  await filled(place);
  let count = 0;
  try {
    for (;;) {
      count += 1;
      closeSync(openSync(join(place.state, `ballast${count}`), 'wx'));
    }
  } catch {
    // There is no room for another one.
  }
  const wayOut = /^failed: .*no inodes left.*(?:remove files|remove some files)/s;
  const mount = `mount ${join(place.folder, 'ctx')}`;
  await refuses(t, place, wayOut, 'session new', 'start', mount, 'check', 'check --repair');
  t.match(
    readdirSync(place.state).filter((name) => name.startsWith('check-')),
    [],
  );
  await outcome('rm "$1"/ballast*', place.state);
  t.equal(place.integrityOf('context.sqlite'), 'ok');
});

t.test('a check that finds no room says so, and the way out', needsRoot(), async (t) => {
  const place = onSmallDisk(t, '6m');
  await filled(place);
  await outcome('cat /dev/zero > "$1"/ballast', place.state);
  const wayOut = /the disk is full\n(?:.*\n)* +fix: free some space/;
  await refuses(t, place, wayOut, 'check', 'check --repair');
});

t.test(
  'a disk that is gone is not told to be damaged, nor that all is well',
  needsDiskThatFails(),
  async (t) => {
    const place = onDiskThatFails(t);
    await filled(place);
    await outcome('sync');
    t.equal(await outcome(`ls -R "$2" > "$1"/list; ${VANISH}`, place.folder, place.state), '');
    t.ok(existsSync(place.state));
    const wayOut = /^failed: .*dmesg/s;
    const asked = ['build', 'search Customer', 'context memory list', 'check', 'check --repair', 'status'];
    await refuses(t, place, wayOut, ...asked);
    t.notMatch(await said(place, 'check'), /damaged/);
  },
);

/** How many files this Node.js has to be allowed to open, to run the program at all. */
async function leastFiles(): Promise<number> {
  const version = [process.execPath, MAIN, '--version'];
  let least = 10;
  while ((await outcome(`ulimit -n ${least}; "$@"`, ...version)).startsWith('failed: ')) least += 1;
  return least;
}

t.test('a check that may not open as many files as it takes says how to let it', async (t) => {
  const place = new Place(t);
  await filled(place);
  const command = [process.execPath, MAIN, 'check', '--docs', place.docs, '--state', place.state];
  const orWell = /^failed: (?:.*\n)*.*ulimit -n 4096|all is well/;
  const least = await leastFiles();
  const told = [];
  // How many are enough depends on what runs it.
  for (let most = least; most < least + 10; most += 2) {
    told.push(await outcome(`ulimit -n ${most}; "$@"`, ...command));
    t.match(told.at(-1), orWell, `${most}`);
  }
  t.notMatch(told[0], 'all is well');
});

t.test(
  'a document that the disk fails to read is found, and told to be so',
  needsDiskThatFails(),
  async (t) => {
    const place = onDiskThatFails(t);
    const docs = join(place.state, 'docs');
    const at = ['--docs', docs, '--state', join(place.folder, 'kept')];
    const asked = (...args: string[]) => outcome('"$@"', process.execPath, MAIN, ...args, ...at);
    await outcome('mkdir "$1"; cp "$2"/charge.md "$1"; sync', docs, place.docs);
    t.match(await asked('search', 'Customer'), /A Charge requires a Customer/);
    t.equal(await outcome(VANISH, '', place.state), '');
    t.match(
      await asked('search', 'Customer'),
      /charge\.md.* stale\n.*cannot be read now: the disk failed to read this \(EIO\)/s,
    );
    t.match(
      await asked('search', '"requires a Customer"'),
      /graph\/nodes\/Charge .*kgraphfs: cannot be read now, and may say it: \/docs\/charge\.md\n$/s,
    );
  },
);
