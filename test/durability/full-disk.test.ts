import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { registerDaemon } from '../../src/state/daemons.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { MAIN } from '../cli/run-cli.ts';
import { type HistoryLine, type Place, shell } from './place.ts';
import { eventually, needsRoot, onSmallDisk, outcome } from './small-disk.ts';

const asRoot = needsRoot();
const PAUSE_MS = 200;

/** Takes all that is left of the disk. */
async function fill(place: Place): Promise<void> {
  await shell('cat /dev/zero > "$1"/ballast', place.state);
}

async function free(place: Place): Promise<void> {
  await shell('rm "$1"/ballast', place.state);
}

/** More than the log of the database has set aside. */
const LARGE = 'dd if=/dev/urandom of="$1"/large bs=6M count=1 iflag=fullblock status=none';

t.test('memory on a full disk: who writes is told, and what was there stays', asRoot, async (t) => {
  const place = onSmallDisk(t, '40m');
  const mount = await place.mount('ctx');
  t.equal(await outcome('echo old > "$1"/refunds; echo old > "$1"/large', mount.memory), '');
  await fill(place);
  t.match(await outcome(LARGE, mount.memory), /^failed: .*No space left on device/);
  t.match(await outcome(LARGE.replace('/large', '/new'), mount.memory), /^failed: .*No space left on device/);
  t.match(
    await outcome(
      'perl -e \'open F, ">", "$ARGV[0]/large"; print F "x" x 6e6; close F or die $!\' "$1"',
      mount.memory,
    ),
    /^failed: No space left/,
  );
  t.equal(await outcome('cat "$1"/large "$1"/refunds; ls "$1"', mount.memory), 'old\nold\nlarge\nrefunds\n');
  t.ok(mount.isAlive);
  t.match(await mount.errors(), [{ code: 'ENOSPC' }]);
  await free(place);
  t.equal(await outcome(`${LARGE} && stat -c %s "$1"/large`, mount.memory), '6291456\n');
  t.equal(
    await outcome('echo new > "$1"/refunds; cat "$1"/refunds; ls "$1"', mount.memory),
    'new\nlarge\nrefunds\n',
  );
  t.equal(place.integrityOf('context.sqlite'), 'ok');
  await mount.unmount();
});

t.test('a daemon that finds no room for its record names the folder and the way out', asRoot, async (t) => {
  const place = onSmallDisk(t, '64k');
  const state = stateFolderAt(place.state);
  prepareStateFolder(state);
  await fill(place);
  t.throws(() => registerDaemon(state, { mountpoint: null, docs: '' }), {
    message: /\/\S+: the state folder cannot be used \(ENOSPC: .*\); free some space/,
  });
  t.same(readdirSync(state.daemonsFolder), [], 'no half of a record is left');
});

t.test('history that a full disk refused is entered later', asRoot, async (t) => {
  const place = onSmallDisk(t, '20m');
  const mount = await place.mount('ctx');
  await fill(place);
  // As many as the log of the database has room for are entered; then no more.
  let reads = 0;
  while (!(await mount.errors()).some(({ path }) => path === '/context/history')) {
    await outcome('cat "$1"/docs/charge.md', mount.point);
    reads += 1;
    await delay(PAUSE_MS);
  }
  t.ok(mount.isAlive);
  await free(place);
  await eventually(new RegExp(`^${reads}$`), async () => String(readsIn(await mount.history())));
  t.equal(place.integrityOf('context.sqlite'), 'ok');
  await mount.unmount();
});

t.test('a scratchpad on a full disk', asRoot, async (t) => {
  const place = onSmallDisk(t, '20m');
  const mount = await place.mount('ctx');
  t.equal(await outcome('echo old > "$1"/kept', mount.scratchpad), '');
  await fill(place);
  t.match(await outcome(LARGE, mount.scratchpad), /^failed: .*No space left on device/);
  t.match(await outcome('echo new > "$1"/small', mount.scratchpad), /^failed: .*No space left on device/);
  t.equal(
    await outcome('cat "$1"/kept; rm -f "$1"/large "$1"/small; ls "$1"', mount.scratchpad),
    'old\nkept\n',
  );
  t.ok(mount.isAlive);
  await free(place);
  t.equal(await outcome(`${LARGE} && stat -c %s "$1"/large`, mount.scratchpad), '6291456\n');
  await mount.unmount();
});

t.test('a search that a full disk keeps from taking in what is new says so', asRoot, async (t) => {
  const place = onSmallDisk(t, '20m');
  const mount = await place.mount('ctx');
  // What is remembered is taken in soon, but the history not before somebody searches it.
  const question = 'cat "$1"/search/number%20type:history';
  t.equal(
    await outcome('for n in $(seq 400); do echo "Number $n is new" > "$1"/number-$n; done', mount.memory),
    '',
  );
  await fill(place);
  t.match(await outcome(question, mount.point), /^failed: .*No space left on device/);
  t.match(
    (await mount.errors()).filter(({ path }) => path?.startsWith('/search/')),
    [{ code: 'ENOSPC' }],
  );
  await free(place);
  t.match(await outcome(question, mount.point), /number-\d+/);
  await mount.unmount();
});

t.test('an index that cannot grow says so, and goes on when it can', asRoot, async (t) => {
  const place = onSmallDisk(t, '20m');
  const mount = await place.mount('ctx');
  await fill(place);
  const links = Array.from({ length: 1000 }, (_, n) => `A Refund${n} requires an Order${n}.\n\n`).join('');
  for (let n = 0; n < 4; n += 1) writeFileSync(join(place.docs, `many-${n}.md`), `# Many ${n}\n\n${links}`);
  await eventually(/"ENOSPC".*full/, async () => await mount.read('.kgraphfs/errors.jsonl'));
  t.ok(mount.isAlive);
  t.match(await mount.read('docs/many-0.md'), /Refund7 requires/);
  await free(place);
  writeFileSync(join(place.docs, 'last.md'), '# Last\n\nA Payout requires a Charge.\n');
  await eventually(/Refund7/, async () =>
    outcome('cat "$1"/graph/nodes/Refund7 "$1"/graph/nodes/Payout', mount.point),
  );
  // A daemon ends after what it is reading, which takes long where the machine is busy with others.
  await eventually(/"state": *"ready"[\s\S]*"pending": *0,/, () => mount.read('.kgraphfs/status.json'));
  t.equal(place.integrityOf('index.sqlite'), 'ok');
  await mount.unmount();
});

t.test(
  'who mounts or builds with a full or read-only disk is told of which file and why',
  asRoot,
  async (t) => {
    const place = onSmallDisk(t, '6m');
    const add = (name: string) => place.kgraphfs('context', 'memory', 'add', `fact/${name}`, 'five days');
    await add('kept');
    const begin = async (): Promise<string> => {
      const at = ['--docs', place.docs, '--state', place.state];
      const { output } = await shell(
        '"$@"',
        process.execPath,
        MAIN,
        'mount',
        join(place.folder, 'ctx'),
        ...at,
      );
      return output;
    };
    await fill(place);
    t.match(await begin(), /^kgraphfs: \S+\/state\/\S+: the disk is full; .*free some space/);
    await t.rejects(
      add('one'),
      /ENOSPC: .*\/state: the state folder can only be read \(the disk is full\); free some space/,
    );
    await free(place);
    execFileSync('mount', ['-o', 'remount,ro', '--', place.state]);
    t.match(
      await begin(),
      /^kgraphfs: \S+\/state\/\S+: cannot be written \(EROFS.*choose another --state folder/,
    );
    const why = /\.sqlite cannot be written: its disk is mounted read-only; .*choose another --state folder/;
    await t.rejects(add('two'), why);
  },
);

function readsIn(history: readonly HistoryLine[]): number {
  return history
    .filter(
      ({ event_type, path, data }) =>
        event_type === 'read' && (path ?? JSON.stringify(data)).includes('charge.md'),
    )
    .reduce((count, { data }) => count + Number(data?.['count'] ?? 1), 0);
}
