import { UserError } from '../../core/errors.ts';

/** For who asks when the server ends, or has: nothing is opened any more that nobody would close. */
export function hasEnded(): UserError {
  return new UserError('the server has ended');
}
