import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openApp } from '../../src/app/app.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { parsePath } from '../../src/core/paths.ts';
import { learnFromUse } from '../../src/learning/learn-from-use.ts';
import { emptyLedger, type LearningLedger, readLedger, writeLedger } from '../../src/state/learning-file.ts';
import { startChatServer } from '../support/chat-server.ts';
import { memoryPlace, type ProjectWithMemory } from './memory-place.ts';

const SUBSCRIPTION = '# Subscription\n\n## Relationships\n\n- Generates an **Invoice**\n';
const INVOICE = '# Invoice\n\n## Relationships\n\n- Generates a **Charge**\n- Requires a **Customer**\n';
const CHARGE = '# Charge\n\n## Relationships\n\n- Requires a **Customer**\n';
const ON = '{"learn": {"rules": true}}';

function billing(t: Parameters<typeof memoryPlace>[0]): ProjectWithMemory {
  const place = memoryPlace(t);
  place.file('docs/subscription.md', SUBSCRIPTION);
  place.file('docs/invoice.md', INVOICE);
  place.file('docs/charge.md', CHARGE);
  return place;
}

async function walk({ run }: ProjectWithMemory, sessions: readonly string[]): Promise<void> {
  for (const session of sessions) {
    const env = { KGRAPHFS_SESSION: session };
    await run(['vfs', 'read', '/graph/path/Subscription/Charge'], { env });
  }
}

const WAY = /^fact\/paths\/subscription-leads-to-charge-[0-9a-f]{8}$/;

interface Run {
  readonly judged: readonly { readonly verdict: string; readonly rules: readonly string[] }[] | null;
  readonly proposed: readonly { readonly entry: string }[];
  readonly withdrawn: readonly string[];
  readonly retracted: readonly unknown[];
}

async function learn({ json }: ProjectWithMemory, ...more: string[]): Promise<Run> {
  return (await json('learn', 'run', ...more)) as Run;
}

async function withApp<T>(
  { folder }: ProjectWithMemory,
  use: (app: ReturnType<typeof openApp>) => T,
): Promise<Awaited<T>> {
  const app = openApp({ settings: loadSettings({}, folder) });
  try {
    return await use(app);
  } finally {
    app.close();
  }
}

t.test('a way that was walked in three sessions waits in review, once', async (t) => {
  const place = billing(t);
  await walk(place, ['s1', 's2', 's2']);
  t.same((await learn(place)).proposed, [], 'two sessions are too few');
  await walk(place, ['s3']);
  t.match((await learn(place, '--dry-run')).proposed, [{ entry: WAY, occasions: 3 }]);
  const [proposal] = (await learn(place)).proposed;
  t.match(proposal, { entry: WAY, nodes: ['Subscription', 'Invoice', 'Charge'], occasions: 3 });
  t.same((await learn(place)).proposed, []);
  const shown = await place.json('context', 'memory', 'show', proposal?.entry ?? '');
  t.match(shown, {
    content:
      /^`Subscription` leads to `Charge` via `Invoice`\.\n\n- `Subscription` generates `Invoice` \(subscription\.md:5\)\n/,
    tags: ['path', 'needs_review'],
    source_paths: ['subscription.md:5', 'invoice.md:5'],
  });
  t.same(
    await place
      .json('connect', 'Subscription', 'Charge')
      .then((one) => Object.hasOwn(Object(one), 'leads_to')),
    false,
  );
  place.remove({ type: 'fact', key: (proposal?.entry ?? '').slice('fact/'.length) });
  await walk(place, ['s4', 's5', 's6']);
  t.same((await learn(place)).proposed, [], 'what was rejected is not proposed again');
  rmSync(join(place.folder, '.kgraphfs/learning.json'));
  t.same((await learn(place)).proposed, [], 'nor where the ledger is lost');
});

t.test('an accepted way is an edge of the graph of memory, and found', async (t) => {
  const place = billing(t);
  await walk(place, ['s1', 's2', 's3']);
  const [proposal] = (await learn(place)).proposed;
  const key = (proposal?.entry ?? '').slice('fact/'.length);
  await withApp(place, async ({ fs, workspace: { memoryGraph } }) => {
    t.same(memoryGraph.edgesOfType('leads_to'), []);
    await fs.rename(parsePath(`/context/review/${key}`), parsePath('/context/memory/fact/way'), {});
    t.match(memoryGraph.edgesOfType('leads_to'), [
      { from: { home: 'docs', display: 'Subscription' }, to: { display: 'Charge' }, confidence: 0.59 },
    ]);
    const near = await fs.list(parsePath('/graph/near/Subscription/leads_to'), {});
    t.same(
      near.map(({ name }) => name),
      ['Charge'],
    );
    t.equal(
      await fs.readLink(parsePath('/graph/near/Subscription/leads_to/Charge'), {}),
      '../../../nodes/Charge',
    );
    t.same(
      (await fs.list(parsePath('/graph/near/Charge/leads_to_of'), {})).map(({ name }) => name),
      ['Subscription'],
    );
  });
  t.match(await place.json('connect', 'Subscription', 'Charge'), {
    path_length: 2,
    leads_to: [{ via: ['Invoice'], entry: 'fact/way', evidence: ['subscription.md:5', 'invoice.md:5'] }],
  });
  t.match(
    (await place.run(['connect', 'Subscription', 'Charge'])).out,
    /Subscription leads to Charge via Invoice +remembered: fact\/way/,
  );
  t.same((await learn(place)).proposed, []);
  t.match((await place.run(['learn', 'status'])).out, /, 1 way proposed so far/, 'by whatever name');
  rmSync(join(place.folder, '.kgraphfs/learning.json'));
  t.same((await learn(place)).proposed, [], 'also where the ledger is lost');
  const { hits } = (await place.json('search', 'what does a subscription lead to')) as {
    hits: { path: string }[];
  };
  t.ok(hits.some(({ path }) => path === '/context/memory/fact/way'));
  await walk(place, ['s4', 's5', 's6']);
  t.same((await learn(place)).proposed, []);
  await withApp(place, ({ memory, workspace: { memoryGraph } }) => {
    memory.remove({ type: 'fact', key: 'way' }, {});
    t.same(memoryGraph.edgesOfType('leads_to'), [], 'it goes with the entry');
  });
});

t.test('ways that a model goes in conversations are proposed, too', async (t) => {
  const place = billing(t);
  const server = await startChatServer();
  t.teardown(() => server.close());
  for (let question = 0; question < 3; question += 1) {
    const calls = ['Subscription', 'Invoice', 'Charge', 'Customer'].map((node) => ({
      calls: [{ name: 'navigate', args: { node } }],
    }));
    server.script(...calls, { text: 'A subscription generates an invoice, and that a charge.' });
    const asked = ['ask', `How is a charge made? ${question}`, '--learn', 'off'];
    const { status, err } = await place.run([...asked, '--base-url', server.url, '--model', 'scripted']);
    t.equal(status, 0, err);
  }
  t.match((await learn(place)).proposed, [
    { nodes: ['Subscription', 'Invoice', 'Charge', 'Customer'], occasions: 3 },
  ]);
});

t.test(
  'a proposal is taken back where the docs lose the way, and made again where it comes back',
  async (t) => {
    const place = billing(t);
    await walk(place, ['s1', 's2', 's3']);
    const [proposal] = (await learn(place)).proposed;
    place.file('docs/invoice.md', INVOICE.replace('- Generates a **Charge**\n', ''));
    t.match(await learn(place), { proposed: { length: 0 }, withdrawn: [proposal?.entry] });
    t.same(await place.json('context', 'memory', 'list'), []);
    place.file('docs/invoice.md', INVOICE);
    t.match((await learn(place)).proposed, [{ entry: proposal?.entry }]);
  },
);

t.test('what is turned off is not learnt', async (t) => {
  const place = billing(t);
  place.file('kgraphfs.config.json', '{"learn": {"paths": false}}');
  await walk(place, ['s1', 's2', 's3']);
  t.match(await learn(place), { judged: null, proposed: null, withdrawn: { length: 0 } });
  t.match((await learn(place, '--dry-run')).proposed, [{ entry: WAY }], 'but it is said what would be');
  t.match((await place.run(['learn', 'run'])).out, 'rules: off, paths: off\n');
  t.throws(() => statSync(join(place.folder, '.kgraphfs/learning.json')), { code: 'ENOENT' });
});

async function confidenceOf({ json }: ProjectWithMemory, target: string): Promise<number> {
  const { outgoing_relationships: all } = (await json('query', 'Invoice')) as {
    outgoing_relationships: { node: string; confidence: number }[];
  };
  return all.find(({ node }) => node === target)?.confidence ?? Number.NaN;
}

t.test('what the evaluator confirms of an edge moves its rule, where that is on', async (t) => {
  const place = billing(t);
  place.file('answer.md', 'An invoice requires a customer.\n');
  const evaluate = [
    'context',
    'evaluate',
    '--question',
    'What does an invoice need?',
    '--answer',
    'answer.md',
  ];
  t.match((await place.run(evaluate)).out, /1 fact remembered/);
  t.match(await learn(place), { judged: null });
  place.file('kgraphfs.config.json', ON);
  const before = await confidenceOf(place, 'Customer');
  t.match((await learn(place)).judged, [{ verdict: 'confirmed', rules: ['requires?'] }]);
  t.ok((await confidenceOf(place, 'Customer')) > before);
  t.same((await learn(place)).judged, [], 'once');
  t.match(await place.json('learn', 'explain', 'Invoice', 'Customer'), {
    readings: [
      { edge_type: 'references', rule: 'named', confidence: 0.4, learnt: 0.4 },
      { edge_type: 'requires', rule: 'requires?', confidence: before, places: ['invoice.md:6'] },
    ],
  });
  const { rules } = (await place.json('learn', 'status')) as { rules: { rule: string; confirmed: number }[] };
  t.match(
    rules.find(({ rule }) => rule === 'requires?'),
    { confirmed: 1, rejected: 0, statements: 2 },
  );
  const file = join(place.folder, '.kgraphfs/learning.json');
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.match(JSON.parse(readFileSync(file, 'utf8')), { version: 1 });
  t.match(await place.json('learn', 'reset', '--rules'), { forgotten: { rules: true, paths: false } });
  t.equal(await confidenceOf(place, 'Customer'), before);
  t.same((await learn(place)).judged, [], 'what was judged before counts no more');
});

t.test('what a person removes is a word against the rule, what time removes is none', async (t) => {
  const place = billing(t);
  place.file('kgraphfs.config.json', ON);
  const add = (key: string, text: string) => place.run(['context', 'memory', 'add', `fact/${key}`, text]);
  t.equal((await add('wrong', 'An invoice requires a customer.')).status, 0);
  t.same((await learn(place)).judged, [], 'what somebody merely wrote was judged by nobody');
  place.remove({ type: 'fact', key: 'wrong' });
  t.match((await learn(place)).judged, [{ verdict: 'rejected', rules: ['requires?'] }]);
  t.equal((await add('denied', 'An invoice does not require a customer.')).status, 0);
  place.remove({ type: 'fact', key: 'denied' });
  t.same((await learn(place)).judged, [], 'that a denial was wrong proves nothing');
  await withApp(place, ({ memory }) => memory.restore('wrong', {}));
  t.match(await learn(place), { judged: { length: 0 }, retracted: [{ entry: 'fact/wrong' }] });
  t.same(JSON.parse(readFileSync(join(place.folder, '.kgraphfs/learning.json'), 'utf8')).judged, {});
});

t.test('a ledger that is none is told, and can be begun anew', async (t) => {
  const place = billing(t);
  await place.run(['build']);
  place.file('.kgraphfs/learning.json', '{"version": 2}');
  t.match(await place.run(['learn', 'run']), { status: 1, err: /learning\.json.*kgraphfs learn reset/s });
  t.match(await place.run(['query', 'Invoice']), { status: 0 });
  t.match(await place.run(['learn', 'reset']), { status: 0, out: 'forgotten: rules, paths\n' });
  t.match(await place.run(['learn', 'run']), { status: 0 });
});

t.test('what another process learnt in between stays, and what it had forgotten is forgotten', async (t) => {
  const place = billing(t);
  place.file('kgraphfs.config.json', ON);
  await place.json('build');
  const file = join(place.folder, '.kgraphfs/learning.json');
  const theirs: LearningLedger['judged'] = { 'fact/theirs\na': { verdict: 'confirmed', rules: ['named'] } };
  await walk(place, ['s1', 's2', 's3']);
  await withApp(place, (app) => {
    const { store } = app.workspace;
    /** Learns while another process writes the file just before it does. */
    const learnAfter = (ledger: LearningLedger) => {
      const transact: typeof store.transact = (body) => {
        writeLedger(file, ledger);
        return store.transact(body);
      };
      return learnFromUse({ ...app, workspace: { ...app.workspace, store: { ...store, transact } } });
    };
    const { proposed = [] } = learnAfter({ ...emptyLedger(), judged: theirs });
    t.equal(proposed.length, 1);
    const both = readLedger(file);
    t.match(both.judged, theirs);
    t.equal(Object.keys(both.proposed).length, 1);
    learnAfter({ ...emptyLedger(), rules_since_ms: 5, paths_since_ms: 5 });
    t.match(readLedger(file), { judged: {}, proposed: {}, paths_since_ms: 5 });
  });
});
