/** Links of the text to other documents, as the structure of the document has them. */
import { documentKey } from '../../core/identity.ts';
import { targetsOfLink } from '../../core/link-target.ts';
import type { Outline } from '../../core/outline.ts';
import type { FactCollector } from './facts.ts';

const LINK_CONFIDENCE = 0.9;

/** States what a document links to. Front matter says more of its links than that, so those are read with it. */
export function stateLinks({ links }: Outline, path: string, facts: FactCollector): void {
  const source = documentKey(path);
  for (const link of links) {
    if (link.kind === 'front-matter') continue;
    for (const { key } of targetsOfLink(link, path))
      facts.state({
        source,
        type: 'references',
        target: key,
        line: link.line,
        rule: 'link',
        confidence: LINK_CONFIDENCE,
      });
  }
}
