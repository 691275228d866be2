import type { NodeText, RelationText } from '../../store/node-texts.ts';
import type { Passage } from '../../store/passages.ts';
import { countedTerms } from '../../words/bag.ts';
import { textHashOf } from '../../words/text-hash.ts';
import { indexedTermsOf } from '../../words/tokens.ts';

/** A node in words: its names, its type, its description, and its relations to others. */
export function passageOfNode(node: NodeText, relations: readonly RelationText[]): Passage {
  const { display, baseName, type, description } = node;
  const properties: Readonly<Record<string, string>> = JSON.parse(node.properties);
  const text = [
    `${display} ${type}`,
    description,
    ...Object.values(properties),
    ...relations.map((relation) => `${relation.source} ${relation.type} ${relation.target}`),
  ].join('. ');
  const { terms, bag, length } = countedTerms(indexedTermsOf(text));
  return {
    line: 0,
    endLine: 0,
    headings: '',
    titleTerms: indexedTermsOf(display === baseName ? display : `${display} ${baseName}`).join(' '),
    headingTerms: '',
    bodyTerms: terms,
    bodyBag: bag,
    bodyLength: length,
    textHash: textHashOf(`${display}\0\0${text}`),
  };
}
