/** The whole of it, by the command line and over real HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { MAIN } from '../cli/run-cli.ts';
import { runHere } from '../cli/run-here.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { temporaryFolder } from '../support/temporary.ts';

const KEY = 'sk-or-v1-thisisasecretkey0123';
const LIMIT_MS = 120_000;

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

async function subject(t: Test, { documents = 0 }: { documents?: number } = {}) {
  const server = await startEmbeddingServer(64);
  t.teardown(() => server.close());
  const folder = realpathSync(temporaryFolder(t));
  const [docs, state, own] = ['docs', 'state', 'own'].map((name) => join(folder, name));
  if (docs === undefined || state === undefined || own === undefined) throw new Error('no folder');
  if (documents === 0) cpSync('docs/sample', docs, { recursive: true });
  else mkdirSync(docs);
  for (let index = 0; index < documents; index += 1)
    writeFileSync(join(docs, `page-${index}.md`), `# Page ${index}\n\nIt says number ${index}.\n`);
  const configured = {
    KGRAPHFS_EMBEDDINGS_URL: server.url,
    KGRAPHFS_EMBEDDINGS_MODEL: 'words',
    OPENROUTER_API_KEY: KEY,
  };
  const start = (args: readonly string[], env: NodeJS.ProcessEnv = configured): ChildProcess =>
    spawn(process.execPath, [MAIN, ...args, '--docs', docs, '--state', state], {
      cwd: folder,
      env: { ...withoutKeys(), XDG_CONFIG_HOME: own, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const run = (args: readonly string[], env?: NodeJS.ProcessEnv) => ended(start(args, env));
  /** The same within this process, which starts once. */
  const here = (args: readonly string[], env: NodeJS.ProcessEnv = configured) =>
    runHere([...args, '--docs', docs, '--state', state], {
      cwd: folder,
      env: { XDG_CONFIG_HOME: own, ...env },
    });
  return { server, docs, state, own, start, run, here, folder };
}

function withoutKeys(): NodeJS.ProcessEnv {
  const { OPENAI_API_KEY: _, OPENROUTER_API_KEY: __, ...others } = process.env;
  return others;
}

async function ended(child: ChildProcess): Promise<Ran> {
  const text = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    text.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    text.err += chunk;
  });
  const [status]: (number | null)[] = await once(child, 'close');
  return { ...text, status: status ?? null };
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const lastMs = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > lastMs) throw new Error(`${what}: not within ${LIMIT_MS} ms`);
    await pause(50);
  }
}

const textsAsked = ({ requests }: EmbeddingServer) => requests.flatMap(({ texts }) => texts);

t.test('build --embed has each text embedded, and search finds by meaning then', async (t) => {
  const { server, run, here } = await subject(t);
  const built = await run(['build', '--embed']);
  t.match(built, { status: 0, out: /embedded (\d+) of \1 texts with words, 0 of them before/ });
  const asked = textsAsked(server);
  t.ok(asked.length > 50);
  t.equal(new Set(asked).size, asked.length, 'none is asked for twice');
  t.ok(server.requests.every(({ authorization }) => authorization === `Bearer ${KEY}`));
  const found = await here(['search', 'how do I erase a client?', '--json']);
  t.match(found, { status: 0, out: /"vector": \d+/ });
  t.match(textsAsked(server).at(-1), 'how do I erase a client?');
  const count = server.requests.length;
  t.match(await here(['build', '--embed', '--json']), { status: 0, out: /"hit_rate": 1/ });
  t.match(await here(['search', 'how do I erase a client?', '--json']), { out: /"vector": \d+/ });
  t.equal(server.requests.length, count, 'what is known is not asked for again');
});

t.test('where the API is gone, search answers by words and graph', async (t) => {
  const { server, run, here, folder } = await subject(t, { documents: 5 });
  const loaded = noteLoaded(folder);
  const configured = { KGRAPHFS_EMBEDDINGS_URL: server.url, KGRAPHFS_EMBEDDINGS_MODEL: 'words' };
  await run(['build', '--embed'], { ...configured, ...loaded.env });
  const modules = readFileSync(loaded.file, 'utf8');
  for (const name of ['openai', 'sqlite-vec']) t.match(modules, loading(name));
  await server.close();
  const found = await here(['search', 'number 3', '--json']);
  t.match(found, { status: 0, out: /"keyword": 1/ });
  t.notMatch(found.out, '"vector"');
  t.match(found.err, /searched without embeddings: .*cannot be reached|within 1500 ms/);
});

t.test('after kill -9 what was answered is not asked for again', async (t) => {
  const { server, start, here, state } = await subject(t, { documents: 400 });
  await here(['build']);
  server.delay(100);
  const child = start(['build', '--embed']);
  const end = ended(child);
  await until(() => server.requests.length >= 3, 'three batches');
  child.kill('SIGKILL');
  await end;
  const first = server.requests.map(({ texts }) => texts);
  // The last may have been answered or not when the process ended; those before it were.
  const kept = new Set(first.slice(0, -1).flat());
  t.ok(statSync(join(state, 'vectors.sqlite')).size > 0);
  server.delay(0);
  t.match(await here(['build', '--embed']), { status: 0, out: /embedded (\d+) of \1 texts/ });
  const again = server.requests.slice(first.length).flatMap(({ texts }) => texts);
  t.same(
    again.filter((text) => kept.has(text)),
    [],
  );
  t.equal(new Set([...kept, ...again, ...(first.at(-1) ?? [])]).size, 400);
});

t.test('a key is nowhere on disk, in no output and in no status, also where an API echoes it', async (t) => {
  const { server, run, here, folder } = await subject(t, { documents: 5 });
  server.script({ kind: 'echo-key' });
  const built = await run(['build', '--embed']);
  t.match(built, { status: 1, err: /Incorrect API key provided: \[key\]/ });
  server.script({ kind: 'echo-key' });
  await run(['start', '--wait']);
  await until(async () => /\[key\]/.test((await here(['status', '--json'])).out), 'the failure in status');
  const status = await here(['status', '--json']);
  await here(['search', 'refund', '--json']);
  await run(['stop']);
  t.equal(
    server.requests.every(({ authorization }) => authorization === `Bearer ${KEY}`),
    true,
  );
  for (const text of [built.out, built.err, status.out]) t.notMatch(text, KEY);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
  t.ok(files.some((file) => file.endsWith('vectors.sqlite')));
  t.same(
    files.filter((file) => readFileSync(file).includes(KEY)),
    [],
  );
});

t.test('a daemon embeds what is new as it comes, and tells how far it is', async (t) => {
  const { server, run, here, docs } = await subject(t, { documents: 5 });
  await run(['start', '--wait']);
  t.teardown(() => run(['stop']));
  const figures = async () => JSON.parse((await here(['status', '--json'])).out).search.embeddings;
  await until(async () => {
    const { done, total } = await figures();
    return total > 0 && done === total;
  }, 'all texts');
  const before = textsAsked(server).length;
  writeFileSync(join(docs, 'zebra.md'), '# Zebra policy\n\nStriped horses are fed at noon.\n');
  await until(() => textsAsked(server).length > before, 'the new text');
  t.same(textsAsked(server).slice(before), ['Zebra policy\nStriped horses are fed at noon.']);
  await until(async () => (await figures()).done === before + 1, 'its vector');
  t.match(await figures(), { model: 'words', failures: 0, last_error: null });
});

/** A bundle requires what lies outside of it; a program that is none imports it. */
const NOTE_LOADED = `
  import { appendFileSync } from 'node:fs';
  import Module, { register } from 'node:module';
  const file = process.env.LOADED_MODULES;
  const note = "import { appendFileSync } from 'node:fs'; export async function load(url, context, next) {"
    + "appendFileSync(process.env.LOADED_MODULES, url + '\\\\n'); return next(url, context); }";
  const load = Module._load;
  if (file) {
    register('data:text/javascript,' + encodeURIComponent(note));
    Module._load = (request, ...rest) => {
      appendFileSync(file, request + '\\n');
      return load(request, ...rest);
    };
  }`;

/** What has the names of all packages written to a file that a process loads. */
function noteLoaded(folder: string): { readonly file: string; readonly env: NodeJS.ProcessEnv } {
  const [hook, file] = [join(folder, 'hook.mjs'), join(folder, 'loaded.txt')];
  writeFileSync(hook, NOTE_LOADED);
  return { file, env: { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}`, LOADED_MODULES: file } };
}

/** In what {@link noteLoaded} notes. */
function loading(name: string): RegExp {
  return new RegExp(`^(?:.*/node_modules/)?(?:${name})(?:/|$)`, 'm');
}

t.test('what is remembered is embedded, too, and not where the config says so', async (t) => {
  const { server, here, own } = await subject(t, { documents: 5 });
  const add = ['context', 'memory', 'add', 'fact/horses', 'Zebras are fed at noon.'];
  t.equal((await here(add)).status, 0);
  mkdirSync(join(own, 'kgraphfs'), { recursive: true, mode: 0o700 });
  const config = (embeddings: unknown) =>
    writeFileSync(join(own, 'kgraphfs', 'config.json'), JSON.stringify({ search: { embeddings } }), {
      mode: 0o600,
    });
  config({ memory: false });
  await here(['build', '--embed']);
  t.notOk(textsAsked(server).some((text) => text.includes('Zebras')));
  config({ memory: true });
  await here(['build', '--embed']);
  t.same(server.requests.at(-1)?.texts, ['horses\nZebras are fed at noon.']);
  const count = textsAsked(server).length;
  config({ textPrefix: 'text: ', questionPrefix: 'question: ' });
  await here(['build', '--embed']);
  const again = textsAsked(server).slice(count);
  t.equal(again.length, count, 'with another prefix, all are embedded anew');
  t.ok(again.every((text) => text.startsWith('text: ')));
  await here(['search', 'when do zebras eat?']);
  t.equal(textsAsked(server).at(-1), 'question: when do zebras eat?');
});

t.test('without configuration nothing of it is loaded, asked or kept', async (t) => {
  const { server, run, state, folder } = await subject(t, { documents: 5 });
  const loaded = noteLoaded(folder);
  const nothing = { OPENROUTER_API_KEY: KEY, ...loaded.env };
  await run(['start', '--wait'], nothing);
  t.teardown(() => run(['stop'], nothing));
  await run(['search', 'refund a charge'], nothing);
  const status = JSON.parse((await run(['status', '--json'], nothing)).out);
  t.equal(status.search.embeddings, null);
  t.notMatch(readFileSync(`/proc/${status.pid}/maps`, 'utf8'), 'vec0.so');
  const modules = readFileSync(loaded.file, 'utf8');
  t.match(modules, loading('better-sqlite3'), 'modules are noted');
  t.notMatch(modules, loading('openai|sqlite-vec'));
  t.notOk(readdirSync(state).includes('vectors.sqlite'));
  t.equal(server.requests.length, 0);
});

t.test("a project's config sends nothing until it is trusted", async (t) => {
  const { server, here, folder } = await subject(t, { documents: 5 });
  const embeddings = { model: 'theirs', baseUrl: server.url };
  writeFileSync(join(folder, 'kgraphfs.config.json'), JSON.stringify({ search: { embeddings } }));
  const refused = await here(['build', '--embed'], {});
  t.match(refused, { status: 2, err: /"search\.embeddings" would send texts.*kgraphfs trust/ });
  t.match(await here(['search', 'page number'], {}), { status: 0, err: /kgraphfs trust/ });
  t.equal(server.requests.length, 0);
  t.match(await here(['trust'], {}), { status: 0, out: /are sent to http.*for theirs/ });
  t.match(await here(['build', '--embed'], {}), { status: 0, out: /with theirs/ });
  t.equal(server.requests[0]?.authorization, undefined, 'without a key none is sent');
});
