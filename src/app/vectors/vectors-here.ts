import { reasonOf } from '../../core/errors.ts';
import type { NearAnswer, VectorSearch } from '../../core/vector-search.ts';
import type { OpenVectors, VectorsTask } from './open-vectors.ts';

/** Searches vectors in this thread, for a command that asks a few questions. Opened at the first one. */
export class VectorsHere implements VectorSearch {
  readonly #taskOf: () => Promise<VectorsTask | undefined>;
  #opening: Promise<OpenVectors | undefined> | undefined;
  #lack: string | undefined;

  /** @param taskOf called at the first question; gives undefined if no embeddings are configured */
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

  /** Always the same: a command ends before it could notice the work of others. */
  revision(): string {
    return '';
  }

  /** Undefined, since a command embeds nothing in the background. */
  figures(): undefined {
    return undefined;
  }

  onChange(): void {}

  /** No docs are read here. */
  docsAt(): void {}

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
    // Few commands need the code that reads documents, which is a third of the program.
    const { openVectors } = await import('./open-vectors.ts');
    return openVectors(task);
  }
}
