import { type DocsPlace, pathInDocs } from '../core/docs-selection.ts';
import type { DocumentFacts, NodeKey } from '../core/graph-model.ts';
import { documentKey, linkKey } from '../core/identity.ts';

const LINK = 'link:';

/**
 * Adds the name of the root to the paths of what was read from a document by its path in one of several docs roots, as the graph of all roots needs it. So no
 * link leads from one root to another, except by the name of a page (`[[Page]]`).
 */
export function withinRoot(facts: DocumentFacts, { root, path }: DocsPlace): DocumentFacts {
  const own = documentKey(path);
  const renamed = documentKey(pathInDocs(root, path));
  const keyOf = (key: NodeKey): NodeKey => {
    if (key === own) return renamed;
    return key.startsWith(LINK) ? linkKey(pathInDocs(root, key.slice(LINK.length))) : key;
  };
  return {
    ...facts,
    aliases: (facts.aliases ?? []).map(keyOf),
    mentions: facts.mentions.map((mention) => ({ ...mention, key: keyOf(mention.key) })),
    statements: facts.statements.map((statement) => ({
      ...statement,
      source: keyOf(statement.source),
      target: keyOf(statement.target),
    })),
  };
}
