/** Events found by what is sent for them: the example of a payload names its event. */
import type { Code, Section } from '../markdown/document.ts';
import { plainText } from '../markdown/rich-text.ts';
import type { ListedEvent } from './event-lists.ts';
import { eventShape } from './event-names.ts';
import { isInEventSection } from './event-titles.ts';

const NAMED =
  /^\s*"(?:webhook_(?:type|event|topic)|event_(?:type|name)|webhookEvent|eventType|eventName)"\s*:\s*"([^"\n]{1,100})"/m;
/** Keys that name an event only in a section about events. */
const TYPED = /^\s*"(?:event|type|topic)"\s*:\s*"([^"\n]{1,100})"/m;

/** The event of a JSON example: `"webhook_type": "invoice.drafted"`, or `"type"` in a section about events. */
export function findPayloadEvent(
  { content, language, line }: Code,
  section: Section,
  documentTitle: string,
): ListedEvent | undefined {
  if (!/^jsonc?$/.test(language)) return undefined;
  const isKnown = isInEventSection(section, documentTitle);
  const match = NAMED.exec(content) ?? (isKnown ? TYPED.exec(content) : null);
  const name = match?.[1];
  if (match === null || name === undefined || !name.includes('.') || name !== name.toLowerCase())
    return undefined;
  const shape = eventShape(name);
  if (shape !== 'past' && shape !== 'dotted') return undefined;
  const before = content.slice(0, match.index + match[0].length - name.length);
  const at = line + (before.match(/\n/g)?.length ?? 0);
  return { name, line: at, confidence: 0.7, description: plainText('', at) };
}
