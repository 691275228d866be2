import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { DEFAULT_MOUNT_OPTIONS, type MountOptions } from '../../../src/fuse/driver.ts';
import { linuxDriver } from '../../../src/fuse/linux/linux-driver.ts';
import { until } from '../../cli/mount/mount-place.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { within } from '../../support/within.ts';
import { ABORT, isMounted, newMountPoint, shell } from '../daemon.ts';
import { needsFuse, needsFuseAsRoot } from '../fuse-available.ts';
import { FakeTree } from './fake-tree.ts';

/** How long the first request is waited for, as nothing else is here. */
const FIRST_REQUEST_WITHIN_MS = 10_000;
/** Against what hangs; a machine that is busy may take its time. */
const LIMIT_MS = 60_000;

function devices(): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => targetOf(descriptor) === '/dev/fuse').length;
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // It was that of the folder.
    return '';
  }
}

async function failsToMount(t: Test, options: MountOptions): Promise<void> {
  const point = newMountPoint(t);
  const bugs: unknown[] = [];
  const driver = linuxDriver((error) => bugs.push(error));
  await t.rejects(driver.mount(new FakeTree(), point, options), { message: 'on the way' });
  t.notOk(isMounted(point), 'nothing is mounted');
  await until('no connection to be open', () => devices() === 0);
  t.same(bugs, []);
}

const byRoot = needsFuseAsRoot();

t.test('where what is to serve cannot be made, nothing stays mounted', needsFuse(), async (t) => {
  let reads = 0;
  await failsToMount(t, {
    ...DEFAULT_MOUNT_OPTIONS,
    get deadlineMs(): number {
      reads += 1;
      // All options are looked at once before anything is mounted.
      if (reads > 1) throw new Error('on the way');
      return DEFAULT_MOUNT_OPTIONS.deadlineMs;
    },
  });
});

t.test('where serving cannot begin, nothing stays mounted', needsFuse(), async (t) => {
  const { setTimeout } = globalThis;
  const failing = (act: () => void, waitMs?: number) => {
    if (waitMs === FIRST_REQUEST_WITHIN_MS) throw new Error('on the way');
    return setTimeout(act, waitMs);
  };
  globalThis.setTimeout = Object.assign(failing, { __promisify__: setTimeout.__promisify__ });
  t.teardown(() => {
    globalThis.setTimeout = setTimeout;
  });
  await failsToMount(t, DEFAULT_MOUNT_OPTIONS);
});

t.test('a mount whose connection ends is over, though a file fails to close', byRoot, async (t) => {
  const point = newMountPoint(t);
  const tree = new FakeTree();
  tree.putFile('/a', 1);
  tree.putFile('/b', 1);
  let closed = 0;
  tree.openUnnoted = () => ({
    sizeBytes: 10,
    read: () => 0,
    close() {
      closed += 1;
      throw new Error('the disk is full');
    },
  });
  const bugs: unknown[] = [];
  const mounted = await linuxDriver((error, operation) => bugs.push([error, operation])).mount(
    tree,
    point,
    DEFAULT_MOUNT_OPTIONS,
  );
  const aborted = await shell(`exec 3<"$1/a" 4<"$1/b"; ${ABORT}`, point, temporaryFolder(t));
  t.same(aborted, { status: 0, output: '' });
  t.equal(await within(LIMIT_MS, mounted.ended), 'unmounted by another');
  t.notOk(isMounted(point));
  t.equal(closed, 2);
  t.match(bugs, [[{ message: 'the disk is full' }, 'release']]);
  t.equal(bugs.length, 1);
  t.equal(devices(), 0);
});

t.test('a mount that is taken away while it is made, though in use, is none', needsFuse(), async (t) => {
  const point = newMountPoint(t);
  // Whoever is in it keeps the connection, and waits until it is served.
  const use = '(cd "$4") </dev/null >/dev/null 2>&1 3>&- & sleep 0.2';
  helperThat(
    t,
    `if [ "$1" != -o ]; then exec "$real" "$@"; fi; "$real" "$@" && { ${use}; "$real" -u -z "$4"; }`,
  );
  const bugs: unknown[] = [];
  const driver = linuxDriver((error) => bugs.push(error));
  await t.rejects(within(LIMIT_MS, driver.mount(new FakeTree(), point, DEFAULT_MOUNT_OPTIONS)), {
    message: /was gone at once$/,
  });
  t.same(bugs, []);
});

t.test(
  'what a connection that is over has left is taken away once, by whoever is first',
  byRoot,
  async (t) => {
    const point = newMountPoint(t);
    mkdirSync(point);
    execFileSync('mount', ['-t', 'tmpfs', 'none', point]);
    const mounted = await linuxDriver((error) => t.fail(String(error))).mount(
      new FakeTree(),
      point,
      DEFAULT_MOUNT_OPTIONS,
    );
    const helpers = helperThat(
      t,
      'echo >> "$folder/asked"; until [ -e "$folder/go" ]; do sleep 0.01; done; exec "$real" "$@"',
    );
    t.same(await shell(ABORT, point, temporaryFolder(t)), { status: 0, output: '' });
    await until('it to be noticed', () => existsSync(join(helpers, 'asked')));
    const unmounted = mounted.unmount();
    // Long enough for a second helper to be started.
    await new Promise((resolve) => setTimeout(resolve, 300));
    writeFileSync(join(helpers, 'go'), '');
    await unmounted;
    t.equal(await within(LIMIT_MS, mounted.ended), 'unmounted by another');
    t.equal(readFileSync(join(helpers, 'asked'), 'utf8'), '\n');
    t.ok(isMounted(point), 'what lay below is there');
    execFileSync('umount', [point]);
  },
);

t.test('a mount that ends while it is refused as busy is over at once', byRoot, async (t) => {
  const point = newMountPoint(t);
  const mounted = await linuxDriver((error) => t.fail(String(error))).mount(
    new FakeTree(),
    point,
    DEFAULT_MOUNT_OPTIONS,
  );
  const busy = 'echo "target is busy" >&2; exit 1';
  const helpers = helperThat(
    t,
    `[ -e "$folder/free" ] && exec "$real" "$@"; : > "$folder/asked"; until [ -e "$folder/go" ]; do sleep 0.01; done; ${busy}`,
  );
  for (const name of ['fusermount', 'umount'])
    writeFileSync(join(helpers, name), `#!/bin/sh\n${busy}\n`, { mode: 0o755 });
  const refused = t.rejects(mounted.unmount({ whenBusy: 'refuse' }), { message: /is busy/ });
  await until('it to be asked for', () => existsSync(join(helpers, 'asked')));
  t.same(await shell(ABORT, point, temporaryFolder(t)), { status: 0, output: '' });
  await until('the connection to be closed', () => devices() === 0);
  writeFileSync(join(helpers, 'go'), '');
  await refused;
  writeFileSync(join(helpers, 'free'), '');
  // Without being looked after, that takes a minute.
  t.equal(await within(LIMIT_MS / 3, mounted.ended), 'unmounted by another');
  t.notOk(isMounted(point));
});

/** Has another helper before the real one on the PATH, in whose script `$real` is that, and `$folder` its own folder. @returns the folder */
function helperThat(t: Test, script: string): string {
  const folder = temporaryFolder(t);
  const real = execFileSync('which', ['fusermount3'], { encoding: 'utf8' }).trim();
  const text = `#!/bin/sh\nreal='${real}' folder='${folder}'\n${script}\n`;
  writeFileSync(join(folder, 'fusermount3'), text, { mode: 0o755 });
  const path = process.env['PATH'];
  t.teardown(() => {
    process.env['PATH'] = path;
  });
  process.env['PATH'] = `${folder}:${path}`;
  return folder;
}
