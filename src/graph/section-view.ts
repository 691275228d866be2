import type { SectionNode, SectionRelation } from './sections.ts';
import { spaced } from './view.ts';

/** The content of `graph/sections/<path of the document>/<anchor>`: JSON with one relationship per line, with a line feed at the end. */
export function sectionText(path: string, section: SectionNode): string {
  const { id, title, level, anchor, line, endLine, outgoing, incoming } = section;
  return `{
  "entity": ${JSON.stringify(id)},
  "type": "Section",
  "title": ${JSON.stringify(title)},
  "level": ${level},
  "anchor": ${JSON.stringify(anchor)},
  "document": ${JSON.stringify(path)},
  "start_line": ${line},
  "end_line": ${endLine},
  "degree": ${outgoing.length + incoming.length},
  "sources": [${JSON.stringify(`${path}:${line}`)}],
  "outgoing_relationships": ${relationLines(outgoing)},
  "incoming_relationships": ${relationLines(incoming)}
}
`;
}

function relationLines(relations: readonly SectionRelation[]): string {
  const lines = relations.map(({ type, display, id, weight, confidence, evidence }) => {
    return spaced({ edge_type: type, node: display, id, weight, confidence, evidence });
  });
  return lines.length === 0 ? '[]' : `[\n    ${lines.join(',\n    ')}\n  ]`;
}
