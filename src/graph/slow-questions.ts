import type { EdgeType } from '../core/graph-model.ts';
import { jsonText } from '../core/json-text.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { ShownNode } from '../store/nodes.ts';
import { connectionOf, connectionText } from './connection.ts';
import type { NameMatch } from './lookup.ts';
import { nodeMarkdown } from './markdown.ts';
import { nodeLinkData } from './node-link.ts';
import type { GraphQueries, Relations, Side } from './queries.ts';
import type { DocumentSections } from './sections.ts';
import { edgeLine, edgeView, nodeText, viewOf } from './view.ts';

/** A text, as a string or in UTF-8. */
export type Text = string | Uint8Array;

/** How a node is shown: as JSON, or as markdown for a model. */
export type NodeForm = 'json' | 'markdown';

/**
 * Questions that take more than a few milliseconds in a large graph, and so are better answered in another thread. Arguments and answers are plain
 * data, in which nodes are given by id.
 */
export interface SlowQuestions {
  /** The content of `graph/edges/<type>.jsonl`. */
  edgesText(type: EdgeType): Awaitable<Text>;
  /** The content of `graph/graph.json`. */
  wholeGraphText(): Awaitable<Text>;
  /** The content of `graph/path/<from>/<to>`; undefined if there is no path, or one of the nodes is gone. */
  pathText(fromId: number, toId: number): Awaitable<Text | undefined>;
  /** The page of a node; undefined if it is gone. */
  nodePage(id: number, form: NodeForm): Awaitable<Text | undefined>;
  /** The names of the neighbours at one side of a node, in no particular order. */
  namesAtSide(id: number, side: Side): Awaitable<readonly string[]>;
  /** As {@link GraphQueries.sectionsOf}. */
  sectionsOf(path: string): Awaitable<DocumentSections | undefined>;
  /** As {@link GraphQueries.similar}. */
  similar(text: string, limit: number): Awaitable<readonly NameMatch[]>;
}

/** Answers the questions at once, in the thread of the caller. */
export function answeredHere(graph: GraphQueries): SlowQuestions {
  return {
    edgesText(type) {
      let text = '';
      for (const edge of graph.edgesOfType(type)) text += `${edgeLine(edgeView(edge))}\n`;
      return text;
    },
    wholeGraphText: () => jsonText(nodeLinkData(graph)),
    pathText(fromId, toId) {
      const from = graph.nodeById(fromId);
      const to = graph.nodeById(toId);
      const connection = from && to && connectionOf(graph, from, to);
      return connection && connectionText(connection);
    },
    nodePage: (id, form) => pageOf(graph.shownNode(id), graph.relations(id), form),
    namesAtSide: (id, side) => graph.namesAtSide(id, side),
    sectionsOf: (path) => graph.sectionsOf(path),
    similar: (text, limit) => graph.similar(text, limit),
  };
}

/** The page of a node; undefined if making it takes long, or there is no such node: then it is a slow question. */
export function nodePageHere(graph: GraphQueries, id: number, form: NodeForm): string | undefined {
  return pageOf(graph.shownNode(id), graph.relationsUnlessMany(id), form);
}

/** Reading this many names takes a few milliseconds. */
const MAX_NAMES_HERE = 1000;

/** The names of the neighbours at one side of a node; undefined if that takes long. */
export function namesAtSideHere(graph: GraphQueries, id: number, side: Side): string[] | undefined {
  const names = graph.namesAtSide(id, side, MAX_NAMES_HERE + 1);
  return names.length > MAX_NAMES_HERE ? undefined : names;
}

function pageOf(
  node: ShownNode | undefined,
  relations: Relations | undefined,
  form: NodeForm,
): string | undefined {
  if (node === undefined || relations === undefined) return undefined;
  const view = viewOf(node, relations);
  return form === 'json' ? nodeText(view) : nodeMarkdown(view);
}
