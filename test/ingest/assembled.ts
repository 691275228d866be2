import { type DocumentFacts, NODE_TYPES, type NodeKey, type NodeType } from '../../src/core/graph-model.ts';
import { documentAliases, documentKey, isLinkKey } from '../../src/core/identity.ts';
import { extractDocument } from '../../src/ingest/extract/extract.ts';

/** What a handful of documents say together, by labels: a small stand-in for the projection. */
export interface Assembled {
  readonly facts: ReadonlyMap<string, DocumentFacts>;
  /** Labels of the nodes of a type, sorted. */
  nodes(type: NodeType): string[];
  /** Relations as `source -type-> target`, sorted; `contains` and `references` only where asked for. */
  edges(...types: string[]): string[];
}

/** @param documents texts by path */
export function assemble(documents: Readonly<Record<string, string>>): Assembled {
  const facts = new Map(Object.entries(documents).map(([path, text]) => [path, extractDocument(path, text)]));
  const labels = labelsOf([...facts.values()]);
  const aliases = aliasesOf([...facts.keys()]);
  const edges = new Set<string>();
  for (const { statements } of facts.values()) {
    for (const { source, type, target } of statements) {
      const [from, to] = [labels.get(source), labels.get(resolve(target, aliases))];
      if (from !== undefined && to !== undefined) edges.add(`${from.label} -${type}-> ${to.label}`);
    }
  }
  return {
    facts,
    nodes: (type) =>
      [...labels.values()]
        .filter((node) => node.type === type)
        .map(({ label }) => label)
        .sort(),
    edges: (...types) =>
      [...edges]
        .filter((edge) =>
          types.length === 0
            ? !/ -(?:contains|references)-> /.test(edge)
            : types.some((type) => edge.includes(` -${type}-> `)),
        )
        .sort(),
  };
}

/** The facts of one text, and its nodes and relations. */
export function assembleText(text: string, path = 'page.md'): Assembled {
  return assemble({ [path]: text });
}

/** Type by the summed confidence of the documents that declare it, label by the surest mention that declares it. */
function labelsOf(facts: readonly DocumentFacts[]): Map<NodeKey, { label: string; type: NodeType }> {
  const nodes = new Map<NodeKey, { label: string; rank: number; votes: Map<NodeType, number> }>();
  const whole = bothHalves(facts);
  for (const { mentions } of facts) {
    const declared = new Set(mentions.filter(({ declares }) => declares).map(({ key }) => key));
    for (const mention of mentions) {
      const { key, label, type, confidence } = mention;
      const declares = mention.declares || (mention.half !== undefined && whole.has(key));
      if (!declared.has(key) && !declares) continue;
      const node = nodes.get(key) ?? { label, rank: 0, votes: new Map() };
      node.votes.set(type, (node.votes.get(type) ?? 0) + confidence);
      const isSurer = declares && confidence > node.rank;
      nodes.set(key, isSurer ? { ...node, label, rank: confidence } : node);
    }
  }
  return new Map(
    [...nodes].map(([key, { label, votes }]) => {
      const [winner] = NODE_TYPES.map((type) => ({ type, sum: votes.get(type) ?? 0 })).sort(
        (a, b) => b.sum - a.sum,
      );
      return [key, { label, type: winner?.type ?? 'Concept' }];
    }),
  );
}

/** What one document has as a heading and one, be it another, says to work with something. */
function bothHalves(facts: readonly DocumentFacts[]): Set<NodeKey> {
  const mentions = facts.flatMap((one) => one.mentions);
  const used = new Set(mentions.filter(({ half }) => half === 'used').map(({ key }) => key));
  return new Set(
    mentions.filter(({ half, key }) => half === 'headed' && used.has(key)).map(({ key }) => key),
  );
}

function aliasesOf(paths: readonly string[]): Map<NodeKey, NodeKey> {
  return new Map(
    paths.flatMap((path) => documentAliases(path).map((alias) => [alias, documentKey(path)] as const)),
  );
}

function resolve(target: NodeKey, aliases: ReadonlyMap<NodeKey, NodeKey>): NodeKey {
  return isLinkKey(target) ? (aliases.get(target) ?? target) : target;
}
