/** Links from the text to other documents, taken from the structure of the document. */
import { documentKey } from '../../core/identity.ts';
import { targetsOfLink } from '../../core/link-target.ts';
import type { Outline } from '../../core/outline.ts';
import type { FactCollector } from './facts.ts';

const LINK_CONFIDENCE = 0.9;

/** States the links of a document. Links in front matter are left out, since they are read along with what front matter says of them. */
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
