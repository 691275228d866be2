import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ApiKeys } from '../../src/config/api-key.ts';
import { chooseEmbeddings } from '../../src/config/embeddings.ts';
import { asksForEmbeddings, type EmbeddingFlags } from '../../src/config/embeddings-asked.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { Trust, trustState } from '../../src/config/trust.ts';
import { temporaryFolder } from '../support/temporary.ts';

interface Given {
  readonly project?: unknown;
  readonly user?: unknown;
  readonly env?: NodeJS.ProcessEnv;
}

function subject(t: Test, { project, user, env = {} }: Given = {}) {
  const folder = realpathSync(temporaryFolder(t));
  const own = join(folder, 'own', 'kgraphfs');
  mkdirSync(join(folder, 'docs'));
  mkdirSync(own, { recursive: true, mode: 0o700 });
  chmodSync(own, 0o700);
  const file = join(folder, 'kgraphfs.config.json');
  if (project !== undefined) writeFileSync(file, JSON.stringify({ search: { embeddings: project } }));
  const userFile = join(own, 'config.json');
  if (user !== undefined)
    writeFileSync(userFile, JSON.stringify({ search: { embeddings: user } }), { mode: 0o600 });
  const variables = { ...env, XDG_CONFIG_HOME: join(folder, 'own') };
  const choose = (flags: EmbeddingFlags = {}) =>
    chooseEmbeddings(loadSettings({}, folder).embeddings, flags, variables);
  return { folder, own, file, userFile, variables, choose };
}

t.test('nothing is sent anywhere unless somebody said so', async (t) => {
  const { choose: nobody, variables } = subject(t);
  t.same(nobody(), { settings: undefined, origins: {}, refusals: [] });
  t.equal(asksForEmbeddings({}, {}, variables), false);
  t.equal(asksForEmbeddings({}, { embeddingsModel: 'm' }, variables), true);
  t.equal(asksForEmbeddings({}, {}, { ...variables, KGRAPHFS_EMBEDDINGS_MODEL: 'm' }), true);
  t.equal(asksForEmbeddings({}, {}, subject(t, { user: {} }).variables), true);
  const { choose } = subject(t, { env: { OPENAI_API_KEY: 'k', OPENROUTER_API_KEY: 'k' } });
  t.same(choose().settings, undefined, 'a key that is there for something else is no wish');
});

t.test('the user says so in a config of their own, in the environment, or with flags', async (t) => {
  const user = { model: 'of-config', baseUrl: 'http://localhost:11434/v1/', dimensions: 64, memory: false };
  t.match(subject(t, { user }).choose().settings, {
    model: 'of-config',
    baseUrl: 'http://localhost:11434/v1',
    dimensions: 64,
    memory: false,
    batchSize: 64,
  });
  const env = { KGRAPHFS_EMBEDDINGS_MODEL: 'of-env', KGRAPHFS_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1' };
  const { choose } = subject(t, { user, env });
  t.match(choose().settings, { model: 'of-env', baseUrl: 'http://127.0.0.1:1/v1', dimensions: 64 });
  t.match(choose({ embeddingsModel: 'of-flag' }).settings, { model: 'of-flag' });
  t.equal(choose({ embeddingsModel: 'off' }).settings, undefined);
  t.throws(() => subject(t).choose({ embeddingsUrl: 'http://127.0.0.1:1/v1' }), /need a model, too/);
});

t.test("a project's config is not followed until it is trusted, and says what to do", async (t) => {
  const project = { model: 'theirs', baseUrl: 'http://collector.example/v1' };
  const { choose, file, variables } = subject(t, { project });
  const { settings, refusals } = choose();
  t.equal(settings, undefined);
  t.match(refusals, [
    /kgraphfs\.config\.json: .*http:\/\/collector\.example\/v1 \(theirs\).*: kgraphfs trust$/,
  ]);
  const trust = new Trust(variables);
  trust.add(file, JSON.stringify({ search: { embeddings: project } }), 0);
  t.match(choose(), { settings: project, refusals: { length: 0 } });
  writeFileSync(file, JSON.stringify({ search: { embeddings: { ...project, model: 'other' } } }));
  t.match(choose(), { settings: undefined, refusals: [/kgraphfs trust/] }, 'an edited one is not');
  t.match(trust.list().map(trustState), ['edited since']);
  t.equal(trust.remove(file), true);
  t.equal(trust.remove(file), false);
  t.same(trust.list(), []);
});

t.test(
  'what a project may not say does not end what the user said, and a project may do without',
  async (t) => {
    const user = { model: 'mine', baseUrl: 'http://localhost:1/v1' };
    const asks = subject(t, { user, project: { baseUrl: 'http://collector.example/v1' } }).choose();
    t.match(asks.settings, user);
    t.equal(asks.refusals.length, 1);
    t.same(subject(t, { user, project: false }).choose(), { settings: undefined, origins: {}, refusals: [] });
  },
);

t.test("the user's config counts only where nobody else can write it", async (t) => {
  const user = { model: 'mine', baseUrl: 'http://localhost:1/v1' };
  const open = subject(t, { user });
  chmodSync(open.userFile, 0o666);
  t.match(open.choose(), {
    settings: undefined,
    refusals: [/config\.json: other users may write to it.*chmod go-w/],
  });
  const openFolder = subject(t, { user });
  chmodSync(openFolder.own, 0o777);
  t.match(openFolder.choose(), { settings: undefined, refusals: [/kgraphfs: other users may write to it/] });
  chmodSync(openFolder.userFile, 0o664);
  t.ok(
    openFolder.choose().refusals[0]?.endsWith(`: chmod go-w ${openFolder.userFile} ${openFolder.own}`),
    'as a umask of 002 makes both',
  );
  const wrong = subject(t, { user: { modell: 'x' } });
  t.throws(() => wrong.choose(), /config\.json:1:.*search\.embeddings/);
});

t.test('an address is one of the web, without secrets in it', async (t) => {
  const { choose } = subject(t);
  const tried = (embeddingsUrl: string) => () => choose({ embeddingsModel: 'm', embeddingsUrl });
  t.throws(tried('localhost:11434'), /is not an address/);
  t.throws(tried('file:///etc/passwd'), /is not an address/);
  t.throws(tried('https://me:secret@host/v1'), /a key belongs in OPENAI_API_KEY/);
  t.throws(tried('https://host/v1?key=secret'), { message: /^(?!.*secret).*$/ });
});

t.test('a key goes to whom it is for', async (t) => {
  const { own, variables } = subject(t);
  const both = new ApiKeys({ ...variables, OPENAI_API_KEY: 'a', OPENROUTER_API_KEY: 'r' });
  t.equal(both.usual().url, 'https://openrouter.ai/api/v1');
  t.equal(both.keyFor('https://openrouter.ai/api/v1'), 'r');
  t.equal(both.keyFor('https://api.openai.com/v1'), 'a');
  t.equal(both.keyFor('http://localhost:11434/v1'), 'a');
  const one = new ApiKeys({ ...variables, OPENROUTER_API_KEY: 'r' });
  t.equal(one.keyFor('https://api.openai.com/v1'), undefined);
  t.equal(one.keyFor('https://notopenrouter.ai/v1'), 'r');
  t.equal(new ApiKeys(variables).usual().url, 'https://api.openai.com/v1');
  writeFileSync(join(own, '.env'), '# mine\nOPENAI_API_KEY="from-file"\n', { mode: 0o600 });
  t.equal(new ApiKeys(variables).keyFor('http://localhost:1/v1'), 'from-file');
  t.equal(new ApiKeys({ ...variables, OPENAI_API_KEY: 'e' }).keyFor('http://localhost:1/v1'), 'e');
  chmodSync(join(own, '.env'), 0o666);
  t.equal(new ApiKeys(variables).keyFor('http://localhost:1/v1'), undefined);
});

t.test('a link to a trusted file is that file', async (t) => {
  const { file, folder, variables } = subject(t, { project: { model: 'm' } });
  const text = JSON.stringify({ search: { embeddings: { model: 'm' } } });
  symlinkSync(file, join(folder, 'link.json'));
  const trust = new Trust(variables);
  trust.add(join(folder, 'link.json'), text, 0);
  t.ok(trust.has(file, text));
});

t.test("embeddings go through the proxy that OpenAI's own programs go through", async (t) => {
  const env = {
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: 'http://proxy.example/v1',
    KGRAPHFS_EMBEDDINGS_MODEL: 'm',
  };
  t.match(subject(t, { env }).choose(), {
    settings: { baseUrl: 'http://proxy.example/v1' },
    origins: { baseUrl: 'environment' },
  });
  t.match(subject(t, { env }).choose({ embeddingsUrl: 'http://127.0.0.1:1/v1' }), {
    settings: { baseUrl: 'http://127.0.0.1:1/v1' },
  });
});
