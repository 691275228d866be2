import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import { DEFAULT_LIMITS, DEFAULT_MAX_DOCUMENT_BYTES, type Limits } from '../core/limits.ts';
import { loadConfig, USAGE } from './load.ts';
import type { Config, DriverName } from './schema.ts';

/** What the command line said; it wins over the config file. */
export interface Flags {
  readonly docs?: string | undefined;
  readonly state?: string | undefined;
  readonly config?: string | undefined;
}

/** Where things are and how they are done, for one run. Paths are absolute. */
export interface Settings {
  readonly configFile: string | undefined;
  readonly docs: string;
  readonly state: string;
  readonly maxDocumentBytes: number;
  readonly driver: DriverName | undefined;
  readonly readOnly: boolean;
  readonly limits: Limits;
}

const STATE_FOLDER_NAME = '.kgraphfs';

/**
 * Settles docs root, state folder and the rest from flags, config file and defaults, in this order.
 * @throws UserError where the config file is wrong or asks for too much, or the docs root is no folder that can be read
 */
export function loadSettings(flags: Flags, workingFolder: string): Settings {
  const { file, config } = loadConfig(workingFolder, flags.config);
  const base = file === undefined ? workingFolder : dirname(file);
  const docs = docsRoot(flags.docs, config.docs, workingFolder, base);
  return {
    configFile: file,
    docs,
    state: stateFolder(flags.state, config.state, docs, workingFolder, base),
    maxDocumentBytes: config.index?.maxDocumentBytes ?? DEFAULT_MAX_DOCUMENT_BYTES,
    driver: config.mount?.driver,
    readOnly: config.mount?.readOnly ?? false,
    limits: limitsOf(config),
  };
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

function docsRoot(
  flag: string | undefined,
  key: string | undefined,
  workingFolder: string,
  base: string,
): string {
  if (flag !== undefined) return requireFolder(resolve(workingFolder, flag), '--docs');
  if (key !== undefined) return requireFolder(resolve(base, key), 'docs in the config file');
  const usual = join(workingFolder, 'docs');
  return isFolder(usual) ? realpathSync(usual) : realpathSync(workingFolder);
}

/**
 * Beside the docs root; inside it where the docs root is the current folder, as `.git` is: beside it would be a
 * folder that other projects share. Dot folders are no docs, so it is not shown either way.
 */
function stateFolder(
  flag: string | undefined,
  key: string | undefined,
  docs: string,
  workingFolder: string,
  base: string,
): string {
  if (flag !== undefined) return resolve(workingFolder, flag);
  if (key !== undefined) return requireInside(resolve(base, key), base);
  return join(docs === realpathSync(workingFolder) ? docs : dirname(docs), STATE_FOLDER_NAME);
}

/** What a config file of somebody else names is not written to wherever it points. */
function requireInside(path: string, base: string): string {
  if (path.startsWith(`${base}/`)) return path;
  throw new UserError(
    `${path}: a config file may name a state folder inside its own folder only; use --state`,
    USAGE,
  );
}

function requireFolder(path: string, origin: string): string {
  if (!isFolder(path)) throw new UserError(`${path}: there is no such folder (${origin})`);
  return realpathSync(path);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
