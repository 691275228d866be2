import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { TOOLS } from '../../src/toolkit/toolkit.ts';
import { countTokens, sampleBox } from './sample-box.ts';

t.test(
  'every tool has a name of its own, a description, and parameters that JSON schema can say',
  async (t) => {
    t.equal(new Set(TOOLS.map(({ name }) => name)).size, TOOLS.length);
    for (const { name, description, parameters } of TOOLS) {
      t.match(name, /^[a-z]+(_[a-z]+)*$/);
      t.ok(description.length > 30, `${name} is described`);
      t.match(z.toJSONSchema(parameters, { io: 'input' }), { type: 'object', additionalProperties: false });
    }
  },
);

t.test('an answer says what was asked, how long it took, and of which revision it is', async (t) => {
  const { call, box } = await sampleBox(t);
  const reply = await call('inspect', { node: 'charges' });
  t.same(reply.call, { tool: 'inspect', args: { node: 'charges' } });
  t.type(reply.duration_ms, 'number');
  t.equal(reply.revision, box.graph.revision());
  t.equal(reply['entity'], 'Charge');
});

t.test('what is wrong with a call is an answer, with a way out', async (t) => {
  const { call } = await sampleBox(t);
  t.match((await call('nothing', {})).error, { message: /the tools are .*navigate/ });
  t.same((await call('inspect', { nod: 'Charge' })).error, {
    code: 'EINVAL',
    message: 'node: it is missing, and has to be a text in quotation marks; nod: there is no such key',
  });
  t.match((await call('inspect', 'Charge')).error, {
    message: 'arguments: it has to be an object in braces',
  });
  t.match((await call('query_knowledge', { question: 'refunds', path_regex: '(' })).error, {
    code: 'EINVAL',
    message: /^path_regex: /,
  });
  t.match((await call('inspect', { node: 'Chargee' })).error, { message: /did you mean "Charge"/ });
  for (const [tool, args] of [
    ['inspect', { node: 'zzzzzz' }],
    ['navigate', { node: 'zzzzzz' }],
    ['get_dependencies', { node: 'zzzzzz' }],
    ['connect', { from: 'Charge', to: 'zzzzzz' }],
  ] as const) {
    t.match(
      (await call(tool, args)).error,
      { message: /"zzzzzz"; vfs_list \/graph\/nodes shows names$/ },
      tool,
    );
  }
  t.match((await call('vfs_read', { path: '/docs' })).error, { code: 'EISDIR' });
  t.match((await call('read', { path: 'no.md' })).error, { code: 'ENOENT' });
});

t.test('what is searched for is the query of every tool, whatever it was called before', async (t) => {
  const { call } = await sampleBox(t);
  const searching = TOOLS.filter(({ name }) => /search|^query_/.test(name));
  t.equal(searching.length, 5);
  for (const { name, parameters } of searching) {
    const { required = [], properties = {} } = z.toJSONSchema(parameters, { io: 'input' });
    t.same(required, ['query'], name);
    t.notOk('question' in properties || 'text' in properties, name);
    const { error, ...byQuery } = await call(name, { query: 'refund' });
    t.equal(error, undefined, name);
    for (const former of ['question', 'text']) {
      const { call: asked, ...reply } = await call(name, { [former]: 'refund' });
      t.same(asked, { tool: name, args: { [former]: 'refund' } });
      for (const list of ['nodes', 'hits']) t.same(reply[list], byQuery[list], `${name}: ${former}`);
    }
  }
  t.match((await call('search_graph', { query: 'a', text: 'b' })).error, { code: 'EINVAL', message: /text/ });
  t.match((await call('inspect', { text: 'Charge' })).error, { code: 'EINVAL' });
});

t.test(
  'an answer stays within its ceiling, and the calls it names bring all the rest, each item once',
  async (t) => {
    const { call, box } = await sampleBox(t);
    const node = box.graph.node('Charge');
    const all =
      node === undefined
        ? []
        : box.graph
            .neighbours(node)
            .map(({ targetDisplay, sourceDisplay }) => [sourceDisplay, targetDisplay]);
    const seen: unknown[] = [];
    let args: unknown = { node: 'Charge' };
    let calls = 0;
    for (; args !== undefined; calls += 1) {
      const reply = await call('navigate', args, { ceilingTokens: 300 });
      t.ok(countTokens(JSON.stringify(reply)) <= 300, 'it fits');
      const { neighbours, more } = z
        .object({
          neighbours: z.array(z.unknown()).min(1),
          more: z.object({ call: z.object({ args: z.unknown() }) }).optional(),
        })
        .parse(reply);
      seen.push(...neighbours);
      args = more?.call.args;
    }
    t.ok(calls > 1, 'it took several');
    t.equal(seen.length, all.length);
  },
);

t.test(
  'what is known of a node comes once: pages of its relationships are filled with relationships',
  async (t) => {
    const { call, box } = await sampleBox(t);
    const node = box.graph.node('Charge');
    if (node === undefined) throw new Error('the sample has charges');
    const sources = Array.from({ length: 300 }, (_, index) => `a-folder/document-${index}.md:${index}`);
    const graph: typeof box.graph = Object.assign(Object.create(box.graph), {
      node: () => ({ ...node, sources }),
    });
    let args: unknown = { node: 'Charge' };
    const seen: unknown[] = [];
    let calls = 0;
    for (; args !== undefined; calls += 1) {
      const reply = await call('inspect', args, { ceilingTokens: 600, box: { graph } });
      t.ok(countTokens(JSON.stringify(reply)) <= 600, 'it fits');
      if (calls === 0) {
        t.same(reply['sources'], sources.slice(0, 10));
        t.equal(reply['further_sources'], '290: vfs_read /graph/nodes/Charge');
      }
      const { relationships, more } = z
        .object({
          relationships: z.array(z.unknown()).min(1),
          more: z.object({ call: z.object({ args: z.unknown() }) }).optional(),
        })
        .parse(reply);
      seen.push(...relationships);
      args = more?.call.args;
    }
    const { outgoing, incoming } = box.graph.relations(node.id);
    t.equal(seen.length, outgoing.length + incoming.length);
    t.ok(calls < seen.length / 3, `${seen.length} in ${calls} pages`);
  },
);

t.test('a document is read in parts that together are the document', async (t) => {
  const { call, box } = await sampleBox(t);
  const path = box.graph.node('Charge')?.sources[0]?.replace(/:\d+$/, '') ?? '';
  const texts: string[] = [];
  let args: unknown = { path };
  let total = 0;
  while (args !== undefined) {
    const reply = await call('read', args, { ceilingTokens: 150 });
    const { text, more, total_lines } = z
      .object({
        text: z.string(),
        total_lines: z.number(),
        more: z.object({ call: z.object({ args: z.unknown() }) }).optional(),
      })
      .parse(reply);
    texts.push(text);
    total = total_lines;
    args = more?.call.args;
  }
  t.ok(texts.length > 1);
  t.equal(texts.join('\n').split('\n').length, total);
});

t.test('read takes a line with the path, as evidence has it', async (t) => {
  const { call, box } = await sampleBox(t);
  const [place = ''] = box.graph.node('Charge')?.sources ?? [];
  t.match(await call('read', { path: place, lines: 1 }), { line: Number(place.split(':')[1]) });
  const { text, ...rest } = await call('read', { path: '/docs/charges/create.md:5-7' });
  t.match(rest, { path: '/docs/charges/create.md', line: 5 }, 'and lines as a context has them');
  t.equal(String(text).split('\n').length, 3);
  t.match((await call('read', { path: '/docs/charges/create.md:7-5' })).error, {
    code: 'EINVAL',
    message: '/docs/charges/create.md: there are no lines 7-5: they count from 1, the first before the last',
  });
});

t.test('vfs_read takes a path with a line, as search has it', async (t) => {
  const { call, docs } = await sampleBox(t);
  t.match(await call('vfs_read', { path: '/docs/charges/create.md:5-7' }), {
    path: '/docs/charges/create.md',
    line: 5,
    text: /^---\n\n# Create a charge$/,
  });
  await call('vfs_write', { path: '/context/memory/fact/a', content: 'one\ntwo\n' });
  t.match(await call('vfs_read', { path: '/context/memory/fact/a:2' }), { line: 2, text: 'two' });
  t.match(await call('vfs_read', { path: '/graph/nodes/Charge:1', lines: 1 }), { text: '{' });
  t.match((await call('vfs_read', { path: '/docs/no.md:3' })).error, { code: 'ENOENT' });
  writeFileSync(join(docs, 'errors.md:2'), 'of this very name');
  t.match(await call('vfs_read', { path: '/docs/errors.md:2' }), { line: 1, text: 'of this very name' });
});

t.test('read opens what evidence names where the docs have a folder docs, too', async (t) => {
  const { call, docs } = await sampleBox(t);
  t.match(
    await call('read', { path: 'docs/errors.md', lines: 1 }),
    { path: '/docs/errors.md' },
    'the tree may be named, too',
  );
  mkdirSync(join(docs, 'docs'));
  writeFileSync(join(docs, 'docs/errors.md'), '# Inner\n\nA Charge.\n');
  t.match(await call('read', { path: 'docs/errors.md:3' }), {
    path: '/docs/docs/errors.md',
    text: 'A Charge.',
  });
  t.match(await call('read', { path: '/docs/docs/errors.md:1' }), { path: '/docs/docs/errors.md' });
  t.match(
    await call('read', { path: '/docs/errors.md', lines: 1 }),
    { path: '/docs/errors.md' },
    'with a slash before it, it is a path of the tree',
  );
  t.match(await call('read', { path: 'docs/README.md', lines: 1 }), { path: '/docs/README.md' });
});

t.test('what looks like a filter and was read as text is told', async (t) => {
  const { call } = await sampleBox(t);
  for (const [tool, name] of [
    ['search_files', 'query'],
    ['vfs_search', 'query'],
    ['query_knowledge', 'query'],
  ] as const) {
    const told = await call(tool, { [name]: 'refunds after:yesterday' });
    t.match(told, { read_as_text: [/^column 9: "yesterday" is not a date/] }, tool);
    t.notOk('read_as_text' in (await call(tool, { [name]: 'refunds after:2026-01' })), tool);
  }
});

t.test('connect gives each step with the lines that state it', async (t) => {
  const { call } = await sampleBox(t);
  const { path } = z
    .object({ path: z.array(z.object({ node: z.string(), evidence: z.array(z.string()) })) })
    .parse(await call('connect', { from: 'Subscription', to: 'charge.succeeded' }));
  t.equal(path.at(0)?.node, 'Subscription');
  t.equal(path.at(-1)?.node, 'charge.succeeded');
  for (const { node, evidence } of path.slice(0, -1)) t.ok(evidence.length > 0, `${node} has evidence`);
});

t.test('a tree of dependencies is lines of text', async (t) => {
  const { call } = await sampleBox(t);
  t.match(
    (await call('get_dependencies', { node: 'Subscription' }))['tree'],
    /^Subscription \[APIObject\]\n {2}→/,
  );
});

t.test('folders are listed, and links followed', async (t) => {
  const { call } = await sampleBox(t);
  t.same((await call('vfs_list', { path: '/context/memory' }))['entries'], [
    'fact/',
    'episodic/',
    'procedural/',
  ]);
  t.match((await call('vfs_read', { path: '/graph/types/APIObject/Charge' }))['text'], /"entity": "Charge"/);
});
