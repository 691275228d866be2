import type { ContextRequest } from '../../context/composition.ts';
import { type ConstructorParts, contextConstructor } from '../../context/constructor.ts';
import type { BuildOptions, ContextManifest } from '../../context/manifest.ts';
import { materialize } from '../../context/materialize.ts';
import { loadTokenCounter } from '../../context/tokens.ts';
import { programFile } from '../../core/program-file.ts';
import { QuestionThread, type QuestionThreadOptions } from '../threads/question-thread.ts';
import {
  type ContextTask,
  type ContextWork,
  type FoundDocs,
  type OpenContextWork,
  openContextWork,
} from './context-work.ts';

/** The table of the tokenizer takes a quarter of a second to load and 60 MB of memory, and one question is often followed by another. */
const KEEP_MS = 60_000;

/** A context with its text. */
export interface BuiltContext {
  readonly manifest: ContextManifest;
  readonly text: string;
}

/** Contexts for questions, and summaries, of one project. */
export interface Contexts {
  /** @throws UserError if the budget is not a whole number of tokens from 1 to 1,000,000 */
  build(question: string, options?: BuildOptions): Promise<BuiltContext>;
  /** @param path of a document or folder in the docs, without `.md`; '' is everything. Undefined if there is none */
  summary(path: string): Promise<string | undefined>;
  close(): void;
}

export interface ContextsOptions extends Omit<ConstructorParts, 'compose'> {
  readonly task: ContextTask;
  /** If contexts are made in another thread, so that this one can answer others: whether one may be started. */
  readonly inThread: Pick<QuestionThreadOptions, 'mayStart'> | undefined;
  /**
   * Where the docs roots are now, as in `docsAsFound`. With it, the thread does not look for them: other contexts must not wait for a disk that does
   * not answer.
   */
  readonly found: () => ReadonlyMap<string, string>;
}

export function openContexts({ task, inThread, found, ...parts }: ContextsOptions): Contexts {
  const composing = inThread ? new ComposingThread(task, inThread) : new ComposingHere(task);
  const docs = (): FoundDocs => (inThread ? found() : undefined);
  const { build } = contextConstructor({
    ...parts,
    compose: (request) => composing.compose(request, docs()),
  });
  return {
    async build(question, options) {
      const manifest = await build(question, options);
      return { manifest, text: materialize(manifest) };
    },
    async summary(path) {
      const text = await composing.summary(path, docs());
      return typeof text === 'string' || text === undefined ? text : Buffer.from(text).toString();
    },
    close: () => composing.close(),
  };
}

/** Makes contexts in a thread that runs while it is needed. */
class ComposingThread implements ContextWork {
  readonly #thread: QuestionThread<ContextWork>;

  constructor(task: ContextTask, options: QuestionThreadOptions) {
    const module = programFile('app/contexts/context-worker.js');
    this.#thread = new QuestionThread(module, task, { ...options, keepMs: KEEP_MS });
  }

  compose(request: ContextRequest, found: FoundDocs) {
    return this.#thread.ask('compose', [request, found]);
  }

  summary(path: string, found: FoundDocs) {
    return this.#thread.ask('summary', [path, found]);
  }

  close(): void {
    this.#thread.close();
  }
}

/** Makes contexts in this thread, for a command, which serves nobody else. */
class ComposingHere implements ContextWork {
  readonly #task: ContextTask;
  #opened: Promise<OpenContextWork> | undefined;

  constructor(task: ContextTask) {
    this.#task = task;
  }

  async compose(request: ContextRequest, found: FoundDocs) {
    return (await this.#open()).work.compose(request, found);
  }

  async summary(path: string, found: FoundDocs) {
    return (await this.#open()).work.summary(path, found);
  }

  close(): void {
    // If it could not be opened, the caller has got the error.
    this.#opened?.then(
      ({ close }) => close(),
      () => undefined,
    );
  }

  #open(): Promise<OpenContextWork> {
    this.#opened ??= this.#begin();
    return this.#opened;
  }

  async #begin(): Promise<OpenContextWork> {
    try {
      return openContextWork(this.#task, await loadTokenCounter(this.#task.settings.tokenizer));
    } catch (error) {
      // The cause may be gone when the next question comes.
      this.#opened = undefined;
      throw error;
    }
  }
}
