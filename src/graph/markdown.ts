import { groupBy } from '../core/group.ts';
import { printableName } from '../text/printable.ts';
import type { NodeView, RelationshipView } from './view.ts';

/**
 * A node as markdown for a model: what it is, what it relates to, and where that is said. A file name may contain line breaks, and nobody must take
 * what follows for text of ours.
 */
export function nodeMarkdown(view: NodeView<string>): string {
  const properties = Object.entries(view.properties);
  const parts = [
    `# ${printableName(view.entity)}`,
    `${view.type}, confidence ${view.confidence}`,
    ...(view.description === '' ? [] : [view.description]),
    ...(properties.length === 0 ? [] : [properties.map(([name, value]) => `- ${name}: ${value}`).join('\n')]),
    ...section('Outgoing', view.outgoing_relationships, ({ edge_type }) => edge_type),
    ...section('Incoming', view.incoming_relationships, ({ edge_type }) => `${edge_type} of`),
    '## Sources',
    view.sources.map((source) => `- ${printableName(source)}`).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(
  title: string,
  relationships: readonly RelationshipView<string>[],
  name: (relationship: RelationshipView<string>) => string,
): string[] {
  const groups = [...groupBy(relationships, name)].map(([edge, group]) => {
    const items = group.map(({ node, evidence }) => `- ${printableName(node)} (${cited(evidence)})`);
    return `### ${edge}\n\n${items.join('\n')}`;
  });
  return groups.length === 0 ? [] : [`## ${title}`, ...groups];
}

const MAX_CITED = 3;

function cited(evidence: readonly string[]): string {
  const more = evidence.length - MAX_CITED;
  return evidence.slice(0, MAX_CITED).map(printableName).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
