import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { wayOut } from '../../../src/fuse/helper-refusals.ts';
import { mountArgument } from '../../../src/fuse/linux/fuse-channel.ts';
import { AS_NOBODY, NOBODY, whyNotAsNobody } from '../../support/nobody.ts';
import { type Teardown, temporaryFolder } from '../../support/temporary.ts';
import { newMountPoint } from '../daemon.ts';
import { needsFuse } from '../fuse-available.ts';

const OPTIONS = { fsName: 'kgraphfs', allowOther: false, readOnly: false };
const fuse = needsFuse();

const skip = fuse.skip || whyNotAsNobody();

/** Mounts, says what it got, and unmounts; or says why not. It counts ticks of the event loop meanwhile, and makes a file at the twentieth. */
const PROGRAM = `
  const { openFuseDevice } = await import(process.argv[1]);
  const { spawnSync } = await import('node:child_process');
  const { closeSync, readdirSync, readFileSync, readlinkSync, readSync, writeFileSync } = await import('node:fs');
  const [point, options, ticked] = [process.argv[2], JSON.parse(process.argv[3]), process.argv[4]];
  const targetOf = (descriptor) => { try { return readlinkSync('/proc/self/fd/' + descriptor); } catch { return ''; } };
  const count = () => readdirSync('/proc/self/fd').filter((one) => /^socket|fuse$/.test(targetOf(one))).length;
  const before = count();
  let ticks = 0;
  const timer = setInterval(() => { ticks += 1; if (ticks === 20 && ticked !== undefined) writeFileSync(ticked, ''); }, 1);
  try {
    const descriptor = await openFuseDevice(point, options);
    const request = Buffer.alloc(1 << 16);
    const flags = /^flags:\\s*(\\d+)$/m.exec(readFileSync('/proc/self/fdinfo/' + descriptor, 'utf8'))[1];
    const sizeBytes = readSync(descriptor, request);
    let next = 'a second request';
    try { readSync(descriptor, request.subarray(sizeBytes)); } catch (error) { next = error.code; }
    const opened = count() - before;
    const line = readFileSync('/proc/self/mountinfo', 'utf8').split('\\n').find((line) => line.split(' ')[4] === point);
    closeSync(descriptor);
    spawnSync('fusermount3', ['-u', '-z', '--', point]);
    console.log(JSON.stringify({ flags: parseInt(flags, 8), opcode: request.readUInt32LE(4), next, opened, line }));
  } catch (error) {
    const opened = count() - before;
    console.log(JSON.stringify({ name: error.name, exitStatus: error.exitStatus, message: error.message, opened, ticks }));
  }
  clearInterval(timer);
`;

interface Opening {
  readonly options?: Partial<typeof OPTIONS>;
  readonly as?: readonly string[];
  readonly path?: string;
  /** The file that is made while it waits. */
  readonly ticked?: string;
}

function open(point: string, { options = {}, as = [], path, ticked }: Opening = {}): Record<string, unknown> {
  const module = new URL('../../../src/fuse/linux/fuse-channel.js', import.meta.url).href;
  const text = JSON.stringify({ ...OPTIONS, ...options });
  const [command = '', ...args] = [...as, process.execPath, '--input-type=module', '-e', PROGRAM];
  const { stdout, stderr } = spawnSync(
    command,
    [...args, module, point, text, ...(ticked === undefined ? [] : [ticked])],
    {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, ...(path === undefined ? {} : { PATH: path }) },
    },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const O_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
const INIT = 26;

t.test('the kernel can be talked to, without waiting, and by this process alone', fuse, async (t) => {
  const point = newMountPoint(t);
  mkdirSync(point);
  const got = open(point);
  t.equal(Number(got['flags']) & (O_NONBLOCK | O_CLOEXEC), O_NONBLOCK | O_CLOEXEC);
  t.match(got, { opcode: INIT, next: 'EAGAIN', opened: 1 });
  t.match(got['line'], / rw,nosuid,nodev,noatime .*- fuse\.kgraphfs kgraphfs rw,.*default_permissions$/);
});

t.test('an ordinary user mounts in the same way', { skip }, async (t) => {
  const point = newMountPoint(t);
  mkdirSync(point);
  chmodSync(join(point, '..'), 0o755);
  chownSync(point, NOBODY, NOBODY);
  const got = open(point, { as: AS_NOBODY, options: { readOnly: true, fsName: 'me@host:/docs' } });
  t.match(got, { opcode: INIT, opened: 1 });
  t.match(got['line'], / ro,nosuid,nodev,noatime .*- fuse\.kgraphfs me@host:\/docs .*user_id=65534/);
});

t.test('what the helper refuses is said with its reason, and leaves no descriptor open', fuse, async (t) => {
  const missing = join(newMountPoint(t), 'missing');
  t.match(open(missing), {
    name: 'UserError',
    exitStatus: 3,
    message: /^cannot mount at .*missing: fusermount3: bad mount point .*: No such file or directory$/,
    opened: 0,
  });
});

t.test('a mount point of somebody else is refused with the way out', { skip }, async (t) => {
  const point = newMountPoint(t);
  mkdirSync(point);
  chmodSync(join(point, '..'), 0o755);
  t.match(open(point, { as: AS_NOBODY }), {
    exitStatus: 3,
    message: /no write access to mountpoint.*; choose a folder of your own$/,
  });
});

t.test('a machine without the helper is told what to install', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync('/usr/bin/env', join(folder, 'env'));
  t.match(open('/nowhere', { path: folder }), {
    name: 'UserError',
    exitStatus: 3,
    message: /^fusermount3 is missing.*apt-get install fuse3/,
    opened: 0,
  });
});

t.test(
  'a folder of the PATH that this user may not read hides no helper that is missing',
  { skip },
  async (t) => {
    const [folder, closed] = [temporaryFolder(t), temporaryFolder(t)];
    for (const program of ['env', 'setpriv']) symlinkSync(`/usr/bin/${program}`, join(folder, program));
    chmodSync(folder, 0o755);
    chmodSync(closed, 0o700);
    const path = `${closed}:${folder}`;
    t.match(open('/nowhere', { as: AS_NOBODY, path }), {
      exitStatus: 3,
      message: /^fusermount3 is missing.*apt-get install fuse3/,
    });
  },
);

t.test('the helper of libfuse 2 will do, and one that says nothing is named', async (t) => {
  const folder = helper(t, 'fusermount', 'exit 7');
  t.match(open('/nowhere', { path: folder }), { message: /fusermount ended with 7 and gave no reason/ });
});

t.test('timers go on while the helper takes its time', async (t) => {
  const folder = helper(t, 'fusermount3', 'until [ -e "$PATH/ticked" ]; do sleep 0.01; done; exit 1');
  const { ticks } = open('/nowhere', { path: folder, ticked: join(folder, 'ticked') });
  t.ok(Number(ticks) >= 20, `${ticks} ticks`);
});

t.test('a helper that sends no descriptor is not believed', async (t) => {
  const folder = helper(t, 'fusermount3', 'exit 0');
  t.match(open('/nowhere', { path: folder }), { exitStatus: 3, opened: 0 });
});

t.test('reasons that have a way out get it', async (t) => {
  const known: [string, RegExp][] = [
    [
      "fusermount3: option allow_other only allowed if 'user_allow_other' is set in /etc/fuse.conf",
      /as root, .*user_allow_other.*without --allow-other/,
    ],
    ['fusermount3: mount failed: Operation not permitted', /setuid root.*SYS_ADMIN/],
    ['fusermount3: failed to open /dev/fuse: Permission denied', /chmod 666/],
    ["fusermount3: fuse device not found, try 'modprobe fuse' first", /modprobe fuse/],
    ['fusermount3: fuse device /dev/fuse not found. Kernel module not loaded?', /modprobe fuse/],
    [
      'fusermount3: mount failed: Permission denied',
      /AppArmor.*below your home.*apparmor\.d\/local\/fusermount3/,
    ],
    [
      'fusermount3: too many FUSE filesystems mounted; mount_max=N can be set in /etc/fuse.conf',
      /unmount one/,
    ],
    ['fusermount3: could not determine username', /useradd .*--uid/],
    ['fusermount3: mounting over filesystem type 0x9fa0 is forbidden', /ordinary disk/],
  ];
  for (const [text, way] of known) t.match(wayOut(text), way, text);
  t.equal(wayOut('fusermount3: something else'), undefined);
});

t.test('no option but the fixed words is passed on', async (t) => {
  const options = mountArgument({ ...OPTIONS, readOnly: true, allowOther: true }).split(',');
  for (const option of ['subtype=kgraphfs', 'nosuid', 'nodev', 'noatime', 'ro', 'allow_other']) {
    t.ok(options.includes(option), option);
  }
  t.notOk(mountArgument(OPTIONS).split(',').includes('allow_other'));
  t.throws(() => mountArgument({ ...OPTIONS, fsName: 'a,dev' }), { name: 'UserError', exitStatus: 3 });
});

/** A folder that stands for the PATH, with env and a helper with this name. */
function helper(t: Teardown, name: string, script: string): string {
  const folder = temporaryFolder(t);
  for (const program of ['env', 'sleep']) symlinkSync(`/usr/bin/${program}`, join(folder, program));
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}
