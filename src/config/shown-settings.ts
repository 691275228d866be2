import { isAbsolute, relative } from 'node:path';
import type { Settings } from './settings.ts';

/**
 * What `.kgraphfs/config.json` says: settings by the names that a config file has for them. Paths of this machine are shown to nobody: all are named
 * from the first docs root.
 * @param schemaMap the schema map now, if there is one
 */
export function shownSettings(settings: Settings, schemaMap: string | undefined) {
  const { docs, selection, state, maxDocumentBytes, readOnly, limits, context, learning } = settings;
  const { search, lint, templates } = settings;
  const { folders, include, exclude } = selection;
  const roots = folders.map(({ name, folder }) => ({ name, path: relative(docs, folder) || '.' }));
  // The name of the ready map is no path.
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
