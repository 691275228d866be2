import { codeOfFailure, type ErrnoCode, reasonOf, tooManyOpenIn, UserError } from '../core/errors.ts';
import { damageOrReason, isDamage } from '../disk/damage.ts';
import { tooManyFiles } from '../disk/disk-remedy.ts';

/** The line of errors.jsonl for an error that is not a refusal. For a bug it says where that is, for anything else what to do about it. */
export function failureLine(error: unknown): { readonly code: ErrnoCode; readonly message: string } {
  return { code: codeOfFailure(error), message: messageOf(error) };
}

function messageOf(error: unknown): string {
  if (isDamage(error) || error instanceof UserError) return damageOrReason(error);
  const wayOut = tooManyFiles(tooManyOpenIn(error));
  if (wayOut !== undefined) return withWayOut(reasonOf(error), wayOut);
  return error instanceof Error ? (error.stack ?? error.message) : reasonOf(error);
}

/** Another thread may have added it already. */
function withWayOut(reason: string, wayOut: string): string {
  return reason.includes(wayOut) ? reason : `${reason}: ${wayOut}`;
}
