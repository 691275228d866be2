import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import t, { type Test } from 'tap';
import { ModuleProcess } from '../../src/modules/module-process.ts';
import { isRunning, until } from '../cli/mount/mount-place.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { untilAnswered } from './opened.ts';

/** Enough for a process to start, and for the longest answers, on a machine that is busy. */
const TIMEOUT_MS = 14_000;
/** For who fills the memory that a module has, beside other work. */
const FILLING_TIMEOUT_MS = 60_000;
/** execve(2): no text on a command line has more than 128 KiB. */
const TOO_LONG = 'n'.repeat(1 << 18);

/** Shows its `well`, and does what is asked as `does`. */
const moduleThat = (does: string) => `
import { spawn } from 'node:child_process';
import { writeFileSync, writeSync } from 'node:fs';
export const resolver = (_config, host) => ({
  at([name]) {
    if (name === undefined) return { folder: ['well', 'does'] };
    if (name === 'well') return { file: 'well' };
    if (name === 'does') { ${does} }
  },
});`;

for (const [what, bytes] of [
  ['text', 'some text that is long enough'],
  ['a message that is none', '\0\0\0\x03\xff\x0f?'],
  ['nothing as a message', '\0\0\0\x03\xff\x0f0'],
  ['zeros', '\0'.repeat(64)],
  ['what is no message of a module', framed({ type: 'other' })],
  ['a message without its parts', framed({ type: 'note' })],
  ['a listing without names', framed({ type: 'answer', id: 2, place: { kind: 'directory' } })],
] as const) {
  t.test(`${what} among the messages of a module is a failure of its own`, async (t) => {
    const { module, notes } = opened(t, {
      code: `writeSync(3, Buffer.from(${JSON.stringify(bytes)}, 'latin1')); return new Promise(() => {});`,
    });
    await t.resolves(module.ask({ type: 'look', path: ['well'] }));
    await t.rejects(module.ask({ type: 'look', path: ['does'] }), {
      code: 'EIO',
      message: /^it ended with an error: what it sent is /,
    });
    t.equal(notes.length, 1);
  });
}

/** Most of what a module has, at once: what fills it bit by bit has all of it looked through again and again. */
const MOST = 'const most = new Array(20 << 20).fill(0);';

for (const [what, code] of [
  ['objects', 'const all = []; for (;;) all.push({ name: all.length, folders: [1, 2, 3] });'],
  ['a map', 'const all = new Map(); for (;;) all.set(all.size, [all.size]);'],
  ['arrays', 'const all = []; for (;;) all.push(new Array(1000).fill(0));'],
] as const) {
  t.test(`a module that fills its memory with ${what} is ended, says so and is started again`, async (t) => {
    const { module, notes } = opened(t, {
      code: `${MOST} ${code} most.pop();`,
      timeoutMs: FILLING_TIMEOUT_MS,
    });
    await t.rejects(module.ask({ type: 'look', path: ['does'] }), {
      code: 'EIO',
      message: /^it ended with an error: .*heap out of memory: a module has 256 MiB$/,
    });
    t.equal(notes.length, 1);
    await untilAnswered(() => module.ask({ type: 'look', path: ['well'] }));
  });
}

t.test('the longest answers come whole, many at once, and in the middle of short ones', async (t) => {
  const { module } = opened(t, { code: "return { file: 'x'.repeat(16 << 20) };" });
  const seen = await Promise.all(
    Array.from({ length: 12 }, (_, i) => module.ask({ type: 'read', path: [i % 3 === 0 ? 'does' : 'well'] })),
  );
  for (const [i, place] of seen.entries()) {
    const text = bytesOf(place);
    t.ok(text === (i % 3 === 0 ? 'x'.repeat(16 << 20) : 'well'), `answer ${i}`);
  }
});

t.test('what outlives a module is read no longer', async (t) => {
  const { module, folder } = opened(t, {
    code: `
      const talks = spawn('sh', ['-c', 'while echo noise >&2; do sleep 0.01; done'], { stdio: 'inherit', detached: true });
      writeFileSync(host.folder + '/pid', String(talks.pid));
      process.exit(1);`,
  });
  await t.rejects(module.ask({ type: 'look', path: ['does'] }), { message: 'it ended by itself' });
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await until('it to have nobody to talk to', () => !isRunning(pid));
});

for (const [what, does] of [
  ['that ends by itself', 'process.exit(1);'],
  ['that is killed', "process.kill(process.pid, 'SIGKILL');"],
] as const) {
  t.test(`what a module ${what} has started ends with it, told or not`, async (t) => {
    const { module, folder } = opened(t, {
      code: `
      const { pid } = spawn('sleep', ['300'], { stdio: 'ignore' });
      writeFileSync(host.folder + '/pid', String(pid));
      ${does}`,
    });
    await t.rejects(module.ask({ type: 'look', path: ['does'] }), { code: 'EIO' });
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    t.teardown(() => isRunning(pid) && process.kill(pid));
    await until('it to have ended', () => !isRunning(pid));
  });
}

t.test('what a module says it started, and is no process, is nobody that is ended', async (t) => {
  const { module } = opened(t, { code: "host.started(0); return { file: 'said' };" });
  const heard: string[] = [];
  const onSignal = (name: string) => heard.push(name);
  process.on('SIGTERM', onSignal);
  t.teardown(() => process.off('SIGTERM', onSignal));
  await t.resolves(module.ask({ type: 'look', path: ['does'] }));
  module.close();
  await new Promise((resolve) => setImmediate(resolve));
  t.same(heard, []);
});

for (const [what, thrown] of [
  ['an error whose message throws', "Object.defineProperty(new Error(), 'message', { get() { throw 1; } })"],
  ['what no text can be made of', 'Object.create(null)'],
] as const) {
  t.test(`${what} is a failure at once`, async (t) => {
    const { module } = opened(t, { code: `throw ${thrown};` });
    await t.rejects(module.ask({ type: 'look', path: ['does'] }), {
      code: 'EIO',
      message: 'it threw what cannot be told',
    });
  });
}

t.test('a program that a module could not start harms nothing', async (t) => {
  const { module, notes } = opened(t, {
    code: "host.started(spawn('/not-there').on('error', () => {}).pid); return { file: 'well' };",
  });
  await t.resolves(module.ask({ type: 'look', path: ['does'] }));
  await t.resolves(module.ask({ type: 'look', path: ['well'] }));
  t.same(notes, []);
});

t.test('why the process of a module could not begin is told', async (t) => {
  const { NODE_OPTIONS: before } = process.env;
  t.teardown(() => {
    if (before === undefined) Reflect.deleteProperty(process.env, 'NODE_OPTIONS');
    else Object.assign(process.env, { NODE_OPTIONS: before });
  });
  Object.assign(process.env, { NODE_OPTIONS: '--require=/not-there.cjs' });
  const { module } = opened(t, { code: '' });
  await t.rejects(module.ask({ type: 'look', path: [] }), {
    code: 'EIO',
    message: /^it ended with an error: Error: Cannot find module '\/not-there\.cjs'$/,
  });
});

t.test('a module whose process cannot be started is a failure that rests', async (t) => {
  const { module, notes } = opened(t, { code: '', name: TOO_LONG });
  const look = { type: 'look', path: [] } as const;
  await t.rejects(module.ask(look), { code: 'EIO', message: /^its process cannot be started: .*E2BIG/ });
  t.match(module.state(), { state: 'failed', error: /E2BIG/ });
  await t.rejects(module.ask(look), { code: 'EIO', message: /rests for a moment: .*E2BIG/ });
  t.equal(notes.length, 1);
});

t.test('what a module that was let go of says late is nothing of the one started after it', async (t) => {
  const { module, folder, notes } = opened(t, {
    whole: `
      import { existsSync, writeFileSync } from 'node:fs';
      const at = (name) => new URL(name, import.meta.url);
      const isFirst = !existsSync(at('begun'));
      writeFileSync(at('begun'), '');
      while (isFirst && !existsSync(at('late'))) await new Promise((resolve) => setTimeout(resolve, 5));
      export const resolver = isFirst ? undefined : () => ({ at: () => ({ file: String(process.pid) }) });`,
    // The first one is asked once, and let go of as soon as that is given up.
    keepMs: 0,
    timeoutMs: 3000,
  });
  await t.rejects(module.ask({ type: 'look', path: ['well'] }), { code: 'ETIMEDOUT' });
  await until('the first one to be let go of', () => module.state().state !== 'running');
  const second = module.ask({ type: 'read', path: ['well'] });
  writeFileSync(join(folder, 'late'), '');
  const pid = bytesOf(await second);
  t.equal(module.state().state, 'running');
  t.same(bytesOf(await module.ask({ type: 'read', path: ['well'] })), pid, 'the same one answers');
  t.same(notes, []);
});

t.test('an answer that came while this thread was busy is not late', async (t) => {
  const timeoutMs = 2000;
  const { module, folder } = opened(t, {
    code: "setTimeout(() => writeFileSync(host.folder + '/answered', ''), 50); return { file: 'well' };",
    timeoutMs,
  });
  await untilAnswered(() => module.ask({ type: 'look', path: ['well'] }));
  const answer = module.ask({ type: 'look', path: ['does'] });
  const endMs = performance.now() + timeoutMs + 100;
  while (performance.now() < endMs || !existsSync(join(folder, 'answered'))) holdUpThisThread(10);
  await t.resolves(answer);
});

t.test('a module that says while this thread is busy that it is there is not ended', async (t) => {
  const { module, notes } = opened(t, { code: 'return new Promise(() => {});', timeoutMs: 2000 });
  await untilAnswered(() => module.ask({ type: 'look', path: ['well'] }));
  await t.rejects(module.ask({ type: 'look', path: ['does'] }), { code: 'ETIMEDOUT' });
  // Longer than that is waited for.
  holdUpThisThread(1500);
  await t.resolves(module.ask({ type: 'look', path: ['well'] }));
  t.same(notes, []);
});

/** As work does that takes so long, but the cores are left to the module. */
function holdUpThisThread(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}

/** A message as it is on the pipe. */
function framed(message: unknown): string {
  const body = serialize(message);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]).toString('latin1');
}

function bytesOf(place: Awaited<ReturnType<ModuleProcess['ask']>>): string | undefined {
  return place?.kind === 'file' ? Buffer.from(place.bytes ?? []).toString() : undefined;
}

interface Opened {
  readonly code?: string;
  /** All of its file, instead of what it does. */
  readonly whole?: string;
  readonly keepMs?: number;
  readonly name?: string;
  readonly timeoutMs?: number;
}

function opened(t: Test, { code = '', whole, keepMs, name = 'mine', timeoutMs = TIMEOUT_MS }: Opened) {
  const folder = temporaryFolder(t);
  const file = join(folder, 'mine.mjs');
  writeFileSync(file, whole ?? moduleThat(code));
  const notes: string[] = [];
  const module = new ModuleProcess({
    task: {
      name,
      code: { kind: 'file', file, trusted: undefined },
      config: {},
      folder,
      docs: { folders: [{ name: '', folder }], include: [], exclude: [] },
      stateFolder: folder,
      secrets: {},
    },
    timeoutMs,
    ...(keepMs === undefined ? {} : { keepMs }),
    onChanged: () => {},
    onNote: (message) => notes.push(message),
    explain: (reason) => reason,
    onState: () => {},
  });
  t.teardown(() => module.close());
  return { module, notes, folder };
}
