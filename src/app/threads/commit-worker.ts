import { parentPort, workerData } from 'node:worker_threads';
import type { CommitGraph } from '../../commit-graph/commit-graph.ts';
import { docsInGitIfAny } from '../../commit-graph/docs-in-git.ts';
import { type OpenCommits, openCommits } from '../../commit-graph/open.ts';
import type { DocsSettings } from '../../commit-graph/tree-view.ts';
import { wholeEnvironment } from '../../config/environment.ts';
import { systemClock } from '../../core/clock.ts';
import { type CommitInfo, commitInfos, findCommit } from '../../git/commits.ts';
import type { CommitPages } from '../../resolvers/graph-at.ts';
import { answerQuestions } from './question-thread.ts';

/** What the thread is started with. */
export interface CommitTask {
  readonly commitsFile: string;
  readonly indexFile: string;
  readonly settings: DocsSettings;
}

export type CommitWork = CommitPages;

/** Answers from the state folder and from Git. */
export function commitWork({ commitsFile, indexFile, settings }: CommitTask) {
  const caller = { variables: wholeEnvironment(), workingFolder: '/' };
  let opened: OpenCommits | undefined;

  /** Undefined if the docs are not in a repository. */
  function open(): OpenCommits | undefined {
    if (opened !== undefined) return opened;
    if (docsInGitIfAny(settings.selection, caller) === undefined) return undefined;
    opened = openCommits({
      file: commitsFile,
      indexFile,
      settings,
      caller,
      clock: systemClock,
      mayBeOnlyRead: true,
    });
    return opened;
  }

  const work = {
    commitOf(revision: string): CommitInfo | undefined {
      const commits = open();
      if (commits === undefined) return undefined;
      const { repository } = commits.docs;
      const commit = findCommit(repository, revision);
      return commit === undefined ? undefined : commitInfos(repository, [commit])[0];
    },
    nodeAt(commit: string, name: string) {
      const graph: CommitGraph | undefined = open()?.graph;
      const past = graph?.at(commit);
      const node = past?.node(name);
      return past && node && { key: `${commit} ${graph?.reading} ${node.key}`, text: past.pageOf(node) };
    },
  };
  return { work, close: () => opened?.close() };
}

if (parentPort !== null) {
  const { work, close } = commitWork(workerData);
  answerQuestions<CommitWork>(parentPort, work, close);
}
