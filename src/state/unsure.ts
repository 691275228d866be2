import { systemCodeOf } from '../core/errors.ts';

/** Failures that tell nothing of what was looked for: this process, the machine or the disk cannot say. */
const UNSURE: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);

/** To be called before a failed look is taken for a no. @throws the error, where that would be a guess */
export function refuseToGuess(error: unknown): void {
  if (UNSURE.has(systemCodeOf(error))) throw error;
}
