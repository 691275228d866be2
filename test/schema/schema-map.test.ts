import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { SchemaRules } from '../../src/core/schema-rules.ts';
import { graphQueries } from '../../src/graph/queries.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { fillTemplate, slugOf } from '../../src/schema/fill-template.ts';
import { loadSchemaMap } from '../../src/schema/load-map.ts';
import { parseSchemaMap } from '../../src/schema/parse-map.ts';
import { requirementsBy } from '../../src/schema/requirements.ts';
import { templatesOf } from '../../src/schema/templates.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const MAP = `
documents:
  - paths: "adr/**"
    type: ADR
frontMatter:
  - key: kind
    types: { prd: PRD }
  - key: team
    property: owned_by
  - key: replaces
    edge: replaces
headings:
  - heading: "Story: *"
    level: 2
    type: Story
  - heading: Blocks
    edge: blocks
  - heading: Status
    property: status
phrases:
  - phrase: is verified by
    edge: verified_by
`;

const DOCS: Readonly<Record<string, string>> = {
  'adr/0001-use-a-queue.md': '# Use a queue\n\n## Status\n\nAccepted\n\n## Blocks\n\n- [Plan](../plan.md)\n',
  'plan.md':
    '---\nkind: prd\nteam: Payments\nreplaces: adr/0001-use-a-queue.md\n---\n\n# Plan\n\n## Story: Fast refunds\n\n**Fast refunds** is verified by **Refund check**.\n',
  'other.md': '# Other\n\nNothing to see.\n',
};

function write(docs: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), text);
  }
}

function emptyStore(t: Teardown): Store {
  const store = openStore(join(temporaryFolder(t), 'index.sqlite'));
  t.teardown(() => store.close());
  return store;
}

function update(store: Store, docs: string, schema: SchemaRules | undefined) {
  return updateIndex({
    store,
    docs: { ...oneFolder(docs), schema },
    excluded: [],
    maxBytes: 1 << 20,
    clock: { nowMs: () => 1 },
  });
}

function contentOf(store: Store): unknown {
  const graph = graphQueries(store);
  return {
    nodes: graph.nodes().map(({ key, type, display, properties }) => [key, type, display, properties]),
    edges: Array.from(graph.edges(), (edge) => [
      edge.sourceDisplay,
      edge.type,
      edge.targetDisplay,
      edge.evidence,
    ])
      .map((edge) => JSON.stringify(edge))
      .sort(),
  };
}

t.test('each kind of rule shapes the graph', async (t) => {
  const docs = temporaryFolder(t);
  write(docs, DOCS);
  const store = emptyStore(t);
  await update(store, docs, parseSchemaMap(MAP, 'map.yaml'));
  const graph = graphQueries(store);
  t.equal(graph.node('adr/0001-use-a-queue.md')?.type, 'ADR');
  t.equal(graph.node('adr/0001-use-a-queue.md')?.properties['status'], 'Accepted');
  t.equal(graph.node('plan.md')?.type, 'PRD');
  t.equal(graph.node('plan.md')?.properties['owned_by'], 'Payments');
  t.equal(graph.node('Fast refunds')?.type, 'Story');
  const edges = Array.from(graph.edges(), ({ sourceDisplay, type, targetDisplay }) =>
    [sourceDisplay, type, targetDisplay].join(' '),
  );
  t.match(
    edges.filter((edge) => edge.includes(' blocks ')),
    [/^Use a queue.* blocks Plan/],
  );
  t.match(
    edges.filter((edge) => edge.includes(' replaces ')),
    [/^Plan.* replaces Use a queue/],
  );
  t.match(
    edges.filter((edge) => edge.includes(' verified_by ')),
    ['Fast refunds verified_by Refund check'],
  );
  t.ok(graph.nodeTypes().includes('Concept'));
  t.same(graph.nodeTypes().slice(-3), ['ADR', 'PRD', 'Story']);
});

t.test('what is wrong with a map is told with its line', async (t) => {
  const error = (text: string) => {
    try {
      parseSchemaMap(text, 'map.yaml');
      return '';
    } catch (wrong) {
      return wrong instanceof Error ? wrong.message : '';
    }
  };
  t.match(error('documents:\n  - paths: a/**\n    type: lower\n'), /^map\.yaml:3:11: documents\[0\]\.type: /);
  t.match(
    error(`documents: ${'[ '.repeat(30_000)}`),
    /^map\.yaml:1:1: it is nested more than 200 levels deep/,
  );
  t.match(
    error('documents: []\nheadigns: []\n'),
    /^map\.yaml:2:1: unknown key headigns; did you mean headings\?$/,
  );
  t.match(
    error('phrases:\n  - phrase: owns\n    edge: owns\n    colour: red\n'),
    /^map\.yaml:4:5: unknown key phrases\[0\]\.colour; known here: phrase, edge, reverse, paths$/,
  );
  t.match(error('documents:\n  - [\n'), /^map\.yaml:3:/);
  t.match(
    error('{\n "phrases": [{"phrase": "owns", "edge": "Owns It"}]\n}'),
    /^map\.yaml:2:\d+: phrases\[0\]\.edge: /,
  );
  t.match(
    error('headings:\n  - heading: *Story\n    type: Story\n'),
    /^map\.yaml:2:14: there is no &Story before \*Story; .* quotation marks$/,
  );
  const tens = Array.from({ length: 8 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(10)}]\n`);
  t.match(error(`a0: &a0 [x]\n${tens.join('')}`), /^map\.yaml:1:1: what \*name stands for is written out/);
  const rule = '  - paths: a/**\n    type: ';
  t.equal(
    error(`documents:\n${rule}&type Guide\n${`${rule}*type\n`.repeat(5)}`),
    '',
    'a few stand for little',
  );
});

t.test('only documents about which a changed map says something else are read again', async (t) => {
  const docs = temporaryFolder(t);
  write(docs, DOCS);
  const store = emptyStore(t);
  await update(store, docs, undefined);
  t.equal(
    (await update(store, docs, parseSchemaMap('documents: [{paths: "adr/**", type: ADR}]', 'm'))).changed,
    1,
  );
  t.equal(
    (await update(store, docs, parseSchemaMap('headings: [{heading: "Story: *", type: Story}]', 'm')))
      .changed,
    2,
  );
  t.equal((await update(store, docs, undefined)).changed, 1);
});

const rule = fc.constantFrom(...parseSchemaMap(MAP, 'map.yaml').rules, ...loadSchemaMap('spec-driven').rules);

t.test('applying one map after another equals a rebuild under the last', async (t) => {
  const step = fc.record({
    rules: fc.array(rule, { maxLength: 6 }),
    path: fc.constantFrom(...Object.keys(DOCS), 'new.md'),
    text: fc.constantFrom(
      ...Object.values(DOCS),
      '# New\n\nPlan supersedes Other.\n',
      '# Old\n\n## Superseded by\n\n- [Plan](plan.md)\n- [New](new.md)\n',
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      const docs = temporaryFolder(t);
      write(docs, DOCS);
      const [grown, built] = [emptyStore(t), emptyStore(t)];
      let last: SchemaRules | undefined;
      for (const { rules, path, text } of steps) {
        last = { rules };
        write(docs, { [path]: text });
        await update(grown, docs, last);
      }
      await update(built, docs, last);
      t.strictSame(contentOf(grown), contentOf(built));
    }),
    { numRuns: 25 },
  );
});

t.test('a document from a ready template has what the template requires', async (t) => {
  const adr = templatesOf(undefined).get('adr');
  if (adr === undefined) throw new Error('no template');
  const text = fillTemplate(adr, { title: 'Say "no"', number: '0001' }, new Map([['owner', 'ops']]));
  t.match(text, 'owner: ops');
  t.equal(slugOf('Use PostgreSQL!'), 'use-postgresql');
  const docs = temporaryFolder(t);
  write(docs, { 'adr/0001-say-no.md': text, 'adr/0002-bare.md': '# Bare\n' });
  const store = emptyStore(t);
  const schema = loadSchemaMap('spec-driven');
  await update(store, docs, schema);
  const requirements = requirementsBy(undefined);
  const outline = store.outlines.of('adr/0001-say-no.md')?.outline;
  if (outline === undefined) throw new Error('not read');
  const has = new Set([...Object.keys(outline.fields), ...outline.sections.map(({ title }) => title)]);
  const required = requirements(
    'adr/0001-say-no.md',
    outline,
    graphQueries(store).node('adr/0001-say-no.md')?.type,
  );
  t.equal(required.length, 6);
  t.same(
    required.filter(({ name }) => !has.has(name)),
    [],
  );
  t.equal(graphQueries(store).node('adr/0001-say-no.md')?.type, 'ADR');
});
