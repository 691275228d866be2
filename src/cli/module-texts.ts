import { existsSync, lutimesSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { userConfigFile } from '../config/own-file.ts';
import type { Settings } from '../config/settings.ts';
import type { ModuleView } from '../modules/module-view.ts';
import type { OpenModules } from '../modules/modules.ts';
import type { ConfiguredModules } from '../state/daemons.ts';
import { prepareStateFolder, stateFolderAt } from '../state/state-folder.ts';
import { whyKeptFromWriting } from '../store/disk-state.ts';
import type { Io } from './io.ts';

/** Whether any config may name a module. If none does, no code of modules is loaded. */
function mayNameModules({ modules }: Settings, variables: NodeJS.ProcessEnv): boolean {
  return modules !== undefined || existsSync(userConfigFile(variables));
}

/** Refuses a wrong config file of the user's own, whether or not the command needs what it says. @throws UserError naming the file and what is wrong */
export async function refuseWrongOwnConfig(variables: NodeJS.ProcessEnv): Promise<void> {
  if (existsSync(userConfigFile(variables)))
    (await import('../config/user-config.ts')).loadUserConfig(variables);
}

/** A function that opens the configured modules; undefined if there are none. */
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

/** The mark of the configured modules, as {@link modulesMark}, and the user and path of the own config that was read for it. */
export async function configuredMark(
  settings: Settings,
  variables: NodeJS.ProcessEnv,
): Promise<Required<ConfiguredModules>> {
  const ownConfig = `${process.getuid?.() ?? ''} ${userConfigFile(variables)}`;
  if (!mayNameModules(settings, variables)) return { modules: '', ownConfig };
  const [{ chooseModules }, { modulesMark }] = await Promise.all([
    import('../config/modules.ts'),
    import('../config/module-choice.ts'),
  ]);
  return { modules: modulesMark(chooseModules(settings.modules, variables)), ownConfig };
}

/** The state of the configured modules while none runs. */
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

/** The settings, extended by the texts of modules that are read along with the docs. */
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

/** Modules are asked as often as by a daemon. */
const LOOK_EVERY_MS = 10_000;
/** A command waits at most so long for modules of which some texts are stored. */
const WITHIN_MS = 2000;

/**
 * Asks the searched modules for their texts, and stores them. Errors are reported, and what was stored before stays.
 * @param which all modules; or only those of which nothing is stored yet, or that nobody has asked for some seconds. Slow ones are not waited for then
 */
export async function keepModuleTexts(settings: Settings, io: Io, which: 'due' | 'all'): Promise<void> {
  const { modules: folders = [] } = settings.selection;
  if (folders.length === 0) return;
  const { notesFileOf } = await import('../modules/module-folders.ts');
  const notes = folders.map(({ folder }) => notesFileOf(folder));
  if (which === 'due' && notes.every(isFresh)) return;
  const state = stateFolderAt(settings.state);
  if (which === 'due' && whyKeptFromWriting(state.indexFile) !== undefined) {
    io.err.write('modules: the state folder can only be read; what they say is as of the last time\n');
    return;
  }
  prepareStateFolder(state);
  const open = await modulesOpener(settings, io.environment.variables);
  let isWaitedFor = true;
  const modules = open?.({
    docs: settings.selection,
    stateFolder: state.modulesFolder,
    report: (_code, path, message) => {
      if (isWaitedFor) io.err.write(`${path.slice(1)}: ${message}\n`);
    },
  });
  const looked = modules?.mirror();
  try {
    if (which === 'all' || !notes.every((file) => existsSync(file))) await looked;
    else if (!(await isDoneWithin(looked, WITHIN_MS)))
      io.err.write(
        `modules: not all answered within ${WITHIN_MS} ms; what they say is as of the last time\n`,
      );
  } finally {
    isWaitedFor = false;
    modules?.close();
    await looked;
    for (const file of notes) touch(file);
  }
}

/** Whether the modules were asked lately. The modification time of the notes tells, whatever came of it. */
function isFresh(notesFile: string): boolean {
  const ageMs = Date.now() - (statSync(notesFile, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return ageMs >= 0 && ageMs < LOOK_EVERY_MS;
}

function touch(file: string): void {
  const now = new Date();
  try {
    lutimesSync(file, now, now);
  } catch {
    // Nothing is stored yet, so the modules are asked.
  }
}

async function isDoneWithin(work: Promise<unknown> | undefined, withinMs: number): Promise<boolean> {
  const late = new AbortController();
  const timeout = setTimeout(withinMs, false, { signal: late.signal }).catch(() => false);
  const isDone = await Promise.race([timeout, (work ?? Promise.resolve()).then(() => true)]);
  late.abort();
  return isDone;
}
