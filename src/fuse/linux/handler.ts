import { constants } from 'node:os';
import type { ErrnoCode } from '../../core/errors.ts';
import type { Awaitable, OpContext } from '../../core/resolver.ts';
import { ERRNO } from '../errno.ts';
import type { Operation } from './protocol/opcodes.ts';
import type { Request } from './protocol/request.ts';

/** What an operation answers: with success, unless it has an `errno`. */
export interface Answer {
  /** Fills the buffer from `PAYLOAD` on. @returns how many bytes */
  encode(out: Buffer): number;
  /** Gives back what the kernel will not have: it never took the answer. */
  undo?(): void;
  /** What the caller's system call fails with instead, positive. It takes a fraction of the time of an error: for what programs ask in vain all the time. */
  readonly errno?: number;
}

/** Answered with nothing but that it is done. */
export const DONE: Answer = { encode: () => 0 };

/** Answered with an errno, and nothing else. */
export function refused(code: ErrnoCode): Answer {
  return { encode: () => 0, errno: ERRNO[code] };
}

/** How an operation is served; undefined for one that is not to be answered at all. */
export type Handler = (request: Request, context: OpContext) => Awaitable<Answer | undefined>;
export type Handlers = Readonly<Partial<Record<Operation, Handler>>>;

/** An errno that only the kernel has a use for. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';

  constructor(readonly errno: number) {
    super(`errno ${errno}`);
  }
}

/** Has the kernel look a name up anew and ask once more: what it knows is no longer so. ESTALE. */
export class Stale extends Refusal {
  override readonly name = 'Stale';

  constructor() {
    super(constants.errno.ESTALE);
  }
}
