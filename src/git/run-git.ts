import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { UserError } from '../core/errors.ts';

/** How to run a command of Git. */
export interface GitCall {
  readonly arguments: readonly string[];
  readonly folder: string;
  /** The whole environment. */
  readonly variables: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Longer output is a {@link GitFailure}. Default: 1 GiB. */
  readonly maxOutputBytes?: number;
  /** Git is ended after this time, which is a {@link GitFailure}. Default: 2 min. */
  readonly timeoutMs?: number;
}

/** Git ran and failed. A caller that goes on all the same must tell the user what Git said: the repository may be damaged or incomplete. */
export class GitFailure extends UserError {
  override readonly name = 'GitFailure';
  /** The message of Git, in English. */
  readonly said: string;
  /** Whether Git was stopped because its output grew too long. */
  readonly isTooLong: boolean;

  constructor(command: string, said: string, isTooLong = false) {
    super(/promisor remote/.test(said) ? NOT_ALL_HERE : `git ${command} failed: ${said}`);
    this.said = said;
    this.isTooLong = isTooLong;
  }
}

/** Nothing is fetched here, since that would run what the repository's configuration names. */
const NOT_ALL_HERE =
  'this clone is a partial one, and does not have all that this takes; "git fetch --refetch --no-filter" gets it';

const MAX_OUTPUT_BYTES = 1 << 30;
/** No question that is asked here takes so long. A pattern in a revision that comes from a stranger might. */
const TIMEOUT_MS = 120_000;

/**
 * Keeps the configuration of a repository, which may be a stranger's, from running anything here: a file monitor, a pager, a transport that fetches what is
 * missing, a program that checks signatures.
 */
const SAFE_OPTIONS = [
  '--no-pager',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'log.showSignature=false',
  '-c',
  'diff.external=',
] as const;

const SAFE_VARIABLES = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // No protocol is allowed. Unlike protocol.allow, this overrides what a repository allows for a single transport.
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_EXTERNAL_DIFF: undefined,
  LC_ALL: 'C',
} as const;

/**
 * Runs Git and waits for it. Nothing that a repository's configuration names is run.
 * @returns the output of Git
 * @throws UserError if there is no Git; GitFailure
 */
export function runGit(call: GitCall): Buffer {
  const result = start(SAFE_OPTIONS, call);
  return outputOf(result, call);
}

/**
 * Asks Git for its settings, or changes one. As {@link runGit}, but with the configuration of the repository.
 * @throws UserError if there is no Git; GitFailure, also if a setting does not exist
 */
export function runGitConfig(call: GitCall): Buffer {
  return outputOf(start([], call), call);
}

function start(options: readonly string[], call: GitCall): SpawnSyncReturns<Buffer> {
  const { folder, variables, input, maxOutputBytes = MAX_OUTPUT_BYTES, timeoutMs = TIMEOUT_MS } = call;
  return spawnSync('git', [...options, ...call.arguments], {
    cwd: folder,
    env: { ...variables, ...SAFE_VARIABLES },
    ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
    maxBuffer: maxOutputBytes,
    timeout: timeoutMs,
    windowsHide: true,
  });
}

function outputOf({ error, status, stdout, stderr }: SpawnSyncReturns<Buffer>, call: GitCall): Buffer {
  if (error === undefined && status === 0) return stdout;
  const [command = ''] = call.arguments;
  const code = error !== undefined && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') throw new UserError('there is no git on this machine, or it is not on PATH');
  const said = error === undefined ? stderr.toString('utf8').trim() : error.message;
  throw new GitFailure(command, said, code === 'ENOBUFS');
}
