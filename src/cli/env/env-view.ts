import { existsSync } from 'node:fs';
import type { EmbeddingFlags } from '../../config/embeddings-asked.ts';
import type { LlmFlags } from '../../config/llm.ts';
import { chooseModules } from '../../config/modules.ts';
import type { Settings } from '../../config/settings.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { reasonOf, UserError } from '../../core/errors.ts';
import { VERSION } from '../../core/version.ts';
import { isDamage } from '../../disk/damage.ts';
import { type ModuleView, moduleViews } from '../../modules/module-view.ts';
import { type DaemonRecord, liveDaemons } from '../../state/daemons.ts';
import { type StateFolder, stateFolderAt } from '../../state/state-folder.ts';
import { openStore } from '../../store/store.ts';
import { actorName, callerContext } from '../caller.ts';
import type { CommonArguments } from '../command.ts';
import type { Io } from '../io.ts';
import { usableDriver } from '../mount/drivers.ts';
import { type Limit, limitsView } from './limit-view.ts';
import { embeddingsView, languageModelView, type ModelView } from './model-view.ts';
import { findSettings, type PlaceView, placeView } from './place-view.ts';
import type { Setting } from './setting.ts';

/** All settings in force in this folder, and where each was set. It holds no key. */
export interface EnvView {
  readonly models: { readonly language: ModelView; readonly embeddings: ModelView };
  readonly paths: PlaceView;
  readonly daemons: readonly Pick<DaemonRecord, 'pid' | 'mountpoint' | 'docs'>[];
  readonly caller: { readonly actor: Setting<string>; readonly session: Setting<string | null> };
  readonly limits: ReturnType<typeof limitsView>;
  readonly versions: {
    readonly kgraphfs: string;
    readonly node: string;
    /** The driver that would mount; null if none can run. */
    readonly driver: Setting<string | null>;
  };
  /** What is mounted below `modules/`, and why a module does not run. */
  readonly modules: readonly ModuleView[];
  /** Settings that are not followed, or are wrong, each with the way out. */
  readonly problems: readonly string[];
  /** The revision of the index; 0 if there is none. */
  readonly revision: number;
}

export type EnvArguments = CommonArguments & LlmFlags & EmbeddingFlags;

/** Reads the settings and changes nothing. It needs no docs, no key and no daemon. */
export async function envView(args: EnvArguments, io: Io): Promise<EnvView> {
  const { variables } = io.environment;
  const folder = io.workingFolder();
  const place = await findSettings(args, folder);
  const { settings, loaded } = place;
  const state = stateFolderAt(settings.state);
  const language = languageModelView(settings.llm, args, variables);
  const embeddings = embeddingsView(settings.embeddings, args, variables);
  const paths = placeView(args, place, folder, variables);
  const driver = await driverOf(settings);
  const index = revisionOf(state);
  const caller = callerOf(io);
  const modules = modulesOf(settings, variables);
  const problems = [place, language, embeddings, paths, driver, index, caller, modules].flatMap(
    ({ problems }) => problems,
  );
  return {
    models: { language: language.view, embeddings: embeddings.view },
    paths: paths.view,
    daemons: liveDaemons(state).map(({ pid, mountpoint, docs }) => ({ pid, mountpoint, docs })),
    caller: caller.view,
    limits: limitsView(settings, loaded, modelWrites(variables)),
    versions: { kgraphfs: VERSION, node: process.versions.node, driver: driver.view },
    modules: modules.views,
    problems: [...new Set(problems)],
    revision: index.revision,
  };
}

/** Whether a model may write. If the user's config is wrong, that is reported with the models. */
function modelWrites(variables: NodeJS.ProcessEnv): Limit {
  try {
    const { allowModelWrites } = loadUserConfig(variables).config;
    return {
      value: allowModelWrites ?? false,
      from: allowModelWrites === undefined ? 'default' : 'user config',
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { value: false, from: 'default' };
  }
}

/** The configured modules. None is started, so errors in a module's code or its own config do not show. */
function modulesOf({ modules }: Settings, variables: NodeJS.ProcessEnv) {
  const choices = chooseModules(modules, variables);
  const refusals = choices.refused.map(({ reason }) => reason);
  const problems = choices.problem === undefined ? refusals : [choices.problem, ...refusals];
  return { views: moduleViews(choices), problems };
}

async function driverOf({ driver }: Settings) {
  const from = driver === undefined ? 'default' : 'config file';
  try {
    return { view: { value: await usableDriver(driver), from } as const, problems: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { view: { value: null, from } as const, problems: [reasonOf(error)] };
  }
}

function revisionOf({ indexFile }: StateFolder) {
  if (!existsSync(indexFile)) return { revision: 0, problems: [] };
  try {
    const store = openStore(indexFile, { readOnly: true });
    try {
      return { revision: store.revision(), problems: [] };
    } finally {
      store.close();
    }
  } catch (error) {
    if (!(error instanceof UserError || isDamage(error))) throw error;
    return { revision: 0, problems: [reasonOf(error)] };
  }
}

function callerOf(io: Io) {
  const { actor, session } = io.environment;
  const origin = (value: string | undefined) => (value === undefined ? 'default' : 'environment');
  const view = {
    actor: { value: actorName(io), from: origin(actor) },
    session: { value: session ?? null, from: origin(session) },
  } as const;
  try {
    callerContext(io);
    return { view, problems: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { view, problems: [reasonOf(error)] };
  }
}
