import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { AS_NOBODY, whyNotAsNobody } from '../../support/nobody.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';
import { runHere } from '../run-here.ts';
import { daemonOf, mountedBelow, mountPlace, readThrough } from './mount-place.ts';

const fuse = needsFuse();
const byRoot = process.getuid?.() === 0 ? fuse : { skip: 'only root may do this' };

t.test('what cannot be mounted is said with the reason, and ends with status 3', fuse, async (t) => {
  const { folder, mountpoint, state, at } = mountPlace(t);
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'full/of/things'), { recursive: true });
  const attempts: [string[], RegExp][] = [
    [[mountpoint, '--docs', join(folder, 'nope'), '--state', state], /nope: there is no such folder/],
    [[join(folder, 'a/b/c'), ...at], /there is no folder .*\/a\/b to make the mount point in: make it first/],
    [[join(folder, 'file'), ...at], /not a folder/],
    [[join(folder, 'full'), ...at], /not empty/],
    [
      [mountpoint, '--docs', 'docs/sample', '--state', join(folder, 'file')],
      /file: the state folder cannot be used/,
    ],
  ];
  for (const [args, message] of attempts) {
    const { status, out, err } = await runHere(['mount', ...args]);
    t.equal(status, 3, err);
    t.match(err, message);
    t.equal(out, '');
  }
  t.match(kgraphfs(['unmount', folder]), { status: 3, err: /is not mounted\n$/ });
  t.match(kgraphfs(['unmount', '/proc']), {
    status: 3,
    err: /\/proc is not mounted by kgraphfs: it is .*\(proc\)\n$/,
  });
  t.same(mountedBelow(folder), []);
});

t.test('a mount that would hide docs or state from its own daemon is refused', fuse, async (t) => {
  const { folder, mountpoint, state } = mountPlace(t);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  symlinkSync(empty, join(folder, 'link'));
  const refused = async (point: string, docs: string, stateFolder: string, message: RegExp) =>
    t.match(await runHere(['mount', point, '--docs', docs, '--state', stateFolder]), {
      status: 3,
      out: '',
      err: message,
    });
  await refused(empty, empty, state, /would hide the docs root .*choose an empty folder beside the docs/);
  await refused(empty, join(folder, 'link'), state, /would hide the docs root/);
  await refused(join(folder, 'link'), empty, state, /would hide the docs root/);
  await refused(folder, empty, state, /would hide the docs root/);
  await refused(
    mountpoint,
    'docs/sample',
    mountpoint,
    /would hide the state folder .*choose another with --state/,
  );
  await refused(mountpoint, 'docs/sample', join(mountpoint, 'a/b'), /would hide the state folder/);
  const own = join(state, 'scratchpads/work');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  await refused(own, 'docs/sample', state, /would lie in the state folder .*choose a folder outside of it/);
  t.notOk(existsSync(mountpoint), 'nothing was made');
  t.same(mountedBelow(folder), []);
});

t.test('a bind mount of the docs root is no place to mount at', byRoot, async (t) => {
  const { folder, state } = mountPlace(t);
  const [empty, bound] = [join(folder, 'empty'), join(folder, 'bound')];
  for (const name of [empty, bound]) mkdirSync(name);
  execFileSync('mount', ['--bind', empty, bound]);
  t.teardown(() => execFileSync('umount', [bound]));
  t.match(await runHere(['mount', bound, '--docs', empty, '--state', state]), {
    status: 3,
    err: /would hide the docs root/,
  });
});

t.test('a mount point within the docs works', fuse, async (t) => {
  const { folder, state } = mountPlace(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.md'), '# A\n');
  const point = join(docs, 'ctx');
  t.equal(kgraphfs(['mount', point, '--docs', docs, '--state', state]).status, 0);
  t.equal(readThrough(join(point, 'docs/a.md')), '# A\n');
  t.equal(kgraphfs(['unmount', point]).status, 0);
});

t.test('a damaged index is the reason why not, and stays as it is', fuse, async (t) => {
  const { folder, mountpoint, state, at } = mountPlace(t);
  const garbage = 'this is no database '.repeat(500);
  writeFileSync(join(state, 'index.sqlite'), garbage);
  t.match(kgraphfs(['mount', mountpoint, ...at]), {
    status: 3,
    err: /the index is damaged .*kgraphfs check --repair/,
  });
  t.equal(readFileSync(join(state, 'index.sqlite'), 'utf8'), garbage);
  t.same(mountedBelow(folder), []);
});

t.test('of a mount, neither the point nor the state folder can be had for another', fuse, async (t) => {
  const { folder, mountpoint, state, at } = mountPlace(t);
  kgraphfs(['mount', mountpoint, ...at]);
  const pid = daemonOf(mountpoint);
  const second = await runHere(['mount', mountpoint, ...at]);
  t.equal(second.status, 3);
  t.match(second.err, new RegExp(`^kgraphfs: kgraphfs is already mounted at .*/ctx \\(pid ${pid}, `));
  t.equal(daemonOf(mountpoint), pid);
  const others = ['--docs', 'docs', '--state', state];
  t.match(await runHere(['stats', ...others]), {
    status: 1,
    err: /this state folder serves .*docs\/sample, mounted at .*\/ctx; choose another/,
  });
  t.match(await runHere(['build', ...others]), { status: 1, err: /this state folder serves/ });
  t.match(kgraphfs(['mount', join(folder, 'other'), ...others]), {
    status: 3,
    err: /this state folder serves/,
  });
});

const asNobody = { skip: fuse.skip || whyNotAsNobody() };

t.test('what libfuse says of a refused mount is its reason', asNobody, (t) => {
  const folder = mkdtempSync('/tmp/kgraphfs-nobody-');
  t.teardown(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o777);
  const settings = join(folder, 'fuse.conf');
  writeFileSync(settings, 'mount_max = 0\n');
  const full = ['--mount', 'sh', '-c', 'mount --bind "$0" /etc/fuse.conf && exec "$@"', settings];
  const place = ['--docs', 'docs/sample', '--state', join(folder, 'state'), '--driver', 'fuse-native'];
  const command = [process.execPath, MAIN, 'mount', join(folder, 'ctx'), ...place];
  const { status, stderr } = spawnSync(
    'unshare',
    [...full, 'env', 'TMPDIR=/tmp', 'HOME=/tmp', ...AS_NOBODY, ...command],
    { encoding: 'utf8' },
  );
  t.equal(status, 3);
  t.notOk(existsSync(join(folder, 'ctx')), 'the folder that was made for it is gone');
  t.match(
    stderr,
    /^kgraphfs: cannot mount at \S+: .*too many FUSE filesystems.*; unmount one, or.* mount_max/,
  );
  t.end();
});

t.test('a fusermount3 that cannot gain rights, or may not be run, is said to be so', asNobody, (t) => {
  const folder = mkdtempSync('/tmp/kgraphfs-nobody-');
  t.teardown(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o777);
  const mount = (as: readonly string[], path: string) => {
    const place = ['--docs', 'docs/sample', '--state', join(folder, 'state')];
    const program = [process.execPath, MAIN, 'mount', join(folder, 'ctx'), ...place];
    const [command = '', ...args] = [
      ...as,
      '/usr/bin/env',
      'TMPDIR=/tmp',
      'HOME=/tmp',
      `PATH=${path}`,
      ...program,
    ];
    return spawnSync(command, args, { encoding: 'utf8' });
  };
  t.match(mount([...AS_NOBODY, '--no-new-privs'], process.env['PATH'] ?? ''), {
    status: 3,
    stderr: /; setuid programs, such as fusermount3, gain no rights here \(no_new_privs\)/,
  });
  const closed = join(folder, 'bin');
  mkdirSync(closed);
  for (const name of ['fusermount3', 'fusermount']) writeFileSync(join(closed, name), '', { mode: 0o750 });
  for (const name of ['env', 'sh', 'stat', 'cat']) symlinkSync(`/usr/bin/${name}`, join(closed, name));
  t.match(mount(AS_NOBODY, closed), {
    status: 3,
    stderr: `${closed}/fusermount3 is closed to this user (mode 0750, group 0): as root, add the user to that group`,
  });
  t.end();
});
