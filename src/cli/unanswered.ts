import type { Io } from './io.ts';
import { reportError } from './report-error.ts';

/**
 * Makes this process end with status 1 and a message if nothing is left to do although the command has not ended: Node itself would end with
 * status 0.
 * @returns a function to call once the command has ended
 */
export function endUnansweredAsFailure(io: Pick<Io, 'err' | 'debug'>): () => void {
  const tell = () => {
    process.exitCode = reportError(new Error('it ended before it had answered'), io);
  };
  process.once('beforeExit', tell);
  return () => process.off('beforeExit', tell);
}
