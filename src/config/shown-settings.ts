import { isAbsolute, relative } from 'node:path';
import type { Settings } from './settings.ts';

/**
 * The content of `.kgraphfs/config.json`: settings by the names that they have in a config file. Paths of this machine are not shown: all are
 * relative to the first docs root.
 * @param schemaMap the current schema map, if there is one
 */
export function shownSettings(settings: Settings, schemaMap: string | undefined) {
  const { docs, selection, state, maxDocumentBytes, readOnly, limits, context, learning } = settings;
  const { search, lint, templates } = settings;
  const { folders, include, exclude } = selection;
  const roots = folders.map(({ name, folder }) => ({ name, path: relative(docs, folder) || '.' }));
  // The name of the built-in map is not a path.
  const fromDocs = (path: string) => (isAbsolute(path) ? relative(docs, path) || '.' : path);
  return {
    ...(roots.length > 1 ? { docs: roots } : {}),
    ...(include.length > 0 ? { include } : {}),
    ...(exclude.length > 0 ? { exclude } : {}),
    ...(schemaMap === undefined ? {} : { schemaMap: fromDocs(schemaMap) }),
    ...(templates === undefined ? {} : { templates: fromDocs(templates) }),
    state: fromDocs(state),
    index: { maxDocumentBytes },
    memory: { maxEntryBytes: limits.memoryEntryBytes, removedDays: limits.removedMemoryDays },
    scratchpad: { maxBytes: limits.scratchpadBytes, keepDays: limits.scratchpadDays },
    history: { keepDays: limits.historyDays, maxBytes: limits.historyBytes },
    context,
    search: { k: search.k, weights: search.weights },
    lint,
    learn: learning,
    mount: { readOnly },
  };
}
