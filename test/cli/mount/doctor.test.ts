import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseMountInfo } from '../../../src/system/mount-info.ts';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { AS_NOBODY, whyNotAsNobody } from '../../support/nobody.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';
import { daemonOf, isRunning, mountedBelow, mountPlace, until } from './mount-place.ts';

const fuse = needsFuse();
const asRoot = { skip: fuse.skip || whyNotAsNobody() };
const CHECKS = [
  'node',
  'system',
  'koffi',
  'better-sqlite3',
  '/dev/fuse',
  'fusermount3',
  'privileges',
  'driver linux',
  'driver fuse-native',
  'other users',
  'mounts',
  'docs',
  'state folder',
  'inotify',
  'sqlite-vec',
  'git',
  'modules',
];

interface Answer {
  readonly status: number | null;
  readonly diagnosis: {
    readonly can_mount: boolean;
    readonly driver: string | null;
    readonly checks: View[];
  };
}

interface View {
  readonly check: string;
  readonly state: string;
  readonly finding: string;
  readonly remedy: string | null;
}

function doctorAs(as: readonly string[], ...args: readonly string[]): Answer {
  const [command = '', ...all] = [...as, process.execPath, MAIN, 'doctor', '--json', ...args];
  const { status, stdout } = spawnSync(command, all, { encoding: 'utf8' });
  return { status, diagnosis: JSON.parse(stdout) };
}

function checkOf({ diagnosis }: Answer, name: string): View | undefined {
  return diagnosis.checks.find(({ check }) => check === name);
}

/** Where doctors, of whomever, have something mounted for a trial. */
function trialMounts(): string[] {
  return parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'))
    .map(({ point }) => point)
    .filter((point) => point.includes('kgraphfs-doctor'));
}

t.test('a TMPDIR that cannot be written is named, with the way out', fuse, async (t) => {
  const { at } = mountPlace(t);
  const { checks, ...found } = JSON.parse(
    kgraphfs(['doctor', '--json', ...at], { env: { TMPDIR: '/no/such/folder' } }).out,
  );
  t.same(found, { can_mount: true, driver: 'linux' }, 'a mount needs no such folder');
  const named = (name: string) => checks.find(({ check }: { check: string }) => check === name);
  t.match(named('driver linux'), {
    finding: /temporary files, \/no\/such\/folder, cannot be written: ENOENT/,
    remedy: /^have TMPDIR name one/,
  });
  t.equal(named('inotify').state, 'ok', 'watches have nothing to do with it');
});

t.test('doctor says that this machine can mount, and leaves nothing behind', fuse, async (t) => {
  const { folder, at } = mountPlace(t);
  const before = trialMounts();
  const { status, out, err } = kgraphfs(['doctor', ...at], { env: { TMPDIR: folder } });
  t.equal(status, 0, out);
  t.equal(err, '');
  t.match(out, /^ok +node +Node\.js \d+/);
  t.match(out, /\nok +driver linux +mounted and unmounted for a trial; the kernel speaks FUSE 7\.\d+\n/);
  t.match(out, /\nkgraphfs can mount here, with the driver (?:linux|fuse-native)\n$/);
  t.same(mountedBelow(folder), []);
  // Those of other tests that ask the doctor just now go, too.
  await until('no trial to be left', () => trialMounts().every((point) => before.includes(point)));
  const view = JSON.parse(kgraphfs(['doctor', '--json', ...at]).out);
  t.equal(view.can_mount, true);
  t.same(
    view.checks.map(({ check }: View) => check),
    CHECKS,
  );
});

t.test('an ordinary user is told the same, and what others would need', asRoot, async (t) => {
  const folder = temporaryFolder(t);
  // Whoever runs the tests may have a folder for temporary files that is closed to others.
  const as = ['env', 'TMPDIR=/tmp', ...AS_NOBODY];
  const answer = doctorAs(as, '--docs', 'docs/sample', '--state', join('/tmp', 'kgraphfs-none'));
  t.equal(answer.status, 0);
  t.equal(checkOf(answer, 'driver linux')?.state, 'ok');
  const closed = doctorAs(as, '--docs', 'docs/sample', '--state', join(folder, 'state'));
  t.equal(closed.status, 3);
  t.match(checkOf(closed, 'state folder'), { state: 'failure', finding: /EACCES/, remedy: /--state/ });
});

t.test('what a container takes away is found', asRoot, async (t) => {
  const place = ['--docs', 'docs/sample', '--state', join(temporaryFolder(t), 'state')];
  const bounded = doctorAs(['setpriv', '--bounding-set=-sys_admin', '--inh-caps=-sys_admin'], ...place);
  t.equal(bounded.status, 3);
  t.match(checkOf(bounded, 'privileges'), { state: 'failure', remedy: /--cap-add SYS_ADMIN/ });
  t.match(checkOf(bounded, 'driver linux'), { state: 'failure', finding: /Operation not permitted/ });
  const locked = doctorAs([...AS_NOBODY, '--no-new-privs'], '--docs', 'docs/sample', '--state', '/tmp/none');
  t.equal(locked.status, 3);
  t.match(checkOf(locked, 'privileges'), { state: 'failure', finding: /no_new_privs/ });
});

t.test(
  'a limit of mounts that is reached is a failure, since the other driver is not tried',
  asRoot,
  async (t) => {
    const settings = join(temporaryFolder(t), 'fuse.conf');
    writeFileSync(settings, 'mount_max = 0\n');
    const there = [
      'unshare',
      '--mount',
      'sh',
      '-c',
      'mount --bind "$0" /etc/fuse.conf && exec "$@"',
      settings,
    ];
    const place = ['--docs', 'docs/sample', '--state', '/tmp/kgraphfs-none'];
    const full = doctorAs([...there, 'env', 'TMPDIR=/tmp', ...AS_NOBODY], ...place);
    t.equal(full.status, 3);
    t.match(full.diagnosis, { can_mount: false, driver: null });
    t.match(checkOf(full, 'driver linux'), {
      state: 'failure',
      finding: /too many FUSE/,
      remedy: /mount_max/,
    });
    writeFileSync(settings, 'user_allow_other');
    const unfinished = doctorAs([...there, 'env', 'TMPDIR=/tmp', ...AS_NOBODY], ...place);
    t.match(checkOf(unfinished, 'other users'), { state: 'warning', finding: /not with a newline/ });
  },
);

t.test("root is told of another user's dead mount", asRoot, async (t) => {
  const { at } = mountPlace(t);
  const folder = mkdtempSync('/tmp/kgraphfs-nobody-');
  t.teardown(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o777);
  const mountpoint = join(folder, 'ctx');
  const [command = '', ...as] = ['env', 'TMPDIR=/tmp', 'HOME=/tmp', ...AS_NOBODY];
  const mount = ['mount', mountpoint, '--docs', 'docs/sample', '--state', join(folder, 'state')];
  const { status, stderr } = spawnSync(command, [...as, process.execPath, MAIN, ...mount], {
    encoding: 'utf8',
  });
  t.equal(status, 0, stderr);
  const pid = Number(/"pid":(\d+)/.exec(readFileSync(recordIn(join(folder, 'state')), 'utf8'))?.[1]);
  process.kill(pid, 'SIGKILL');
  await until('the daemon to be gone', () => !isRunning(pid));
  const { checks } = JSON.parse(kgraphfs(['doctor', '--json', ...at]).out);
  t.match(
    checks.find(({ check }: View) => check === 'mounts'),
    { state: 'warning', finding: mountpoint, remedy: `kgraphfs unmount ${mountpoint}` },
  );
  t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
});

/** The record of the only daemon of a state folder. */
function recordIn(state: string): string {
  const name = readdirSync(join(state, 'daemons')).find((one) => one.endsWith('.json'));
  return join(state, 'daemons', name ?? '');
}

t.test('a dead mount is named with the command that takes it away, which does', fuse, async (t) => {
  const { folder, mountpoint, at } = mountPlace(t);
  kgraphfs(['mount', mountpoint, ...at]);
  const pid = daemonOf(mountpoint);
  process.kill(pid, 'SIGKILL');
  await until('the daemon to be gone', () => !isRunning(pid));
  const view = JSON.parse(kgraphfs(['doctor', '--json', ...at]).out);
  const mounts: View = view.checks.find(({ check }: View) => check === 'mounts');
  t.equal(mounts.state, 'warning');
  t.match(mounts.finding, mountpoint);
  t.match(mounts.remedy, `kgraphfs unmount ${mountpoint}`);
  t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  t.same(mountedBelow(folder), []);
});

t.test('without fusermount3 doctor says what to install, and without docs what to name', async (t) => {
  const bin = join(temporaryFolder(t), 'bin');
  mkdirSync(bin);
  for (const program of ['env', 'sh', 'stat', 'cat']) symlinkSync(`/usr/bin/${program}`, join(bin, program));
  chmodSync(bin, 0o755);
  const { out } = kgraphfs(['doctor', '--docs', 'no/such/folder'], { env: { PATH: bin } });
  t.match(out, /\n(?:warning|failure) +fusermount3 +is not on the PATH\n.*\n +fix: apt-get install fuse3\n/);
  t.match(out, /\nfailure +state folder +.*no\/such\/folder: there is no such folder/);
});

/** Has Node find no compiled half of koffi, as on another machine than the packages were installed on. */
const WITHOUT_KOFFI = `
  const Module = require('node:module');
  const load = Module._load;
  Module._load = function (name, ...rest) {
    if (!/koromix/.test(name)) return load.call(this, name, ...rest);
    throw Object.assign(new Error('Cannot find module koffi-here\\nRequire stack:\\n- /a.js'), { code: 'MODULE_NOT_FOUND' });
  };
`;

t.test('where koffi cannot be loaded doctor says so, and other commands do in one line', async (t) => {
  const folder = temporaryFolder(t);
  const preloaded = join(folder, 'without-koffi.cjs');
  writeFileSync(preloaded, WITHOUT_KOFFI);
  const env = { NODE_OPTIONS: `--require ${preloaded}` };
  const at = ['--docs', 'docs/sample', '--state', join(folder, 'state')];
  const { status, out, err } = kgraphfs(['doctor', '--json', ...at], { env });
  t.equal(status, 3, err);
  const { checks } = JSON.parse(out);
  t.same(
    checks.map(({ check }: View) => check),
    CHECKS,
  );
  t.match(
    checks.find(({ check }: View) => check === 'koffi'),
    { state: 'failure', finding: /^cannot be loaded: [^\n]*koffi-here$/, remedy: /npm install/ },
  );
  t.match(kgraphfs(['build', ...at], { env }), {
    status: 1,
    err: /^kgraphfs: [^\n]*koffi cannot be loaded \([^\n]*koffi-here\): run "npm install"[^\n]*\n$/,
  });
});
