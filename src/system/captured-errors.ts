import { closeSync, fstatSync, readSync, writeSync } from 'node:fs';
import { replaceDescriptor } from './files.ts';
import { checked, controlDescriptor, F_SETFD } from './libc.ts';

const makeMemoryFile = checked<[name: string, flags: number]>(
  'int memfd_create(const char* name, unsigned int flags)',
);
const MFD_CLOEXEC = 1;
/** A command of fcntl(2), from fcntl.h. */
const F_DUPFD_CLOEXEC = 1030;
const STANDARD_ERROR = 2;

/** What an action has thrown, and what was written to standard error while it ran. */
export class CapturedFailure extends Error {
  constructor(
    cause: unknown,
    readonly errors: string,
  ) {
    super('what was done failed', { cause });
  }
}

/**
 * Runs an action and captures what is written to standard error meanwhile, also by programs that it runs: Node closes that descriptor on exec. If the action
 * succeeds, what was captured is passed on.
 * @throws CapturedFailure
 */
export function capturingErrors(action: () => void): void {
  const taken = makeMemoryFile('errors', MFD_CLOEXEC);
  const before = controlDescriptor(STANDARD_ERROR, F_DUPFD_CLOEXEC, STANDARD_ERROR + 1);
  let failure: { readonly cause: unknown } | undefined;
  try {
    replaceDescriptor(STANDARD_ERROR, taken);
    controlDescriptor(STANDARD_ERROR, F_SETFD, 0);
    action();
  } catch (error) {
    failure = { cause: error };
  } finally {
    replaceDescriptor(STANDARD_ERROR, before);
    closeSync(before);
  }
  const errors = contentOf(taken);
  closeSync(taken);
  if (failure !== undefined) throw new CapturedFailure(failure.cause, errors.trim());
  if (errors !== '') writeSync(STANDARD_ERROR, errors);
}

function contentOf(descriptor: number): string {
  const content = Buffer.alloc(fstatSync(descriptor).size);
  readSync(descriptor, content, 0, content.length, 0);
  return content.toString();
}
