/** Entries that follow one another, like the turns of a conversation: what was said just before and after tells what an entry is about. */
import { type MemoryPlace, placeText } from '../core/memory-entry.ts';
import type { MadeIn, MemorySearchableTable, SearchableEntry } from '../store/memory-searchable.ts';
import type { FoundPassage } from '../store/passages.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceRow } from '../store/sources.ts';
import { joinKey, placeOfRow, splitKey } from './memory-places.ts';

/** The last number in a name. */
const NUMBERED = /^(?<start>.*?)(?<number>\d{1,15})(?<end>\D*)$/;

/** The search index, and the entries that it is made from. */
export interface Sequenced {
  readonly search: SearchStore;
  readonly searchable: Pick<MemorySearchableTable, 'near'>;
}

/**
 * Says what comes before and after the passages of an entry that was added, changed or removed, and of the entries made just before and after it. The
 * outcome depends only on the entries that there are, not on the order in which they came here.
 */
export function linkSequence(sequenced: Sequenced, entry: Omit<SearchableEntry, 'version'>): void {
  const { before, after } = sequenced.searchable.near(entry);
  for (const one of [before, entry, after]) if (one !== undefined) linkEntry(sequenced, one);
}

function linkEntry(sequenced: Sequenced, entry: Omit<SearchableEntry, 'version'>): void {
  const { passages, sources } = sequenced.search;
  const place = placeOfRow(entry);
  const source = sources.file(placeText(place));
  const own = source === undefined ? [] : passages.ofSource(source.id);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined || !isInSequence(place, own)) return;
  const { before, after } = siblingsOf(sequenced, entry, place);
  const previous = before === undefined ? undefined : passages.ofSource(before.id).at(-1);
  const [next] = after === undefined ? [] : passages.ofSource(after.id);
  own.forEach((passage, index) => {
    passages.setNeighbours(passage.id, {
      before: (own[index - 1] ?? previous)?.id ?? null,
      after: (own[index + 1] ?? next)?.id ?? null,
    });
  });
  if (previous) passages.setNeighbours(previous.id, { before: previous.before, after: first.id });
  if (next) passages.setNeighbours(next.id, { before: last.id, after: next.after });
}

/** To be called before the passages of an entry are removed. */
export function unlinkSequence({ passages }: SearchStore, { id }: SourceRow): void {
  const own = passages.ofSource(id);
  const before = own[0]?.before ?? null;
  const after = own.at(-1)?.after ?? null;
  const previous = before === null ? undefined : passages.get(before);
  const next = after === null ? undefined : passages.get(after);
  if (previous) passages.setNeighbours(previous.id, { before: previous.before, after: null });
  if (next) passages.setNeighbours(next.id, { before: null, after: next.after });
}

/** Whether an entry belongs to a sequence: an event, something that somebody says, or a numbered entry in a folder of its own. */
function isInSequence({ type, key }: MemoryPlace, passages: readonly FoundPassage[]): boolean {
  const { folder, name } = splitKey(key);
  if (type === 'episodic' || (folder !== '' && NUMBERED.test(name))) return true;
  return passages.some(({ headings }) => headings !== '');
}

/** The neighbours by the number in the name. A turn without a number follows the turn without one that was made before it in the same folder. */
function siblingsOf(
  { search, searchable }: Sequenced,
  entry: MadeIn,
  { type, key }: MemoryPlace,
): { readonly before: SourceRow | undefined; readonly after: SourceRow | undefined } {
  const { folder, name } = splitKey(key);
  const numbered = NUMBERED.exec(name)?.groups;
  const at = (sibling: string): SourceRow | undefined => {
    const found = search.sources.file(placeText({ type, key: joinKey(folder, sibling) }));
    if (found === undefined) return undefined;
    return isInSequence({ type, key: joinKey(folder, sibling) }, search.passages.ofSource(found.id))
      ? found
      : undefined;
  };
  if (numbered !== undefined) {
    const { start = '', number = '', end = '' } = numbered;
    const beside = (by: 1 | -1): SourceRow | undefined => {
      const value = String(Number(number) + by);
      const padded = value.padStart(number.length, '0');
      return at(`${start}${padded}${end}`) ?? (padded === value ? undefined : at(`${start}${value}${end}`));
    };
    return { before: beside(-1), after: beside(1) };
  }
  const near = searchable.near(entry);
  const turn = (other: SearchableEntry | undefined): SourceRow | undefined => {
    if (other === undefined || NUMBERED.test(other.name)) return undefined;
    const found = search.sources.file(placeText(placeOfRow(other)));
    if (found === undefined) return undefined;
    return search.passages.ofSource(found.id).some(({ headings }) => headings !== '') ? found : undefined;
  };
  return { before: turn(near.before), after: turn(near.after) };
}
