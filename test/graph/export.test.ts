import t from 'tap';
import { UserError } from '../../src/core/errors.ts';
import { EXPORT_FORMATS, type ExportFormat, formatGraph } from '../../src/graph/export.ts';
import { nodeLinkData } from '../../src/graph/node-link.ts';
import { parseNodeLink } from '../../src/graph/parse-node-link.ts';
import type { GraphQueries } from '../../src/graph/queries.ts';
import type { Teardown } from '../support/temporary.ts';
import { concept, factsOf, graphSubject } from './subject.ts';

const exportText = (graph: GraphQueries, format: ExportFormat) => formatGraph(nodeLinkData(graph), format);

function subject(t: Teardown) {
  const { put, graph } = graphSubject(t);
  const label = 'He said "x" & <y>';
  put(
    'a.md',
    factsOf('a.md', {
      mentions: [concept('Charge', 1, { description: 'line one\nline two \u0001' }), concept(label, 2)],
      relations: [
        { from: 'Charge', type: 'requires', to: label, line: 3 },
        { from: 'Charge', type: 'triggers', to: label, line: 4 },
      ],
    }),
  );
  return graph;
}

t.test('what is exported reads back as the same graph', async (t) => {
  const graph = subject(t);
  const text = exportText(graph, 'json');
  const data = parseNodeLink(text, 'graph.json');
  t.same(data, nodeLinkData(graph));
  t.equal(formatGraph(data, 'json'), text);
  t.equal(data.links.length, 2, 'two relations of one pair are two links');
});

t.test('every format holds every node and edge, whatever their labels', async (t) => {
  const graph = subject(t);
  for (const format of EXPORT_FORMATS) {
    const text = exportText(graph, format);
    t.match(text, /Charge/, format);
    t.match(text, /requires[\s\S]*triggers/, format);
    t.ok(text.endsWith('\n'), format);
  }
  t.match(exportText(graph, 'dot'), 'label="He said \\"x\\" & <y>"');
  t.match(exportText(graph, 'mermaid'), '["He said #quot;x#quot; & <y>"]');
  for (const format of ['graphml', 'gexf'] as const) {
    t.match(exportText(graph, format), /He said &quot;x&quot; &amp; &lt;y(?:>|&gt;)/, format);
  }
});

t.test('what is no graph is refused, naming what is wrong', async (t) => {
  const refusal = (text: string) => {
    try {
      parseNodeLink(text, 'g.json');
      return 'accepted';
    } catch (error) {
      return error instanceof UserError ? error.message : String(error);
    }
  };
  const node = {
    id: 'a',
    label: 'A',
    type: 'Concept',
    description: '',
    weight: 1,
    confidence: 1,
    sources: [],
    properties: {},
  };
  const link = {
    source: 'a',
    target: 'b',
    edge_type: 'requires',
    description: '',
    weight: 1,
    confidence: 1,
    evidence: [],
  };
  const graph = { directed: true, multigraph: true, graph: {}, nodes: [node], links: [] };
  t.equal(refusal(JSON.stringify(graph)), 'accepted');
  t.match(refusal('{'), /^g\.json:1:2: this is not JSON: /);
  t.match(refusal('{\n "nodes": [\n}'), /^g\.json:3:1: this is not JSON: Unexpected token '}'$/);
  t.match(
    refusal(JSON.stringify({ ...graph, nodes: [{ ...node, type: '../x' }] })),
    /g\.json: .*nodes\.0\.type/,
  );
  t.match(
    refusal(JSON.stringify({ ...graph, links: [link] })),
    /g\.json: the graph does not hold together.*"b"/,
  );
  t.match(
    refusal(JSON.stringify({ ...graph, nodes: [node, node] })),
    /g\.json: the graph does not hold together/,
  );
});

t.test('no format of XML has a character that XML cannot have', async (t) => {
  const { put, graph } = graphSubject(t);
  const path = 'a\u0001b\uFFFE.md';
  const noted = concept('Charge\u0002', 1, { description: 'what \u007F\uFFFF\uD800 says' });
  put(path, factsOf(path, { mentions: [noted] }));
  for (const format of ['graphml', 'gexf'] as const) {
    const text = exportText(graph, format);
    t.match(text, /Charge/, format);
    t.notMatch(text, NO_XML, format);
  }
});

const NO_XML = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
