import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { AS_NOBODY, NOBODY, whyNotAsNobody } from '../../support/nobody.ts';
import type { Teardown } from '../../support/temporary.ts';
import { kgraphfs, MOUNT_HELPER } from '../run-cli.ts';
import { daemonOf, type MountPlace, mountedBelow, mountPlace, readThrough } from './mount-place.ts';

const LIMIT_MS = 60_000;
/** What tap has each Node process load writes a file at its end, which a process that changed its user cannot. */
const WITHOUT_TAP = ['env', '-u', 'NODE_OPTIONS'] as const;

const fuse = needsFuse();
const asRoot = { skip: fuse.skip || whyNotAsNobody() };
const systemMount = { skip: asRoot.skip || whyNoOverlay() };

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, ...args: readonly string[]): Ran {
  const [env, ...unset] = WITHOUT_TAP;
  return spawnSync(env, [...unset, command, ...args], { encoding: 'utf8', timeout: LIMIT_MS });
}

function helper(...args: readonly string[]): Ran {
  return run(process.execPath, MOUNT_HELPER, ...args);
}

/** A folder of its own can be laid over /sbin, in a mount namespace that nobody else sees. */
function whyNoOverlay(): string | false {
  const probe = 'mount -t overlay overlay -o lowerdir=/usr/share:/usr/sbin /usr/sbin';
  const { status } = run('unshare', '--mount', '--propagation', 'private', 'sh', '-c', probe);
  if (status === 0) return false;
  process.stdout.write('# mount -t fuse.kgraphfs was not tested: no overlay can be mounted\n');
  return 'no overlay can be mounted';
}

t.test('the helper mounts as mount(8) calls it, and says nothing', fuse, async (t) => {
  const { folder, mountpoint, state } = mountPlace(t);
  const options = `rw,nofail,_netdev,state=${state}`;
  const call = ['docs/sample', mountpoint, '-n', '-o', options, '-t', 'fuse.kgraphfs'];
  t.match(helper(...call), { status: 0, stdout: '', stderr: '' });
  t.equal(readThrough(join(mountpoint, 'docs/errors.md')), readFileSync('docs/sample/errors.md', 'utf8'));
  const pid = daemonOf(mountpoint);
  t.match(helper(...call), { status: 0, stderr: '' }, 'mount -a may ask for it again');
  t.equal(daemonOf(mountpoint), pid);
  t.match(helper('docs', mountpoint, '-o', options), { status: 32, stderr: /already mounted/ });
  t.match(
    helper('docs/sample', mountpoint, '-o', `${options},ro`),
    { status: 32, stderr: /already mounted/ },
    'what is mounted can be written',
  );
  t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  t.same(mountedBelow(folder), []);
});

t.test('the helper ends as mount(8) does', fuse, async (t) => {
  const { folder, mountpoint, state } = mountPlace(t);
  const at = ['-o', `state=${state}`];
  t.match(helper('docs/none', mountpoint, ...at), { status: 32, stderr: /there is no such folder/ });
  t.match(helper('docs/sample', mountpoint, '-o', 'frob'), {
    status: 1,
    stderr: /unknown mount option frob/,
  });
  t.match(helper('docs/sample', mountpoint, '-o', 'driver=floppy'), {
    status: 1,
    stderr: /: -o driver=… takes linux/,
  });
  t.match(helper('docs/sample', mountpoint, '-o', 'remount,ro', ...at), {
    status: 1,
    stderr: /unmount it, then mount it with other options/,
  });
  const around = helper('docs/sample', mountpoint, '-o', `state=${realpathSync('docs')}`);
  t.match(around, { status: 1, stderr: /a separate folder with -o state=…, such as/ });
  t.match(helper('docs/sample', mountpoint, '-f', ...at), { status: 0, stdout: '' });
  t.match(helper('docs/sample', mountpoint, '-o', 'setuid=no-such-user'), {
    status: 32,
    stderr: /there is no user no-such-user/,
  });
  t.same(mountedBelow(folder), []);
});

t.test('a config file of the folder in which mount is called has no say', fuse, async (t) => {
  const { folder, mountpoint, state } = mountPlace(t);
  writeFileSync(join(folder, 'kgraphfs.config.json'), '{ "frob": 1 }');
  const call = [MOUNT_HELPER, realpathSync('docs/sample'), mountpoint, '-v', '-o', `state=${state}`];
  const { status, stdout } = spawnSync(process.execPath, call, { cwd: folder, encoding: 'utf8' });
  t.equal(status, 0);
  t.match(stdout, /^mounted .*\/ctx: /, 'with -v it says what was mounted');
  t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
});

t.test('setuid=USER has that user run the daemon, which only root can ask for', asRoot, async (t) => {
  const { folder, mountpoint } = placeOfNobody(t);
  const options = `setuid=nobody,state=${join(folder, 'own/state')}`;
  t.match(helper('docs/sample', mountpoint, '-o', options), { status: 0, stderr: '' });
  const [command, ...as] = AS_NOBODY;
  const seen = run(command, ...as, 'cat', join(mountpoint, '.kgraphfs/status.json'));
  const { pid } = JSON.parse(seen.stdout);
  t.match(readFileSync(`/proc/${pid}/status`, 'utf8'), new RegExp(`^Uid:\\t${NOBODY}\\t${NOBODY}`, 'm'));
  t.notMatch(readFileSync(`/proc/${pid}/status`, 'utf8'), /^Groups:.*\b0\b/m);
  t.match(helper('docs/sample', mountpoint, '-o', options), { status: 0, stderr: '' }, 'mount -a asks again');
  t.match(kgraphfs(['status', mountpoint]), {
    status: 3,
    out: new RegExp(`^state +private: another user \\(uid ${NOBODY}\\) has mounted it`),
  });
  t.match(kgraphfs(['mount', mountpoint, '--docs', 'docs/sample', '--state', join(folder, 'mine')]), {
    status: 3,
    err: new RegExp(
      `already mounted at .* by another user \\(uid ${NOBODY}\\), and only that user can ask it\n$`,
    ),
  });
  t.match(kgraphfs(['unmount', mountpoint]), { status: 0, out: `unmounted ${mountpoint}\n`, err: '' });
  const other = run(
    command,
    ...as,
    process.execPath,
    MOUNT_HELPER,
    'docs/sample',
    mountpoint,
    '-o',
    'setuid=root',
  );
  t.match(other, { status: 32, stderr: /cannot mount as root .*only root can/ });
});

t.test('mount -t fuse.kgraphfs and a line of fstab work, with umount', systemMount, async (t) => {
  const place = mountPlace(t);
  const { folder, mountpoint, state } = place;
  mkdirSync(mountpoint);
  const docs = realpathSync('docs/sample');
  const fstab = join(folder, 'fstab');
  writeFileSync(fstab, `${docs} ${mountpoint} fuse.kgraphfs state=${state},nofail,x-systemd.automount 0 0\n`);
  const there = `test -f '${mountpoint}/docs/errors.md' && grep -c ' fuse.kgraphfs ' /proc/mounts`;
  const { status, stdout, stderr } = inNamespace(place, [
    `mount -t fuse.kgraphfs '${docs}' '${mountpoint}' -o state='${state}',ro`,
    `findmnt -no OPTIONS '${mountpoint}' | grep -o '^ro,'`,
    `umount '${mountpoint}'`,
    `mount -T '${fstab}' '${mountpoint}' && ${there} >/dev/null && echo by its line`,
    `mount -T '${fstab}' -a && echo once more`,
    `umount '${mountpoint}'`,
    `mount -T '${fstab}' -a && ${there} >/dev/null && echo with all`,
    `umount '${mountpoint}'`,
    `mount -t fuse 'mount.fuse.kgraphfs#${docs}' '${mountpoint}' -o state='${state}' && ${there} >/dev/null && echo by mount.fuse`,
    `umount '${mountpoint}'`,
  ]);
  t.equal(stderr, '');
  t.equal(status, 0);
  t.equal(stdout, 'ro,\nby its line\nonce more\nwith all\nby mount.fuse\n');
});

/** Runs lines of shell, until one fails, where /sbin has the helper. */
function inNamespace({ folder, mountpoint }: MountPlace, lines: readonly string[]): Ran {
  const sbin = join(folder, 'sbin');
  mkdirSync(sbin);
  const program = join(sbin, 'mount.fuse.kgraphfs');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${MOUNT_HELPER}' "$@"\n`);
  chmodSync(program, 0o755);
  const script = [
    'set -e',
    `trap "if grep -q ' ${mountpoint} ' /proc/mounts; then umount -l '${mountpoint}'; fi" EXIT`,
    `mount -t overlay overlay -o lowerdir='${sbin}':/usr/sbin /usr/sbin`,
    ...lines,
  ];
  return run('unshare', '--mount', '--propagation', 'private', 'bash', '-c', script.join('\n'));
}

/** A place whose folder `own`, mount point included, is nobody's. */
function placeOfNobody(t: Teardown): MountPlace {
  const place = mountPlace(t);
  chmodSync(place.folder, 0o755);
  const own = join(place.folder, 'own');
  const mountpoint = join(own, 'ctx');
  mkdirSync(mountpoint, { recursive: true });
  for (const path of [own, mountpoint]) chownSync(path, NOBODY, NOBODY);
  return { ...place, mountpoint };
}
