import { createInterface, type Interface } from 'node:readline';
import { UserError } from '../core/errors.ts';
import type { Io } from './io.ts';

/** Questions to whoever sits at the terminal, one after another. */
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
   * @returns the answer, or `usual` where the line is empty
   * @throws UserError where the input ends instead, as by Ctrl-D: who asks then leaves all as it was
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

  /** No is what anything but a yes means, where that is not the usual answer. @throws UserError as {@link text} */
  async isYes(question: string, { usual }: { readonly usual: 'yes' | 'no' }): Promise<boolean> {
    const answer = await this.text(question, usual === 'yes' ? 'Y/n' : 'y/N');
    return answer === 'Y/n' || /^y(es)?$/i.test(answer);
  }

  close(): void {
    this.#lines.close();
  }
}

/** Whether somebody is there to answer. */
export function canAsk({ input, err }: Pick<Io, 'input' | 'err'>): boolean {
  return err.isTerminal && 'isTTY' in input && input.isTTY === true;
}
