/** Sections that name what an operation returns, without a verb of their own: `## Returns`, `### Return type`, `Responses`. */
import type { NodeKey } from '../../core/graph-model.ts';
import { lineAt } from '../markdown/rich-text.ts';
import { makeClause } from './clause.ts';
import { readObjects } from './clause-objects.ts';
import type { FactCollector } from './facts.ts';
import { isTelling } from './names.ts';
import type { Ref } from './refs.ts';
import type { Sentence } from './sentences.ts';

/** Whether a section with this title says what its endpoint returns. */
export function isReturnsTitle(title: string): boolean {
  return /^(?:returns?|return (?:types?|values?)|returned (?:value|object)s?|responses?|(?:success(?:ful)? )?response (?:body|object|type|schema|model|format)|output|result)(?: \(?\d{3}.{0,20})?$/i.test(
    title,
  );
}

/** Reads `An array of [Pet](Pet.md)` below such a heading. */
export function stateReturned(
  sentence: Sentence,
  refs: readonly Ref[],
  endpoints: readonly NodeKey[],
  facts: FactCollector,
): void {
  if (endpoints.length === 0 || /\breturn/i.test(sentence.text.slice(0, 40))) return;
  const allowed = /^\W*(?:an?|the|one|array|list)\b/i.test(sentence.text) ? 1 : 0;
  for (const ref of readObjects(makeClause(sentence, refs), 0, 'thing', allowed).refs) {
    if (isLabel(sentence.text, ref) || tellsOfFailure(sentence.text, ref) || tellsOfDeed(sentence.text, ref))
      continue;
    stateReturn(endpoints, ref, lineAt(sentence, ref.start), sentence.text, facts);
  }
}

/** Whether a name is only a label of what follows: `**Possible reasons:**`. */
function isLabel(text: string, { start, end }: Ref): boolean {
  return /:\s*$/.test(text.slice(start, end)) || /^["'”’]?(?:\s+models?)?\s*:\s*$/i.test(text.slice(end));
}

/** Whether a response tells what was done to a thing with another one, and not what it returns: `The plan was assigned to the customer.` */
function tellsOfDeed(text: string, { end }: Ref): boolean {
  return /^["'”’]?\s+(?:was|were|has\s+been|have\s+been)\s+(?:\w+ly\s+)?(?!(?:created|updated|generated|returned|retrieved|fetched|copied)\b)\w+ed\s+(?:to|from|with)\b/i.test(
    text.slice(end, end + 80),
  );
}

/** Whether a response describes a failure of the request, and not what it returns: `The \`Authorization\` header is missing`. */
function tellsOfFailure(text: string, { end }: Ref): boolean {
  return /^["'”’]?\s+(?:(?:headers?|parameters?|params?|fields?|attributes?|propert(?:y|ies)|keys?|tokens?|values?)\b|(?:\w+\s+){0,3}(?:not|cannot|missing|invalid|expired|required|unknown|already|denied|forbidden|unauthori[sz]ed|\w+n['’]t)\b)/i.test(
    text.slice(end, end + 80),
  );
}

/** States that an endpoint returns the thing named, and that this is an object. */
export function stateReturn(
  endpoints: readonly NodeKey[],
  ref: Ref,
  line: number,
  evidence: string,
  facts: FactCollector,
): void {
  if (ref.type === 'Event' || ref.type === 'Endpoint') return;
  if (ref.marked && isTelling(ref.label)) {
    facts.mention({
      key: ref.key,
      type: 'APIObject',
      label: ref.label,
      line,
      confidence: 0.6,
      declares: true,
    });
  }
  for (const endpoint of endpoints)
    facts.state({
      source: endpoint,
      type: 'returns',
      target: ref.key,
      line,
      rule: 'response',
      confidence: ref.marked ? 0.8 : 0.5,
      evidence,
    });
}
