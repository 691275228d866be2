import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Callers } from '../../../src/fuse/linux/callers.ts';
import { type Claims, type ProcessFacts, ProcessFiles } from '../../../src/fuse/linux/process-files.ts';
import { stopProcess } from '../../support/stop-process.ts';
import { type Teardown, temporaryFolder } from '../../support/temporary.ts';

/** More than what is read of a process takes on a machine that is busy. */
const PATIENCE_MS = 60_000;
const HELD_MS = 2000;

/** A process that runs until the test ends, and has said that it does. */
async function running(
  t: Teardown,
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<ChildProcess & { pid: number }> {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const { pid } = child;
  if (pid === undefined) throw new Error('it did not start');
  return Object.assign(child, { pid });
}

const SHELL = ['sh', '-c', 'echo ready; read line'] as const;
const THREADS = [process.execPath, '-e', 'console.log("ready"); process.stdin.resume()'] as const;

t.test('a caller has the name and the session that its environment says', async (t) => {
  const callers = new Callers({ longestWaitMs: PATIENCE_MS });
  const env = { ...process.env, KGRAPHFS_ACTOR: 'Ana Müller', KGRAPHFS_SESSION: '20261121T060000-7f3a' };
  const { pid } = await running(t, SHELL, env);
  await callers.identify(pid);
  const caller = callers.of(pid, 1000, 100);
  t.match(
    {
      name: caller.name,
      pid: caller.pid,
      uid: caller.uid,
      gid: caller.gid,
      session: caller.session,
    },
    { name: 'Ana Müller', pid, uid: 1000, gid: 100, session: '20261121T060000-7f3a' },
  );
});

t.test('without them it has the name of its program, and no session', async (t) => {
  const callers = new Callers({ longestWaitMs: PATIENCE_MS });
  const { pid } = await running(t, SHELL, { PATH: process.env['PATH'] });
  const caller = callers.of(pid, 0, 0);
  t.equal(caller.name, undefined, 'nobody looked yet');
  await callers.identify(pid);
  t.equal(caller.name, 'sh');
  t.equal(caller.session, undefined);
});

t.test('all threads of a process are one caller', async (t) => {
  const callers = new Callers({ longestWaitMs: PATIENCE_MS });
  const { pid } = await running(t, THREADS, { KGRAPHFS_ACTOR: 'agent' });
  const threads = readdirSync(`/proc/${pid}/task`).map(Number);
  t.ok(threads.length > 1, `${threads.length} threads`);
  await Promise.all(threads.map((thread) => callers.identify(thread)));
  const seen = threads.map((thread) => {
    const { name, pid, process } = callers.of(thread, 0, 0);
    return `${name} ${pid} ${process}`;
  });
  t.equal(new Set(seen).size, 1);
  t.ok(seen[0]?.startsWith(`agent ${pid} ${pid}:`));
});

t.test('the kernel, a process of another namespace and one that is gone have no name', async (t) => {
  const callers = new Callers({ longestWaitMs: PATIENCE_MS });
  const child = await running(t, SHELL, {});
  child.stdin?.end();
  await once(child, 'close');
  for (const thread of [0, child.pid]) {
    await callers.identify(thread);
    const { name, process, session, uid } = callers.of(thread, 7, 8);
    t.same({ name, process, session, uid }, { uid: 7 }, `${thread}`);
  }
  t.equal(callers.of(0, 7, 8).pid, undefined);
  t.equal(callers.of(child.pid, 7, 8).pid, child.pid);
});

t.test('an environment that is not to be read is done without', async (t) => {
  const { files, callers } = fakeProcesses(t);
  files.put(5, { command: 'vim' });
  await callers.identify(5);
  t.equal(callers.of(5, 0, 0).name, 'vim');
});

for (const [what, environment, expected] of [
  ['the first of a name counts', 'KGRAPHFS_ACTOR=a\0KGRAPHFS_ACTOR=b\0', { actor: 'a' }],
  ['a name inside another one', 'MY_KGRAPHFS_ACTOR=a\0X=KGRAPHFS_SESSION=s\0', {}],
  ['after others', 'A=1\0B=\0KGRAPHFS_SESSION=s-1\0', { session: 's-1' }],
  ['not ended', 'A=1\0KGRAPHFS_ACTOR=cut', {}],
  ['empty ones', 'KGRAPHFS_ACTOR=\0KGRAPHFS_SESSION=\0', {}],
  ['no environment', '', {}],
  ['a path is no session', 'KGRAPHFS_SESSION=../../etc\0', {}],
  ['lines in a name', 'KGRAPHFS_ACTOR=a\nb\0', {}],
  ['escapes in a name', 'KGRAPHFS_ACTOR=a\u001b[2Jb\0', {}],
  ['a long name', `KGRAPHFS_ACTOR=${'a'.repeat(129)}\0`, {}],
  ['a long session', `KGRAPHFS_SESSION=${'a'.repeat(65)}\0`, {}],
  ['a large environment', `A=${'x'.repeat(100_000)}\0KGRAPHFS_ACTOR=a\0`, { actor: 'a' }],
] as const satisfies readonly (readonly [string, string, Claims])[]) {
  t.test(`only well-formed values count: ${what}`, async (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, '5'));
    writeFileSync(join(folder, '5/environ'), environment);
    t.same(await new ProcessFiles(folder).claimsOf(5), expected);
  });
}

t.test('bytes that are no text are no name', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, '5'));
  writeFileSync(join(folder, '5/environ'), Buffer.from('KGRAPHFS_ACTOR=a\xff\0', 'latin1'));
  t.same(await new ProcessFiles(folder).claimsOf(5), {});
});

t.test('a program name shows nothing that a terminal would act on', async (t) => {
  const { files, callers } = fakeProcesses(t);
  files.put(5, { command: 'a) \u001b\nb' });
  await callers.identify(5);
  t.equal(callers.of(5, 0, 0).name, 'a) ??b');
});

t.test('an exec after the first look is noticed at the next one', async (t) => {
  const { files, callers, clock } = fakeProcesses(t);
  files.put(5, { command: 'bash', environment: '' });
  await callers.identify(5);
  t.equal(callers.identify(5), undefined, 'it is known for now');
  const { process } = callers.of(5, 0, 0);
  files.put(5, { command: 'rg', environment: 'KGRAPHFS_ACTOR=agent\0', environmentAt: 2 });
  clock.ms += 0.3;
  await callers.identify(5);
  t.equal(callers.of(5, 0, 0).name, 'agent');
  t.equal(callers.of(5, 0, 0).process, process, 'it is the same process');
});

t.test('a number that another process has now is another caller a second later', async (t) => {
  const { files, callers, clock } = fakeProcesses(t);
  files.put(5, { command: 'a', environment: 'KGRAPHFS_ACTOR=ana\0KGRAPHFS_SESSION=s\0' });
  await callers.identify(5);
  const before = callers.of(5, 0, 0).process;
  files.put(5, { command: 'b', startTicks: 200, environment: '' });
  clock.ms += 1000;
  await callers.identify(5);
  const { name, session, process } = callers.of(5, 0, 0);
  t.same([name, session], ['b', undefined]);
  t.not(process, before);
});

t.test('a process that goes on is looked at a few times a second at most', async (t) => {
  const { files, callers, clock } = fakeProcesses(t);
  files.put(5, { command: 'rg', environment: 'KGRAPHFS_ACTOR=a\0' });
  const names = new Set<string | undefined>();
  for (; clock.ms < 10_000; clock.ms += 0.1) {
    await callers.identify(5);
    names.add(callers.of(5, 0, 0).name);
  }
  t.same([...names], ['a']);
  t.ok(files.looks < 80, `${files.looks} looks in 10 s`);
  t.equal(files.reads, 1, 'the environment of one program is read once');
});

t.test(
  'an environment that the kernel holds back delays one answer for a moment, and no other',
  async (t) => {
    const { files, callers } = fakeProcesses(t, HELD_MS);
    files.put(5, { command: 'stuck', environment: 'KGRAPHFS_ACTOR=late\0' });
    files.put(6, { command: 'other', environment: 'KGRAPHFS_ACTOR=ana\0' });
    const release = files.hold();
    const startMs = performance.now();
    await callers.identify(5);
    t.ok(performance.now() - startMs >= HELD_MS - 1);
    t.equal(callers.of(5, 0, 0).name, 'stuck');
    t.equal(callers.identify(6), undefined, 'nobody queues behind it');
    t.equal(callers.of(6, 0, 0).name, undefined);
    await release();
    t.equal(callers.of(5, 0, 0).name, 'late');
    await callers.identify(6);
    t.equal(callers.of(6, 0, 0).name, 'ana');
  },
);

t.test('many threads are remembered, the latest', async (t) => {
  class OneProcess extends ProcessFiles {
    override async factsOf(): Promise<ProcessFacts> {
      return { pid: 1, key: '1:1', command: 'init', image: 'init' };
    }
  }
  const callers = new Callers({ files: new OneProcess('/nowhere'), longestWaitMs: PATIENCE_MS });
  for (let thread = 2; thread <= 4098; thread += 1) await callers.identify(thread);
  t.equal(callers.of(2, 0, 0).name, undefined);
  t.equal(callers.of(3, 0, 0).name, 'init');
});

interface FakeProcess {
  readonly command: string;
  readonly startTicks?: number;
  readonly environment?: string;
  readonly environmentAt?: number;
}

/** A /proc that says what the test wants, and a clock that it moves. */
function fakeProcesses(t: Teardown, longestWaitMs = PATIENCE_MS) {
  const folder = temporaryFolder(t);
  const clock = { ms: 0 };
  const files = new FakeFiles(folder);
  return { files, clock, callers: new Callers({ files, nowMs: () => clock.ms, longestWaitMs }) };
}

class FakeFiles extends ProcessFiles {
  looks = 0;
  reads = 0;
  readonly #folder: string;
  #held: Promise<void> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    super(folder);
    this.#folder = folder;
  }

  put(pid: number, { command, startTicks = 100, environment, environmentAt = 1 }: FakeProcess): void {
    const folder = join(this.#folder, `${pid}`);
    mkdirSync(folder, { recursive: true });
    const zeros = (count: number) => Array.from({ length: count }, () => '0').join(' ');
    const stat = `${pid} (${command}) S ${zeros(18)} ${startTicks} ${zeros(27)} ${environmentAt} 0 0\n`;
    writeFileSync(join(folder, 'stat'), stat);
    writeFileSync(join(folder, 'status'), `Name:\t${command}\nTgid:\t${pid}\nPid:\t${pid}\n`);
    if (environment === undefined) rmSync(join(folder, 'environ'), { force: true });
    else writeFileSync(join(folder, 'environ'), environment);
  }

  /** No environment is read until the returned function is called, which resolves when one was. */
  hold(): () => Promise<unknown> {
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return async () => {
      release();
      await this.#reading;
      await new Promise(setImmediate);
    };
  }

  override factsOf(pid: number): Promise<ProcessFacts | undefined> {
    this.looks += 1;
    return super.factsOf(pid);
  }

  override claimsOf(pid: number): Promise<Claims> {
    this.reads += 1;
    const reading = this.#held.then(() => super.claimsOf(pid));
    this.#reading = reading;
    return reading;
  }
}

t.test(
  'a signal that ends a process is seen before the process ends, and one that does not is none',
  async (t) => {
    const files = new ProcessFiles();
    // A process that is stopped has its signals wait, but for those that go on or kill.
    const { pid } = await running(t, ['sh', '-c', 'trap : USR1; trap "" USR2; echo ready; read line'], {
      PATH: process.env['PATH'],
    });
    const signals = (...names: readonly NodeJS.Signals[]) => {
      for (const name of names) process.kill(pid, name);
    };
    t.equal(await files.isEnding(pid), false);
    stopProcess(pid);
    signals('SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCHLD', 'SIGURG');
    t.equal(await files.isEnding(pid), false, 'caught, ignored, and harmless ones');
    signals('SIGTERM');
    t.equal(await files.isEnding(pid), true);
    t.equal(await files.isEnding(0), undefined);
    t.equal(await new ProcessFiles('/nowhere').isEnding(pid), undefined);
  },
);
