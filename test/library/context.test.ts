import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { type Context, FsError, type OpenContextOptions, openContext, UserError } from '../../src/index.ts';
import { langChainTools } from '../../src/library/langchain.ts';
import { until } from '../cli/mount/mount-place.ts';
import { kgraphfs } from '../cli/run-cli.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

interface Opened {
  readonly context: Context;
  /** Absolute. */
  readonly folder: string;
}

/** What is opened is a copy of this, so the sample docs are read once. */
const template = temporaryFolder(t);
cpSync(resolve('docs/sample'), join(template, 'docs'), { recursive: true });
await (await openContext({ folder: template })).close();

async function opened(t: Teardown, options: OpenContextOptions = {}): Promise<Opened> {
  const folder = temporaryFolder(t);
  cpSync(template, folder, { recursive: true });
  chmodSync(join(folder, '.kgraphfs'), 0o700);
  const context = await openContext({ folder, actor: 'a-host', ...options });
  t.teardown(() => context.close());
  return { context, folder };
}

/** For those who leave memory and docs as they are. */
const shared = await opened(t);

t.test('the tree is read, listed and written as by a mount', async (t) => {
  const { context, folder } = shared;
  t.equal(await context.read('/docs/README.md'), readFileSync(join(folder, 'docs/README.md'), 'utf8'));
  t.match(JSON.parse(await context.read('/graph/nodes/invoices')), { entity: 'Invoice' });
  t.match(await context.read('CLAUDE.md'), /graph/);
  const names = (await context.list()).map(({ name }) => name);
  for (const name of ['docs', 'graph', 'search', 'context']) t.ok(names.includes(name), name);
  t.ok((await context.list('/docs')).some(({ name, kind }) => name === 'charges' && kind === 'directory'));
  t.equal((await context.stat('/docs')).kind, 'directory');
  t.equal(await context.write('/context/scratchpad/a/plan.md', 'one'), 3);
  t.equal(String(await context.readBytes('/context/scratchpad/a/plan.md')), 'one');
  await t.rejects(context.read('/docs/none.md'), FsError);
  await t.rejects(context.write('/docs/none.md', 'x'), { code: 'EROFS' });
  t.match(await context.exec('/graph', 'find_path', 'Subscription', 'Charge'), /Invoice/);
});

t.test('memory is written, changed, related, forgotten and cleared in the name of the host', async (t) => {
  const { context } = await opened(t);
  await context.write('/context/memory/fact/refunds', 'Refunds take 5 days');
  await context.write('/context/memory/fact/other', 'x');
  const entry = context.update('refunds', {
    confidence: 0.9,
    tags: ['billing'],
    sourcePaths: ['charges/x.md:3'],
  });
  t.match(entry, { actor: 'a-host', confidence: 0.9, tags: ['billing'] });
  t.equal(String(context.update('fact/refunds', { content: '6 days' }).content), '6 days');
  t.throws(() => context.update('refunds', { content: '7 days', confidence: 7 }), { code: 'EINVAL' });
  t.equal(String(context.update('refunds', {}).content), '6 days', 'what is refused changes nothing');
  context.relate('other', 'contradicts', 'refunds');
  t.match(await context.read('/graph/memory/nodes/fact%2Fother'), 'contradicts');
  context.forget('other');
  t.same(
    context.memories().map(({ key }) => key),
    ['refunds'],
  );
  t.same(context.memories({ type: 'episodic' }), []);
  t.match(context.gc({ dryRun: true }), { removed: Array });
  t.throws(() => context.forget('nothing'), UserError);
  const hits = await context.search('how long do refunds take', { scope: '/context/memory' });
  t.match(hits[0], { path: '/context/memory/fact/refunds' });
});

t.test('the graph answers by the names of its questions, as the command line does', async (t) => {
  const { context, folder } = shared;
  const said = (...args: string[]) => {
    const {
      call: _,
      duration_ms: __,
      revision: ___,
      ...rest
    } = JSON.parse(kgraphfs([...args, '--json'], { cwd: folder, env: { XDG_CONFIG_HOME: folder } }).out);
    return rest;
  };
  t.match(context.query('charges'), said('query', 'charges'));
  t.match(
    context.connect('Subscription', 'charge.succeeded'),
    said('connect', 'Subscription', 'charge.succeeded'),
  );
  t.match(context.path('Subscription', 'charge.succeeded'), { path_length: 3 });
  t.match(context.inspect('Charge', { depth: 1 }), { node: 'Charge', children: Array });
  const out = context.navigate('Charge', { direction: 'out', edgeTypes: ['triggers'] });
  t.ok(out.some(({ node }) => node === 'charge.succeeded'));
  t.ok(out.every(({ direction, edge_type: type }) => direction === 'out' && type === 'triggers'));
  t.ok(context.nodes('event').includes('charge.succeeded'));
  t.ok(context.nodes().length > context.nodes('Event').length);
  t.equal(context.similar('Invoce')[0]?.name, 'Invoice');
  t.equal(
    context.connect('Charge', 'Changelog') === undefined,
    said('connect', 'Charge', 'Changelog').path === null,
  );
  t.throws(() => context.query('Nothing'), UserError);
  t.match(context.questions.explain_node('Charge'), /^# Charge/);
});

t.test('to close it twice does no more than once', async (t) => {
  const { context } = await opened(t);
  await Promise.all([context.close(), context.close()]);
  await context.close();
});

t.test('what is asked of a closed context is refused in words', async (t) => {
  const { context } = await opened(t);
  await context.close();
  const closed = { name: 'UserError', message: /this context is closed/ };
  t.throws(() => context.revision(), closed);
  t.throws(() => context.navigate('Charge'), closed);
  await t.rejects(async () => context.read('/docs/README.md'), closed);
});

t.test('a limit that is none is refused', async (t) => {
  for (const limit of [0, -1, 1.5, Number.NaN])
    await t.rejects(shared.context.search('refund', { limit }), { message: /whole number from 1/ });
});

t.test('an option that there is not, or of another kind, is refused', async (t) => {
  const given = (options: object) => openContext(options);
  await t.rejects(given({ doc: 'docs' }), {
    message: 'openContext: doc: there is no such option; did you mean docs?',
  });
  await t.rejects(given({ docs: 5 }), { name: 'UserError', message: /^openContext: docs: / });
  await t.rejects(given({ watch: 'yes' }), { message: 'openContext: watch: it has to be true or false' });
  await t.rejects(given({ onWarning: 1 }), { message: 'openContext: onWarning: it has to be a function' });
});

t.test('contexts and summaries are built', async (t) => {
  const { context } = shared;
  const { text, manifest } = await context.buildContext('How do subscriptions work?', { budgetTokens: 300 });
  t.match(text, /Subscription/);
  t.match(manifest.named, ['Subscription']);
  t.ok(manifest.tokens <= 300);
  t.match(await context.summary('webhooks'), /webhook/i);
  t.equal(await context.summary('/docs/webhooks'), await context.summary('webhooks'));
  t.type(await context.summary('/docs'), 'string');
  t.equal(await context.summary('none'), undefined);
});

t.test('a model is offered the tools, and its wrong calls are answers', async (t) => {
  const { context } = await opened(t);
  const tools = context.openAiTools();
  t.equal(tools.length, 16);
  t.match(
    tools.find(({ function: { name } }) => name === 'navigate'),
    {
      type: 'function',
      function: {
        description: String,
        parameters: { type: 'object', required: ['node'], additionalProperties: false },
      },
    },
  );
  t.match(await context.callTool('navigate', '{"node": "Charge"}'), {
    node: 'Charge',
    call: { args: { node: 'Charge' } },
  });
  t.match(await context.callTool('navigate', '{"node": '), { error: { code: 'EINVAL' } });
  t.match(await context.callTool('nothing', {}), { error: { message: /no tool/ } });
  const args = { path: '/context/memory/fact/f', content: 'x' };
  t.match(await context.callTool('vfs_write', args, { actor: 'gpt' }), { tags: ['needs_review'] });
  t.equal(context.memories()[0]?.actor, 'gpt');
  const open = await opened(t, { allowModelWrites: true });
  t.match(await open.context.callTool('vfs_write', args), { tags: { length: 0 } });
});

t.test('LangChain invokes the tools', async (t) => {
  const { context } = await opened(t);
  const tools = langChainTools(context, { actor: 'chain' });
  const connect = tools.find(({ name }) => name === 'connect');
  const answer = await connect?.invoke({ from: 'Subscription', to: 'Charge' });
  t.match(JSON.parse(String(answer)), { path_length: 2, call: { tool: 'connect' } });
  await tools
    .find(({ name }) => name === 'vfs_write')
    ?.invoke({ path: '/context/memory/fact/f', content: 'x' });
  t.equal(context.memories()[0]?.actor, 'chain');
});

t.test('where memory cannot be opened, nothing goes on following the docs', async (t) => {
  const { context, folder } = await opened(t);
  await context.close();
  const state = join(folder, '.kgraphfs');
  for (const name of readdirSync(state)) {
    if (/^context\.sqlite(?!-made)/.test(name)) rmSync(join(state, name));
  }
  const before = watches();
  await t.rejects(openContext({ folder, watch: true }), /memory and history is gone/);
  // One that is listened to is closed by who listens, who has to be woken up for it.
  await until('the docs to be followed no longer', () => watches() === before);
});

/** How many watches of folders this process holds. */
function watches(): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === 'anon_inode:inotify';
    } catch {
      // The one that the list was read by.
      return false;
    }
  }).length;
}

t.test('changes of the docs are there when asked for, and told where they are watched', async (t) => {
  const { context, folder } = await opened(t);
  const page = '# New\n\nA **Newcomer** requires a **Customer**.\n';
  writeFileSync(join(folder, 'docs/new.md'), page);
  t.throws(() => context.query('Newcomer'));
  await context.refresh();
  t.match(context.query('Newcomer'), { entity: 'Newcomer' });
  const watched = await opened(t, { watch: true });
  const told = new Promise<void>((resolve) => {
    // What was there before may be told of just now, too.
    watched.context.onChange((what) => {
      if (what === 'everything' && watched.context.nodes().includes('Newcomer')) resolve();
    });
  });
  writeFileSync(join(watched.folder, 'docs/new.md'), page);
  await told;
  t.match(watched.context.query('Newcomer'), { entity: 'Newcomer' });
});

t.test('docs that are watched are followed also when the daemon that kept the index has ended', async (t) => {
  const folder = temporaryFolder(t);
  cpSync(resolve('docs/sample'), join(folder, 'docs'), { recursive: true });
  t.equal(kgraphfs(['start'], { cwd: folder }).status, 0);
  const context = await openContext({ folder, watch: true });
  t.teardown(() => context.close());
  const told: string[] = [];
  context.onChange((what) => told.push(what));
  t.match(kgraphfs(['stop'], { cwd: folder }), { status: 0, err: '' });
  writeFileSync(join(folder, 'docs/new.md'), '# New\n\nA **Newcomer** requires a **Customer**.\n');
  await until('the new page to be in the graph', () => context.nodes().includes('Newcomer'));
  await until('that to be told', () => told.includes('everything'));
  const before = watches();
  await context.close();
  // As above: the one who listens closes it.
  await until('the docs to be followed no longer', () => watches() < before);
});

t.test('a project that cannot be opened is said to be so', async (t) => {
  const folder = temporaryFolder(t);
  await t.rejects(openContext({ folder, docs: 'none' }), UserError);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'kgraphfs.config.json'), '{');
  await t.rejects(openContext({ folder }), { message: /kgraphfs\.config\.json:1/ });
});

t.test('what is neither text nor bytes is refused, and nothing is changed by it', async (t) => {
  const { context } = await opened(t);
  await context.write('/context/memory/fact/refunds', 'Refunds take 5 days');
  for (const content of [12345, { a: 1 }, undefined, null, ['x']]) {
    const refused = Promise.resolve().then(() =>
      // What a host program in JavaScript may do.
      Reflect.apply(context.write, context, ['/context/memory/fact/refunds', content]),
    );
    await t.rejects(refused, { name: 'UserError', message: /content is text or bytes .*, and not \w+$/ });
  }
  t.throws(() => Reflect.apply(context.update, context, ['refunds', { content: 5 }]), UserError);
  t.equal(await context.read('/context/memory/fact/refunds'), 'Refunds take 5 days');
  t.equal(await context.write('/context/memory/fact/refunds', new Uint8Array([120])), 1);
});

t.test('a listener that throws is told of, and harms nobody; what is no function is refused', async (t) => {
  const warnings: string[] = [];
  const { context } = await opened(t, { onWarning: (text) => warnings.push(text) });
  let heard = 0;
  const forget = context.onChange(() => {
    throw new Error('of the host');
  });
  context.onChange(() => {
    heard += 1;
  });
  for (const listener of [undefined, 5]) {
    t.throws(() => Reflect.apply(context.onChange, context, [listener]), { name: 'UserError' });
  }
  t.equal(await context.write('/context/memory/fact/refunds', 'x'), 1);
  context.update('refunds', { confidence: 0.5 });
  context.forget('refunds');
  t.ok(heard >= 3);
  t.ok(warnings.includes('a listener to changes failed: of the host'));
  forget();
});
