import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { DriverName } from '../../../src/config/schema.ts';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs } from '../run-cli.ts';
import { runHere } from '../run-here.ts';
import { daemonOf, type MountPlace, mountPlace, readThrough, until } from './mount-place.ts';

const fuse = { ...needsFuse(), timeout: 120_000 };

/** Of a scratchpad, in bytes. */
const QUOTA = 1_048_576;

const shared = new Map<DriverName, MountPlace>();

/** The mount of a driver, whose scratchpad has a quota. The cases of a driver have it one after the other. */
function mounted(driver: DriverName): MountPlace {
  const known = shared.get(driver);
  if (known !== undefined) return known;
  const { folder, at, ...place } = mountPlace(t);
  const config = join(folder, 'quota.json');
  writeFileSync(config, JSON.stringify({ mount: { driver }, scratchpad: { maxBytes: QUOTA } }));
  const mount = { ...place, folder, at: [...at, '--config', config] };
  shared.set(driver, mount);
  const { status, err } = kgraphfs(['mount', mount.mountpoint, ...mount.at]);
  if (status !== 0) throw new Error(err);
  return mount;
}

/** Has the tool of an agent write a file of the scratchpad. */
async function write({ at }: MountPlace, path: string, content: string) {
  const args = JSON.stringify({ path: `/context/scratchpad/${path}`, content });
  const { status, out, err } = await runHere(['tools', 'call', 'vfs_write', args, ...at]);
  return { status, said: `${out}${err}` };
}

onEachDriver(
  'a tool writes to the scratchpad of a live mount, which shows it at once',
  fuse,
  async (t, driver) => {
    const place = mounted(driver);
    const { mountpoint, at } = place;
    const pad = join(mountpoint, 'context/scratchpad');
    const list = () => execFileSync('ls', ['-A', pad], { encoding: 'utf8' });
    t.equal(list(), '', 'the kernel knows that there is nothing');
    t.match(await write(place, 'a/plan.md', 'first, and long'), { status: 0, said: /"size_bytes": 16/ });
    t.equal(readThrough(join(pad, 'a/plan.md')), 'first, and long\n');
    t.match(await write(place, 'a/plan.md', 'second'), { status: 0 });
    t.equal(readThrough(join(pad, 'a/plan.md')), 'second\n', 'nothing of the first is left');
    t.equal(list(), 'a\n');
    t.equal((await runHere(['vfs', 'write', '/context/scratchpad/b', 'by hand', ...at])).status, 0);
    t.equal(readThrough(join(pad, 'b')), 'by hand\n');

    execFileSync('ln', ['-s', '/tmp', join(pad, 'out')]);
    execFileSync('ln', ['-s', '../memory/fact', join(pad, 'facts')]);
    t.match((await write(place, 'out/x', 'x')).said, /EROFS|ENOENT|ENOTDIR/, 'no link leads out of it');
    t.match((await write(place, 'facts/x', 'x')).said, /EROFS/);
    t.match((await write(place, 'a', 'x')).said, /EISDIR/);
    t.match((await write(place, 'b/c', 'x')).said, /ENOTDIR/);
  },
);

onEachDriver(
  'what is written past the page cache has the same quota, and the same errors, and so have tools',
  fuse,
  async (t, driver) => {
    const place = mounted(driver);
    const file = join(place.mountpoint, 'context/scratchpad/direct');
    const descriptor = openSync(file, constants.O_CREAT | constants.O_RDWR | constants.O_DIRECT);
    try {
      const bytes = Buffer.alloc(655_360);
      t.equal(writeSync(descriptor, bytes), bytes.length);
      const rest = writeSync(descriptor, bytes);
      t.ok(rest > 0 && rest < bytes.length, 'as much as there is room for');
      t.throws(() => writeSync(descriptor, bytes), { code: 'ENOSPC' });
      t.equal(fstatSync(descriptor).size, bytes.length + rest);
    } finally {
      closeSync(descriptor);
    }
    t.match(await write(place, 'x', 'x'.repeat(100_000)), { said: /ENOSPC/ });
  },
);

onEachDriver(
  'a scratchpad whose folder is removed from the disk, or made again by hand, takes new files',
  fuse,
  async (t, driver) => {
    const { mountpoint, state } = mounted(driver);
    const pad = join(mountpoint, 'context/scratchpad');
    const scratchpads = join(state, 'scratchpads');
    const shell = (script: string) =>
      execFileSync('timeout', ['-s', 'KILL', '60', 'sh', '-c', script, 'sh', pad, process.execPath], {
        encoding: 'utf8',
      });
    // mkdir of uutils, which Ubuntu has, asks first whether there is such a name, which nobody has told the kernel is gone.
    const makeFolder = '"$2" -e "fs.mkdirSync(process.argv[1])" "$1/b"';
    shell('rm -r -- "$1"/*; echo first > "$1/a"');
    const [session = ''] = readdirSync(scratchpads);
    const removals = {
      files: () => rmSync(join(scratchpads, session, 'files'), { recursive: true }),
      session: () => rmSync(join(scratchpads, session), { recursive: true }),
      'session, made again': () => {
        rmSync(join(scratchpads, session), { recursive: true });
        mkdirSync(join(scratchpads, session));
      },
      all: () => rmSync(scratchpads, { recursive: true }),
    };
    for (const [what, remove] of Object.entries(removals)) {
      remove();
      const script = `${makeFolder} && echo next > "$1/b/c" && cat "$1/b/c" && ls "$1"`;
      t.equal(shell(script), 'next\nb\n', what);
    }
    const pid = daemonOf(mountpoint);
    await until('the folders that were removed to be let go of', () => {
      shell('echo more > "$1/b/c"');
      return !openPaths(pid).some((path) => /scratchpads.*\(deleted\)$/.test(path));
    });
    t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  },
);

function openPaths(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

t.test('a scratchpad that is mounted read-only takes nothing of tools', fuse, async (t) => {
  const place = mountPlace(t);
  t.equal(kgraphfs(['mount', place.mountpoint, '--read-only', ...place.at]).status, 0);
  t.match(await write(place, 'x', 'x'), { said: /EROFS/ });
});
