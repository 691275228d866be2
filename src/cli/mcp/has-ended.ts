import { UserError } from '../../core/errors.ts';

/** The error for requests while the server ends, or after that: nothing is opened any more that nobody would close. */
export function hasEnded(): UserError {
  return new UserError('the server has ended');
}
