import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenCommits } from '../commit-graph/open.ts';
import { programFile } from '../core/program-file.ts';
import { headCommit } from '../git/commits.ts';
import type { HookCall } from './hook-call.ts';

/** If more documents than this have to be read, the hook does not wait for it. */
const MAX_WAITED_FOR = 5;

/** Brings the graph to the present commit. @returns whether it did; false if that would take too long. @throws UserError, GitFailure */
export function syncAfter(commits: OpenCommits): boolean {
  const head = headCommit(commits.docs.repository);
  return head === undefined || commits.graph.bringToIfNear(head, MAX_WAITED_FOR);
}

/** Whether a hook is one of many that a rebase runs. At its end, a rebase runs `post-rewrite`. */
export function isAmongMany({ hook, given }: HookCall, gitFolder: string): boolean {
  // Files were checked out, and not a commit.
  if (hook === 'post-checkout' && given[2] === '0') return true;
  if (hook === 'post-rewrite') return given[0] === 'amend';
  return ['rebase-merge', 'rebase-apply'].some((name) => existsSync(join(gitFolder, name)));
}

/** Starts `kgraphfs sync` without waiting for it. Its failures go to a log. */
export function syncInBackground(
  { folder, flags }: HookCall,
  logFile: string,
  variables: NodeJS.ProcessEnv,
): void {
  const program = fileURLToPath(programFile('cli/main.js'));
  const { docs = [], state, config } = flags;
  const options = [
    ...docs.flatMap((path) => ['--docs', path]),
    ...(state === undefined ? [] : ['--state', state]),
    ...(config === undefined ? [] : ['--config', config]),
  ];
  const log = openSync(logFile, 'a');
  try {
    spawn(process.execPath, [program, 'sync', ...options], {
      cwd: folder,
      env: withoutGit(variables),
      detached: true,
      stdio: ['ignore', 'ignore', log],
    }).unref();
  } finally {
    closeSync(log);
  }
}

/** Removes Git's variables for a hook, which are about the commit that is being made. */
function withoutGit(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^GIT_(?!CONFIG)/.test(name)));
}
