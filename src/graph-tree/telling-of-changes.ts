import { after, isPromiseLike } from '../core/awaitable.ts';
import type { SubPath } from '../core/paths.ts';
import type { ChangeListener, Unsubscribe } from '../core/resolver.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { MemoryGraph } from '../memory-graph/memory-graph.ts';
import { type AskedPaths, changesOf } from './asked-paths.ts';
import type { NearFolders } from './near-folders.ts';
import type { SectionPages } from './section-pages.ts';

interface WatchedParts {
  readonly graph: GraphQueries;
  readonly memory: MemoryGraph | undefined;
  readonly asked: AskedPaths;
  readonly near: NearFolders;
  readonly sections: SectionPages;
}

/**
 * Tells a listener which of the paths of `graph/` that somebody looked at show something else. Changes of the docs' graph are told at once, those of
 * what memory says about its nodes when they are taken in, which may be later.
 * @param subscribe calls its listener when the graph has a new revision
 */
export function tellingOfChanges(
  { graph, memory, asked, near, sections }: WatchedParts,
  subscribe: (listener: () => void) => Unsubscribe,
  listener: ChangeListener,
): Unsubscribe {
  const changes = changesOf(graph);
  let isListening = true;
  const tellOf = (paths: readonly SubPath[]) => {
    if (isListening && paths.length > 0) listener(paths);
  };
  const tell = (ofDocs: readonly SubPath[]) => {
    const ofMemory = near.changed();
    if (!isPromiseLike(ofMemory)) return tellOf(ofDocs.concat(ofMemory));
    tellOf(ofDocs);
    void after(ofMemory, tellOf);
  };
  const ends = [
    subscribe(() => {
      const changed = changes();
      tell([...asked.changed(changed), ...sections.changed(changed)]);
    }),
    memory?.onChange(() => tell(asked.has('stats.json') ? ['stats.json' as SubPath] : [])),
  ];
  return () => {
    isListening = false;
    for (const end of ends) end?.();
  };
}
