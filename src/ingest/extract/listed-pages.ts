import type { EdgeType, NodeKey } from '../../core/graph-model.ts';
import { documentKey } from '../../core/identity.ts';
import { targetOfUrl, targetOfWikilink } from '../../core/link-target.ts';
import type { MarkdownDocument, Section } from '../markdown/document.ts';
import { lineAt, type Mark } from '../markdown/rich-text.ts';
import type { FactCollector } from './facts.ts';
import { foldRelation, type RelationNames } from './relation-names.ts';

const LISTED = 0.9;
/** Headings under which each item says which relation it is about: `- **Depends on**: [Login](login.md)`. */
const OF_ANY_RELATION: ReadonlySet<string> = new Set(['relationships', 'relations', 'relateddocuments']);
const ITEM_RELATION = /^([\p{L}][\p{L}\s_-]{0,30}?)\s*(?::|—|–|->|→|$)/u;

/** Relations to documents that items below a heading link to: `## Depends on`. */
export function relateListedPages(
  { path, sections }: MarkdownDocument,
  relations: RelationNames,
  facts: FactCollector,
): void {
  for (const section of sections) {
    if (section.level === 0) continue;
    const title = foldRelation(section.title);
    const edge = relations.headings.get(title);
    if (edge !== undefined || OF_ANY_RELATION.has(title)) relateItems(section, edge, path, relations, facts);
  }
}

function relateItems(
  { blocks }: Section,
  edge: EdgeType | undefined,
  path: string,
  relations: RelationNames,
  facts: FactCollector,
): void {
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || block.place === undefined) continue;
    const { text } = block;
    const links = text.marks.filter(({ kind }) => kind === 'link' || kind === 'wikilink');
    const [first] = links;
    if (first === undefined) continue;
    const named = edge ?? relationBefore(text.text.slice(0, first.start), relations);
    if (named === undefined) continue;
    for (const mark of links) {
      const target = targetOf(mark, path);
      if (target !== undefined)
        facts.state(documentKey(path), named, target, lineAt(text, mark.start), 'listed-page', LISTED);
    }
  }
}

function relationBefore(text: string, { headings, fields }: RelationNames): EdgeType | undefined {
  const name = ITEM_RELATION.exec(text.trim())?.[1];
  return name === undefined
    ? undefined
    : (headings.get(foldRelation(name)) ?? fields.get(foldRelation(name)));
}

function targetOf({ kind, target }: Mark, path: string): NodeKey | undefined {
  return kind === 'wikilink' ? targetOfWikilink(target, path) : targetOfUrl(target, path);
}
