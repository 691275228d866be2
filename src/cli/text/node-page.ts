import { groupBy } from '../../core/group.ts';
import type { NodeView, RelationshipView } from '../../graph/view.ts';
import { counted } from '../../text/counted.ts';
import { printable, printableName } from '../../text/printable.ts';
import type { Output } from '../io.ts';
import { evidenceText } from './evidence.ts';

/** A relation as one line shows it: where it leads, and where the docs state it. */
interface Relation extends RelationshipView<string> {
  readonly arrow: '→' | '←';
}

/** Writes all that is known of a node, for a person to read: relations by type, outgoing ones first. */
export function writeNodePage(output: Output, view: NodeView<string>): void {
  const { style } = output;
  const line = (text = '') => output.write(`${text}\n`);
  line(`${style('bold', printableName(view.entity))}  ${style('dim', view.type)}`);
  if (view.description !== '') line(printable(view.description));
  for (const [name, value] of Object.entries(view.properties)) line(`${name}: ${printable(value)}`);
  line(style('dim', `confidence ${view.confidence}, ${counted(view.degree, 'relation')}`));
  const relations: Relation[] = [
    ...view.outgoing_relationships.map((one) => ({ ...one, arrow: '→' as const })),
    ...view.incoming_relationships.map((one) => ({ ...one, arrow: '←' as const })),
  ];
  const width = Math.max(0, ...relations.map(({ node }) => printableName(node).length));
  for (const [edge, group] of groupBy(relations, ({ edge_type }) => edge_type)) {
    line(`\n${style('cyan', edge)}`);
    for (const { arrow, node, evidence } of group) {
      line(`  ${arrow} ${printableName(node).padEnd(width)}  ${style('dim', evidenceText(evidence))}`);
    }
  }
  if (view.sources.length > 0) line(`\n${style('cyan', 'said in')}`);
  for (const source of view.sources) line(`  ${printableName(source)}`);
}
