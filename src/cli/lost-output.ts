import { getSystemErrorMap } from 'node:util';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import type { Io } from './io.ts';
import { reportError } from './report-error.ts';

/**
 * Ends this process if its standard output is lost: with status 1 and the reason on standard error; silently and with
 * status 0 if the reader of a pipe went away before it had read everything, as `head` does. If standard error cannot be written, nobody is told.
 */
export function endWithLostOutput(io: Pick<Io, 'err' | 'debug'>): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isGoneReader(error)) process.exit();
    process.exit(reportLoss(error, io));
  });
}

/** The alternative to {@link endWithLostOutput} for a process that others use whether or not its output is read: a loss is only reported on standard error. */
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
