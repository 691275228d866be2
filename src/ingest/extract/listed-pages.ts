import type { EdgeType, NodeKey } from '../../core/graph-model.ts';
import { documentKey, pageKey } from '../../core/identity.ts';
import { targetOfUrl, targetOfWikilink } from '../../core/link-target.ts';
import type { MarkdownDocument, Section } from '../markdown/document.ts';
import { lineAt, type Mark, type RichText, textOf } from '../markdown/rich-text.ts';
import type { FactCollector } from './facts.ts';
import { isName } from './names.ts';
import { foldRelation, type RelationNames } from './relation-names.ts';

const LISTED = 0.9;
/** Headings under which each item names its relation: `- **Depends on**: [Login](login.md)`. */
const OF_ANY_RELATION: ReadonlySet<string> = new Set(['relationships', 'relations', 'relateddocuments']);
const ITEM_RELATION = /^([\p{L}][\p{L}\s_-]{0,30}?)\s*(?::|—|–|->|→|$)/u;

/** A field within the text of a note, on a line of its own: `parent:: [[Thing]]`. */
const INLINE_FIELD = /^\s*[[(]?([\p{L}][\p{L}\s_-]{0,30}?)::\s/u;
/** What may follow the name that an item consists of. */
const BEHIND_NAME = /^\s*(?:$|\.$|\([^()]*\)\s*$|[:—–]|-\s)/;

/**
 * Introductions to a list that repeat what its heading says: `This service depends on:`. A list with any other introduction belongs to that, and not to the
 * heading: `You can choose between:`, `We'll need a few packages:`.
 */
const SAYS_RELATION =
  /^(?!\s*(?:you|we|i)\b).*\b(?:depend(?:s|ing|ent|enc(?:y|ies))?|relies|rely|requires?|needs|blocked|parents?|children|part\s+of|following)\b/isu;

/** States relations to the documents that items below a heading such as `## Depends on` link to or name, and those of fields within the text. */
export function relateListedPages(
  { path, sections }: MarkdownDocument,
  relations: RelationNames,
  facts: FactCollector,
): void {
  for (const section of sections) {
    relateFields(section, path, relations, facts);
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
  let isOfProse = false;
  for (const block of blocks) {
    if (block.kind !== 'paragraph') continue;
    const { text } = block;
    if (block.place === undefined) {
      isOfProse = !SAYS_RELATION.test(text.text);
      continue;
    }
    const links = text.marks.filter(({ kind }) => kind === 'link' || kind === 'wikilink');
    const [first] = links;
    if (first === undefined) {
      const name = edge !== undefined && block.place.opens && !isOfProse ? nameOfItem(text) : undefined;
      if (edge !== undefined && name !== undefined)
        facts.state({
          source: documentKey(path),
          type: edge,
          target: pageKey(name),
          line: text.line,
          rule: 'listed-page',
          confidence: LISTED,
          evidence: text.text,
        });
      continue;
    }
    const named = edge ?? relationBefore(text.text.slice(0, first.start), relations);
    if (named === undefined) continue;
    for (const mark of links) {
      const target = targetOf(mark, path);
      if (target !== undefined)
        facts.state({
          source: documentKey(path),
          type: named,
          target,
          line: lineAt(text, mark.start),
          rule: 'listed-page',
          confidence: LISTED,
        });
    }
  }
}

/** The name that an item consists of, or begins with in bold type or code: `**Ledger**: keeps the books`. */
function nameOfItem(text: RichText): string | undefined {
  const [mark] = text.marks;
  const isMarked = mark?.start === 0 && /^(?:strong|emphasis|code)$/.test(mark.kind);
  const plain = /^[^:—–()]{1,80}?(?=\s*(?:[:—–(]|\s-\s|\.?$))/.exec(text.text)?.[0] ?? '';
  const name = (isMarked ? textOf(text, mark).replace(/\s*:$/, '') : plain).trim();
  const behind = isMarked && /:$/.test(textOf(text, mark)) ? '' : text.text.slice(name.length);
  return isName(name) && BEHIND_NAME.test(behind) ? name : undefined;
}

function relateFields(
  { blocks }: Section,
  path: string,
  { fields }: RelationNames,
  facts: FactCollector,
): void {
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || !block.text.text.includes(':: ')) continue;
    const { text } = block;
    const links = text.marks.filter(({ kind }) => kind === 'link' || kind === 'wikilink');
    let next = 0;
    [0, ...text.breaks].forEach((start, index) => {
      const end = text.breaks[index] ?? text.text.length;
      const first = next;
      while ((links[next]?.start ?? end) < end) next += 1;
      const name = INLINE_FIELD.exec(text.text.slice(start, end))?.[1];
      const edge = name === undefined ? undefined : fields.get(foldRelation(name));
      // A link by itself says as much as a field that only refers.
      if (edge === undefined || edge === 'references') return;
      for (const mark of links.slice(first, next)) {
        const target = targetOf(mark, path);
        if (target !== undefined)
          facts.state({
            source: documentKey(path),
            type: edge,
            target,
            line: text.line + index,
            rule: 'inline-field',
            confidence: LISTED,
          });
      }
    });
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
