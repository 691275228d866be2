import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathInDocs, placeOnDisk } from '../../core/docs-selection.ts';
import type { GraphQueries } from '../../graph/queries.ts';
import { defineCommand } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { didYouMean } from '../near-names.ts';
import { type Place, withGraph } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { usageError } from '../usage-error.ts';

const DEFAULT_DEPTH = 2;
const DEFAULT_LIMIT = 10;
/** Deeper than anybody looks, and than any graph of docs is. */
const MAX_DEPTH = 100;

export const inspect = defineCommand({
  verb: 'inspect',
  summary: 'the tree of nodes that a node leads to, to a depth (query shows only the node)',
  details:
    'Each line shows the edge that leads there: → to the node, ← from it. A node that is also above itself is marked as a cycle, a node\n' +
    'that is in the tree already is not followed again, and neighbours that are left out are counted.',
  positionals: {
    node: {
      summary:
        'name of a node, in any case and number; a document also by its path or the id in its front matter',
    },
  },
  options: {
    depth: { type: 'count', value: 'N', min: 1, default: DEFAULT_DEPTH, summary: 'how many edges to follow' },
    direction: {
      type: 'text',
      value: 'WAY',
      choices: ['out', 'in', 'both'],
      default: 'out',
      summary: 'the direction of edges: in shows what leads to the node',
    },
    edges: { type: 'list', value: 'TYPES', summary: 'only edges of these types, separated by commas' },
    limit: {
      type: 'count',
      value: 'N',
      min: 1,
      default: DEFAULT_LIMIT,
      summary: 'at most N neighbours of each node',
    },
    width: {
      type: 'count',
      value: 'COLUMNS',
      min: 10,
      summary: 'cut lines at this width (default: that of the terminal)',
    },
  },
  example: 'kgraphfs inspect Charge --depth 2 --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf('inspect', args);
    return withGraph(args, io, async ({ place, store, graph }) => {
      const [{ requireNode }, { dependencyTree }] = await Promise.all([
        import('../../graph/questions.ts'),
        import('../../graph/dependency-tree.ts'),
      ]);
      const edgeTypes = args.edges.length === 0 ? undefined : typesOf(args.edges, graph);
      const { depth, direction, limit, width } = args;
      const node = graph.node(args.node) ?? requireNode(graph, documentOnDisk(args.node, place, io));
      const tree = dependencyTree(store, node, {
        depth: Math.min(depth, MAX_DEPTH),
        direction,
        edgeTypes,
        limit,
      });
      if (args.json)
        writeJson(io.out, {
          depth,
          direction,
          edge_types: edgeTypes ? [...edgeTypes] : null,
          tree,
          ...provenance(graph.revision()),
        });
      else {
        const { writeTree } = await import('../text/tree.ts');
        writeTree(io.out, tree, width ?? io.out.columns);
      }
      return 0;
    });
  },
});

/** The document that a path from the current folder means, as a shell completes it; the name itself if it is no such path. */
function documentOnDisk(name: string, { settings }: Place, io: Io): string {
  const place = placeOnDisk(settings.selection, resolve(realpathSync(io.workingFolder()), name));
  return place === undefined || place.path === '' ? name : pathInDocs(place.root, place.path);
}

/** Types of edges, in upper or lower case and with `-` for `_`. @throws UserError for a type that the graph does not know */
function typesOf(asked: readonly string[], graph: GraphQueries): ReadonlySet<string> {
  const known = Object.keys(graph.stats().edgesByType);
  return new Set(
    asked.map((text) => {
      const type = known.find((one) => one.toLowerCase() === text.toLowerCase().replaceAll('-', '_'));
      if (type !== undefined) return type;
      throw usageError(
        `there is no edge type "${text}"${didYouMean(text, known)}; the types are ${known.join(', ')}`,
        'inspect',
      );
    }),
  );
}
