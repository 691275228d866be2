import { createInterface, type Interface } from 'node:readline';
import { UserError } from '../core/errors.ts';
import type { Io } from './io.ts';

/** Questions to the person at the terminal, one after another. */
export class Questions {
  readonly #err: Io['err'];
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;

  constructor({ input, err }: Pick<Io, 'input' | 'err'>) {
    this.#err = err;
    this.#lines = createInterface({ input });
    this.#answers = this.#lines[Symbol.asyncIterator]();
  }

  /**
   * Asks a question.
   * @returns the answer, or `usual` if the line is empty
   * @throws UserError if the input ends instead, as by Ctrl-D: the caller then leaves everything as it was
   */
  async text(question: string, usual: string): Promise<string> {
    this.#err.write(`${question} [${usual}] `);
    const { value, done } = await this.#answers.next();
    if (done === true) {
      this.#err.write('\n');
      throw new UserError('the input ended before there was an answer; nothing was changed');
    }
    const answer = value.trim();
    return answer === '' ? usual : answer;
  }

  /** Asks for yes or no. An empty line means the usual answer; any other answer but a yes means no. @throws UserError as {@link text} */
  async isYes(question: string, { usual }: { readonly usual: 'yes' | 'no' }): Promise<boolean> {
    const answer = await this.text(question, usual === 'yes' ? 'Y/n' : 'y/N');
    return answer === 'Y/n' || /^y(es)?$/i.test(answer);
  }

  close(): void {
    this.#lines.close();
  }
}

/** Whether a person is there to answer. */
export function canAsk({ input, err }: Pick<Io, 'input' | 'err'>): boolean {
  return err.isTerminal && 'isTTY' in input && input.isTTY === true;
}
