import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { KEYS_FILE_NAME } from '../../config/api-key.ts';
import { CONFIG_FILE_NAME } from '../../config/config-file.ts';
import { type LoadedConfig, loadConfig } from '../../config/load.ts';
import { ownConfigFolder, readOwnFile } from '../../config/own-file.ts';
import type { Settings } from '../../config/settings.ts';
import { docsWays, settle } from '../../config/settle.ts';
import { Trust } from '../../config/trust.ts';
import { reasonOf, UserError } from '../../core/errors.ts';
import { unansweredOf } from '../../source/look-ahead.ts';
import type { CommonArguments } from '../command.ts';
import { originOf } from './limit-view.ts';
import type { Setting, SettingOrigin } from './setting.ts';

/** A file or folder, and where it was named. */
interface PathView extends Setting<string> {
  readonly exists: boolean;
}

export interface PlaceView {
  readonly working_folder: string;
  readonly docs: readonly (PathView & { readonly name: string | null })[];
  readonly state: PathView;
  readonly config: PathView & { readonly trusted: boolean };
  /** Null if there is none. */
  readonly schema_map: Setting<string> | null;
  readonly user_config_folder: PathView;
  readonly user_config: PathView;
  readonly keys: PathView;
}

/** The settings as far as they can be determined if some of them are wrong. */
export interface FoundPlace {
  readonly settings: Settings;
  readonly loaded: LoadedConfig;
  /** What is wrong, each problem with the way out. */
  readonly problems: readonly string[];
}

/** The settings in this folder. What is wrong is left out and reported: first a wrong config file, then docs that are missing, then what the command line says. */
export async function findSettings(args: CommonArguments, folder: string): Promise<FoundPlace> {
  const problems: string[] = [];
  const tried = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.push(reasonOf(error));
      return undefined;
    }
  };
  const none: LoadedConfig = { file: undefined, config: {} };
  const loaded = tried(() => loadConfig(folder, args.config)) ?? none;
  const asked = { ...args, unanswered: await unansweredOf(docsWays(args, folder, loaded)) };
  const settings =
    tried(() => settle(asked, folder, loaded)) ??
    tried(() => settle({ ...asked, mayMissDocs: true }, folder, loaded)) ??
    settle({ docs: folder }, folder, none);
  return { settings, loaded, problems: [...new Set(problems)] };
}

/** The files and folders of the project, and where each was named. */
export function placeView(
  args: CommonArguments,
  { settings, loaded }: FoundPlace,
  folder: string,
  variables: NodeJS.ProcessEnv,
): { readonly view: PlaceView; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const own = ownConfigFolder(variables);
  const ofFile = (name: string): PathView => {
    const { problem } = readOwnFile(join(own, name));
    if (problem !== undefined) problems.push(problem);
    return pathView(join(own, name), originOfOwn);
  };
  const originOfOwn = variables['XDG_CONFIG_HOME'] ? 'environment' : 'default';
  const docsOrigin = args.docs.length > 0 ? 'flag' : originOf(loaded.config, 'docs');
  const roots = settings.selection.folders;
  const config = pathView(resolve(folder, args.config ?? CONFIG_FILE_NAME), args.config ? 'flag' : 'default');
  const view = {
    working_folder: folder,
    docs: roots.map(({ name, folder, isAway }) => ({
      name: name || null,
      ...(isAway ? { value: folder, from: docsOrigin, exists: false } : pathView(folder, docsOrigin)),
    })),
    state: pathView(settings.state, args.state === undefined ? originOf(loaded.config, 'state') : 'flag'),
    config: { ...config, trusted: isTrusted(loaded, variables, problems) },
    schema_map:
      settings.schemaMap === undefined
        ? null
        : { value: settings.schemaMap, from: originOf(loaded.config, 'schemaMap') },
    user_config_folder: pathView(own, originOfOwn),
    user_config: ofFile('config.json'),
    keys: ofFile(KEYS_FILE_NAME),
  };
  return { view, problems };
}

function pathView(path: string, from: SettingOrigin): PathView {
  return { value: path, from, exists: existsSync(path) };
}

function isTrusted({ file, text }: LoadedConfig, variables: NodeJS.ProcessEnv, problems: string[]): boolean {
  if (file === undefined || text === undefined) return false;
  try {
    return new Trust(variables).has(file, text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    problems.push(reasonOf(error));
    return false;
  }
}
