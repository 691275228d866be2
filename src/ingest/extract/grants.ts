/** Labels that name the scopes and permissions that a request needs: `**OAuth:** User token + \`read:mugs\``, `Required scopes: \`mugs:write\``. */
import { lineAt, textOf } from '../markdown/rich-text.ts';
import type { FactCollector } from './facts.ts';
import { conceptKeyOf, isName } from './names.ts';
import type { Sentence } from './sentences.ts';
import type { Speaker } from './speaker.ts';

const LABEL =
  /^\W{0,3}(?:OAuth(?:\s?2(?:\.0)?)?(?:\s+scopes?)?|(?:(?:required|needed|necessary|minimum|token|API|OAuth2?|app|bot)\s+){0,3}(?:scopes?|permissions?|privileges?)(?:\s+(?:required|needed))?)\s*:/i;
/**
 * All that may stand beside the grants: whose token it is, and what joins them. Anything else may say that one of several is enough, that some requests need
 * none, or that these are no grants at all.
 */
const BESIDES =
  /^(?:[\s,;+&.\\]|\b(?:and|plus|with|the|an?|user|app|application|client|bot|admin|access|bearer|OAuth|token|scopes?|permissions?|privileges?)\b)*$/i;
/** Names that nothing else has: `mugs:write`, `mugs.write`, `MANAGE_MUGS`. */
const GRANT = /^(?=.{4,60}$)(?:[a-z][\w-]*(?:[:.][\w-]+)+|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)$/;

/** States that the endpoints of a section require the grants that such a label names. */
export function stateGrants(sentence: Sentence, { endpoints }: Speaker, facts: FactCollector): void {
  if (endpoints.length === 0) return;
  const label = LABEL.exec(sentence.text)?.[0];
  // A label in code is a field of the request, or of what it returns.
  if (label === undefined || sentence.marks.some((mark) => mark.kind === 'code' && mark.start < label.length))
    return;
  const grants = sentence.marks.filter(
    (mark) => mark.kind === 'code' && mark.start >= label.length && isGrant(textOf(sentence, mark)),
  );
  const besides = grants.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)}${text.slice(end)}`,
    sentence.text,
  );
  if (!BESIDES.test(besides.slice(label.length))) return;
  for (const grant of grants) {
    const name = textOf(sentence, grant);
    const [key, line] = [conceptKeyOf(name), lineAt(sentence, grant.start)];
    facts.mention({ key, type: 'Concept', label: name, line, confidence: 0.8, declares: true });
    for (const source of endpoints)
      facts.state({
        source,
        type: 'requires',
        target: key,
        line,
        rule: 'grant',
        confidence: 0.8,
        evidence: sentence.text,
      });
  }
}

function isGrant(name: string): boolean {
  return GRANT.test(name) && isName(name);
}
