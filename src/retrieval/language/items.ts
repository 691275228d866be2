/** A word, a phrase or a filter of a query, as it stands there. */
export interface Item {
  readonly source: string;
  /** Where it begins: 1-based, in characters. */
  readonly column: number;
  readonly isExcluded: boolean;
  /** What stands before a colon, in lower case; undefined where that cannot be the name of a filter. */
  readonly name: string | undefined;
  readonly isPhrase: boolean;
  /** Without dash, name and quotation marks. */
  readonly value: string;
}

/**
 * Quotation marks go round a phrase where they begin an item and end it: those of `5" by 7"` are inches. A name is what is written with
 * letters before a colon that something follows; what follows in an address, a path of Windows or `std::vector` makes it none.
 */
const ITEM =
  /(?<dash>-(?!-))?(?:(?<name>\p{L}[\p{L}_-]*):(?![/\\]{2}|[\\:]))?(?:(?:"(?<plain>[^"]*)"|“(?<curved>[^“”]*)”)(?=[\s.,;:!?)\]}]|$)|(?<word>\S+))/gu;

/** Takes a query apart. All that is not white space is in one of the items. */
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

/** An emoji is one. */
export function charactersIn(text: string): number {
  return Array.from(text).length;
}
