import { LRUCache } from 'lru-cache';
import { mountPathOf } from '../core/docs-selection.ts';
import { documentKey, documentPathOf } from '../core/identity.ts';
import { WITHIN_NODES } from '../core/tree-points.ts';
import { Adjacency } from '../graph/adjacency.ts';
import type { Store } from '../store/store.ts';
import type { GraphFilters } from './filter.ts';
import { type NamedNode, namedIn } from './named-nodes.ts';
import { type Statement, waysIn } from './ways.ts';

/** A link of a document to another one. */
export interface DocumentLink {
  /** The line in the document that has the link, 1-based. */
  readonly line: number;
  /** The target, relative to the docs root. */
  readonly target: string;
}

const MAX_REMEMBERED_DOCUMENTS = 1_000;

/** What search needs of the graph. Answers may differ as soon as the index changes. */
export class GraphView implements GraphFilters {
  readonly #store: Store;
  readonly #links = new LRUCache<string, readonly DocumentLink[]>({ max: MAX_REMEMBERED_DOCUMENTS });
  readonly #labels = new LRUCache<string, string>({ max: MAX_REMEMBERED_DOCUMENTS });
  #adjacency: Adjacency | undefined;
  #revision = -1;

  constructor(store: Store) {
    this.#store = store;
  }

  /** To be called before a question: drops what was cached of another revision. */
  refresh(): void {
    this.#store.holdStill();
    const revision = this.#store.revision();
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#links.clear();
    this.#labels.clear();
    this.#adjacency = undefined;
  }

  named(question: string): NamedNode[] {
    return namedIn(question, this.#store);
  }

  /** Links of a document to others, in the order of their lines. @param path relative to the docs root */
  linksOf(path: string): readonly DocumentLink[] {
    let links = this.#links.get(path);
    if (links === undefined) {
      links = this.#readLinks(path);
      this.#links.set(path, links);
    }
    return links;
  }

  labelOf(path: string): string {
    let label = this.#labels.get(path);
    if (label === undefined) {
      label = this.#store.nodes.byKey(documentKey(path))?.display ?? path;
      this.#labels.set(path, label);
    }
    return label;
  }

  /** What the docs state on the paths between the things that a question names. */
  waysIn(question: string): Statement[] {
    return waysIn(question, this.#store, () => this.#adjacent());
  }

  around(name: string, depth: number): ReadonlySet<string> | undefined {
    const start = this.#store.nodes.byName(name)?.id ?? namedIn(name, this.#store)[0]?.id;
    if (start === undefined) return undefined;
    const adjacency = this.#adjacent();
    const reached = new Set([start]);
    let frontier = [start];
    for (let level = 0; level < depth; level += 1) {
      const next: number[] = [];
      for (const id of frontier) {
        adjacency.visit(id, (other) => {
          if (reached.has(other)) return;
          reached.add(other);
          next.push(other);
        });
      }
      frontier = next;
    }
    const paths = this.#store.nodes.listed([...reached]).map(({ key, name }) => pathOf(key, name));
    return new Set(paths);
  }

  speakingOf(type: string): ReadonlySet<string> {
    const paths = new Set<string>();
    for (const nodeType of this.#store.nodes.countsByType().keys()) {
      if (nodeType.toLowerCase() !== type) continue;
      for (const id of this.#store.nodes.idsOfType(nodeType)) {
        for (const { direction, key } of this.#store.edges.steps(id)) {
          const path = direction === 'in' ? documentPathOf(key) : undefined;
          if (path !== undefined) paths.add(mountPathOf(path));
        }
      }
    }
    return paths;
  }

  #adjacent(): Adjacency {
    this.#adjacency ??= new Adjacency(this.#store);
    return this.#adjacency;
  }

  #readLinks(path: string): DocumentLink[] {
    const id = this.#store.keys.find(documentKey(path));
    if (id === undefined) return [];
    const links = this.#store.edges.evidenceFrom(id, 'references').flatMap(({ targetId, evidence }) => {
      const target = documentPathOf(this.#store.keys.keyOf(targetId));
      return target === undefined || target === path
        ? []
        : linesIn(evidence, path).map((line) => ({ line, target }));
    });
    return links.sort((a, b) => a.line - b.line || (a.target < b.target ? -1 : 1));
  }
}

function pathOf(key: string, name: string): string {
  const path = documentPathOf(key);
  return path === undefined ? `${WITHIN_NODES}${name}` : mountPathOf(path);
}

/** @param evidence a list of `file:line`, as JSON */
function linesIn(evidence: string, path: string): number[] {
  const places: string[] = JSON.parse(evidence);
  return places
    .filter((place) => place.startsWith(`${path}:`))
    .map((place) => Number(place.slice(path.length + 1)));
}
