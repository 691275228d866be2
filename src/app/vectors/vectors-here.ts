import { reasonOf } from '../../core/errors.ts';
import type { NearAnswer, VectorSearch } from '../../core/vector-search.ts';
import type { OpenVectors, VectorsTask } from './open-vectors.ts';

/** Vectors in this thread, for a command that asks once or a few times: opened at the first question. */
export class VectorsHere implements VectorSearch {
  readonly #taskOf: () => Promise<VectorsTask | undefined>;
  #opening: Promise<OpenVectors | undefined> | undefined;
  #lack: string | undefined;

  /** @param taskOf asked at the first question; undefined where there are no embeddings */
  constructor(taskOf: () => Promise<VectorsTask | undefined>) {
    this.#taskOf = taskOf;
  }

  async nearest(question: string, limit: number, signal?: AbortSignal): Promise<NearAnswer> {
    const answer = await this.#ask(question, limit, signal);
    this.#lack = answer.lack;
    return answer;
  }

  lack(): string | undefined {
    return this.#lack;
  }

  /** The same throughout: a command is done before it could see others' work. */
  revision(): string {
    return '';
  }

  /** Nobody is told anything while a command runs. */
  figures(): undefined {
    return undefined;
  }

  onChange(): void {}

  close(): void {
    this.#opening?.then(
      (open) => open?.close(),
      () => undefined,
    );
  }

  async #ask(question: string, limit: number, signal: AbortSignal | undefined): Promise<NearAnswer> {
    try {
      this.#opening ??= this.#open();
      const open = await this.#opening;
      if (open === undefined) return { passages: [], lack: undefined };
      return await open.vectors.nearest(question, limit, signal);
    } catch (error) {
      return { passages: [], lack: reasonOf(error) };
    }
  }

  async #open(): Promise<OpenVectors | undefined> {
    const task = await this.#taskOf();
    if (task === undefined) return undefined;
    // What reads documents is a third of this program, and few commands need it.
    const { openVectors } = await import('./open-vectors.ts');
    return openVectors(task);
  }
}
