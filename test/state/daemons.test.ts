import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { docsText } from '../../src/core/docs-selection.ts';
import {
  type DocsWay,
  daemonPlace,
  daemonsAtWork,
  isAliveIn,
  isServedIn,
  liveDaemons,
  registerDaemon,
  staleRecords,
} from '../../src/state/daemons.ts';
import {
  isOfEarlierBoot,
  nameOfProcess,
  startTicksOf,
  stateOfProcess,
  thisProcess,
} from '../../src/state/processes.ts';
import { docsServed } from '../../src/state/served-docs.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { tryLock } from '../../src/system/file-lock.ts';
import { NOBODY } from '../support/nobody.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('a daemon is known from its start to its end', async (t) => {
  const state = stateFolderAt(join(temporaryFolder(t), 'state'));
  t.same(liveDaemons(state), [], 'also where there is no folder yet');
  prepareStateFolder(state);
  const unregister = registerDaemon(state, { mountpoint: '/mnt/ctx', docs: '/srv/docs' });
  t.match(liveDaemons(state), [{ pid: process.pid, mountpoint: '/mnt/ctx', docs: '/srv/docs' }]);
  unregister();
  t.same(liveDaemons(state), []);
});

t.test('a record tells others all that a daemon was begun with, and where its docs are by now', (t) => {
  const folder = temporaryFolder(t);
  const state = stateFolderAt(join(folder, 'state'));
  prepareStateFolder(state);
  for (const name of ['one', 'two']) mkdirSync(join(folder, name));
  const way = join(folder, 'docs');
  symlinkSync('one', way);
  const docs = docsText({ folders: [{ name: '', folder: join(folder, 'one') }] });
  const ways: DocsWay[] = [['', way]];
  const begun = { mountpoint: null, docs, ways, choice: 'all', modules: 'hash', ownConfig: '1000 /etc/own' };
  t.teardown(registerDaemon(state, begun));
  const [record] = liveDaemons(state);
  t.match(record, begun);
  t.equal(record && docsServed(record), docs);
  t.equal(record && daemonPlace(record), `without a mount (pid ${process.pid})`);
  rmSync(way);
  symlinkSync('two', way);
  t.equal(record && docsServed(record), docsText({ folders: [{ name: '', folder: join(folder, 'two') }] }));
  t.end();
});

t.test('what is no record of a daemon is none, whoever holds it locked', (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  const file = join(state.daemonsFolder, '1-1-1.json');
  const descriptor = openSync(file, 'w');
  t.teardown(() => closeSync(descriptor));
  t.equal(tryLock(descriptor, 'alone'), 'taken');
  const good = { pid: 1, startTicks: '1 a-boot pid:[1]', mountpoint: null, docs: '/srv/docs' };
  const found = (text: string) => {
    writeFileSync(file, text);
    return daemonsAtWork(state);
  };
  t.same(found(JSON.stringify(good)), [good]);
  // A signal to 0 or -1 would go to all the processes of whoever stops a daemon.
  const wrong = [
    ...[0, -1, 1.5, '1', null].map((pid) => ({ pid })),
    { startTicks: 1 },
    { mountpoint: 1 },
    { mountpoint: undefined },
    { docs: undefined },
  ];
  for (const part of wrong) t.same(found(JSON.stringify({ ...good, ...part })), [], JSON.stringify(part));
  for (const text of ['null', '1', '"{}"', '[]', '']) t.same(found(text), [], text);
  const extra = [
    ...[[['docs']], [['docs', 1]], ['ab'], 'docs', [['docs', '/srv', '/']]].map((ways) => ({ ways })),
    { choice: 1 },
    { modules: 1 },
    { ownConfig: 1 },
    { inode: 1 },
  ];
  for (const part of extra)
    t.same(found(JSON.stringify({ ...good, ...part })), [good], `without ${JSON.stringify(part)}`);
  t.end();
});

t.test('a record that cannot be put in its place leaves nothing behind', (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  const name = `${nameOfProcess(thisProcess())}.json`;
  mkdirSync(join(state.daemonsFolder, name));
  const begin = () => registerDaemon(state, { mountpoint: null, docs: '' });
  const openBefore = readdirSync('/proc/self/fd').length;
  t.throws(begin, { name: 'UserError', message: /the state folder cannot be used \(EISDIR.*--state/ });
  t.same(readdirSync(state.daemonsFolder), [name]);
  t.equal(readdirSync('/proc/self/fd').length, openBefore);
  rmSync(state.daemonsFolder, { recursive: true });
  t.throws(begin, { name: 'UserError', message: /the state folder cannot be used \(ENOENT.*--state/ });
  t.end();
});

t.test('a process that took the number of a dead daemon is not taken for it', async (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  const record = { pid: process.pid, startTicks: '1', mountpoint: '/mnt/ctx', docs: '/srv/docs' };
  writeFileSync(join(state.daemonsFolder, `${process.pid}.json`), JSON.stringify(record));
  writeFileSync(join(state.daemonsFolder, '1.json'), 'half wri');
  t.same(liveDaemons(state), []);
  t.same(readdirSync(state.daemonsFolder), [], 'records of the dead are removed');
});

/** Ends the first thread of its process alone, as a kill does for a moment: all that the process has open and locked is still so. */
const ENDS_IN_PART = `
  const call = require('koffi').load(null).func('long syscall(long, long)');
  process.stdin.once('data', () => call(${process.arch === 'arm64' ? 93 : 60}, 0));
  console.log('ready');
`;

t.test('a process is alive until its last thread has ended', async (t) => {
  const child = spawn(process.execPath, ['-e', ENDS_IN_PART], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  const known = { pid, startTicks: startTicksOf(pid) ?? '' };
  child.stdin.write('end');
  const stateOf = () => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  while (stateOf() !== 'Z') await delay(5);
  t.ok(readdirSync(`/proc/${pid}/task`).length > 1);
  t.equal(stateOfProcess(known), 'alive');
  child.kill('SIGKILL');
  await ended;
  t.equal(stateOfProcess(known), 'dead');
});

t.test(
  'one that has ended is dead, also where its parent never asks; one with a single thread is alive',
  async (t) => {
    // It never waits for its child, which ends when it is told to.
    const script = 'exec 3<&0; read line <&3 & echo $!; exec sleep 1000 3<&-';
    const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.teardown(() => parent.kill('SIGKILL'));
    const [said] = await once(parent.stdout, 'data');
    const child = Number(said);
    const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8');
    while (!/^Name:\s+sleep/m.test(statusOf(parent.pid ?? 0))) await delay(5);
    parent.stdin.end('\n');
    while (!/^State:\s+Z/m.test(statusOf(child))) await delay(5);
    t.equal(startTicksOf(child), undefined);
    const known = { pid: parent.pid ?? 0, startTicks: startTicksOf(parent.pid ?? 0) ?? '' };
    t.match(statusOf(known.pid), /^Threads:\s+1$/m);
    t.equal(stateOfProcess(known), 'alive');
  },
);

t.test(
  'a process is known by its boot and pid namespace too; where a boot is not known it may be this one',
  (t) => {
    const { pid, startTicks } = thisProcess();
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid');
    t.equal(startTicks, `${startTicksOf(pid)} ${boot} ${namespace}`);
    t.equal(nameOfProcess({ pid, startTicks: '12 a-boot pid:[34]' }), `${pid}-12-34`);
    t.equal(nameOfProcess({ pid, startTicks: '12' }), String(pid), 'as older versions called it');
    for (const [ticks, isEarlier] of [
      [startTicks, false],
      [`1 ${boot} pid:[1]`, false],
      ['1 another-boot pid:[1]', true],
      ['1 - pid:[1]', false],
      ['1', false],
    ] as const)
      t.equal(isOfEarlierBoot({ pid, startTicks: ticks }), isEarlier, ticks);
    t.end();
  },
);

t.test('nobody ever reads a record that is half written', async (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  const wish = { mountpoint: null, docs: '/srv/docs' };
  registerDaemon(state, wish)();
  // Stands for who opened the file before it was written: what is written into the same file shows here.
  const name = `${nameOfProcess(thisProcess())}.json`;
  const before = join(state.path, 'before');
  writeFileSync(before, '');
  linkSync(before, join(state.daemonsFolder, name));
  const unregister = registerDaemon(state, wish);
  t.teardown(unregister);
  t.equal(readFileSync(before, 'utf8'), '', 'another file takes its place');
  t.same(readdirSync(state.daemonsFolder), [name]);
  t.match(liveDaemons(state), [wish]);
});

t.test('records that this user may not write are said with their folder and the way out', async (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  chmodSync(state.daemonsFolder, 0o500);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) for (const folder of [state.path, state.daemonsFolder]) chownSync(folder, NOBODY, NOBODY);
  // Root may write anywhere.
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    t.throws(() => registerDaemon(state, { mountpoint: null, docs: '' }), {
      name: 'UserError',
      message: `${state.daemonsFolder}: no record of a daemon can be written there (EACCES); open it to yourself with "chmod u+rwx ${state.daemonsFolder}"`,
    });
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

/** Puts a record there as a process of another place would, which lives until `end`. */
function elsewhere(state: ReturnType<typeof stateFolderAt>, place: string) {
  const process = { pid: 1, startTicks: `${startTicksOf(1)} ${place}` };
  const file = join(state.daemonsFolder, `${nameOfProcess(process)}.json`);
  writeFileSync(file, JSON.stringify({ ...process, mountpoint: '/mnt/ctx', docs: '/srv/docs' }));
  const descriptor = openSync(file, 'r');
  return {
    process,
    begin: () => t.equal(tryLock(descriptor, 'alone'), 'taken'),
    end: () => closeSync(descriptor),
  };
}

t.test(
  'a daemon of another container is alive as long as it holds its record, whatever its number says here',
  async (t) => {
    const state = stateFolderAt(temporaryFolder(t));
    prepareStateFolder(state);
    const [, boot] = thisProcess().startTicks.split(' ');
    const daemon = elsewhere(state, `${boot} pid:[1]`);
    daemon.begin();
    t.equal(stateOfProcess(daemon.process), 'elsewhere');
    t.same(staleRecords(state), []);
    const [found, ...others] = liveDaemons(state);
    t.same(others, []);
    t.match(found, daemon.process);
    t.equal(found && daemonPlace(found), 'mounted at /mnt/ctx in another container (pid 1 there)');
    t.equal(
      found && daemonPlace({ ...found, mountpoint: null }),
      'without a mount in another container (pid 1 there)',
    );
    const isAlive = isAliveIn(state);
    t.ok(isAlive(daemon.process), 'so is its session');
    t.notOk(isAlive({ ...daemon.process, pid: 2 }), 'another of there is not');
    daemon.end();
    t.notOk(isAlive(daemon.process));
    t.equal(staleRecords(state).length, 1, 'as where its container was killed');
    t.same(liveDaemons(state), []);
    t.same(readdirSync(state.daemonsFolder), []);
  },
);

t.test('a process without descriptors takes no live daemon for dead', async (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  t.teardown(registerDaemon(state, { mountpoint: '/mnt/ctx', docs: '/srv/docs' }));
  const program = join(import.meta.dirname, 'daemons-program.js');
  const { pid, startTicks } = thisProcess();
  const limited = ['-c', 'ulimit -n 100; exec "$0" "$@"', process.execPath, program];
  const said = execFileSync('bash', [...limited, state.path, String(pid), startTicks], { encoding: 'utf8' });
  const refusal = /^EMFILE/;
  t.match(JSON.parse(said), { without: [refusal, refusal, refusal], afterwards: ['alive', 1, []] });
});

t.test('a copy of a state folder has no part in the daemon of the original', async (t) => {
  const folder = temporaryFolder(t);
  const [state, copy] = [stateFolderAt(join(folder, 'original')), stateFolderAt(join(folder, 'copy'))];
  prepareStateFolder(state);
  t.teardown(registerDaemon(state, { mountpoint: '/mnt/ctx', docs: '/srv/docs' }));
  cpSync(state.path, copy.path, { recursive: true });
  t.ok(isServedIn(state)(thisProcess()));
  t.notOk(isServedIn(copy)(thisProcess()));
  t.equal(staleRecords(copy).length, 1);
  t.same(liveDaemons(copy), []);
  t.same(readdirSync(copy.daemonsFolder), []);
  t.notOk(isServedIn(copy)(thisProcess()), 'also where its record is gone');
  t.equal(liveDaemons(state).length, 1);
});

t.test('a record that got another inode number is told from a copy by its lock', async (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  const record = { ...thisProcess(), mountpoint: null, docs: '/', inode: '0' };
  const file = join(state.daemonsFolder, `${nameOfProcess(record)}.json`);
  writeFileSync(file, JSON.stringify(record));
  const descriptor = openSync(file, 'r');
  t.equal(tryLock(descriptor, 'alone'), 'taken');
  t.match(liveDaemons(state), [record]);
  closeSync(descriptor);
  t.same(liveDaemons(state), []);
});

t.test('after another boot the same number and ticks are another process', async (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  const { pid, startTicks } = thisProcess();
  const [ticks, , namespace] = startTicks.split(' ');
  const earlier = { pid, startTicks: `${ticks} an-earlier-boot ${namespace}` };
  writeFileSync(
    join(state.daemonsFolder, '1-1-1.json'),
    JSON.stringify({ ...earlier, mountpoint: null, docs: '/' }),
  );
  t.notOk(isAliveIn(state)(earlier));
  t.same(liveDaemons(state), []);
  t.same(readdirSync(state.daemonsFolder), []);
});

t.test('a record of an older version, with ticks alone, is judged by them', async (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  const record = { pid: process.pid, startTicks: startTicksOf(process.pid), mountpoint: null, docs: '/' };
  writeFileSync(join(state.daemonsFolder, `${process.pid}.json`), JSON.stringify(record));
  t.match(liveDaemons(state), [record]);
});

t.test('the state folder is closed to other users, also one that was open', async (t) => {
  const path = join(temporaryFolder(t), 'state');
  mkdirSync(path);
  chmodSync(path, 0o755);
  prepareStateFolder(stateFolderAt(path));
  t.equal(statSync(path).mode & 0o777, 0o700);
});

t.test('a state folder that its owner may not write to stays so', async (t) => {
  const path = join(temporaryFolder(t), 'state');
  prepareStateFolder(stateFolderAt(path));
  chmodSync(path, 0o555);
  prepareStateFolder(stateFolderAt(path));
  t.equal(statSync(path).mode & 0o777, 0o500);
  // An ordinary user could not remove what is in it.
  chmodSync(path, 0o700);
});

t.test('a state folder that cannot be made is named, with the way out', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  t.throws(() => prepareStateFolder(stateFolderAt(join(folder, 'file', 'state'))), {
    message: /file\/state: .*--state/,
  });
});

t.test('a state folder that is a link is not followed', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'precious'), { mode: 0o755 });
  symlinkSync('precious', join(folder, 'state'));
  t.throws(() => prepareStateFolder(stateFolderAt(join(folder, 'state'))), {
    message: /state: .* is a link; .*--state/,
  });
  t.same(readdirSync(join(folder, 'precious')), []);
});

t.test('what a link leads to is not tidied up', async (t) => {
  const folder = temporaryFolder(t);
  const away = join(folder, 'away');
  mkdirSync(join(away, 'daemons'), { recursive: true });
  for (const name of ['settings.json', 'daemons/settings.json', 'daemons/settings.status'])
    writeFileSync(join(away, name), '{}');
  const state = stateFolderAt(join(folder, 'state'));
  mkdirSync(state.path);
  symlinkSync(away, state.daemonsFolder);
  const linked = stateFolderAt(join(folder, 'linked'));
  symlinkSync(away, linked.path);
  for (const each of [state, linked]) {
    t.same(liveDaemons(each), []);
    t.same(staleRecords(each), []);
  }
  t.same(readdirSync(away, { recursive: true, encoding: 'utf8' }).sort(), [
    'daemons',
    'daemons/settings.json',
    'daemons/settings.status',
    'settings.json',
  ]);
});
