import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommitGraph } from '../../src/commit-graph/commit-graph.ts';
import { docsInGit } from '../../src/commit-graph/docs-in-git.ts';
import type { DocsSelection } from '../../src/core/docs-selection.ts';
import { graphQueries } from '../../src/graph/queries.ts';
import { nodeText, nodeView } from '../../src/graph/view.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { type CommitStore, openCommitStore } from '../../src/store/commit-store.ts';
import type { GitSandbox } from '../git/sandbox.ts';
import { oneFolder } from '../support/one-folder.ts';

export interface Opened {
  readonly store: CommitStore;
  readonly graph: CommitGraph;
}

/** The graph of commits of a sandbox, in a file with this name beside its docs. */
export function openCommits(
  { folder, variables }: GitSandbox,
  file: string,
  selection: DocsSelection = oneFolder(folder),
): Opened {
  prepareStateFolder(stateFolderAt(join(folder, '.kgraphfs')));
  const store = openCommitStore(join(folder, '.kgraphfs', file));
  const docs = docsInGit(selection, { variables, workingFolder: folder });
  const settings = { selection, excluded: [join(folder, '.kgraphfs')], maxBytes: 8 << 20 };
  return { store, graph: new CommitGraph({ store, docs, settings, clock: { nowMs: () => 0 } }) };
}

/** The page of each node, by name, in a graph that is made from nothing for this commit. */
export function pagesOfRebuild(sandbox: GitSandbox, commit: string): Map<string, string> {
  const { store, graph } = openCommits(sandbox, 'rebuilt.sqlite');
  try {
    graph.bringTo(commit);
    return pagesOf(store);
  } finally {
    store.close();
    rmSync(join(sandbox.folder, '.kgraphfs', 'rebuilt.sqlite'));
  }
}

/** The page of each node, by name, as the graph stands. */
export function pagesOf({ graph: store }: CommitStore): Map<string, string> {
  const graph = graphQueries(store);
  return new Map(graph.nodes().map((node) => [node.name, nodeText(nodeView(graph, node))]));
}

/** The pages of these nodes, and no others, as of a commit. */
export function pastPages({ graph }: Opened, commit: string, names: Iterable<string>): Map<string, string> {
  const past = graph.at(commit);
  return new Map(
    Array.from(names).flatMap((name): [string, string][] => {
      const node = past.node(name);
      return node?.name === name ? [[name, past.pageOf(node)]] : [];
    }),
  );
}
