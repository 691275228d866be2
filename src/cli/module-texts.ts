import { existsSync } from 'node:fs';
import type { Settings } from '../config/settings.ts';
import { stateFolderAt } from '../state/state-folder.ts';
import type { Io } from './io.ts';

/** The settings, with what is read of modules beside the docs. Takes next to no time where no config names a module. */
export async function withModuleTexts(settings: Settings, io: Io): Promise<Settings> {
  const { variables } = io.environment;
  const { userConfigFile } = await import('../config/own-file.ts');
  if (settings.modules === undefined && !existsSync(userConfigFile(variables))) return settings;
  const [{ chooseModules }, { withModules }] = await Promise.all([
    import('../config/modules.ts'),
    import('../modules/module-folders.ts'),
  ]);
  const { modulesFolder } = stateFolderAt(settings.state);
  const choices = chooseModules(settings.modules, variables);
  return { ...settings, selection: withModules(settings.selection, choices, modulesFolder) };
}

/**
 * Asks the modules that are searched for their texts, and keeps them. What goes wrong is said, and what was kept before stays.
 * @param which those of which nothing was kept yet, or all
 */
export async function keepModuleTexts(settings: Settings, io: Io, which: 'new' | 'all'): Promise<void> {
  const { modules: folders = [] } = settings.selection;
  if (folders.length === 0) return;
  const { notesFileOf } = await import('../modules/module-folders.ts');
  if (which === 'new' && folders.every(({ folder }) => existsSync(notesFileOf(folder)))) return;
  const [{ chooseModules }, { Modules }] = await Promise.all([
    import('../config/modules.ts'),
    import('../modules/modules.ts'),
  ]);
  const modules = new Modules({
    choices: chooseModules(settings.modules, io.environment.variables),
    docs: settings.selection,
    stateFolder: stateFolderAt(settings.state).modulesFolder,
    report: (_code, path, message) => io.err.write(`${path.slice(1)}: ${message}\n`),
  });
  try {
    await modules.mirror();
  } finally {
    modules.close();
  }
}
