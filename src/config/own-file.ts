import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { reasonOf, systemCodeOf } from '../core/errors.ts';

/** What a file of the user's own says; neither where there is none. */
export interface OwnText {
  readonly text?: string;
  /** Why it is not used, with the way out. */
  readonly problem?: string;
}

/** Where the user keeps what is about all projects: `$XDG_CONFIG_HOME/kgraphfs`, else `~/.config/kgraphfs`. */
export function ownConfigFolder(variables: NodeJS.ProcessEnv): string {
  const base = variables['XDG_CONFIG_HOME'];
  return join(base !== undefined && isAbsolute(base) ? base : join(homedir(), '.config'), 'kgraphfs');
}

/** What the user says of all projects. */
export function userConfigFile(variables: NodeJS.ProcessEnv): string {
  return join(ownConfigFolder(variables), 'config.json');
}

const OTHERS_WRITE = 0o022;

/**
 * Reads a file that decides what may be sent out, or with which key: so nobody but the user (and root) may be able to write it, or to put another
 * in its place.
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
  return `${open[0]}: other users may write it, and so it is not used; mend it with: chmod go-w ${open.join(' ')}`;
}
