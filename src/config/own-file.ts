import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { reasonOf, systemCodeOf } from '../core/errors.ts';

/** The content of a file of the user's own; both fields are absent if there is none. */
export interface OwnText {
  readonly text?: string;
  /** Why it is not used, and what to do. */
  readonly problem?: string;
}

/** The folder for what applies to all projects: `$XDG_CONFIG_HOME/kgraphfs`, else `~/.config/kgraphfs`. */
export function ownConfigFolder(variables: NodeJS.ProcessEnv): string {
  const base = variables['XDG_CONFIG_HOME'];
  return join(base !== undefined && isAbsolute(base) ? base : join(homedir(), '.config'), 'kgraphfs');
}

/** The user's own config, for all projects. */
export function userConfigFile(variables: NodeJS.ProcessEnv): string {
  return join(ownConfigFolder(variables), 'config.json');
}

const OTHERS_WRITE = 0o022;

/**
 * Reads a file that decides what may be sent out, or with which key. So only the user and root may be able to write it, or to put another file in its
 * place.
 */
export function readOwnFile(file: string): OwnText {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return {};
    return { problem: `${file}: it cannot be read, and is not used: ${reasonOf(error)}` };
  }
  try {
    const problem = whyNotOwn([
      [file, fstatSync(descriptor)],
      [dirname(file), statSync(dirname(file))],
    ]);
    return problem === undefined ? { text: readFileSync(descriptor, 'utf8') } : { problem };
  } catch (error) {
    return { problem: `${file}: it cannot be read, and is not used: ${reasonOf(error)}` };
  } finally {
    closeSync(descriptor);
  }
}

function whyNotOwn(all: readonly (readonly [path: string, status: Stats])[]): string | undefined {
  const self = process.getuid?.();
  const [foreign] = all.find(([, { uid }]) => self !== undefined && uid !== self && uid !== 0) ?? [];
  if (foreign !== undefined) return `${foreign}: it belongs to another user, and is not used`;
  const open = all.flatMap(([path, { mode }]) => ((mode & OTHERS_WRITE) === 0 ? [] : [path]));
  if (open.length === 0) return undefined;
  return `${open[0]}: other users may write to it, so it is not used; fix it with: chmod go-w ${open.join(' ')}`;
}
