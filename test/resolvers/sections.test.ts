import fc from 'fast-check';
import t, { type Test } from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import type { SubPath } from '../../src/core/paths.ts';
import { nodeLinkData } from '../../src/graph/node-link.ts';
import { parseNodeLink } from '../../src/graph/parse-node-link.ts';
import { extractDocument } from '../../src/ingest/extract/extract.ts';
import { graphSubject } from '../graph/subject.ts';
import { followedGraph } from './followed-graph.ts';

const CONTEXT = {};

const CREATE = `# Create a charge

See [errors](#errors), [refunds](../refunds/create.md#partial) and [the guide](/guide).

## Errors

A [[refunds/create#Partial refunds|refund]] fails too. ^failing

### Retry

Once.
`;
const REFUND = `# Refund

[![Charge](charge.png)](../charges/create.md#errors) and [again][charge] and <a href="../charges/create.md#errors">again</a>.

## Partial refunds {#partial}

![[create#^failing]] and [all](../charges/create.md).

[charge]: /charges/create#Retry
`;

function subject(t: Test, documents: Readonly<Record<string, string>> = {}) {
  const { put, remove, graph } = graphSubject(t);
  const write = (path: string, text: string) => put(path, extractDocument(path, text));
  for (const [path, text] of Object.entries(documents)) write(path, text);
  const { resolver, toldOf: told } = followedGraph(graph);
  /** Paths of sections that are told of a change. */
  const toldOf = (change: () => void): string[] =>
    told(change).filter((path) => path === '' || path.startsWith('sections'));
  const stat = async (path: string) => resolver.stat(path as SubPath, CONTEXT);
  const read = async (path: string) => {
    const file = await resolver.open(path as SubPath, CONTEXT);
    const bytes = Buffer.alloc(file.sizeBytes + 10);
    const text = bytes.toString('utf8', 0, Number(file.read(bytes, 0)));
    t.equal(Buffer.byteLength(text), (await stat(path)).sizeBytes);
    return text;
  };
  const list = async (path: string) =>
    (await resolver.list(path as SubPath, CONTEXT)).map(({ name }) => name);
  const codeAt = async (path: string) => {
    try {
      return (await stat(path)).kind;
    } catch (error) {
      return isFsError(error) ? error.code : error;
    }
  };
  return { write, remove, graph, read, list, stat, codeAt, toldOf };
}

const DOCUMENTS = { 'charges/create.md': CREATE, 'refunds/create.md': REFUND, 'guide.md': '# Guide\n' };

t.test('a document lists its sections, and the folders on the way list nothing', async (t) => {
  const { list, codeAt, read } = subject(t, DOCUMENTS);
  t.same(await list('sections'), []);
  t.same(await list('sections/charges'), []);
  t.same(await list('sections/charges/create.md'), ['create-a-charge', 'errors', 'retry']);
  t.same(await list('sections/refunds/create.md'), ['partial', 'refund']);
  t.equal(await codeAt('sections/charges/none.md'), 'ENOENT');
  t.equal(await codeAt('sections/charges/create.md/none'), 'ENOENT');
  t.equal(await codeAt('sections/charges/create.md/errors/below'), 'ENOTDIR');
  t.equal(await codeAt('sections/charges/create.md/errors'), 'file');
  t.match(await read('stats.json'), '"sections": 6');
});

t.test('a section shows what it stands in, what stands in it, and the links from and to it', async (t) => {
  const { read } = subject(t, DOCUMENTS);
  const text = await read('sections/charges/create.md/errors');
  const relation = (edge_type: string, node: string, id: string, evidence: string[], confidence = 0.9) => {
    return { edge_type, node, id, weight: evidence.length, confidence, evidence };
  };
  t.same(JSON.parse(text), {
    entity: 'charges/create.md#errors',
    type: 'Section',
    title: 'Errors',
    level: 2,
    anchor: 'errors',
    document: 'charges/create.md',
    start_line: 5,
    end_line: 11,
    degree: 6,
    sources: ['charges/create.md:5'],
    outgoing_relationships: [
      relation('parent_of', 'charges/create.md#retry', 'charges/create.md#retry', ['charges/create.md:9'], 1),
      relation('references', 'refunds/create.md#partial', 'refunds/create.md#partial', [
        'charges/create.md:7',
      ]),
    ],
    incoming_relationships: [
      relation(
        'parent_of',
        'charges/create.md#create-a-charge',
        'charges/create.md#create-a-charge',
        ['charges/create.md:5'],
        1,
      ),
      relation('references', 'charges/create.md#create-a-charge', 'charges/create.md#create-a-charge', [
        'charges/create.md:3',
      ]),
      relation('references', 'refunds/create.md#partial', 'refunds/create.md#partial', [
        'refunds/create.md:7',
      ]),
      relation('references', 'refunds/create.md#refund', 'refunds/create.md#refund', ['refunds/create.md:3']),
    ],
  });
  t.match(text, '\n    {"edge_type": "references", "node": "refunds/create.md#refund", ');
  const top = JSON.parse(await read('sections/charges/create.md/create-a-charge'));
  t.match(top.incoming_relationships.at(-1), {
    edge_type: 'contains',
    node: 'Create a charge',
    id: 'charges/create.md',
    evidence: ['charges/create.md:1'],
  });
  t.match(top.outgoing_relationships[1], { edge_type: 'references', node: 'Guide', id: 'guide.md' });
  const retry = JSON.parse(await read('sections/charges/create.md/retry'));
  t.match(retry.incoming_relationships.at(-1), {
    id: 'refunds/create.md#refund',
    evidence: ['refunds/create.md:3'],
  });
  const partial = JSON.parse(await read('sections/refunds/create.md/partial'));
  t.match(partial.outgoing_relationships, [{ id: 'charges/create.md' }, { id: 'charges/create.md#errors' }]);
});

t.test('every kind of link is an edge between the documents too', async (t) => {
  const { graph } = subject(t, {
    'a.md': '# A\n',
    'b/b.md':
      '# B\n\n[x](../a.md)\n[x](/a)\n[x](/a.md "title")\n[x][ref]\n[[a|alias]]\n[[A#A]]\n![[a]]\n[![i](i.png)](../a.md)\n<a href="../a.md">x</a>\n<../a.md>\n\n[ref]: ../a.md\n',
  });
  const node = graph.node('b/b.md');
  t.ok(node);
  const edges = node === undefined ? [] : graph.outgoing(node);
  t.match(edges, [{ type: 'references', target: 'document:a.md' }]);
  t.same(
    edges[0]?.evidence,
    [3, 4, 5, 6, 7, 8, 9, 10, 11].map((line) => `b/b.md:${line}`),
  );
});

t.test('an export may have sections, and holds together', async (t) => {
  const { graph } = subject(t, DOCUMENTS);
  const data = parseNodeLink(JSON.stringify(nodeLinkData(graph, true)), 'export');
  t.equal(data.nodes.filter(({ type }) => type === 'Section').length, 6);
  t.match(
    data.nodes.find(({ id }) => id === 'section:charges/create.md#errors'),
    { description: 'Errors', properties: { level: '2', start_line: '5', end_line: '11' } },
  );
  const links = data.links
    .filter(({ source, target }) => `${source} ${target}`.includes('section:'))
    .map(({ source, edge_type, target }) => `${source} ${edge_type} ${target}`);
  t.equal(new Set(links).size, links.length, 'each relation is there once');
  t.ok(links.includes('document:charges/create.md contains section:charges/create.md#create-a-charge'));
  t.ok(links.includes('section:charges/create.md#errors parent_of section:charges/create.md#retry'));
  t.ok(links.includes('section:refunds/create.md#refund references section:charges/create.md#errors'));
  t.ok(links.includes('section:charges/create.md#create-a-charge references document:guide.md'));
  t.notOk(nodeLinkData(graph).nodes.some(({ type }) => type === 'Section'));
});

t.test('names are written as everywhere', async (t) => {
  const { list, read, codeAt } = subject(t, { 'a b/%.md': '# !!!\n\n## .x/y {#.x/y}\n' });
  t.same(await list('sections/a b/%25.md'), ['%', '%2Ex%2Fy']);
  t.match(JSON.parse(await read('sections/a b/%25.md/%')), { entity: 'a b/%.md#', anchor: '' });
  t.match(JSON.parse(await read('sections/a b/%25.md/%2Ex%2Fy')), { title: '.x/y', anchor: '.x/y' });
  t.equal(await codeAt('sections/a b/%.md'), 'ENOENT');
});

t.test('what shows otherwise is told, and nothing else', async (t) => {
  const { write, remove, toldOf, stat, list } = subject(t, DOCUMENTS);
  for (const [path, names] of [
    ['sections/charges/create.md', ['create-a-charge', 'errors', 'retry']],
    ['sections/refunds/create.md', ['partial', 'refund']],
    ['sections/guide.md', ['guide']],
  ] as const) {
    for (const name of names) await stat(`${path}/${name}`);
    await list(path);
  }
  await stat('sections/refunds');
  const guide = await stat('sections/guide.md/guide');
  t.same(
    toldOf(() => write('other.md', '# Other\n')),
    [],
  );
  t.same(
    toldOf(() => write('other.md', '# Other\n\n[x](charges/create.md#retry)\n')),
    ['sections/charges/create.md/retry'],
  );
  t.same(
    toldOf(() => write('other.md', '# Other\n\n[x](charges/create.md#errors)\n')),
    ['sections/charges/create.md/errors', 'sections/charges/create.md/retry'],
  );
  t.same(
    toldOf(() => write('guide.md', '# Guide\n\nMore.\n')),
    ['sections/guide.md/guide'],
  );
  t.not((await stat('sections/guide.md/guide')).modifiedNs, guide.modifiedNs);
  t.same(
    toldOf(() => write('guide.md', '# Guide\n\nMore.\n\n## New\n')),
    ['sections/guide.md', 'sections/guide.md/guide', 'sections/guide.md/new'],
  );
  t.same(
    toldOf(() => remove('refunds/create.md')).filter((path) => path.startsWith('sections/refunds')),
    [
      'sections/refunds',
      'sections/refunds/create.md',
      'sections/refunds/create.md/partial',
      'sections/refunds/create.md/refund',
    ],
  );
  t.same(
    toldOf(() => remove('other.md')),
    ['sections/charges/create.md/errors'],
  );
});

const LINE = fc.constantFrom(
  '# One',
  '## Two',
  '## Two',
  'text',
  '',
  '[x](b.md#two)',
  '[[a#One]]',
  '[x](#one)',
  '```',
  '[x](c.md#two-1)',
);
const TEXT = fc.array(LINE, { maxLength: 8 }).map((lines) => lines.join('\n'));
const PATH = fc.constantFrom('a.md', 'b.md', 'c.md');

t.test(
  'after any edits the sections are those of a graph made anew, and what changed was told',
  async (t) => {
    const edit = fc.record({ path: PATH, text: fc.option(TEXT, { nil: undefined }) });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), async (edits) => {
        const live = subject(t);
        const texts = new Map<string, string>();
        const seen = async () => {
          const pages = new Map<string, string>();
          for (const path of ['a.md', 'b.md', 'c.md']) {
            if ((await live.codeAt(`sections/${path}`)) === 'ENOENT') continue;
            const names = await live.list(`sections/${path}`);
            const { modifiedNs } = await live.stat(`sections/${path}`);
            pages.set(`sections/${path}`, `${names.join(' ')} ${modifiedNs}`);
            for (const name of names) {
              const info = await live.stat(`sections/${path}/${name}`);
              pages.set(`sections/${path}/${name}`, `${info.version} ${info.modifiedNs}`);
            }
          }
          return pages;
        };
        for (const { path, text } of edits) {
          const before = await seen();
          const told = live.toldOf(() => {
            if (text === undefined) live.remove(path);
            else live.write(path, text);
          });
          const after = await seen();
          for (const [page, shown] of before) {
            if (after.get(page) !== shown && !told.includes(page) && !told.includes('')) return false;
          }
          if (text === undefined) texts.delete(path);
          else texts.set(path, text);
        }
        const anew = subject(t, Object.fromEntries([...texts].sort()));
        const shown = (graph: typeof live.graph) =>
          JSON.stringify(Array.from(graph.allSections(), ({ sections }) => sections));
        return shown(live.graph) === shown(anew.graph);
      }),
      { numRuns: 25 },
    );
  },
);

t.test(
  'sections of a page with very many links, and of one that it links to, are read where nobody waits',
  async (t) => {
    const lines = Array.from({ length: 1000 }, (_, index) => `- [Page ${index}](page${index}.md)`);
    const { graph } = subject(t, {
      'index.md': `# Index\n\n${lines.join('\n')}\n`,
      'page0.md': '# Page 0\n\n[Page 1](page1.md)\n',
      'page1.md': '# Page 1\n',
      'few.md': '# Few\n\n[One](other.md)\n',
      'other.md': '# Other\n',
    });
    t.equal(graph.sectionsUnlessMany('index.md'), undefined);
    t.equal(graph.sectionsUnlessMany('page1.md'), undefined);
    for (const path of ['few.md', 'other.md']) t.same(graph.sectionsUnlessMany(path), graph.sectionsOf(path));
    const linked = (path: string) => graph.sectionsOf(path)?.sections[0];
    t.same(
      linked('index.md')?.outgoing.map(({ id }) => id),
      ['page0.md', 'page1.md'],
    );
    t.same(
      linked('page1.md')?.incoming.map(({ type }) => type),
      ['contains'],
    );
  },
);
