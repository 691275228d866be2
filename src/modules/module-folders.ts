import { join } from 'node:path';
import { isSearched, joinsGraph, type ModuleChoices } from '../config/module-choice.ts';
import type { DocsSelection, ModuleFolder } from '../core/docs-selection.ts';

/** The path of a module in the mount, with which the paths of its documents begin. */
export function moduleRoot(name: string): string {
  return `/modules/${name}`;
}

/** The folder in which the texts of a module are stored. @param modulesFolder the folder of all modules */
export function textsFolder(modulesFolder: string, name: string): string {
  return join(modulesFolder, name, 'texts');
}

/** The file that says what is stored in such a folder, once everything is. */
export function notesFileOf(texts: string): string {
  return `${texts}.json`;
}

/** All folders that are read: the docs, and the stored texts of modules that are searched. */
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
