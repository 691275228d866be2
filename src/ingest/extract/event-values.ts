/** Events by the field that names them: `| \`event_type\` | string | Possible values are: \`card_charged\`, \`card_refunded\` |`. */
import { lineAt, type Mark, plainText, type RichText, textOf } from '../markdown/rich-text.ts';
import type { ListedEvent } from './event-lists.ts';
import { eventShape } from './event-names.ts';

/** The last part of a field's name that says by itself whose name is its value. */
const OF_EVENT = /^(?:(?:webhook|event)[_-]?(?:event|type|name|topic)|event)$/i;
/** Of much else, too, where nothing around it is about events. */
const OF_KIND = /^(?:type|topic)$/i;
const LEAD =
  /\b(?:(?:possible|allowed|valid|supported|available|accepted|acceptable)\s+(?:values?|types|events)|values?\s+(?:are|include|can\s+be)|(?:can|must|will|may)\s+be\s+one\s+of|one\s+of)\b[^.;`\n]{0,40}\s*$/i;
/** The end of a name without dots that says what happened. */
const HAPPENED = /(?:[_-][a-z]+ed|[a-z][A-Z][a-z]+ed|_[A-Z]+ED|[_-](?:paid|sent))$/;
/** What stands between two values where nothing is said of the first. */
const JOINED = /^["'”’]?(?:[\s,/|]|\bor\b|\band\b)*["'“]?$/;
/** A value on a line of its own. */
const OPENED = /\n\s*(?:[-*•]\s*)?["'“]?$/;

/**
 * Events among the values that a field can have. One at least says that something happened, since an "event type" may be a kind of event as
 * `in_person` is.
 * @param values what is said of the field
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

/** Code spans that are values: the first behind the words that open them, and each that is joined to one or opens a line. */
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
