import { EXIT, UserError } from '../core/errors.ts';

/** The error for a wrong command line: what is wrong, and on a second line where to read what is right. */
export function usageError(message: string, verb?: string): UserError {
  const help = verb === undefined ? 'kgraphfs --help' : `kgraphfs ${verb} --help`;
  return new UserError(`${message}\n  ${help} shows how`, EXIT.wrongUsage);
}
