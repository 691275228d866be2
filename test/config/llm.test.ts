import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ApiKeys } from '../../src/config/api-key.ts';
import { chooseModel, type LlmFlags } from '../../src/config/llm.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { Trust } from '../../src/config/trust.ts';
import { temporaryFolder } from '../support/temporary.ts';

interface Given {
  readonly project?: unknown;
  readonly user?: unknown;
  readonly env?: NodeJS.ProcessEnv;
  /** `.env` of the user's own config folder. */
  readonly keys?: string;
}

function subject(t: Test, { project, user, env = {}, keys }: Given = {}) {
  const folder = realpathSync(temporaryFolder(t));
  const own = join(folder, 'own', 'kgraphfs');
  mkdirSync(join(folder, 'docs'));
  mkdirSync(own, { recursive: true, mode: 0o700 });
  chmodSync(own, 0o700);
  const file = join(folder, 'kgraphfs.config.json');
  const text = JSON.stringify({ llm: project });
  if (project !== undefined) writeFileSync(file, text);
  if (user !== undefined)
    writeFileSync(join(own, 'config.json'), JSON.stringify({ llm: user }), { mode: 0o600 });
  if (keys !== undefined) writeFileSync(join(own, '.env'), keys, { mode: 0o600 });
  const variables = { ...env, XDG_CONFIG_HOME: join(folder, 'own') };
  const choose = (flags: LlmFlags = {}) => chooseModel(loadSettings({}, folder).llm, flags, variables);
  return { folder, own, variables, choose, trust: () => new Trust(variables).add(file, text, 0) };
}

t.test('without a key and without an address there is no model, and the way out is told', async (t) => {
  const { choose } = subject(t);
  t.match(choose(), {
    settings: undefined,
    lack: /OPENROUTER_API_KEY .*--base-url/,
    refusals: { length: 0 },
  });
  t.match(choose({ model: 'm' }), { settings: undefined, lack: /no key/ }, 'a name is no address');
});

t.test('a key is enough: each API has its usual model', async (t) => {
  const router = { model: 'anthropic/claude-sonnet-4-5', baseUrl: 'https://openrouter.ai/api/v1' };
  t.match(subject(t, { env: { OPENROUTER_API_KEY: 'k' } }).choose(), { settings: router, lack: undefined });
  t.match(subject(t, { keys: 'OPENROUTER_API_KEY=k\n' }).choose(), { settings: router });
  const openAi = { model: 'gpt-4.1', baseUrl: 'https://api.openai.com/v1', windowTokens: 128_000 };
  t.match(subject(t, { env: { OPENAI_API_KEY: 'k' } }).choose(), { settings: openAi });
});

t.test('a server of one own needs an address and no key', async (t) => {
  const local = { baseUrl: 'http://127.0.0.1:9/v1', model: 'qwen' };
  t.match(subject(t).choose({ baseUrl: 'http://127.0.0.1:9/v1/', model: 'qwen' }), { settings: local });
  const env = { KGRAPHFS_BASE_URL: 'http://127.0.0.1:9/v1', KGRAPHFS_MODEL: 'qwen' };
  t.match(subject(t, { env }).choose(), { settings: local });
  const user = { ...local, timeoutMs: 500, windowTokens: 8000, price: { input: 1, output: 2 } };
  t.match(subject(t, { user }).choose(), { settings: user });
  t.match(subject(t, { user }).choose({ model: 'other' }), { settings: { ...user, model: 'other' } });
  t.throws(() => subject(t).choose({ baseUrl: 'file:///etc' }), /not an address for a model/);
  t.throws(() => subject(t).choose({ baseUrl: 'http://u:p@h/v1' }), /holds a name, password/);
  const wrong = subject(t, { env: { KGRAPHFS_BASE_URL: 'no url' } });
  t.throws(() => wrong.choose(), /"no url" is not an address for a model \(KGRAPHFS_BASE_URL\)/);
  const blank = { ...env, KGRAPHFS_MODEL: ' ', OPENAI_API_KEY: 'k', KGRAPHFS_BASE_URL: ' ' };
  const plain = subject(t, { env: { OPENAI_API_KEY: 'k' } }).choose().settings;
  t.same(subject(t, { env: blank }).choose().settings, plain, 'a blank says nothing');
});

t.test("a project's config is not followed until it is trusted, and says what to do", async (t) => {
  const project = { model: 'theirs', baseUrl: 'http://collector.example/v1' };
  const { choose, trust } = subject(t, { project });
  t.match(choose(), {
    settings: undefined,
    refusals: [/"llm" would send texts .* to http:\/\/collector\.example\/v1 \(theirs\).*: kgraphfs trust$/],
  });
  trust();
  t.match(choose(), { settings: project, refusals: { length: 0 } });
  const env = { OPENROUTER_API_KEY: 'k' };
  const { settings } = subject(t, { project, env }).choose();
  t.equal(settings?.baseUrl, 'https://openrouter.ai/api/v1', 'it does not change where the key goes');
});

t.test(
  'a config turns the model off in spite of a key; a flag or a variable turns it on again',
  async (t) => {
    const env = { OPENROUTER_API_KEY: 'k' };
    t.match(subject(t, { env, user: false }).choose(), { settings: undefined, lack: /"llm" is false/ });
    t.match(subject(t, { env, project: false }).choose(), { settings: undefined, lack: /"llm" is false/ });
    t.match(subject(t, { env, user: false }).choose({ model: 'm' }), { settings: { model: 'm' } });
    const named = { ...env, KGRAPHFS_MODEL: 'm' };
    t.match(subject(t, { env: named, user: false }).choose(), { settings: { model: 'm' } });
    t.match(subject(t, { env: named, project: false }).choose(), { settings: { model: 'm' } });
  },
);

t.test('what is wrong in the config is named with its place', async (t) => {
  t.throws(() => subject(t, { project: { modle: 'x' } }).choose(), /kgraphfs\.config\.json:1:\d+: .*llm/);
  t.throws(() => subject(t, { user: { price: { input: -1, output: 1 } } }).choose(), /config\.json:1:\d+/);
});

t.test('of each setting it is known who said it', async (t) => {
  const user = { baseUrl: 'http://localhost:1/v1', timeoutMs: 500, model: 'mine' };
  const { choose } = subject(t, { user, env: { KGRAPHFS_MODEL: 'theirs' } });
  t.same(choose().origins, { baseUrl: 'user config', timeoutMs: 'user config', model: 'environment' });
  t.match(choose({ model: 'm' }), { settings: { model: 'm' }, origins: { model: 'flag' } });
  const project = subject(t, { user, project: { windowTokens: 4000 } });
  t.equal(project.choose().origins.windowTokens, undefined, 'what is not followed counts for nothing');
  project.trust();
  t.equal(project.choose().origins.windowTokens, 'trusted project config');
});

t.test('without a key it is known what the model would be', async (t) => {
  t.match(subject(t).choose({ model: 'm' }), {
    settings: undefined,
    wanted: { model: 'm', baseUrl: 'https://openrouter.ai/api/v1' },
  });
});

t.test('a .env that others may write holds no key, and that is told', async (t) => {
  const { choose, own } = subject(t, { keys: 'OPENAI_API_KEY=k\n' });
  t.match(choose().settings, { baseUrl: 'https://api.openai.com/v1' });
  chmodSync(join(own, '.env'), 0o666);
  t.match(choose(), { settings: undefined, refusals: [/\.env: other users may write to it.*chmod go-w/] });
});

t.test('where a key is from is known without the key', async (t) => {
  const { variables } = subject(t, { keys: 'OPENROUTER_API_KEY=k\n', env: { OPENAI_API_KEY: 'e' } });
  const keys = new ApiKeys(variables);
  t.same(keys.placeFor('https://openrouter.ai/api/v1'), { variable: 'OPENROUTER_API_KEY', from: '.env' });
  t.same(keys.placeFor('http://localhost:1/v1'), { variable: 'OPENAI_API_KEY', from: 'environment' });
  t.same(new ApiKeys({ XDG_CONFIG_HOME: '/nowhere' }).placeFor('https://api.openai.com/v1'), undefined);
});

t.test(
  "a proxy that OpenAI's own programs go through is gone through, where its key is the one that is used",
  async (t) => {
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://proxy.example/v1/' };
    t.match(subject(t, { env }).choose(), {
      settings: { baseUrl: 'http://proxy.example/v1', model: 'gpt-4.1' },
      origins: { baseUrl: 'environment' },
    });
    t.match(subject(t, { env: { ...env, OPENROUTER_API_KEY: 'r' } }).choose(), {
      settings: { baseUrl: 'https://openrouter.ai/api/v1' },
    });
    const { OPENAI_API_KEY: _, ...withoutKey } = env;
    t.equal(subject(t, { env: withoutKey }).choose().settings, undefined);
    const other = { baseUrl: 'http://127.0.0.1:9/v1', model: 'qwen' };
    t.match(subject(t, { env, user: other }).choose(), {
      settings: other,
      origins: { baseUrl: 'user config' },
    });
    t.match(subject(t, { env }).choose(other), { settings: other, origins: { baseUrl: 'flag' } });
    const broken = subject(t, { env: { ...env, OPENAI_BASE_URL: 'proxy' } });
    t.throws(() => broken.choose(), /"proxy" is not an address for a model \(OPENAI_BASE_URL\)/);
    t.match(broken.choose(other), { settings: other }, 'who is not asked does no harm');
  },
);
