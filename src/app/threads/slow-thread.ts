import type { EdgeType } from '../../core/graph-model.ts';
import { programFile } from '../../core/program-file.ts';
import type { Query } from '../../core/resolver.ts';
import type { Side } from '../../graph/queries.ts';
import type { NodeForm } from '../../graph/slow-questions.ts';
import type { SearchedTexts } from '../../retrieval/text-search.ts';
import { QuestionThread, type QuestionThreadOptions } from './question-thread.ts';
import type { SlowTask, SlowWork } from './slow-worker.ts';

/** Asks slow questions in a separate thread, which runs while it is needed. It answers from the graph as it is at that moment. */
export class SlowThread implements SlowWork {
  readonly #thread: QuestionThread<SlowWork>;

  constructor(task: SlowTask, options?: QuestionThreadOptions) {
    this.#thread = new QuestionThread(programFile('app/threads/slow-worker.js'), task, options);
  }

  edgesText(type: EdgeType) {
    return this.#thread.ask('edgesText', [type]);
  }

  wholeGraphText() {
    return this.#thread.ask('wholeGraphText', []);
  }

  pathText(fromId: number, toId: number) {
    return this.#thread.ask('pathText', [fromId, toId]);
  }

  nodePage(id: number, form: NodeForm) {
    return this.#thread.ask('nodePage', [id, form]);
  }

  namesAtSide(id: number, side: Side) {
    return this.#thread.ask('namesAtSide', [id, side]);
  }

  sectionsOf(path: string) {
    return this.#thread.ask('sectionsOf', [path]);
  }

  similar(text: string, limit: number) {
    return this.#thread.ask('similar', [text, limit]);
  }

  searchTexts(query: Query, where: SearchedTexts, found: ReadonlyMap<string, string>) {
    return this.#thread.ask('searchTexts', [query, where, found]);
  }

  lintText(found: ReadonlyMap<string, string>) {
    return this.#thread.ask('lintText', [found]);
  }

  /** Callers that still wait get an error. */
  close(): void {
    this.#thread.close();
  }
}
