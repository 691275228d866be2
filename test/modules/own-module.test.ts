import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { parsePath } from '../../src/core/paths.ts';
import { openModules, untilAnswered } from './opened.ts';

/** Enough for a process to start, and for the longest answers, on a machine that is busy. */
const TIMEOUT_MS = 14_000;
/** For what never answers. */
const SHORT_TIMEOUT_MS = 2000;

const GOOD = `
export const config = (z) => z.strictObject({ greeting: z.string() });
export function resolver({ greeting }, host) {
  let written = '';
  return {
    at([name, ...rest]) {
      if (rest.length > 0) return undefined;
      if (name === undefined) return { folder: ['hello.md', 'echo', { name: 'first', kind: 'link' }, 'a/b', '..', ''] };
      if (name === 'hello.md') return { file: greeting + ' from ' + host.name + '\\n', modified: 1000 };
      if (name === 'first') return { link: 'hello.md' };
      if (name === 'echo') return { file: written, writable: true };
    },
    write(path, content) {
      if (content.length > 5) throw Object.assign(new Error('that is too much'), { code: 'ENOSPC' });
      written = Buffer.from(content).toString();
    },
  };
}`;

const BAD = `
import { readFileSync } from 'node:fs';
export function resolver() {
  return {
    at([name]) {
      if (name?.startsWith('well')) return { file: 'well' };
      switch (name) {
        case undefined: return { folder: ['well'] };
        case 'throws': throw new Error('broken on purpose');
        case 'refuses': throw Object.assign(new Error('not for you'), { code: 'EPERM' });
        case 'waits': return new Promise(() => {});
        case 'loops': for (;;);
        case 'exits': process.exit(3);
        case 'crashes': process.kill(process.pid, 'SIGSEGV');
        case 'later': setTimeout(() => { throw new Error('thrown later'); }); return new Promise(() => {});
        case 'speaks': process.send({ type: 'answer', id: 1 });
        case 'limits': return { file: readFileSync('/proc/self/limits') };
        case 'score': return { file: readFileSync('/proc/self/oom_score_adj') };
        case 'long': return { file: 'x'.repeat(17 << 20) };
        case 'endless': return { folder: (function* () { for (let i = 0; ; i += 1) yield 'n' + i; })() };
        case 'nonsense': return { file: 7 };
        case 'recursion': { const again = () => again() + 1; return { file: again() }; }
        case 'printing': for (let i = 0; i < 1000; i += 1) console.log('noise'); return { file: 'printed' };
      }
    },
  };
}`;

t.test('a module from a path shows files, folders and links, and takes what is written', async (t) => {
  const { read, ls, write, fs, reported } = openModules(t, {
    modules: { mine: { module: './mine.mjs', greeting: 'Hello' } },
    files: { 'mine.mjs': GOOD },
  });
  t.same(await ls('/'), ['mine']);
  t.same(await ls('/mine'), ['echo', 'first', 'hello.md']);
  t.equal(await read('/mine/hello.md'), 'Hello from mine\n');
  t.match(await fs.stat(parsePath('/mine/hello.md'), {}), { modifiedNs: 1_000_000_000n, mode: 0o600 });
  t.match(await fs.stat(parsePath('/mine'), {}), { kind: 'directory', mode: 0o700 });
  t.equal(await fs.readLink(parsePath('/mine/first'), {}), 'hello.md');
  await t.rejects(read('/mine/nothing'), { code: 'ENOENT' });
  await t.rejects(read('/other'), { code: 'ENOENT' });
  await write('/mine/echo', 'abc');
  t.equal(await read('/mine/echo'), 'abc', 'what was written is there at once');
  await write('/mine/echo', 'd');
  t.equal(await read('/mine/echo'), 'd');
  await t.rejects(write('/mine/echo', 'too long'), { code: 'ENOSPC', message: /that is too much/ });
  await t.rejects(write('/mine/hello.md', 'x'), { code: 'EROFS' });
  await t.rejects(async () => fs.makeFolder(parsePath('/mine/new'), 0o755, {}), { code: 'EROFS' });
  const told = (code: string) => reported.filter((one) => one.code === code);
  t.match(told('ENOSPC'), [{ path: '/modules/mine/echo' }]);
  // A moment later, which may be a moment ago.
  while (told('EIO').length < 3) await pause(20);
  t.same(
    told('EIO').map(({ path, message }) => `${path}: ${message}`),
    ['a/b', '..', ''].map(
      (name) => `/modules/mine: a name that no file can have is left out: ${JSON.stringify(name)}`,
    ),
    'names that cannot be are told',
  );
});

t.test('what goes wrong in a module is an errno and a line, and harms nothing else', async (t) => {
  const { read, ls, reported, modules } = openModules(t, {
    modules: {
      bad: { module: './bad.mjs', timeoutMs: TIMEOUT_MS },
      stuck: { module: './bad.mjs', timeoutMs: SHORT_TIMEOUT_MS },
      // No more than twenty lines a minute are reported of each.
      worse: { module: './bad.mjs', timeoutMs: TIMEOUT_MS },
      good: { module: './good.mjs', greeting: 'Hello' },
    },
    files: { 'bad.mjs': BAD, 'good.mjs': GOOD },
  });
  t.equal(await read('/bad/well'), 'well');
  await t.rejects(read('/bad/throws'), { code: 'EIO' });
  await t.rejects(read('/bad/refuses'), { code: 'EPERM' });
  await t.rejects(read('/stuck/waits'), { code: 'ETIMEDOUT' });
  await t.rejects(read('/bad/long'), { code: 'EIO' });
  await t.rejects(ls('/bad/endless'), { code: 'EIO' });
  await t.rejects(read('/bad/nonsense'), { code: 'EIO' });
  await t.rejects(read('/bad/recursion'), { code: 'EIO' });
  t.equal(await read('/bad/printing'), 'printed');
  await t.rejects(read('/bad/speaks'), { code: 'EIO', message: /process\.send is not a function/ });
  t.match(await read('/bad/limits'), /^Max core file size +1 +1 /m, 'no core file has its memory');
  t.ok(Number(await read('/bad/score')) >= 500, 'where memory runs out, the kernel takes it first');
  t.equal(await read('/bad/well'), 'well', 'it goes on after each of these');
  for (const [module, name] of [
    ['stuck', 'loops'],
    ['bad', 'exits'],
    ['worse', 'crashes'],
    ['stuck', 'later'],
  ] as const) {
    const started = performance.now();
    await t.rejects(read(`/${module}/${name}`), { code: /^(?:ETIMEDOUT|EIO)$/ }, name);
    t.ok(performance.now() - started < 3 * TIMEOUT_MS, `${name} is answered in time`);
    t.equal(await read('/good/hello.md'), 'Hello from good\n', `others answer after ${name}`);
    await untilAnswered(() => read(`/${module}/well-after-${name}`));
    t.pass(`it is started again after ${name}`);
  }
  for (const [path, message] of [
    ['bad/throws', /broken on purpose/],
    ['stuck/waits', /no answer within 2000 ms/],
    ['bad/long', /at most 16777216 bytes/],
    ['bad/endless', /at most 50000 names/],
    ['bad/exits', /it ended by itself/],
    ['worse/crashes', /it was ended by SIGSEGV/],
    ['stuck/later', /it ended with an error: thrown later/],
  ] as const) {
    t.ok(
      reported.some((one) => one.path === `/modules/${path}` && message.test(one.message)),
      path,
    );
  }
  t.match(modules.view(), [
    { name: 'bad', module: 'own', state: 'running' },
    { name: 'good', state: 'running', error: null },
    { name: 'stuck', module: 'own', state: 'running' },
    { name: 'worse' },
  ]);
});

t.test('a module whose config or code is wrong says where, and others go on', async (t) => {
  const { read, modules, folder } = openModules(t, {
    modules: {
      config: { module: './good.mjs', greeting: 7 },
      syntax: { module: './syntax.mjs' },
      nothing: { module: './nothing.mjs' },
      gone: { module: './gone.mjs' },
      unknown: { module: 'no-such' },
      'bad/name': { module: './good.mjs' },
      good: { module: './good.mjs', greeting: 'Hello' },
    },
    files: { 'good.mjs': GOOD, 'syntax.mjs': 'export {', 'nothing.mjs': 'export const x = 1;' },
  });
  t.match(await modules.examine(), [
    { name: 'bad/name', state: 'refused', error: /letters, digits/ },
    {
      name: 'config',
      state: 'failed',
      error: new RegExp(
        `^${folder}/config.json:1:\\d+: modules.config.greeting: .*a text in quotation marks`,
      ),
    },
    { name: 'gone', state: 'failed', error: /cannot be read/ },
    { name: 'good', state: 'running', error: null },
    { name: 'nothing', state: 'failed', error: /exports no function "resolver"/ },
    {
      name: 'syntax',
      state: 'failed',
      error: /ended with an error: Unexpected end .*: node .*\/syntax\.mjs$/,
    },
    {
      name: 'unknown',
      state: 'refused',
      error: /config\.json:1:\d+: modules\.unknown\.module: there is no built-in module "no-such"/,
    },
  ]);
  await t.rejects(read('/config/hello.md'), { code: 'EIO' });
  await t.rejects(read('/unknown'), { code: 'EACCES' });
  t.equal(await read('/good/hello.md'), 'Hello from good\n');
});
