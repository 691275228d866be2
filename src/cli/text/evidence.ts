import { printableName } from '../../text/printable.ts';

const MAX_SHOWN = 2;

/** A short list of evidence: `charges/create.md:31, charges/list.md:4 and 3 more`. */
export function evidenceText(evidence: readonly string[]): string {
  const more = evidence.length - MAX_SHOWN;
  const shown = evidence.slice(0, MAX_SHOWN).map(printableName).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
