import { EXIT, UserError } from '../core/errors.ts';

/** @throws UserError for a source name that could bring in further mount options, or is too long */
export function checkSourceName(fsName: string): void {
  if (/^[\w.:@/-]{1,64}$/.test(fsName)) return;
  throw new UserError(
    `a source name is letters, digits and ._:@/- (at most 64): ${fsName}`,
    EXIT.cannotMount,
  );
}
