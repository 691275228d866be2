import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT, UserError } from '../core/errors.ts';
import { type GitCall, GitFailure, runGit, runGitConfig } from './run-git.ts';

/** Variables that say which repository is meant. In a hook, they are about the commit that is being made. */
const PLACES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_PREFIX',
  'GIT_NAMESPACE',
  'GIT_QUARANTINE_PATH',
] as const;

/** A repository with a work tree. Folders are absolute, without links. */
export interface Repository {
  /** The top folder of the work tree. */
  readonly topFolder: string;
  /** `.git`, or the folder that a file of that name names: the part that belongs to this work tree alone. */
  readonly gitFolder: string;
  /** The folder that all work trees share. */
  readonly commonFolder: string;
  readonly isShallow: boolean;
  /** @throws UserError, GitFailure */
  run(command: readonly string[], options?: Pick<GitCall, 'input' | 'maxOutputBytes' | 'timeoutMs'>): Buffer;
  /** As `run`, but with the user's own settings. */
  configure(command: readonly string[]): Buffer;
}

/** The caller: its variables, and its working folder, to which paths in Git's variables are relative. */
export interface GitCaller {
  readonly variables: NodeJS.ProcessEnv;
  readonly workingFolder: string;
}

/**
 * Finds the repository of a folder. Undefined if the folder is in none, or there is no work tree.
 * @throws UserError if there is no Git, or if it refuses the repository because of its owner or since it cannot be read
 */
export function findRepository(folder: string, caller: GitCaller): Repository | undefined {
  const bare = withoutPlaces(caller.variables);
  const found = discover(folder, bare) ?? discover(folder, withAbsolutePlaces(caller));
  if (found === undefined) return undefined;
  const { gitFolder, topFolder } = found;
  const variables = {
    ...bare,
    ...(isAboutThis(found, caller) ? indexOf(caller) : {}),
    GIT_DIR: gitFolder,
    GIT_WORK_TREE: topFolder,
  };
  return {
    ...found,
    run: (command, options) => runGit({ arguments: command, folder: topFolder, variables, ...options }),
    configure: (command) => runGitConfig({ arguments: command, folder: topFolder, variables }),
  };
}

type Found = Pick<Repository, 'topFolder' | 'gitFolder' | 'commonFolder' | 'isShallow'>;

function discover(folder: string, variables: NodeJS.ProcessEnv): Found | undefined {
  const questions = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir', '--is-shallow-repository'];
  try {
    const output = runGit({ arguments: ['rev-parse', ...questions], folder, variables });
    const [top = '', git = '', common = '', isShallow] = output.toString('utf8').split('\n');
    if (top === '') return undefined;
    return {
      topFolder: realpathSync(top),
      gitFolder: realpathSync(git),
      commonFolder: realpathSync(resolve(folder, common)),
      isShallow: isShallow === 'true',
    };
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (/not a git repository \(or any|must be run in a work tree/.test(error.said)) return undefined;
    const reason = /dubious ownership|safe\.directory/.test(error.said)
      ? 'since it belongs to another user: see safe.directory in git-config(1)'
      : `and says: ${error.said}`;
    throw new UserError(`${folder}: git refuses this repository, ${reason}`, EXIT.failed, { cause: error });
  }
}

function withoutPlaces(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const places = new Set<string>(PLACES);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !places.has(name)));
}

/** The variables for a work tree that only `GIT_DIR` ties to its repository. */
function withAbsolutePlaces({ variables, workingFolder }: GitCaller): NodeJS.ProcessEnv {
  const { GIT_DIR: git } = variables;
  if (git === undefined) return withoutPlaces(variables);
  return {
    ...withoutPlaces(variables),
    GIT_DIR: resolve(workingFolder, git),
    GIT_WORK_TREE: resolve(workingFolder, variables['GIT_WORK_TREE'] ?? '.'),
  };
}

/**
 * Whether the variables of the caller are about this repository: a hook of an outer repository sets them for its own. Git sets `GIT_DIR` for some hooks only,
 * but runs all of them at the top of their work tree.
 */
function isAboutThis({ gitFolder, topFolder }: Found, { variables, workingFolder }: GitCaller): boolean {
  const { GIT_DIR: git } = variables;
  try {
    return git === undefined
      ? realpathSync(workingFolder) === topFolder
      : realpathSync(resolve(workingFolder, git)) === gitFolder;
  } catch {
    // What does not exist is no repository, so it is not this one.
    return false;
  }
}

/** Where the index of the commit that is being made lies, and where new objects go. */
function indexOf({ variables, workingFolder }: GitCaller): NodeJS.ProcessEnv {
  const named = (name: (typeof PLACES)[number]) => {
    const value = variables[name];
    return value === undefined || value === '' ? {} : { [name]: resolve(workingFolder, value) };
  };
  const { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates } = variables;
  return {
    ...named('GIT_INDEX_FILE'),
    ...named('GIT_OBJECT_DIRECTORY'),
    ...(alternates === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates }),
  };
}
