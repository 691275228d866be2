import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { MAIN, sample } from './run-cli.ts';
import { runHere } from './run-here.ts';

const at = sample(t);

async function json(...args: string[]) {
  const { status, out, err } = await runHere([...args, '--json', ...at]);
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${err}`);
  return JSON.parse(out);
}

t.test('build says what it did, and does nothing twice', async (t) => {
  const state = join(temporaryFolder(t), 'state');
  const place = ['--docs', 'docs/sample', '--state', state];
  const first = JSON.parse((await runHere(['build', '--json', ...place])).out);
  t.match(first, { added: first.documents, changed: 0, removed: 0, revision: 1, problems: 0 });
  t.ok(first.documents > 20 && first.nodes > first.documents && first.edges > 0);
  t.type(first.duration_ms, 'number');
  const again = await runHere(['build', '--no-llm', ...place]);
  t.match(
    again.out,
    /^built \d+ documents \(0 added, 0 changed, 0 removed\), \d+ nodes, \d+ edges in \d+\.\d\d s\n$/,
  );
  t.equal(again.status, 0);
});

t.test('build sums up what is wrong with the docs, and says where to read it', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'good.md'), '# Good\n');
  writeFileSync(join(docs, 'broken.md'), Buffer.from('# Broken\n\xff', 'latin1'));
  const { status, err } = await runHere(['build', '--docs', docs, '--state', join(folder, 'state')]);
  t.equal(status, 0);
  t.equal(err, '1 problem in the docs: kgraphfs vfs read /.kgraphfs/errors.jsonl\n');
  const where = ['vfs', 'read', '/.kgraphfs/errors.jsonl', '--docs', docs, '--state', join(folder, 'state')];
  t.match((await runHere(where)).out, /"path":"\/docs\/broken\.md"/);
});

t.test('build says why a graph is empty', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'notes.txt'), 'no markdown\n');
  const built = () => runHere(['build', '--docs', docs, '--state', join(folder, 'state')]);
  t.match(await built(), {
    status: 0,
    err: `the graph is empty: no markdown (.md, .mdx, .markdown) in ${docs} that ignore files and the config let in\n`,
  });
  writeFileSync(join(docs, 'page.md'), '# Page\n');
  t.match(await built(), { status: 0, err: '' });
});

t.test('a command that reads sees what changed in the docs since', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  const place = ['--docs', docs, '--state', join(folder, 'state')];
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.md'), '# First page\n');
  t.equal((await runHere(['query', 'First page', ...place])).status, 0);
  writeFileSync(join(docs, 'b.md'), '# Second page\n');
  t.equal((await runHere(['query', 'Second page', ...place])).status, 0);
});

t.test('query shows description, relations and evidence, for people, models and programs', async (t) => {
  const page = (await runHere(['query', 'charges', ...at])).out;
  t.match(page, /^Charge {2}APIObject\n/);
  t.match(page, /\nrequires\n {2}→ Customer +charges\/create\.md:\d+/);
  t.match(page, /\nsaid in\n/);
  t.match((await runHere(['query', 'Charge', '--format', 'markdown', ...at])).out, /^# Charge\n/);
  t.match(await json('query', 'Charge'), {
    entity: 'Charge',
    type: 'APIObject',
    outgoing_relationships: [{ edge_type: 'requires', node: 'Customer' }],
  });
  const { out } = await runHere(['query', 'Charge', '--format', 'json', ...at]);
  t.match(JSON.parse(out), { entity: 'Charge', call: { args: { format: 'json' } } });
});

t.test('a name that is not there is answered with the one that may be meant', async (t) => {
  const { status, out, err } = await runHere(['query', 'Charg', ...at]);
  t.equal(status, 1);
  t.equal(out, '');
  t.match(err, /^kgraphfs: there is no node "Charg"; did you mean "Charge"/);
});

t.test('connect draws the path, with a line of evidence for each step', async (t) => {
  const [drawn, ...statements] = (await runHere(['connect', 'Charge', 'charge.succeeded', ...at])).out
    .trim()
    .split('\n');
  t.equal(drawn, 'Charge ─triggers→ charge.succeeded');
  t.match(statements.join('\n'), /^ {2}Charge triggers charge\.succeeded {2}charges\/create\.md:\d+/);
  const path = await json('connect', 'charge.succeeded', 'Charge');
  t.match(path, { source: 'charge.succeeded', target: 'Charge', path_length: 1 });
  t.match(path.path[0], {
    edge_to_next: 'triggers',
    direction: 'in',
    evidence: [/^charges\/create\.md:\d+$/],
  });
});

t.test('concepts that are not connected end with status 1', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.md'), '# Island one\n');
  writeFileSync(join(docs, 'b.md'), '# Island two\n');
  const place = ['--docs', docs, '--state', join(folder, 'state')];
  const { status, out, err } = await runHere(['connect', 'Island one', 'Island two', '--json', ...place]);
  t.equal(status, 1);
  t.match(JSON.parse(out), { source: 'Island one', target: 'Island two', path: null });
  t.equal(err, 'kgraphfs: Island one and Island two are not connected\n');
});

t.test('nodes lists all, one type, and those with many relations', async (t) => {
  const all = await json('nodes');
  const events = await json('nodes', 'event');
  t.ok(events.length > 0 && events.length < all.length);
  t.ok(events.every((node: { type: string }) => node.type === 'Event'));
  const busy = await json('nodes', '--min-degree', '10');
  t.ok(busy.length > 0 && busy.every((node: { degree: number }) => node.degree >= 10));
  t.match((await runHere(['nodes', 'Event', ...at])).out, /^NODE +TYPE +DEGREE +FIRST SAID IN\n/);
  t.equal((await runHere(['nodes', '--min-degree', '100000', ...at])).status, 1);
  t.match(
    (await runHere(['nodes', 'Evnt', ...at])).err,
    /there is no node type "Evnt"; the types are APIObject/,
  );
});

t.test('query and stats show what is remembered too', async (t) => {
  const place = ['--docs', 'docs/sample', '--state', join(temporaryFolder(t), 'state')];
  const before = JSON.parse((await runHere(['stats', '--json', ...place])).out);
  await runHere(['context', 'memory', 'add', 'fact/refunds', 'A Charge is refunded once', ...place]);
  t.match(JSON.parse((await runHere(['query', 'fact/refunds', '--json', ...place])).out), {
    entity: 'fact/refunds',
    type: 'Fact',
    outgoing_relationships: [{ edge_type: 'about', node: 'Charge' }],
  });
  t.match((await runHere(['query', 'fact/refunds', ...place])).out, /^fact\/refunds +Fact\n/);
  t.equal((await runHere(['query', 'fact/nothing', ...place])).status, 1);
  const after = JSON.parse((await runHere(['stats', '--json', ...place])).out);
  t.equal(after.memory.nodes_by_type.Fact, before.memory.nodes_by_type.Fact + 1);
  t.equal(after.total_nodes, before.total_nodes);
  t.match(
    (await runHere(['stats', ...place])).out,
    new RegExp(`^nodes of memory +${after.memory.total_nodes}$`, 'm'),
  );
});

t.test('stats count what nodes and export show', async (t) => {
  const stats = await json('stats');
  t.equal(stats.total_nodes, (await json('nodes')).length);
  const exported = await json('export');
  t.equal(stats.total_edges, exported.links.length);
  t.match((await runHere(['stats', ...at])).out, new RegExp(`^nodes +${stats.total_nodes}\n`));
});

t.test('export writes each form, and reads its own back', async (t) => {
  const file = join(temporaryFolder(t), 'graph.json');
  t.match(await runHere(['export', '--output', file, ...at]), {
    status: 0,
    out: '',
    err: /^wrote \d+ nodes and \d+ edges to /,
  });
  t.equal(readFileSync(file, 'utf8'), (await runHere(['export', ...at])).out);
  for (const [format, start] of [
    ['graphml', '<?xml'],
    ['gexf', '<?xml'],
    ['dot', 'digraph'],
    ['mermaid', 'flowchart'],
  ] as const) {
    const fromFile = await runHere(['export', '--format', format, '--from', file]);
    t.ok(fromFile.out.startsWith(start), format);
    t.equal(fromFile.out, (await runHere(['export', '--format', format, ...at])).out);
  }
  t.match(await runHere(['export', '--output', join(file, 'below'), ...at]), {
    status: 1,
    err: /cannot be written: ENOTDIR/,
  });
  t.match(await runHere(['export', '--from', 'docs/sample/README.md']), {
    status: 1,
    err: /README\.md:1:1: this is not JSON: Unexpected token '\S'\n$/,
  });
  t.match(await runHere(['export', '--json', '--format', 'dot', ...at]), {
    status: 2,
    err: /cannot be used together/,
  });
});

t.test('vfs shows the tree as ls and cat do in the mount', async (t) => {
  t.match((await runHere(['vfs', 'mounts', ...at])).out, /\n\/graph +graph +yes +find_path <from> <to>, /);
  t.same((await runHere(['vfs', 'list', ...at])).out.trim().split('\n').slice(1, 3), [
    'AGENTS.md',
    'CLAUDE.md',
  ]);
  t.match(
    (await runHere(['vfs', 'list', '-l', '/', ...at])).out,
    /\nl 0777 +9 \S+ CLAUDE\.md -> AGENTS\.md\n/,
  );
  t.equal((await runHere(['vfs', 'list', '/docs/errors.md', ...at])).out, '/docs/errors.md\n');
  t.equal(
    (await runHere(['vfs', 'read', '/docs/errors.md', ...at])).out,
    readFileSync('docs/sample/errors.md', 'utf8'),
  );
  t.equal(
    (await runHere(['vfs', 'read', '/CLAUDE.md', ...at])).out,
    (await runHere(['vfs', 'read', 'AGENTS.md', ...at])).out,
  );
  t.match(await json('vfs', 'read', '/graph/near/Charge/requires/Customer'), {
    path: '/graph/nodes/Customer',
    encoding: 'utf-8',
  });
  t.match(
    JSON.parse((await runHere(['vfs', 'exec', '/graph', 'find_path', 'Charge', 'Customer', ...at])).out),
    {
      path_length: 1,
    },
  );
  t.match(await json('vfs', 'exec', '/graph', 'subgraph', 'Charge', '1'), {
    action: 'subgraph',
    answer: { center: 'Charge', depth: 1 },
  });
});

t.test('vfs read gives bytes exactly, text or not', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  const bytes = Buffer.from(Array.from({ length: 3_000_001 }, (_, index) => index % 251));
  mkdirSync(docs);
  writeFileSync(join(docs, 'data.bin'), bytes);
  const place = ['--docs', docs, '--state', join(folder, 'state')];
  const { stdout } = spawnSync(process.execPath, [MAIN, 'vfs', 'read', '/docs/data.bin', ...place], {
    maxBuffer: 1 << 24,
  });
  t.ok(stdout.equals(bytes));
  const view = JSON.parse((await runHere(['vfs', 'read', '/docs/data.bin', '--json', ...place])).out);
  t.match(view, { size_bytes: bytes.length, encoding: 'base64' });
  t.ok(Buffer.from(view.content, 'base64').equals(bytes));
});

t.test('vfs search keeps the answers of each resolver apart', async (t) => {
  const { answers } = await json('vfs', 'search', 'invoice', '--limit', '2');
  t.same(
    answers.map(({ mount, hits }: { mount: string; hits: unknown[] }) => [mount, hits.length]),
    [
      ['/context', 0],
      ['/docs', 2],
      ['/graph', 2],
    ],
  );
  t.match(
    (await runHere(['vfs', 'search', 'invoice', ...at])).out,
    /^\/docs\n1 {2}docs\/[\s\S]*\n\/graph\n1 {2}graph\//,
  );
  t.equal((await runHere(['vfs', 'search', 'xyzzyplugh', ...at])).status, 1);
});

t.test('what the tree refuses is said with its code', async (t) => {
  t.match(await runHere(['vfs', 'read', '/docs/../../../etc/passwd', ...at]), {
    status: 1,
    err: /ENOENT: .*outside the tree/,
  });
  t.match(await runHere(['vfs', 'read', '/docs', ...at]), {
    status: 1,
    err: /EISDIR: \/docs: this is a folder/,
  });
  t.match(await runHere(['vfs', 'list', '/no/such', ...at]), { status: 1, err: /ENOENT: \/no/ });
  t.match(await runHere(['vfs', 'exec', '/docs', 'fly', ...at]), { status: 1, err: /ENOTSUP: \/docs/ });
});

t.test('status without a daemon says what the index holds', async (t) => {
  const status = await json('status');
  t.match(status, {
    state: 'stopped',
    pid: null,
    mountpoint: null,
    documents: (await json('stats')).nodes_by_type.Document,
  });
  t.match(await runHere(['status', '/nonexist', ...at]), {
    status: 3,
    out: '',
    err: 'kgraphfs: /nonexist is not mounted\n',
  });
  t.match(await runHere(['status', '/proc', ...at]), { status: 3, err: /\/proc is not mounted by kgraphfs/ });
  t.match((await runHere(['status', ...at])).out, /^state +stopped: no daemon is running\n/);
  const unbuilt = ['--docs', 'docs/sample', '--state', join(temporaryFolder(t), 'state')];
  t.match(JSON.parse((await runHere(['status', '--json', ...unbuilt])).out), {
    state: 'stopped',
    documents: 0,
    revision: 0,
  });
});
