import type { CommitTask, CommitWork } from './commit-worker.ts';
import { QuestionThread } from './question-thread.ts';
import type { CommitPages } from './resolvers/graph-at.ts';

/** The graph at commits, asked for in a thread of its own: one that was never recorded takes as long as reading what differs. */
export class CommitThread implements CommitPages {
  readonly #thread: QuestionThread<CommitWork>;

  constructor(task: CommitTask) {
    this.#thread = new QuestionThread(new URL('./commit-worker.js', import.meta.url), task);
  }

  commitOf(revision: string) {
    return this.#thread.ask('commitOf', [revision]);
  }

  nodeAt(commit: string, name: string) {
    return this.#thread.ask('nodeAt', [commit, name]);
  }

  close(): void {
    this.#thread.close();
  }
}
