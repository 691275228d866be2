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
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs } from '../run-cli.ts';
import { daemonOf, isRunning, mountPlace, readThrough, until } from './mount-place.ts';

const fuse = { ...needsFuse(), timeout: 120_000 };

onEachDriver(
  'a tool writes to the scratchpad of a live mount, which shows it at once',
  fuse,
  async (t, driver) => {
    const { mountpoint, at } = mountPlace(t, driver);
    t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
    const write = (path: string, content: string) => {
      const args = JSON.stringify({ path: `/context/scratchpad/${path}`, content });
      const { status, out, err } = kgraphfs(['tools', 'call', 'vfs_write', args, ...at]);
      return { status, said: `${out}${err}` };
    };
    const pad = join(mountpoint, 'context/scratchpad');
    const list = () => execFileSync('ls', ['-A', pad], { encoding: 'utf8' });
    t.equal(list(), '', 'the kernel knows that there is nothing');
    t.match(write('a/plan.md', 'first, and long'), { status: 0, said: /"size_bytes": 16/ });
    t.equal(readThrough(join(pad, 'a/plan.md')), 'first, and long\n');
    t.match(write('a/plan.md', 'second'), { status: 0 });
    t.equal(readThrough(join(pad, 'a/plan.md')), 'second\n', 'nothing of the first is left');
    t.equal(list(), 'a\n');
    t.equal(kgraphfs(['vfs', 'write', '/context/scratchpad/b', 'by hand', ...at]).status, 0);
    t.equal(readThrough(join(pad, 'b')), 'by hand\n');

    execFileSync('ln', ['-s', '/tmp', join(pad, 'out')]);
    execFileSync('ln', ['-s', '../memory/fact', join(pad, 'facts')]);
    t.match(write('out/x', 'x').said, /EROFS|ENOENT|ENOTDIR/, 'no link leads out of it');
    t.match(write('facts/x', 'x').said, /EROFS/);
    t.match(write('a', 'x').said, /EISDIR/);
    t.match(write('b/c', 'x').said, /ENOTDIR/);

    const pid = daemonOf(mountpoint);
    process.kill(pid, 'SIGKILL');
    await until('the daemon to be gone', () => !isRunning(pid));
  },
);

onEachDriver(
  'a scratchpad whose folder is removed from the disk, or made again by hand, takes new files',
  fuse,
  async (t, driver) => {
    const { mountpoint, state, at } = mountPlace(t, driver);
    t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
    const pad = join(mountpoint, 'context/scratchpad');
    const scratchpads = join(state, 'scratchpads');
    const shell = (script: string) =>
      execFileSync('timeout', ['-s', 'KILL', '60', 'sh', '-c', script, 'sh', pad, process.execPath], {
        encoding: 'utf8',
      });
    // mkdir of uutils, which Ubuntu has, asks first whether there is such a name, which nobody has told the kernel is gone.
    const makeFolder = '"$2" -e "fs.mkdirSync(process.argv[1])" "$1/b"';
    shell('echo first > "$1/a"');
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

t.test(
  'the quota of the mount holds for tools, and one that is mounted read-only takes nothing',
  fuse,
  async (t) => {
    const { folder, mountpoint, at: unlimited } = mountPlace(t);
    const config = join(folder, 'quota.json');
    writeFileSync(config, JSON.stringify({ scratchpad: { maxBytes: 1_048_576 } }));
    const at = [...unlimited, '--config', config];
    const write = (content: string) => {
      const args = JSON.stringify({ path: '/context/scratchpad/x', content });
      const { status, out, err } = kgraphfs(['tools', 'call', 'vfs_write', args, ...at]);
      return { status, said: `${out}${err}` };
    };
    t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
    execFileSync('bash', [
      '-c',
      'head -c 1000000 /dev/zero > "$1"',
      'bash',
      `${mountpoint}/context/scratchpad/big`,
    ]);
    t.match(write('x'.repeat(100_000)), { said: /ENOSPC/ });
    kgraphfs(['unmount', mountpoint]);
    t.equal(kgraphfs(['mount', mountpoint, '--read-only', ...at]).status, 0);
    t.match(write('x'), { said: /EROFS/ });
  },
);

onEachDriver(
  'what is written past the page cache has the same quota, and the same errors',
  fuse,
  async (t, driver) => {
    const { folder, mountpoint, at } = mountPlace(t);
    const config = join(folder, 'quota.json');
    writeFileSync(config, JSON.stringify({ scratchpad: { maxBytes: 1_048_576 } }));
    const options = ['--config', config, '--driver', driver];
    t.equal(kgraphfs(['mount', mountpoint, ...at, ...options]).status, 0);
    const file = join(mountpoint, 'context/scratchpad/direct');
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
  },
);
