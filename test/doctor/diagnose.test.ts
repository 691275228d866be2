import t from 'tap';
import type { Check } from '../../src/doctor/check.ts';
import { type Diagnosis, diagnose } from '../../src/doctor/diagnose.ts';
import { type Facts, hasAdminRight } from '../../src/doctor/facts.ts';

/** A machine on which all is well, of an ordinary user. */
const WELL: Facts = {
  platform: 'linux',
  architecture: 'x64',
  isLittleEndian: true,
  kernel: '6.1.0',
  nodeVersion: '20.19.0',
  isRoot: false,
  mayMount: true,
  noNewPrivileges: false,
  koffiProblem: undefined,
  databaseProblem: undefined,
  deviceProblem: undefined,
  helper: { path: '/usr/bin/fusermount3', isSetuidRoot: true },
  helperProblem: undefined,
  hasMountTable: true,
  linuxProblem: undefined,
  trial: { kind: 'mounted', major: 7, minor: 38 },
  nativeProblem: undefined,
  others: 'allowed',
  mounts: [{ point: '/home/me/ctx', health: 'alive' }],
  state: { kind: 'there', path: '/home/me/.kgraphfs', mode: 0o700 },
  docs: { folders: ['/home/me/docs'], documents: 12 },
  hasGit: true,
  inotify: { maxWatches: 65_536, maxInstances: 128, problem: undefined },
  vectorsProblem: undefined,
  modules: [],
};
const REFUSED = { kind: 'refused', reason: 'cannot mount at /tmp/x: no' } as const;

const diagnosis = (facts: Partial<Facts>): Diagnosis =>
  diagnose({ ...WELL, ...facts }, ['linux', 'fuse-native']);

function found(facts: Partial<Facts>, name: string): Check | undefined {
  return diagnosis(facts).checks.find(({ check }) => check === name);
}

const ROOMY = { freeBytes: 6e9, freeInodes: Number.POSITIVE_INFINITY };
const FULL = { kind: 'full', path: '/s', ...ROOMY, stopsMount: false } as const;

t.test('where all is well, nothing has to be mended', async (t) => {
  const { canMount, driver, checks } = diagnosis({});
  t.ok(canMount);
  t.equal(driver, 'linux');
  t.same(
    checks.filter(({ state, remedy }) => state !== 'ok' || remedy !== undefined),
    [],
  );
});

t.test('what stops every mount is a failure, with its meaning and what mends it', async (t) => {
  const cases: [string, Partial<Facts>, RegExp, RegExp][] = [
    ['node', { nodeVersion: '20.18.1' }, /20\.18\.1/, /20\.19/],
    ['node', { nodeVersion: '18.20.0' }, /18\.20/, /20\.19/],
    ['system', { platform: 'darwin' }, /darwin/, /Linux/],
    ['system', { architecture: 's390x', isLittleEndian: false }, /s390x/, /Linux/],
    ['koffi', { koffiProblem: 'no such file' }, /no such file/, /npm/],
    [
      'better-sqlite3',
      { databaseProblem: 'no (for: this): run "npm rebuild better-sqlite3" in /opt/a: b' },
      /^no \(for: this\)$/,
      /^run "npm rebuild better-sqlite3" in \/opt\/a: b$/,
    ],
    [
      'better-sqlite3',
      { databaseProblem: 'it ends Node; that is so; run kgraphfs with Node.js 20' },
      /^it ends Node; that is so$/,
      /^run kgraphfs with Node\.js 20$/,
    ],
    ['/dev/fuse', { deviceProblem: '/dev/fuse is missing: modprobe fuse' }, /is missing$/, /^modprobe fuse$/],
    ['privileges', { mayMount: false, trial: REFUSED }, /CAP_SYS_ADMIN/, /--cap-add SYS_ADMIN/],
    ['privileges', { noNewPrivileges: true, trial: REFUSED }, /no_new_privs/, /no-new-privileges/],
    [
      'fusermount3',
      { helper: { path: '/bin/fusermount3', isSetuidRoot: false }, trial: REFUSED },
      /not setuid root/,
      /chmod u\+s \/bin\/fusermount3/,
    ],
    ['fusermount3', { helper: undefined, trial: REFUSED }, /PATH/, /apt-get install fuse3/],
    [
      'fusermount3',
      { helper: undefined, helperProblem: '/bin/f is closed (mode 0750): join', trial: REFUSED },
      /closed \(mode 0750\)$/,
      /^join$/,
    ],
    ['/etc/mtab', { hasMountTable: false }, /missing/, /^as root: ln -s \/proc\/self\/mounts \/etc\/mtab$/],
    ['state folder', { state: { kind: 'unusable', path: '/s', problem: 'it is a link' } }, /link/, /--state/],
    ['state folder', { state: { kind: 'unknown', problem: 'no such folder' } }, /no such/, /--docs/],
    [
      'state folder',
      { state: { ...FULL, freeBytes: 0, stopsMount: true } },
      /^\/s: its disk has nothing left$/,
      /^free/,
    ],
    ['state folder', { state: { ...FULL, freeInodes: 0, stopsMount: true } }, /nothing left$/, /^free/],
  ];
  for (const [name, facts, finding, remedy] of cases) {
    t.match(found(facts, name), { state: 'failure', finding, meaning: /\w+/, remedy }, name);
    t.notOk(diagnosis(facts).canMount);
  }
});

t.test('root needs no table of mounts to unmount', async (t) => {
  t.equal(found({ hasMountTable: false, isRoot: true }, '/etc/mtab'), undefined);
});

t.test('a driver that cannot run stops nobody as long as the other one can', async (t) => {
  const withoutLibfuse = { nativeProblem: 'fuse-native cannot be loaded: x; install libfuse 2' };
  t.match(diagnosis(withoutLibfuse), { canMount: true, driver: 'linux' });
  t.match(found(withoutLibfuse, 'driver fuse-native'), {
    state: 'warning',
    finding: 'fuse-native cannot be loaded: x',
    remedy: 'install libfuse 2',
  });
  const lacking = { linuxProblem: 'fusermount3 is missing; install it', trial: REFUSED };
  t.match(diagnosis(lacking), { canMount: true, driver: 'fuse-native' });
  t.match(found(lacking, 'driver linux'), { state: 'warning', finding: 'fusermount3 is missing' });
  t.match(diagnosis({ ...lacking, ...withoutLibfuse }), { canMount: false, driver: undefined });
  t.match(found({ ...lacking, ...withoutLibfuse }, 'driver linux'), { state: 'failure' });
});

t.test(
  'a driver that mount would take, and that is refused, is not made up for by the other one',
  async (t) => {
    t.match(diagnosis({ trial: REFUSED }), { canMount: false, driver: undefined });
    t.match(found({ trial: REFUSED }, 'driver linux'), { state: 'failure', finding: REFUSED.reason });
  },
);

t.test('where no trial could be made, nothing is held against the driver that mount takes', async (t) => {
  const untried = { trial: { kind: 'untried', reason: 'no room; have TMPDIR name some' } } as const;
  t.match(diagnosis(untried), { canMount: true, driver: 'linux' });
  t.match(found(untried, 'driver linux'), {
    state: 'warning',
    finding: 'no room',
    meaning: /not known/,
    remedy: 'have TMPDIR name some',
  });
});

t.test('what is not in the order that mount tries is not counted on', async (t) => {
  t.match(diagnose({ ...WELL, nativeProblem: 'x' }, ['fuse-native']), {
    canMount: false,
    driver: undefined,
  });
});

t.test('a kernel that is too old for the Linux driver is told by its protocol', async (t) => {
  const old = { trial: { kind: 'mounted', major: 7, minor: 28 } } as const;
  t.equal(diagnosis(old).driver, undefined);
  t.match(found(old, 'driver linux'), {
    state: 'failure',
    finding: /FUSE 7\.28.*7\.29/,
    remedy: 'mount with --driver fuse-native',
  });
  const oldest = { trial: { kind: 'mounted', major: 7, minor: 29 } } as const;
  t.match(diagnosis(oldest), { canMount: true, driver: 'linux' });
  t.match(found({}, 'driver linux'), { state: 'ok', finding: /FUSE 7\.38$/ });
});

t.test('what stops no mount is a warning', async (t) => {
  const cases: [string, Partial<Facts>, RegExp][] = [
    ['system', { architecture: 'riscv64' }, /npm rebuild/],
    ['other users', { others: 'not allowed' }, /'\\nuser_allow_other\\n' >> \/etc\/fuse\.conf/],
    ['other users', { others: 'unfinished' }, /'\\nuser_allow_other\\n' >> \/etc\/fuse\.conf/],
    ['other users', { others: 'unreadable' }, /chmod a\+r/],
    ['mounts', { mounts: [{ point: "/tmp/it's", health: 'dead' }] }, /^kgraphfs unmount '\/tmp\/it'\\''s'$/],
    ['mounts', { mounts: [{ point: '/tmp/a', health: 'silent' }] }, /^kgraphfs unmount --force \/tmp\/a$/],
    [
      'mounts',
      {
        mounts: [
          { point: '/tmp/a', health: 'silent' },
          { point: '/tmp/b', health: 'dead' },
        ],
      },
      /^kgraphfs unmount \/tmp\/b; kgraphfs unmount --force \/tmp\/a$/,
    ],
    ['docs', { docs: { folders: ['/home/me/docs'], documents: 0 } }, /--docs, or kgraphfs init/],
    ['git', { hasGit: false }, /install git$/],
    ['state folder', { state: { kind: 'there', path: '/s', mode: 0o755 } }, /^chmod 700 \/s$/],
    ['state folder', { state: { ...FULL, freeBytes: 5e6, freeInodes: 90 } }, /^free some space, .*--state$/],
    ['inotify', { inotify: { ...WELL.inotify, maxWatches: 1000 } }, /max_user_watches=/],
    ['inotify', { inotify: { ...WELL.inotify, problem: 'ENOSPC' } }, /max_user_watches=524288 /],
    ['inotify', { inotify: { ...WELL.inotify, maxWatches: 524_288, problem: 'ENOSPC' } }, /=1048576 /],
    ['inotify', { inotify: { ...WELL.inotify, problem: 'EMFILE' } }, /max_user_instances=1024 /],
    ['inotify', { inotify: { ...WELL.inotify, maxInstances: 2000, problem: 'EMFILE' } }, /=4000 /],
    ['modules', { modules: [{ name: 'x', problem: 'a.json:1:2: modules.x: wrong' }] }, /kgraphfs trust/],
    ['sqlite-vec', { vectorsProblem: 'sqlite-vec cannot be loaded: x' }, /npm install/],
  ];
  for (const [name, facts, remedy] of cases) {
    t.match(found(facts, name), { state: 'warning', meaning: /\w+/, remedy }, name);
    t.ok(diagnosis(facts).canMount);
  }
});

t.test('root needs neither setuid programs nor user_allow_other', async (t) => {
  const root = {
    isRoot: true,
    noNewPrivileges: true,
    others: 'not allowed',
    helper: { path: '/bin/fusermount3', isSetuidRoot: false },
  } as const;
  t.same(
    diagnosis(root).checks.filter(({ state }) => state !== 'ok'),
    [],
  );
});

t.test(
  'the right to mount is read off the capabilities: what root has, what others may come to have',
  async (t) => {
    const status = 'CapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\n';
    t.ok(hasAdminRight(status, false));
    t.notOk(hasAdminRight(status, true));
    t.notOk(hasAdminRight('CapBnd:\t00000000a80425fb\n', false), "a container's usual set");
    t.ok(hasAdminRight('', true), 'where nothing is known, nothing is held against it');
  },
);

t.test('a file that refuses stops a mount where it is one that every mount needs', async (t) => {
  const state = { kind: 'refused', path: '/s', problem: 'a.sqlite cannot be used', remedy: 'chmod' } as const;
  const needed = { state: { ...state, stopsMount: true } };
  const check = { finding: '/s: a.sqlite cannot be used', meaning: /\w+/, remedy: 'chmod' };
  t.match(found(needed, 'state folder'), { ...check, state: 'failure' });
  t.notOk(diagnosis(needed).canMount);
  const other = { state: { ...state, stopsMount: false } };
  t.match(found(other, 'state folder'), { ...check, state: 'warning' });
  t.ok(diagnosis(other).canMount);
});
