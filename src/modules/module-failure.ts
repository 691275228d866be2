import type { ErrnoCode } from '../core/errors.ts';

/** The reason why a module gave no answer. */
export class ModuleFailure extends Error {
  override readonly name = 'ModuleFailure';

  constructor(
    readonly code: ErrnoCode,
    reason: string,
  ) {
    super(reason);
  }
}
