import type { Io } from './io.ts';
import { reportError } from './report-error.ts';

/**
 * Has this process end with status 1, and say so, where nothing is left to be done though what it was asked for has not ended: Node itself ends with
 * status 0 then. @returns to be called when it has ended
 */
export function endUnansweredAsFailure(io: Pick<Io, 'err' | 'debug'>): () => void {
  const tell = () => {
    process.exitCode = reportError(new Error('it ended before it had answered'), io);
  };
  process.once('beforeExit', tell);
  return () => process.off('beforeExit', tell);
}
