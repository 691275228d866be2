import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

const KEY = 'sk-or-v1-0123456789abcdef';

const envSchema = z.looseObject({
  models: z.looseObject({ language: z.looseObject({ in_use: z.boolean() }) }),
  limits: z.record(z.string(), z.unknown()),
  problems: z.array(z.string()),
  duration_ms: z.number(),
});

interface Given {
  readonly env?: NodeJS.ProcessEnv;
  readonly config?: unknown;
  readonly user?: unknown;
  readonly keys?: string;
}

/** An empty folder, with what is given of config files. */
function place(t: Teardown, { env = {}, config, user, keys }: Given = {}) {
  const folder = temporaryFolder(t);
  const own = join(temporaryFolder(t), 'kgraphfs');
  mkdirSync(own, { mode: 0o700 });
  if (config !== undefined) writeFileSync(join(folder, 'kgraphfs.config.json'), JSON.stringify(config));
  if (user !== undefined) writeFileSync(join(own, 'config.json'), JSON.stringify(user), { mode: 0o600 });
  if (keys !== undefined) writeFileSync(join(own, '.env'), keys, { mode: 0o600 });
  const run = (...args: string[]) =>
    runHere(args, { cwd: folder, env: { XDG_CONFIG_HOME: join(own, '..'), ...env } });
  return {
    folder,
    own,
    run,
    async json(...args: string[]) {
      const { status, out, err } = await run('env', '--json', ...args);
      if (status !== 0) throw new Error(err);
      return envSchema.parse(JSON.parse(out));
    },
  };
}

t.test('with no docs, no key and no daemon all is shown, and nothing is made', async (t) => {
  const { folder, run, json } = place(t);
  const { status, out, err } = await run('env');
  t.same({ status, err }, { status: 0, err: '' });
  t.match(
    out,
    /language model\n {2}none in use +there is no key: OPENROUTER_API_KEY or OPENAI_API_KEY.*--base-url\n/,
  );
  t.match(out, /model +anthropic\/claude-sonnet-4-5 \(default\)/);
  t.match(out, /endpoint +https:\/\/openrouter\.ai\/api\/v1 \(default\)/);
  t.match(out, /daemons\n {2}none\n/);
  t.match(await json(), {
    models: { language: { in_use: false, key: { is_there: false } }, embeddings: { in_use: false } },
    daemons: { length: 0 },
    versions: { kgraphfs: /^\d/, node: process.versions.node },
    problems: { length: 0 },
    call: { command: 'env' },
    duration_ms: Number,
    revision: 0,
  });
  t.same(readdirSync(folder), []);
});

t.test('each setting is shown with who said it', async (t) => {
  const { json, run } = place(t, {
    env: { KGRAPHFS_MODEL: 'of-environment', KGRAPHFS_ACTOR: 'ana' },
    user: { llm: { baseUrl: 'http://localhost:1/v1' }, allowModelWrites: true },
    config: {
      llm: { windowTokens: 9000 },
      context: { budgetTokens: 900 },
      search: { weights: { graph: 2 } },
    },
  });
  t.equal((await run('trust')).status, 0);
  t.match(await json(), {
    models: {
      language: {
        in_use: true,
        settings: {
          model: { value: 'of-environment', from: 'environment' },
          endpoint: { value: 'http://localhost:1/v1', from: 'user config' },
          window_tokens: { value: 9000, from: 'trusted project config' },
          timeout_ms: { value: 120_000, from: 'default' },
        },
      },
    },
    paths: { config: { exists: true, trusted: true } },
    caller: { actor: { value: 'ana', from: 'environment' } },
    limits: {
      'context.budgetTokens': { value: 900, from: 'config file' },
      'search.weights.graph': { value: 2, from: 'config file' },
      'context.tokenizer': { value: 'o200k_base', from: 'default' },
      'memory.maxEntryBytes': { from: 'default' },
      'loop.maxToolCalls': { from: 'default' },
      allowModelWrites: { value: true, from: 'user config' },
    },
  });
  const flagged = await json('--model', 'm', '--embeddings-model', 'e', '--embeddings-url', 'http://h/v1');
  t.match(flagged, {
    models: {
      language: { settings: { model: { value: 'm', from: 'flag' } } },
      embeddings: { in_use: true, settings: { endpoint: { value: 'http://h/v1', from: 'flag' } } },
    },
    call: { args: { model: 'm' } },
  });
});

t.test('of a key only its variable and its place are shown', async (t) => {
  const ofEnvironment = place(t, { env: { OPENROUTER_API_KEY: KEY } });
  const ofFile = place(t, { keys: `OPENAI_API_KEY=${KEY}\n` });
  t.match((await ofEnvironment.run('env')).out, /key +OPENROUTER_API_KEY, from the environment\n/);
  t.match((await ofFile.run('env')).out, /key +OPENAI_API_KEY, from the \.env of your config folder\n/);
  t.match(await ofFile.json(), {
    models: { language: { key: { is_there: true, variable: 'OPENAI_API_KEY', from: '.env' } } },
  });
  for (const subject of [ofEnvironment, ofFile]) {
    for (const args of [['env'], ['env', '--json']]) {
      const { out, err } = await subject.run(...args);
      t.notOk(`${out}${err}`.includes('sk-'), 'no part of the key is shown');
    }
  }
});

t.test(
  'what is not followed, and what is wrong, comes with the way out, and the rest is shown',
  async (t) => {
    const untrusted = place(t, { config: { llm: { baseUrl: 'http://collector.example/v1' } } });
    t.match((await untrusted.json()).problems, [/collector\.example.*: kgraphfs trust$/]);
    const open = place(t, { keys: `OPENAI_API_KEY=${KEY}\n` });
    chmodSync(join(open.own, '.env'), 0o644 | 0o022);
    t.match(
      (await open.run('env')).out,
      /what is not followed, or wrong\n.*\.env: other users may write to it.*chmod go-w/,
    );
    const wrong = place(t, { config: { lm: {} }, user: { llm: { modle: 'x' } } });
    t.match((await wrong.json()).problems, [/unknown key lm/, /config\.json:1:\d+: unknown key llm\.modle/]);
    t.match(await wrong.json('--docs', 'nowhere'), {
      paths: { docs: [{ from: 'flag', exists: false }] },
      problems: [/unknown key lm/, /nowhere: there is no such folder/],
    });
    const { out } = await open.run('env', '--base-url', 'http://me:hidden@h/v1');
    t.match(out, /holds a name, password or query/);
    t.notMatch(out, /hidden/);
  },
);

t.test('the revision is that of the index, and a damaged index is told of', async (t) => {
  const { folder, run, json } = place(t);
  writeFileSync(join(folder, 'a.md'), '# A\n');
  t.equal((await run('build')).status, 0);
  t.match(await json(), { revision: /[1-9]/, problems: { length: 0 }, paths: { state: { exists: true } } });
  const index = join(folder, '.kgraphfs/index.sqlite');
  t.ok(existsSync(index));
  writeFileSync(index, 'no database at all, however long one reads in it');
  t.match(await json(), { revision: 0, problems: [/./] });
});
