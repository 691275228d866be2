import { systemCodeOf } from '../core/errors.ts';

/** Failures that say nothing about what was looked for: this process, the machine or the disk cannot tell. */
const UNSURE: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);

/** To be called before a failed look counts as a no. @throws the error if that would be a guess */
export function refuseToGuess(error: unknown): void {
  if (UNSURE.has(systemCodeOf(error))) throw error;
}
