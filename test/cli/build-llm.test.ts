import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { answered, shownDocument, worstAnswer } from '../model-extraction/asked-document.ts';
import type { ScriptedReply, SeenChat } from '../support/chat-server.ts';
import type { Teardown } from '../support/temporary.ts';
import { type AskPlace, askPlace } from './ask-place.ts';

const KEY = 'sk-or-v1-0123456789abcdef';
const DOCS = {
  'renewal.md':
    '# Renewal\n\nA **Subscription** is renewed each month.\nEach renewal of a Subscription is billed through an **Invoice**.\n',
  'invoice.md': '# Invoice\n\nAn **Invoice** belongs to a **Customer**.\n',
  'notes.md': '# Notes\n\nNothing to see.\n',
};
const QUOTE = 'Each renewal of a Subscription is billed through an Invoice.';

const builtSchema = z.looseObject({
  documents: z.number(),
  nodes: z.number(),
  edges: z.number(),
  llm: z
    .looseObject({
      asked: z.number(),
      answered: z.number(),
      cached: z.number(),
      failed: z.number(),
      left: z.number(),
      cost_usd: z.number().nullable(),
      failures: z.array(z.object({ path: z.string(), reason: z.string() })),
      stopped_by: z.string().nullable(),
    })
    .optional(),
});

/** A model that sees what is implied, and nothing else. */
function reader(seen: SeenChat): ScriptedReply {
  const { path } = shownDocument(seen);
  const edge = { source: 'Subscription', type: 'generates', target: 'Invoice', line: 1, quote: QUOTE };
  return answered(path === 'renewal.md' ? { edges: [edge] } : {});
}

async function place(t: Teardown, docs: Readonly<Record<string, string>> | undefined = DOCS) {
  const at = await askPlace(t, docs);
  at.server.otherwise(reader);
  const build = async (...args: string[]) => {
    const llm = ['--llm', '--base-url', at.server.url, '--model', 'a/model'];
    const ran = await at.run(['build', ...llm, '--json', ...args], { OPENROUTER_API_KEY: KEY });
    const none = { documents: 0, nodes: 0, edges: 0 };
    return { ...ran, view: builtSchema.parse(ran.out === '' ? none : JSON.parse(ran.out)) };
  };
  return { ...at, build };
}

/** The page of a node, one relation a line; empty where there is none. */
async function page({ run }: Pick<AskPlace, 'run'>, node: string): Promise<string> {
  return (await run(['vfs', 'read', `/graph/nodes/${node}`])).out;
}

t.test('what the text implies is in the graph, with its line and the model that found it', async (t) => {
  const it = await place(t);
  const { status, view } = await it.build();
  t.equal(status, 0);
  t.match(view, {
    documents: 3,
    llm: { asked: 3, answered: 3, cached: 0, failed: 0, left: 0, stopped_by: null },
  });
  t.match(view.llm, { input_tokens: 300, output_tokens: 30, cost_usd: 0.003, found_facts: 3 });
  t.match(
    await page(it, 'Subscription'),
    /"edge_type": "generates", "node": "Invoice".*"renewal\.md:4".*"extracted_by": "a\/model"/,
  );
  const { out } = await it.run(['export', '--format', 'json']);
  t.match(out, /"extracted_by": ?"a\/model"/);
  t.match(await it.run(['check']), { status: 0 }, 'the index is what a rebuild gives');
});

t.test(
  'to build again, anew or by another command costs nothing, and a changed document is asked about again',
  async (t) => {
    const it = await place(t);
    await it.build();
    t.match((await it.build()).view.llm, { asked: 0, cached: 3, cost_usd: 0 });
    await it.run(['wipe', '--yes']);
    t.match(await it.run(['build']), { status: 0 });
    t.match(await page(it, 'Subscription'), /"generates"/);
    t.equal(it.server.requests.length, 3);
    it.file('docs/renewal.md', `${DOCS['renewal.md']}\nMore.\n`);
    t.notMatch(await page(it, 'Subscription'), /"generates"/, 'rules alone read what changed');
    t.match((await it.build()).view.llm, { asked: 1, cached: 2 });
    t.match(await page(it, 'Subscription'), /"generates"/);
  },
);

t.test('--no-llm indexes without, until --llm is said again, which costs nothing', async (t) => {
  const it = await place(t);
  await it.build();
  t.match(await it.run(['build', '--no-llm']), { status: 0 });
  t.notMatch(await page(it, 'Subscription'), /"generates"/);
  t.match(await it.run(['build']), { status: 0 });
  t.notMatch(await page(it, 'Subscription'), /"generates"/);
  t.match((await it.build()).view.llm, { asked: 0, cached: 3 });
  t.match(await page(it, 'Subscription'), /"generates"/);
  t.match(await it.run(['wipe', '--all', '--yes']), { status: 0, out: /extractions\.sqlite/ });
});

t.test('the key is sent to the API, and is nowhere else', async (t) => {
  const it = await place(t);
  it.server.script({ kind: 'echo-key' });
  const barred = await it.build();
  t.match(barred, {
    status: 1,
    err: /nothing will be answered/,
    view: { documents: 3, llm: { stopped_by: 'barred' } },
  });
  it.server.otherwise(reader);
  const ran = await it.build();
  t.equal(it.server.requests.at(-1)?.authorization, `Bearer ${KEY}`);
  const state = join(it.folder, '.kgraphfs');
  const kept = readdirSync(state).filter((name) => /\./.test(name));
  t.ok(kept.includes('extractions.sqlite'));
  for (const name of kept) t.notOk(readFileSync(join(state, name)).includes('0123456789abcdef'), name);
  for (const text of [ran.out, ran.err, barred.out, barred.err]) t.notMatch(text, /0123456789abcdef/);
});

t.test(
  'what fails is read by rules alone, and told in the answer and in errors.jsonl until it is answered',
  async (t) => {
    const it = await place(t);
    it.server.otherwise((seen) => (shownDocument(seen).path === 'notes.md' ? { text: 'No.' } : reader(seen)));
    const { status, view } = await it.build();
    t.equal(status, 0);
    t.match(view, {
      documents: 3,
      llm: { answered: 2, failed: 1, failures: [{ path: 'notes.md', reason: /not JSON/ }] },
    });
    t.match(
      (await it.run(['vfs', 'read', '/.kgraphfs/errors.jsonl'])).out,
      /notes\.md.*a\/model gave no answer/,
    );
    t.match(await it.run(['inspect', 'Notes']), { status: 0 });
    it.server.otherwise(reader);
    t.match((await it.build()).view.llm, { asked: 1, cached: 2, failed: 0 });
    t.notMatch((await it.run(['vfs', 'read', '/.kgraphfs/errors.jsonl'])).out, /gave no answer/);
  },
);

t.test(
  'limits: a cost nobody can know is refused before anything is sent, a reached one ends the asking',
  async (t) => {
    const it = await place(t);
    const unknown = await it.build('--max-cost', '0.50');
    t.match(unknown, { status: 2, err: /--price 3\/15/ });
    t.match(await it.build('--max-cost', 'much'), { status: 2 });
    t.match(await it.run(['build', '--max-cost', '1']), { status: 2, err: /only for --llm/ });
    t.equal(it.server.requests.length, 0);
    const none = await it.build('--max-cost', '0.000001', '--price', '3/15');
    t.match(none, { status: 0, err: /--max-cost is reached; 3 documents not asked about/ });
    t.match(none.view, { documents: 3, llm: { asked: 0, left: 3, stopped_by: 'max_cost' } });
    t.equal(it.server.requests.length, 0);
    t.match((await it.build('--max-cost', '1', '--price', '3/15')).view.llm, {
      answered: 3,
      stopped_by: null,
    });
  },
);

t.test('without a model it says how to get one', async (t) => {
  const { run } = await place(t);
  t.match(await run(['build', '--llm']), { status: 2, err: /OPENROUTER_API_KEY or OPENAI_API_KEY/ });
});

t.test(
  'a damaged file of answers is told, put aside when it is mended, and no documents are lost',
  async (t) => {
    const it = await place(t);
    await it.build();
    const file = join(it.folder, '.kgraphfs/extractions.sqlite');
    rmSync(`${file}-wal`, { force: true });
    writeFileSync(file, 'this is no database, whatever its name says '.repeat(100));
    t.match(await it.run(['check']), { status: 1, out: /what models answered is damaged/ });
    t.match(await it.run(['check', '--repair']), { status: 0 });
    t.match(await it.run(['check']), { status: 0 });
    t.match(await it.json(['build']), { documents: 3 });
  },
);

t.test(
  'a model that gets all wrong that there is to get makes no document and no relation worse',
  async (t) => {
    const it = await place(t, undefined);
    const graphSchema = z.looseObject({
      nodes: z.array(z.looseObject({ id: z.string(), type: z.string(), label: z.string() })),
      links: z.array(z.looseObject({ source: z.string(), target: z.string(), edge_type: z.string() })),
    });
    const graph = async () => graphSchema.parse(await it.json(['export', '--format', 'json']));
    const byRules = await graph();
    it.server.otherwise((seen) => worstAnswer(shownDocument(seen)));
    const { view } = await it.build();
    t.match(view.llm, { failed: 0, left: 0 });
    const merged = await graph();
    const nodesOf = ({ nodes }: typeof merged) =>
      new Map(nodes.map(({ id, type, label }) => [id, `${type} ${label}`]));
    const edgesOf = ({ links }: typeof merged) =>
      new Set(links.map(({ source, edge_type, target }) => `${source} ${edge_type} ${target}`));
    const [before, after] = [nodesOf(byRules), nodesOf(merged)];
    t.same(
      [...before].filter(([id, text]) => after.get(id) !== text),
      [],
      'each node is there, of its type and name',
    );
    t.same(
      [...edgesOf(byRules)].filter((edge) => !edgesOf(merged).has(edge)),
      [],
      'each relation is there',
    );
    t.same(
      [...after.values()].filter((text) => !/^Concept|^APIObject/.test(text)).sort(),
      [...before.values()].filter((text) => !/^Concept|^APIObject/.test(text)).sort(),
      'no event and no endpoint was invented',
    );
    const specific = ['requires', 'returns', 'triggers', 'generates', 'belongs_to'];
    const related = new Set(
      byRules.links.flatMap(({ source, target, edge_type }) =>
        specific.includes(edge_type) ? [`${source} ${target}`, `${target} ${source}`] : [],
      ),
    );
    const contradicted = merged.links.filter(
      ({ source, target, edge_type, extracted_by: by }) =>
        by !== undefined && specific.includes(edge_type) && related.has(`${source} ${target}`),
    );
    t.same(contradicted, [], 'nothing else is said of two that rules relate');
    t.match(await it.run(['check']), { status: 0 });
  },
);

t.test('what an API, a file name or a config file says moves no cursor', async (t) => {
  const { run, server, file } = await askPlace(t, { 'a\u001b[31m.md': '# A\n' });
  file('kgraphfs.config.json', JSON.stringify({ llm: { model: 'x\u001b[2Jy' } }));
  const flags = ['--llm', '--base-url', server.url];
  for (const status of [422, 401]) {
    server.otherwise(() => ({ status, message: 'no\u001b]0;owned\u0007' }));
    const { out, err } = await run(['build', ...flags], { OPENROUTER_API_KEY: KEY });
    t.match(`${out}${err}`, /no\\x1b\]0;owned/, String(status));
    t.notMatch(`${out}${err}`, '\u001b');
    t.match(err, /"llm" would send .* \(x\\x1b\[2Jy\)/);
  }
});

t.test('two builds at once pay for each document once, and both index all that was answered', async (t) => {
  const { server, build } = await place(t);
  server.otherwise((seen) => ({ ...reader(seen), slowMs: 100 }));
  const [one, other] = await Promise.all([build(), build()]);
  t.equal(server.requests.length, Object.keys(DOCS).length);
  for (const { status, view } of [one, other]) {
    t.equal(status, 0);
    t.match(view.llm, { failed: 0, left: 0, stopped_by: null });
  }
  t.equal((one.view.llm?.answered ?? 0) + (other.view.llm?.answered ?? 0), Object.keys(DOCS).length);
});

t.test('a line that is too long for a model is asked about in parts, each fact at its line', async (t) => {
  const filler = 'Nothing of this matters to anybody who reads it. '.repeat(900);
  const docs = {
    'long.md': `# Renewal\n\n${filler}${QUOTE} ${filler}\n\nA **Subscription** and an **Invoice**.\n`,
  };
  const { server, build, run } = await place(t, docs);
  const sizes: number[] = [];
  server.otherwise((seen): ScriptedReply => {
    const shown = String(seen.messages.at(-1)?.content);
    sizes.push(shown.length);
    const { lines } = shownDocument(seen);
    const [line] = [...lines].find(([, text]) => text.includes(QUOTE)) ?? [];
    const edge = { source: 'Subscription', type: 'generates', target: 'Invoice', line, quote: QUOTE };
    return answered(line === undefined ? {} : { edges: [edge] });
  });
  t.match(await build(), { status: 0, view: { llm: { answered: 1, failed: 0, dropped_facts: 0 } } });
  t.ok(sizes.length > 3 && sizes.every((size) => size < 18_200), sizes.join());
  t.match(await page({ run }, 'Subscription'), /long\.md:3/);
});

t.test('types of a schema map are asked for, and asked for anew where the map brings others', async (t) => {
  const docs = {
    'plan.md': '# Plan\n\nThe **Checkout** epic blocks the **Cart**.\n',
    'kgraphfs.schema.yaml':
      'headings:\n  - {heading: "Epic: *", type: Epic}\n  - {heading: Blocks, edge: blocks}\n',
  };
  const { folder, server, build, run } = await place(t, docs);
  const quote = 'The Checkout epic blocks the Cart.';
  server.otherwise(({ messages }): ScriptedReply => {
    const isAsked = messages.some(({ content }) => String(content).includes('Epic: sections headed'));
    if (!isAsked) return answered({});
    const node = { name: 'Checkout', type: 'Epic', line: 3, quote };
    return answered({
      nodes: [node],
      edges: [{ source: 'Checkout', type: 'blocks', target: 'Cart', line: 3, quote }],
    });
  });
  t.match(await build(), { status: 0, view: { llm: { answered: 1 } } });
  t.match(server.requests[0]?.['response_format'], { type: 'json_schema' });
  t.match(JSON.stringify(server.requests[0]?.['response_format']), '"Epic"');
  t.match(await run(['nodes', 'Epic']), { out: /Checkout/ });
  t.match(JSON.parse(await page({ run }, 'Checkout')), { outgoing_relationships: [{ edge_type: 'blocks' }] });
  t.match(await build(), { status: 0, view: { llm: { answered: 0, cached: 1 } } });
  t.equal(server.requests.length, 1);

  writeFileSync(join(folder, 'docs/kgraphfs.schema.yaml'), 'headings:\n  - {heading: Needs, edge: needs}\n');
  t.match(await build(), { status: 0, view: { llm: { answered: 1, cached: 0 } } });
  t.notMatch((await run(['nodes', 'Epic'])).out, /Checkout/);
  writeFileSync(join(folder, 'docs/kgraphfs.schema.yaml'), docs['kgraphfs.schema.yaml']);
  t.match(await build(), { status: 0, view: { llm: { answered: 0, cached: 1 } } });
  t.match(
    await run(['nodes', 'Epic']),
    { out: /Checkout/ },
    'what was answered to these types is used again',
  );
});
