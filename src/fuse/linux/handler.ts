import { constants } from 'node:os';
import type { ErrnoCode } from '../../core/errors.ts';
import type { Awaitable, OpContext } from '../../core/resolver.ts';
import { ERRNO } from '../errno.ts';
import type { Operation } from './protocol/opcodes.ts';
import type { Request } from './protocol/request.ts';

/** The answer to a request: a success, unless it has an `errno`. */
export interface Answer {
  /** Fills the buffer from `PAYLOAD` on. @returns how many bytes */
  encode(out: Buffer): number;
  /** Takes back what the answer would have given the kernel. Called if the kernel does not take the answer. */
  undo?(): void;
  /** What the caller's system call fails with, as a positive number. Far cheaper than throwing, so it is for what programs keep asking for in vain. */
  readonly errno?: number;
}

/** The answer of a request that only has to be done. */
export const DONE: Answer = { encode: () => 0 };

/** The answer of a request that fails. */
export function refused(code: ErrnoCode): Answer {
  return { encode: () => 0, errno: ERRNO[code] };
}

/** Serves an operation. It returns undefined for a request that must not be answered at all. */
export type Handler = (request: Request, context: OpContext) => Awaitable<Answer | undefined>;
export type Handlers = Readonly<Partial<Record<Operation, Handler>>>;

/** An errno that means something to the kernel alone, and so is no {@link ErrnoCode}. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';

  constructor(readonly errno: number) {
    super(`errno ${errno}`);
  }
}

/** ESTALE: what the kernel knows is out of date. It looks the name up again and repeats the request. */
export class Stale extends Refusal {
  override readonly name = 'Stale';

  constructor() {
    super(constants.errno.ESTALE);
  }
}
