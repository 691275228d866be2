import type { Repository } from './repository.ts';
import { GitFailure } from './run-git.ts';

/** A commit as people know it. */
export interface CommitInfo {
  /** The full name, in hexadecimal. */
  readonly commit: string;
  /** When it was committed. */
  readonly committedMs: number;
  /** The first line of its message. */
  readonly subject: string;
}

/**
 * The commit that a revision means, such as `HEAD~2`, a branch, a tag, or the first digits of a name, see gitrevisions(7). Undefined if there is none.
 * @throws GitFailure if the repository is gone
 */
export function findCommit(repository: Repository, revision: string): string | undefined {
  if (revision === '' || revision.includes('\0') || revision.includes('\n')) return undefined;
  try {
    const command = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const name = repository.run(command).toString('utf8').trim();
    return /^[0-9a-f]{40,64}$/.test(name) ? name : undefined;
  } catch (error) {
    if (error instanceof GitFailure && !error.said.includes('not a git repository')) return undefined;
    throw error;
  }
}

/** The commit that the checked-out branch names, whether the repository has it or has lost it; undefined before the first commit. */
export function nameOfHead(repository: Repository): string | undefined {
  try {
    return repository.run(['rev-parse', '--verify', '--quiet', 'HEAD']).toString('utf8').trim();
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** The commit that is checked out; undefined before the first commit. */
export function headCommit(repository: Repository): CommitInfo | undefined {
  try {
    return commitInfos(repository, ['HEAD'])[0];
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** @throws GitFailure if one of the commits does not exist */
export function commitInfos(repository: Repository, commits: readonly string[]): CommitInfo[] {
  if (commits.length === 0) return [];
  const command = ['rev-list', '--no-walk=unsorted', '--stdin', '--format=%H %ct %s'];
  const output = repository.run(command, { input: `${commits.join('\n')}\n` });
  return output.toString('utf8').split('\n').flatMap(infoOf);
}

/** The commits that lead from one commit to another by first parents, oldest first; undefined if they do not, or if they are more than `limit`. */
export function commitsBetween(
  repository: Repository,
  from: string,
  to: string,
  limit: number,
): string[] | undefined {
  const command = ['rev-list', '--first-parent', '--parents', `--max-count=${limit + 1}`, to, `^${from}`];
  try {
    const lines = repository.run(command).toString('utf8').trim().split('\n');
    const [, parent] = (lines.at(-1) ?? '').split(' ');
    if (lines.length > limit || parent !== from) return undefined;
    return lines.map((line) => line.split(' ')[0] ?? '').reverse();
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** Every commit in the history of `to` that is not in the history of `from`, parents before children. @throws GitFailure */
export function commitsSince(repository: Repository, from: string, to: string): string[] {
  const output = repository.run(['rev-list', '--topo-order', '--reverse', to, `^${from}`]);
  return output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** The latest commit that two commits have in common. */
export function mergeBase(repository: Repository, a: string, b: string): string | undefined {
  try {
    return repository.run(['merge-base', a, b]).toString('utf8').trim() || undefined;
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

function infoOf(line: string): CommitInfo[] {
  const match = /^([0-9a-f]{40,64}) (\d+) (.*)$/.exec(line);
  if (match === null) return [];
  const [, commit = '', seconds = '', subject = ''] = match;
  return [{ commit, committedMs: Number(seconds) * 1000, subject }];
}
