import { programFile } from '../../core/program-file.ts';
import type { SchemaRules } from '../../core/schema-rules.ts';
import type { CommitPages } from '../../resolvers/graph-at.ts';
import type { CommitTask, CommitWork } from './commit-worker.ts';
import { QuestionThread, type QuestionThreadOptions } from './question-thread.ts';

/** Asks for the graph at commits in a separate thread: for a commit that was never recorded, all documents that differ have to be read. */
export class CommitThread implements CommitPages {
  #task: CommitTask;
  readonly #thread: QuestionThread<CommitWork>;

  constructor(task: CommitTask, options?: QuestionThreadOptions) {
    this.#task = task;
    this.#thread = new QuestionThread(programFile('app/threads/commit-worker.js'), task, options);
  }

  /** From now on, reads commits with another schema map. */
  readBy(schema: SchemaRules | undefined): void {
    const { settings } = this.#task;
    this.#task = { ...this.#task, settings: { ...settings, selection: { ...settings.selection, schema } } };
    this.#thread.renew(this.#task);
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
