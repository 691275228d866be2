import { join } from 'node:path';
import { isSearched, joinsGraph, type ModuleChoices } from '../config/module-choice.ts';
import type { DocsSelection, ModuleFolder } from '../core/docs-selection.ts';

/** Where a module is in the mount: the paths of its documents begin so. */
export function moduleRoot(name: string): string {
  return `/modules/${name}`;
}

/** Where the texts of a module are kept. @param modulesFolder of all modules */
export function textsFolder(modulesFolder: string, name: string): string {
  return join(modulesFolder, name, 'texts');
}

/** Says what is kept in such a folder, once all of it is. */
export function notesFileOf(texts: string): string {
  return `${texts}.json`;
}

/** What is read: the docs, and what is kept of the modules that are searched. */
export function withModules(
  selection: DocsSelection,
  { modules }: ModuleChoices,
  modulesFolder: string,
): DocsSelection {
  const folders = modules.filter(isSearched).map(
    ({ name, code }): ModuleFolder => ({
      name: moduleRoot(name),
      folder: textsFolder(modulesFolder, name),
      joinsGraph: joinsGraph(code),
    }),
  );
  return folders.length === 0 ? selection : { ...selection, modules: folders };
}
