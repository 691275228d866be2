import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import { plainIssues } from '../core/plain-issues.ts';
import { isReallyInside } from './docs-roots.ts';
import { homeFolder } from './home-folder.ts';
import { placeInJson } from './json-places.ts';
import type { ConfigText, ModuleChoice, ModuleChoices, ModuleCode, RefusedModule } from './module-choice.ts';
import { codeHashes, whyUntrusted } from './module-code.ts';
import { secretsOf } from './module-secrets.ts';
import { BUILT_IN_MODULES, MODULE_NAME, type ModulesKey, moduleSchema } from './modules-schema.ts';
import { userConfigFile } from './own-file.ts';
import type { ProjectAsk } from './settings.ts';
import { Trust } from './trust.ts';
import { type LoadedUserConfig, loadUserConfig } from './user-config.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
/** The maximal number in one config, which may come from a stranger: each module takes a process. */
const MAX_MODULES = 50;
export const GITHUB_URL = 'https://api.github.com';

/**
 * Chooses the modules: those of the user's own config, and those of the project's. A module of the latter that runs code, starts a program or sends
 * something out does so only if the user trusts the file, and with it the code of each module as it was then. If the user's own config is wrong, none
 * of its modules are chosen.
 */
export function chooseModules(
  project: ProjectAsk<ModulesKey> | undefined,
  variables: NodeJS.ProcessEnv = process.env,
): ModuleChoices {
  const { config, file, text = '', problem } = ownConfig(variables);
  const ownChoices = entriesOf(config.modules ?? {}, { file, text }).map((entry) =>
    parsed(entry, undefined, variables),
  );
  const ofProject = project === undefined ? [] : projectChoices(project, variables);
  const byName = new Map<string, ModuleChoice | RefusedModule>();
  for (const choice of ownChoices) byName.set(choice.name, choice);
  for (const choice of ofProject) {
    // A module that a stranger's file may not have does not replace one of the user's either.
    if ('code' in choice || !byName.has(choice.name)) byName.set(choice.name, choice);
  }
  const all = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    modules: all.filter((choice) => 'code' in choice),
    refused: all.filter((choice) => 'reason' in choice),
    problem,
  };
}

function ownConfig(variables: NodeJS.ProcessEnv): LoadedUserConfig {
  try {
    return loadUserConfig(variables);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { config: {}, file: userConfigFile(variables), text: undefined, problem: error.message };
  }
}

/**
 * What a config file gains for its modules when it is trusted, one line each, and the hashes of their code by absolute path.
 * @throws UserError if one could not be used even if it is trusted, or has too much code
 */
export function whatModulesAsk(
  asked: ModulesKey,
  from: ConfigText,
  variables: NodeJS.ProcessEnv,
): { readonly allows: readonly string[]; readonly code: Readonly<Record<string, string>> } {
  const parsedOnes = entriesOf(asked, from).map((entry) => parsed(entry, undefined, variables));
  const faults = parsedOnes.flatMap((one) => ('code' in one ? [] : one.reason));
  // The file will have to be trusted again after it was mended anyway.
  if (faults.length > 0) throw new UserError(`${faults.join('\n')}\nnothing is trusted until this is fixed`);
  const choices = parsedOnes.filter((one) => 'code' in one);
  const code: Record<string, string> = {};
  const allows = choices.flatMap((choice) => {
    const allowed = needsTrust(choice);
    if (allowed === undefined) return [];
    const files = choice.code.kind === 'file' ? codeOfModule(choice.name, choice.code.file) : {};
    Object.assign(code, files);
    const imported = Object.values(files).filter((sha256) => sha256 !== '').length - 1;
    const more =
      imported > 0 ? `, with ${imported} ${imported === 1 ? 'file' : 'files'} that it imports` : '';
    return [`modules.${choice.name}: ${allowed}${more}`];
  });
  return { allows, code };
}

interface Entry {
  readonly name: string;
  readonly value: unknown;
  readonly from: ConfigText;
  /** The number of modules, in the entry for the first one that is too many. */
  readonly tooMany?: number;
}

/** As many modules as are allowed, and the first one beyond that, which stands for all after it. */
function entriesOf(modules: ModulesKey, from: ConfigText): Entry[] {
  const all = Object.entries(modules);
  return all.slice(0, MAX_MODULES + 1).map(([name, value], index) => ({
    name,
    value,
    from,
    ...(index < MAX_MODULES ? {} : { tooMany: all.length }),
  }));
}

function projectChoices(
  { asked, file, text }: ProjectAsk<ModulesKey>,
  variables: NodeJS.ProcessEnv,
): (ModuleChoice | RefusedModule)[] {
  const trust = new Trust(variables);
  const code = trust.codeOf(file, text);
  return entriesOf(asked, { file, text }).map((entry) => {
    const choice = parsed(entry, code ?? {}, variables);
    if (!('code' in choice)) return choice;
    if (code !== undefined) return editedSince(choice) ?? choice;
    const allowed = needsTrust(choice);
    if (allowed === undefined) return choice;
    const reason =
      `${placeOf(entry, [])}: modules.${entry.name}: ${allowed}, and a config file may be a stranger's: it is not followed. ` +
      'If the file is yours, or you have read it: kgraphfs trust';
    return { name: entry.name, reason };
  });
}

/** The refusal of a module whose code has been changed since it was trusted. If the file is missing, the module's process says so. */
function editedSince({ name, code, from }: ModuleChoice): RefusedModule | undefined {
  if (code.kind !== 'file' || code.trusted === undefined) return undefined;
  const why = existsSync(code.file) ? whyUntrusted(code.file, code.trusted) : undefined;
  return why === undefined
    ? undefined
    : { name, reason: `${placeOf({ name, from }, [])}: modules.${name}: ${why}` };
}

/** What a module does that only the user may allow; undefined if it only reads what exists already. */
function needsTrust({ code, config, from }: ModuleChoice): string | undefined {
  if (code.kind === 'file') return `the code of ${code.file} is run`;
  switch (code.module) {
    case 'git':
      return undefined;
    case 'openapi':
      return whatFileAsks(config['file'], from.file);
    case 'github':
      return `requests, with your token, go to ${typeof config['baseUrl'] === 'string' ? config['baseUrl'] : GITHUB_URL}`;
    case 'mcp':
      // A value that is not text is refused by the module itself, which then sends nothing.
      if (typeof config['url'] === 'string')
        return `requests, and what calls are written, go to ${config['url']}`;
      if (typeof config['command'] !== 'string') return undefined;
      return `the program "${[config['command'], config['args'] ?? []].flat().map(told).join(' ')}" is started`;
  }
}

/** @param code hashes that files have to have; undefined if any content is allowed */
function parsed(
  { name, value, from, tooMany }: Entry,
  code: Readonly<Record<string, string>> | undefined,
  variables: NodeJS.ProcessEnv,
): ModuleChoice | RefusedModule {
  const wrong = (path: readonly PropertyKey[], message: string): RefusedModule => ({
    name,
    reason: `${placeOf({ name, from }, path)}: modules.${[name, ...path.map(String)].join('.')}: ${message}`,
  });
  if (tooMany !== undefined)
    return wrong(
      [],
      `a config has ${MAX_MODULES} modules at most, and this one has ${tooMany}: it is left out, and those after it`,
    );
  if (!MODULE_NAME.test(name))
    return wrong([], 'the name of a module has letters, digits and . _ - only, at most 64');
  const result = moduleSchema.safeParse(value);
  if (!result.success) {
    const [issue] = plainIssues(result.error.issues);
    return wrong(issue?.path ?? [], issue?.message ?? 'it is wrong');
  }
  const { module, search, timeoutMs = DEFAULT_TIMEOUT_MS, ...config } = result.data;
  const where = codeOf(module, from.file, code);
  if (where === undefined) {
    const known = BUILT_IN_MODULES.join(', ');
    return wrong(
      ['module'],
      `there is no built-in module "${module}" (there are ${known}); a path begins with ./ or /`,
    );
  }
  const secrets = where.kind === 'built-in' ? secretsOf(where.module, variables) : {};
  return { name, code: where, config, search, timeoutMs, from, secrets };
}

function codeOf(
  module: string,
  configFile: string,
  code: Readonly<Record<string, string>> | undefined,
): ModuleCode | undefined {
  const builtIn = BUILT_IN_MODULES.find((name) => name === module);
  if (builtIn !== undefined) return { kind: 'built-in', module: builtIn };
  if (!/^(?:\.{1,2}|~)?\//.test(module)) return undefined;
  const path = module.startsWith('~/') ? join(homeFolder(), module.slice(2)) : module;
  const file = resolve(dirname(configFile), path);
  return { kind: 'file', file, trusted: code };
}

/** The place of a key of a module, as `file:line:column`. */
export function placeOf(
  { name, from }: Pick<ModuleChoice, 'name' | 'from'>,
  path: readonly PropertyKey[],
): string {
  const { line, column } = placeInJson(from.text, ['modules', name, ...path]);
  return `${from.file}:${line}:${column}`;
}

/** A stranger's file must not have arbitrary files read. */
function whatFileAsks(file: unknown, configFile: string): string | undefined {
  const folder = dirname(configFile);
  const path = typeof file === 'string' ? resolve(folder, file) : folder;
  return isReallyInside(path, folder) ? undefined : `${path} is read, which lies outside the config's folder`;
}

function told(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function codeOfModule(name: string, file: string): Readonly<Record<string, string>> {
  const hashes = codeHashes(file);
  if (hashes !== undefined) return hashes;
  throw new UserError(
    `modules.${name}: ${file} imports so many files that they cannot be noted; bundle them into one`,
  );
}
