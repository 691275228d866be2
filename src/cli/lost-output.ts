import { getSystemErrorMap } from 'node:util';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import type { Io } from './io.ts';
import { reportError } from './report-error.ts';

/**
 * Has this process end where what it writes to standard output is lost: with status 1 and the reason on standard error; in silence and with
 * status 0 where the reader of a pipe went away before it had read all, as `head` does. What standard error does not take is said to nobody.
 */
export function endWithLostOutput(io: Pick<Io, 'err' | 'debug'>): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isGoneReader(error)) process.exit();
    process.exit(reportLoss(error, io));
  });
}

/** Instead of {@link endWithLostOutput}, for what others use whoever reads what it says: a loss is said on standard error alone. */
export function goOnWithLostOutput(io: Pick<Io, 'err' | 'debug'>): void {
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (!isGoneReader(error)) reportLoss(error, io);
  });
}

function isGoneReader({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE';
}

function reportLoss(error: NodeJS.ErrnoException, io: Pick<Io, 'err' | 'debug'>): number {
  const [, words = reasonOf(error)] = getSystemErrorMap().get(error.errno ?? 0) ?? [];
  return reportError(
    new UserError(`cannot write to standard output: ${words}`, EXIT.failed, { cause: error }),
    io,
  );
}
