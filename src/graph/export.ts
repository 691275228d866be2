import { MultiDirectedGraph } from 'graphology';
import gexf from 'graphology-gexf';
import { jsonText } from '../core/json-text.ts';
import type { NodeLinkData } from './node-link.ts';

export const EXPORT_FORMATS = ['json', 'graphml', 'gexf', 'dot', 'mermaid'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A graph, from the store or read back from an export, as text with a line feed at the end. */
export function formatGraph(data: NodeLinkData, format: ExportFormat): string {
  switch (format) {
    case 'json':
      return jsonText(data);
    case 'graphml':
      return graphml(data);
    case 'gexf':
      return `${printable(gexf.write(flat(data)))}\n`;
    case 'dot':
      return dot(data);
    case 'mermaid':
      return mermaid(data);
  }
}

/** GEXF can only contain plain values: lists are joined, and properties are left to the other formats. */
function flat({ nodes, links }: NodeLinkData) {
  const graph = new MultiDirectedGraph();
  for (const { id, label, type, description, weight, confidence, sources } of nodes) {
    graph.addNode(id, { label, type, description, weight, confidence, sources: sources.join(' ') });
  }
  for (const [index, link] of links.entries()) {
    const { source, target, edge_type, description, weight, confidence, evidence } = link;
    const texts = { edge_type, description, evidence: evidence.join(' ') };
    // With keys of our own, since those that graphology makes differ from run to run.
    graph.addEdgeWithKey(`e${index}`, source, target, { ...texts, weight, confidence });
  }
  return graph;
}

/** http://graphml.graphdrawing.org/primer/graphml-primer.html */
function graphml({ nodes, links }: NodeLinkData): string {
  const fields = ['label', 'type', 'description', 'weight', 'confidence', 'sources', 'edge_type', 'evidence'];
  const data = (values: Readonly<Record<string, unknown>>) =>
    fields
      .filter((name) => name in values)
      .map((name) => `<data key="${name}">${xml(values[name])}</data>`)
      .join('');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...fields.map((name) => {
      const type = name === 'weight' || name === 'confidence' ? 'double' : 'string';
      return `  <key id="${name}" for="all" attr.name="${name}" attr.type="${type}"/>`;
    }),
    '  <graph edgedefault="directed">',
    ...nodes.map(({ id, ...values }) => `    <node id="${xml(id)}">${data(values)}</node>`),
    ...links.map(({ source, target, ...values }, index) => {
      return `    <edge id="e${index}" source="${xml(source)}" target="${xml(target)}">${data(values)}</edge>`;
    }),
    '  </graph>',
    '</graphml>',
    '',
  ].join('\n');
}

function xml(value: unknown): string {
  const text = printable(Array.isArray(value) ? value.join(' ') : String(value));
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** XML 1.0 cannot represent control characters and the like: https://www.w3.org/TR/xml/#charsets */
function printable(text: string): string {
  return text.replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ' ');
}

/** Graphviz: https://graphviz.org/doc/info/lang.html */
function dot({ nodes, links }: NodeLinkData): string {
  const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
  return [
    'digraph kgraphfs {',
    ...nodes.map(({ id, label, type }) => `  ${quote(id)} [label=${quote(label)}, class=${quote(type)}];`),
    ...links.map(
      ({ source, target, edge_type }) =>
        `  ${quote(source)} -> ${quote(target)} [label=${quote(edge_type)}];`,
    ),
    '}',
    '',
  ].join('\n');
}

/** Mermaid flowchart. Ids are numbers, since those of Mermaid cannot contain all characters of ours. */
function mermaid({ nodes, links }: NodeLinkData): string {
  const ids = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const quote = (text: string) => `"${text.replace(/"/g, '#quot;').replace(/\s+/g, ' ')}"`;
  return [
    'flowchart LR',
    ...nodes.map(({ id, label }) => `  ${ids.get(id)}[${quote(label)}]`),
    ...links.map(
      ({ source, target, edge_type }) => `  ${ids.get(source)} -->|${edge_type}| ${ids.get(target)}`,
    ),
    '',
  ].join('\n');
}
