import { createInterface, type Interface } from 'node:readline';
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

  /** @returns the answer, or `usual` where there is none */
  async text(question: string, usual: string): Promise<string> {
    this.#err.write(`${question} [${usual}] `);
    const { value, done } = await this.#answers.next();
    const answer = done === true ? '' : value.trim();
    return answer === '' ? usual : answer;
  }

  /** No is what anything but a yes means, where that is not the usual answer. */
  async isYes(question: string, usual: boolean): Promise<boolean> {
    const answer = await this.text(question, usual ? 'Y/n' : 'y/N');
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
