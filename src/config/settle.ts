import { dirname, resolve } from 'node:path';
import type { DocsFolder } from '../core/docs-selection.ts';
import { EXIT, UserError } from '../core/errors.ts';
import { READY_MAP } from '../core/schema-rules.ts';
import { type ContextSettings, DEFAULT_CONTEXT_SETTINGS } from '../settings/context.ts';
import { DEFAULT_LEARNING_SETTINGS } from '../settings/learning.ts';
import { DEFAULT_LIMITS, DEFAULT_MAX_DOCUMENT_BYTES, type Limits } from '../settings/limits.ts';
import { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from '../settings/search.ts';
import {
  isFolder,
  isReallyInside,
  refuseAround,
  rootsOfConfig,
  rootsOfFlags,
  stateBeside,
  usualDocs,
  usualRoots,
  wayNamed,
  whyNoFolder,
} from './docs-roots.ts';
import { placeInJson } from './json-places.ts';
import type { LoadedConfig } from './load.ts';
import type { Config } from './schema.ts';
import { usualMapNow, usualMaps } from './schema-map-file.ts';
import type { Flags, ProjectAsk, Settings } from './settings.ts';

/**
 * As `loadSettings`, with a config file that was read already. So without one, nothing that reads it has to be loaded.
 * @throws UserError if the config file is wrong or asks for too much, a docs root is not a readable folder, or the state folder contains one
 */
export function settle(flags: Flags, workingFolder: string, loaded: LoadedConfig): Settings {
  const { file, config } = loaded;
  const base = file === undefined ? workingFolder : dirname(file);
  const named = stateFolder(flags.state, config.state, workingFolder, base);
  const { folders, limit } = docsOf(flags, loaded, workingFolder, base, named);
  const [first] = folders;
  const docs = first?.folder ?? workingFolder;
  if (named === undefined && first?.isAway)
    throw new UserError(
      `${docs}: the disk that these docs lie on does not answer, so it is not known where their state is kept; name that folder with --state`,
    );
  const state = named ?? stateBeside(docs, workingFolder, limit);
  refuseAround(state, folders, flags.state === undefined && config.state !== undefined ? 'config' : 'flag');
  return {
    configFile: file,
    docs,
    selection: { folders, include: config.include ?? [], exclude: config.exclude ?? [] },
    state,
    maxDocumentBytes: config.index?.maxDocumentBytes ?? DEFAULT_MAX_DOCUMENT_BYTES,
    driver: config.mount?.driver,
    readOnly: config.mount?.readOnly ?? false,
    limits: limitsOf(config),
    context: contextOf(config.context),
    search: searchOf(config.search),
    learning: {
      rules: config.learn?.rules ?? DEFAULT_LEARNING_SETTINGS.rules,
      paths: config.learn?.paths ?? DEFAULT_LEARNING_SETTINGS.paths,
    },
    ...schemaMapOf(config.schemaMap, base, first?.isAway ? base : docs),
    templates: templatesOf(flags, loaded, base),
    lint: {
      rules: config.lint?.rules ?? {},
      siteRoot: config.lint?.siteRoot,
      ignore: config.lint?.ignore ?? [],
    },
    embeddings: askOf(config.search?.embeddings, loaded),
    llm: askOf(config.llm, loaded),
    modules: askOf(config.modules, loaded),
  };
}

function schemaMapOf(
  key: string | undefined,
  base: string,
  docs: string,
): Pick<Settings, 'schemaMap' | 'usualMaps'> {
  if (key === undefined) {
    const files = usualMaps(base, docs);
    return { schemaMap: usualMapNow(files), usualMaps: files };
  }
  return { schemaMap: key === READY_MAP ? key : insideConfig(key, base, 'schemaMap'), usualMaps: [] };
}

/** The folder of the project's own templates. @throws UserError if it is missing, unless docs may be missing, too */
function templatesOf({ mayMissDocs }: Flags, { file, text, config }: LoadedConfig, base: string) {
  if (config.templates === undefined) return undefined;
  const folder = insideConfig(config.templates, base, 'templates');
  if (mayMissDocs || isFolder(folder)) return folder;
  const { line, column } = placeInJson(text ?? '', ['templates']);
  throw new UserError(
    `${file}:${line}:${column}: templates: ${whyNoFolder(folder)}: ${folder}; make it, or remove this setting`,
    EXIT.wrongUsage,
  );
}

/** A stranger's file must not have arbitrary files read. @throws UserError */
function insideConfig(path: string, base: string, key: string): string {
  const file = resolve(base, path);
  if (isReallyInside(file, base)) return file;
  throw new UserError(
    `${file}: "${key}" in a config file may only name something inside the folder of that file`,
    EXIT.wrongUsage,
  );
}

function limitsOf({ memory, scratchpad, history }: Config): Limits {
  return {
    memoryEntryBytes: memory?.maxEntryBytes ?? DEFAULT_LIMITS.memoryEntryBytes,
    removedMemoryDays: memory?.removedDays ?? DEFAULT_LIMITS.removedMemoryDays,
    scratchpadBytes: scratchpad?.maxBytes ?? DEFAULT_LIMITS.scratchpadBytes,
    scratchpadDays: scratchpad?.keepDays ?? DEFAULT_LIMITS.scratchpadDays,
    historyDays: history?.keepDays ?? DEFAULT_LIMITS.historyDays,
    historyBytes: history?.maxBytes ?? DEFAULT_LIMITS.historyBytes,
  };
}

function contextOf(context: Config['context']): ContextSettings {
  const usual = DEFAULT_CONTEXT_SETTINGS;
  return {
    budgetTokens: context?.budgetTokens ?? usual.budgetTokens,
    halfLifeDays: context?.halfLifeDays ?? usual.halfLifeDays,
    trust: {
      docs: context?.trust?.docs ?? usual.trust.docs,
      memory: context?.trust?.memory ?? usual.trust.memory,
    },
    tokenizer: context?.tokenizer ?? usual.tokenizer,
    conversationShare: context?.conversationShare ?? usual.conversationShare,
  };
}

function searchOf(search: Config['search']): SearchSettings {
  const { k, weights } = DEFAULT_SEARCH_SETTINGS;
  const asked = search?.weights;
  return {
    k: search?.k ?? k,
    weights: {
      keyword: asked?.keyword ?? weights.keyword,
      graph: asked?.graph ?? weights.graph,
      vector: asked?.vector ?? weights.vector,
      recency: asked?.recency ?? weights.recency,
    },
  };
}

/** A request to send something out, with the file whose trust it needs. */
function askOf<Key>(asked: Key | undefined, { file, text }: LoadedConfig): ProjectAsk<Key> | undefined {
  return asked === undefined || file === undefined || text === undefined ? undefined : { asked, file, text };
}

/** The absolute paths at which {@link settle} looks for docs. */
export function docsWays({ docs }: Flags, workingFolder: string, { file, config }: LoadedConfig): string[] {
  const flags = docs === undefined ? [] : [docs].flat();
  if (flags.length > 0) return flags.map((root) => wayNamed(root, workingFolder));
  if (config.docs === undefined || file === undefined) return [usualDocs(workingFolder)];
  return [config.docs].flat().map((root) => wayNamed(root, dirname(file)));
}

/** `limit` is a folder outside which nothing is written unless the command line says so. */
function docsOf(
  { docs: given, ...sought }: Flags,
  loaded: LoadedConfig,
  workingFolder: string,
  base: string,
  state: string | undefined,
): { readonly folders: readonly DocsFolder[]; readonly limit?: string } {
  const flags = given === undefined ? [] : [given].flat();
  if (flags.length > 0) return { folders: rootsOfFlags(flags, workingFolder, sought) };
  const { docs: keyed } = loaded.config;
  if (keyed !== undefined) return { folders: rootsOfConfig(keyed, loaded, base, sought), limit: base };
  return { folders: usualRoots(workingFolder, state, sought), limit: workingFolder };
}

/** A stranger's config file must not have arbitrary files written. */
function requireInside(path: string, base: string): string {
  if (isReallyInside(path, base)) return path;
  throw new UserError(
    `${path}: a config file may only name a state folder inside its own folder; use --state`,
    EXIT.wrongUsage,
  );
}

function stateFolder(
  flag: string | undefined,
  key: string | undefined,
  workingFolder: string,
  base: string,
): string | undefined {
  if (flag !== undefined) return resolve(workingFolder, flag);
  return key === undefined ? undefined : requireInside(resolve(base, key), base);
}
