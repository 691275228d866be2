import { existsSync } from 'node:fs';
import { userConfigFile } from '../config/own-file.ts';
import type { Settings } from '../config/settings.ts';
import type { ModuleView } from '../modules/module-view.ts';
import type { OpenModules } from '../modules/modules.ts';
import { stateFolderAt } from '../state/state-folder.ts';
import type { Io } from './io.ts';

/** Whether any config may name a module: where none does, nothing of them is loaded. */
function mayNameModules({ modules }: Settings, variables: NodeJS.ProcessEnv): boolean {
  return modules !== undefined || existsSync(userConfigFile(variables));
}

/** What opens the modules that are configured; undefined where none is. */
export async function modulesOpener(
  settings: Settings,
  variables: NodeJS.ProcessEnv,
): Promise<OpenModules | undefined> {
  if (!mayNameModules(settings, variables)) return undefined;
  const [{ chooseModules }, { Modules }] = await Promise.all([
    import('../config/modules.ts'),
    import('../modules/modules.ts'),
  ]);
  const choices = chooseModules(settings.modules, variables);
  const { modules, refused, problem } = choices;
  if (modules.length + refused.length === 0 && problem === undefined) return undefined;
  return (parts) => new Modules({ ...parts, choices });
}

/** How those that are configured are where none runs. */
export async function configuredModules(
  settings: Settings,
  variables: NodeJS.ProcessEnv,
): Promise<ModuleView[]> {
  if (!mayNameModules(settings, variables)) return [];
  const [{ chooseModules }, { moduleViews }] = await Promise.all([
    import('../config/modules.ts'),
    import('../modules/module-view.ts'),
  ]);
  return moduleViews(chooseModules(settings.modules, variables));
}

/** The settings, with what is read of modules beside the docs. */
export async function withModuleTexts(settings: Settings, variables: NodeJS.ProcessEnv): Promise<Settings> {
  if (!mayNameModules(settings, variables)) return settings;
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
  const open = await modulesOpener(settings, io.environment.variables);
  const modules = open?.({
    docs: settings.selection,
    stateFolder: stateFolderAt(settings.state).modulesFolder,
    report: (_code, path, message) => io.err.write(`${path.slice(1)}: ${message}\n`),
  });
  try {
    await modules?.mirror();
  } finally {
    modules?.close();
  }
}
