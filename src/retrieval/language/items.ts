/** A word, a phrase or a filter of a query, as written. */
export interface Item {
  readonly source: string;
  /** Where it begins: 1-based, in characters. */
  readonly column: number;
  readonly isExcluded: boolean;
  /** The name before a colon, in lower case; undefined if it cannot be the name of a filter. */
  readonly name: string | undefined;
  readonly isPhrase: boolean;
  /** The value, without dash, name and quotation marks. */
  readonly value: string;
}

/**
 * Quotation marks enclose a phrase if they begin and end an item: those in `5" by 7"` are inches. A name consists of letters before a colon that
 * something follows. What follows in an address, a Windows path or `std::vector` shows that it is not a name.
 */
const ITEM =
  /(?<dash>-(?!-))?(?:(?<name>\p{L}[\p{L}_-]*):(?![/\\]{2}|[\\:]))?(?:(?:"(?<plain>[^"]*)"|“(?<curved>[^“”]*)”)(?=[\s.,;:!?)\]}]|$)|(?<word>\S+))/gu;

/** Splits a query into items, which contain everything that is not white space. */
export function* itemsOf(query: string): Generator<Item> {
  let characters = 0;
  let units = 0;
  for (const match of query.matchAll(ITEM)) {
    const { dash, name, plain, curved, word } = match.groups ?? {};
    characters += charactersIn(query.slice(units, match.index));
    units = match.index;
    yield {
      source: match[0],
      column: characters + 1,
      isExcluded: dash !== undefined,
      name: name?.toLowerCase(),
      isPhrase: word === undefined,
      value: word ?? plain ?? curved ?? '',
    };
  }
}

/** The number of characters, where an emoji counts as one. */
export function charactersIn(text: string): number {
  return Array.from(text).length;
}
