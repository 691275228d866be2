/** Events found by the field whose values they are: `| \`event_type\` | string | Possible values are: \`card_charged\`, \`card_refunded\` |`. */
import { lineAt, type Mark, plainText, type RichText, textOf } from '../markdown/rich-text.ts';
import type { ListedEvent } from './event-lists.ts';
import { eventShape } from './event-names.ts';

/** The last part of a field's name by which its values are names of events. */
const OF_EVENT = /^(?:(?:webhook|event)[_-]?(?:event|type|name|topic)|event)$/i;
/** Names of fields that also hold much else, unless the text around them is about events. */
const OF_KIND = /^(?:type|topic)$/i;
const LEAD =
  /\b(?:(?:possible|allowed|valid|supported|available|accepted|acceptable)\s+(?:values?|types|events)|values?\s+(?:are|include|can\s+be)|(?:can|must|will|may)\s+be\s+one\s+of|one\s+of)\b[^.;`\n]{0,40}\s*$/i;
/** The end of a name without dots that says what happened. */
const HAPPENED = /(?:[_-][a-z]+ed|[a-z][A-Z][a-z]+ed|_[A-Z]+ED|[_-](?:paid|sent))$/;
/** What stands between two values if the first has no description. */
const JOINED = /^["'”’]?(?:[\s,/|]|\bor\b|\band\b)*["'“]?$/;
/** The beginning of a value on a line of its own. */
const OPENED = /\n\s*(?:[-*•]\s*)?["'“]?$/;

/**
 * The events among the possible values of a field. At least one has to say that something happened, since an "event type" may be a kind of event such as
 * `in_person`.
 * @param values the description of the field
 */
export function findEventValues(field: string, values: RichText, inEvents: boolean): ListedEvent[] {
  const last = field.trim().split('.').at(-1) ?? '';
  if (!OF_EVENT.test(last) && !(inEvents && OF_KIND.test(last))) return [];
  const events = enumerated(values).flatMap((mark): ListedEvent[] => {
    const name = textOf(values, mark).trim();
    const shape = eventShape(name);
    if (shape === undefined || shape === 'word' || shape === 'phrase') return [];
    const line = lineAt(values, mark.start);
    const said = /^\s*[:—–-]\s*([^\n]+)/.exec(values.text.slice(mark.end))?.[1] ?? '';
    return [{ name, line, confidence: 0.85, description: plainText(said, line) }];
  });
  return events.some(({ name }) => eventShape(name) === 'past' || HAPPENED.test(name)) ? events : [];
}

/** The code spans that are values: the first one behind an introduction, and each that is joined to one or begins a line. */
function enumerated({ text, marks }: RichText): Mark[] {
  const codes = marks.filter(({ kind }) => kind === 'code');
  const first = codes.findIndex(({ start }, index) =>
    LEAD.test(text.slice(codes[index - 1]?.end ?? 0, start)),
  );
  if (first === -1) return [];
  const found: Mark[] = [];
  for (const mark of codes.slice(first)) {
    const between = text.slice(found.at(-1)?.end ?? mark.start, mark.start);
    if (JOINED.test(between) || OPENED.test(between)) found.push(mark);
  }
  return found;
}
