import type { DocumentFacts, EdgeType, Mention, NodeType } from '../../src/core/graph-model.ts';
import { conceptKey, documentKey } from '../../src/core/identity.ts';
import type { Outline } from '../../src/core/outline.ts';
import { contributionOf } from '../../src/graph/contribution.ts';
import { nodeLinkData } from '../../src/graph/node-link.ts';
import { Projection } from '../../src/graph/projection.ts';
import { type GraphQueries, graphQueries } from '../../src/graph/queries.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import type { Teardown } from '../support/temporary.ts';

type Facts = DocumentFacts & { readonly outline?: Outline };

/** A graph made of facts given by hand, one document at a time. */
export interface GraphSubject {
  readonly store: Store;
  readonly graph: GraphQueries;
  /** Takes the facts of a document in, and its structure where it is given, in a batch of its own. Returns whether the graph changed. */
  put(path: string, facts: Facts): boolean;
  putAll(documents: ReadonlyMap<string, Facts>): void;
  remove(path: string): boolean;
  /** Takes documents in and out, all in one batch. */
  edit(edits: Iterable<{ readonly path: string; readonly facts: Facts | undefined }>): void;
  /** All that the graph shows but revision and times. */
  content(): unknown;
}

/** @param file of the index, for others to open, too. Default: it is in memory, which takes a tenth of the time to make */
export function graphSubject(t: Teardown, file = ':memory:'): GraphSubject {
  const store = openStore(file);
  t.teardown(() => store.close());
  const graph = graphQueries(store);

  function batch(body: (projection: Projection) => void): boolean {
    return store.transact(() => {
      const projection = new Projection(store);
      const at = nextRevision();
      body(projection);
      const isStructured = store.outlines.changedSince(at.revision - 1, 1).length > 0;
      const changed = projection.project(at) || isStructured;
      if (changed) store.setRevision(at);
      return changed;
    });
  }

  function nextRevision() {
    return { revision: store.revision() + 1, nowMs: 1000 * (store.revision() + 1) };
  }

  function contribute(projection: Projection, path: string, facts: Facts): void {
    const row = {
      path,
      stamp: '',
      sha256: '',
      extractorVersion: 1,
      schemaStamp: '',
      extractionStamp: '',
      title: facts.title,
      indexedMs: 0,
    };
    const id = store.documents.put(row);
    projection.contribute(id, path, contributionOf(facts));
    if (facts.outline !== undefined) store.outlines.put(id, facts.outline, nextRevision());
  }

  function remove(projection: Projection, path: string): void {
    const row = store.documents.get(path);
    if (row === undefined) return;
    projection.retract(row.id);
    store.documents.remove(row.id);
  }

  return {
    store,
    graph,
    put: (path, facts) => batch((projection) => contribute(projection, path, facts)),
    putAll: (documents) => {
      batch((projection) => {
        for (const [path, facts] of documents) contribute(projection, path, facts);
      });
    },
    remove: (path) => batch((projection) => remove(projection, path)),
    edit: (edits) => {
      batch((projection) => {
        for (const { path, facts } of edits) {
          if (facts === undefined) remove(projection, path);
          else contribute(projection, path, facts);
        }
      });
    },
    content() {
      const { nodes, links } = nodeLinkData(graph);
      const names = graph
        .nodes()
        .map(({ key, name, degree, foldedName }) => ({ key, name, degree, foldedName }));
      const sections = Array.from(graph.allSections(), ({ sections }) => sections);
      return { nodes, links, names, sections };
    },
  };
}

export function concept(label: string, line = 1, extra: Partial<Mention> = {}): Mention {
  return {
    key: conceptKey(label),
    type: 'APIObject',
    label,
    line,
    confidence: 0.9,
    declares: true,
    ...extra,
  };
}

export interface Relation {
  readonly from: string;
  readonly type: EdgeType;
  readonly to: string;
  readonly line?: number;
}

/** Facts of a document that mentions itself, these concepts, and states these relations between concepts. */
export function factsOf(
  path: string,
  {
    title = path,
    mentions = [],
    relations = [],
  }: { title?: string; mentions?: Mention[]; relations?: Relation[] },
): DocumentFacts {
  const type: NodeType = 'Document';
  return {
    title,
    mentions: [
      { key: documentKey(path), type, label: title, line: 1, confidence: 1, declares: true },
      ...mentions,
    ],
    statements: relations.map(({ from, type, to, line = 1 }) => {
      return { source: keyOf(from), type, target: keyOf(to), line, confidence: 0.8 };
    }),
    problems: [],
  };
}

/** A key is taken as it is; anything else is the label of a concept. */
function keyOf(end: string): string {
  return /^\w+:/.test(end) ? end : conceptKey(end);
}
