/** Who publishes the events of a table and who receives them, where it has columns for that: `| Event | Published by | Consumers |`. */
import type { NodeKey } from '../../core/graph-model.ts';
import { groupBy } from '../../core/group.ts';
import { eventKey } from '../../core/identity.ts';
import type { Table } from '../markdown/document.ts';
import { type RichText, textOf } from '../markdown/rich-text.ts';
import type { FactCollector } from './facts.ts';
import { conceptKeyOf, isCapitalised, isTelling } from './names.ts';

const PUBLISHES =
  /^(?:(?:published|emitted|produced)\s+by|(?:(?:event|message)\s+)?(?:publish|produc|emitt)ers?)(?:\s*\/\s*\p{L}+)?(?:\s+\p{L}+)?$/iu;
const RECEIVES =
  /^(?:consumed\s+by|(?:(?:event|message)\s+)?(?:consumer|subscriber)s?)(?:\s*\/\s*\p{L}+)?(?:\s+\p{L}+)?$/iu;

/** Names of columns with other meanings, too, which count for cells that say what kind of party they name: a source may be a file, and a target a page. */
const SENDS =
  /^(?:(?:sent|raised|fired|triggered)\s+by|(?:event\s+|message\s+)?(?:source|sender|origin)(?:\s+(?:service|system|context))?)$/i;
const TAKES =
  /^(?:(?:handled|received)\s+by|(?:event\s+|message\s+)?(?:receiver|handler|listener|target|destination)s?(?:\s+(?:service|system|context)s?)?)$/i;

/** Words that say what kind of party a name is: `Kiln service`, `kiln-service`, `KilnService`. */
const KIND_OF_PARTY =
  /[\s-](?:service|microservice|context|BC|module|component|gateway|worker|engine|api|app|system|platform)$/i;
/** Where two words of a name meet without a space. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/gu;

/** Whether a name says what kind of party it is. */
export function isParty(name: string): boolean {
  return KIND_OF_PARTY.test(name.replace(HUMP, ' '));
}

/** An event of a row, and the column that names it. */
interface NamedEvent {
  readonly name: string;
  readonly column: number;
}

interface PartyColumn {
  readonly publishes: boolean;
  /** Whether a name counts that does not say what kind of party it is. */
  readonly takesAnyName: boolean;
}

/** What a column with this name tells of who publishes or receives an event; undefined if nothing. */
function partyColumnOf(header: string): PartyColumn | undefined {
  const name = header.trim();
  if (PUBLISHES.test(name) || RECEIVES.test(name))
    return { publishes: PUBLISHES.test(name), takesAnyName: true };
  return SENDS.test(name) || TAKES.test(name)
    ? { publishes: SENDS.test(name), takesAnyName: false }
    : undefined;
}

/** Whether a column with this name tells who publishes or receives an event, whatever its cells say. */
export function isPartyColumn(header: string): boolean {
  return partyColumnOf(header)?.takesAnyName === true;
}

/** States the parties of each event, and declares those whose names say what kind of party they are, or that a column names several times. */
export function stateParties(
  { header, rows }: Table,
  events: ReadonlyMap<number, NamedEvent>,
  facts: FactCollector,
): void {
  header.forEach(({ text }, column) => {
    const party = partyColumnOf(text);
    if (party === undefined) return;
    const named = rows.flatMap(({ cells, line }) => {
      const event = events.get(line);
      const cell = cells[column];
      if (event === undefined || cell === undefined || event.column === column) return [];
      return namesFor(party, cell.text).map((label) => ({
        key: conceptKeyOf(label),
        label,
        line,
        event: event.name,
        evidence: cells,
      }));
    });
    const byKey = groupBy(named, ({ key }) => key);
    for (const { key, label, line, event, evidence } of named) {
      const isRepeated = (byKey.get(key)?.length ?? 0) > 1;
      const declares = isRepeated || isParty(label);
      facts.mention({ key, type: 'Concept', label, line, confidence: 0.6, declares });
      facts.state({
        source: key,
        type: party.publishes ? 'triggers' : 'references',
        target: eventKey(event),
        line,
        rule: party.publishes ? 'publisher' : 'consumer',
        confidence: 0.8,
        evidence: evidence.map((cell) => cell.text).join(' | '),
      });
    }
  });
}

/** States the parties that a line below the heading of an event names: `**Producer:** Kiln service`. */
export function stateLabelledParties(
  sentence: RichText,
  event: NodeKey | undefined,
  facts: FactCollector,
): void {
  const [mark] = sentence.marks;
  if (event === undefined || mark?.kind !== 'strong' || sentence.text.slice(0, mark.start).trim() !== '')
    return;
  const bold = textOf(sentence, mark);
  const label = bold.trimEnd().replace(/:$/, '').trimEnd();
  const party = partyColumnOf(label);
  if (party === undefined) return;
  const behind = sentence.text.slice(mark.end).replace(/^\s*:/, '');
  for (const name of namesFor(party, behind)) {
    const [key, line] = [conceptKeyOf(name), sentence.line];
    facts.mention({ key, type: 'Concept', label: name, line, confidence: 0.6, declares: isParty(name) });
    facts.state({
      source: key,
      type: party.publishes ? 'triggers' : 'references',
      target: event,
      line,
      rule: party.publishes ? 'publisher' : 'consumer',
      confidence: 0.8,
      evidence: sentence.text,
    });
  }
}

/** `Kiln service and Shop service`, but not `Sales and Marketing service`, unless commas stand before it. */
function partsAtAnd(text: string, isListed: boolean): string[] {
  const parts = text.split(/\s+(?:and|&)\s+|^and\s+/);
  const [first = '', ...others] = parts;
  const isOneName = !isParty(first) && others.some(isParty);
  return isOneName && !isListed ? [text] : parts;
}

/** The names that a text lists, as far as the column takes them. */
function namesFor({ takesAnyName }: PartyColumn, text: string): string[] {
  return partiesIn(text).filter((name) => takesAnyName || isParty(name));
}

/** The names that a text lists. */
function partiesIn(text: string): string[] {
  const parts = text.split(/\s*[,;\n]\s*/);
  return parts
    .flatMap((part) => partsAtAnd(part, parts.length > 1))
    .map((part) => part.trim().replace(/\.$/, ''))
    .filter(
      (part) =>
        part.split(' ').length <= 4 &&
        isTelling(part) &&
        (isCapitalised(part) || /^[a-z\d]+(?:-[a-z\d]+)+$/.test(part)),
    );
}
