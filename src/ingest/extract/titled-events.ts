/** Events that are titles of components: `<Card title="mug.fired">Sent when …</Card>`. */
import type { Paragraph, Section } from '../markdown/document.ts';
import { lineAt, plainText, textOf } from '../markdown/rich-text.ts';
import type { ListedEvent } from './event-lists.ts';
import { eventTitleOf, saysWhatHappened } from './event-names.ts';
import { isInEventSection } from './event-titles.ts';
import { isSentWhen } from './heading-events.ts';

/**
 * The events of the components that begin in a paragraph. Below a heading about events a name that says what happened is one, and so is one written alike beside
 * it; elsewhere it has to be said when the event is sent.
 */
export function findTitledEvents(
  { text }: Paragraph,
  section: Section,
  documentTitle: string,
): ListedEvent[] {
  return text.marks.flatMap((mark) => {
    const name = eventTitleOf(mark);
    if (name === undefined) return [];
    // A tag over several lines counts all of them where its content begins, behind the break before it.
    const line = lineAt(text, mark.start - 1);
    const description = plainText(textOf(text, mark).trim(), line);
    const isListed =
      isInEventSection(section, documentTitle) && (saysWhatHappened(name) || standsBesideEvent(section));
    return isListed || isSentWhen(description.text) ? [{ name, line, confidence: 0.85, description }] : [];
  });
}

/** Whether sections have a component whose title says what happened. Each of its components asks. */
const withEvents = new WeakMap<Section, boolean>();

function standsBesideEvent(section: Section): boolean {
  const known = withEvents.get(section);
  if (known !== undefined) return known;
  const has = section.blocks.some(
    (block) =>
      block.kind === 'paragraph' &&
      block.text.marks.some((mark) => saysWhatHappened(eventTitleOf(mark) ?? '')),
  );
  withEvents.set(section, has);
  return has;
}
