import type { ParsedQuery, SearchOptions } from '../core/search.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { namesIn, stemOf, termsOf, type WholeName, withWholeNames, wordsOf } from '../words/tokens.ts';
import type { Corpus, SearchedSource } from './corpus.ts';
import { plainLines } from './plain-text.ts';

/** What a question says must stand in a hit, or must not: by terms before anything is ranked, by the text itself before it is shown. */
export class Verifier {
  readonly #phrases: readonly string[];
  /** Names and terms of all phrases, and terms of each thing that must not stand there: names are known by their capitals. */
  readonly #names: readonly WholeName[];
  readonly #required: ReadonlySet<string>;
  readonly #unwanted: readonly (readonly string[])[];
  readonly #excluded: readonly string[];
  readonly #contained: string | undefined;

  constructor(query: ParsedQuery, options: SearchOptions) {
    this.#phrases = query.phrases.map(folded).filter((phrase) => phrase !== '');
    this.#excluded = query.excluded.map(folded).filter((text) => text !== '');
    this.#names = query.phrases.flatMap(namesIn);
    const required = new Set(query.phrases.flatMap((phrase) => termsOf(withWholeNames(phrase))));
    for (const { term } of this.#names) required.delete(term);
    this.#required = required;
    this.#unwanted = query.excluded
      .map((text) => termsOf(withWholeNames(text)))
      .filter((terms) => terms.length > 0);
    this.#contained =
      options.contains === undefined || options.contains === '' ? undefined : folded(options.contains);
  }

  /** Whether nothing must stand in a hit, and nothing must not. */
  get acceptsAll(): boolean {
    return this.#phrases.length + this.#excluded.length === 0 && this.#contained === undefined;
  }

  /** By passage: what is left of those that are allowed. */
  narrow(corpus: Corpus, allowed: Uint8Array | undefined): Uint8Array | undefined {
    if (this.#required.size + this.#names.length + this.#unwanted.length === 0) return allowed;
    const left = allowed?.slice() ?? new Uint8Array(corpus.sourceIds().length).fill(1);
    for (const term of this.#required) keepOnly(left, new Set(corpus.holding(term)));
    for (const name of this.#names) keepOnly(left, holdingName(corpus, name));
    for (const terms of this.#unwanted) this.#leaveOut(left, corpus, terms);
    return left;
  }

  /** Whether the text says all that it must and nothing that it must not. */
  accepts({ title }: SearchedSource, headings: string, text: string): boolean {
    if (this.acceptsAll) return true;
    const whole = folded(`${title}\n${headings}\n${text}`);
    const plain = folded(plainLines(text).join('\n'));
    if (this.#contained !== undefined && !whole.includes(this.#contained)) return false;
    if (!this.#phrases.every((phrase) => whole.includes(phrase) || plain.includes(phrase))) return false;
    return !this.#excluded.some((phrase) => standsIn(phrase, whole));
  }

  /** A source that says at any place what it must not is left out as a whole. */
  #leaveOut(left: Uint8Array, corpus: Corpus, terms: readonly string[]): void {
    const [first = '', ...others] = terms;
    const rest = others.map((term) => new Set(corpus.holding(term)));
    const sourceIds = corpus.sourceIds();
    const sources = new Set<number>();
    for (const id of corpus.holding(first)) {
      if (rest.every((ids) => ids.has(id))) sources.add(sourceIds[id] ?? 0);
    }
    sourceIds.forEach((sourceId, id) => {
      if (sources.has(sourceId)) left[id] = 0;
    });
  }
}

/** Passages that have a name as one word, in any case, or its parts, as longer names have that begin with it. */
function holdingName(corpus: Corpus, { term, parts }: WholeName): ReadonlySet<number> {
  const [first = [], ...others] = termsOf(parts.join(' ')).map((part) => corpus.holding(part));
  const rest = others.map((ids) => new Set(ids));
  const withParts = [...first].filter((id) => rest.every((ids) => ids.has(id)));
  return new Set([...corpus.holding(term), ...withParts]);
}

function keepOnly(left: Uint8Array, ids: ReadonlySet<number>): void {
  for (let id = 0; id < left.length; id += 1) if (left[id] === 1 && !ids.has(id)) left[id] = 0;
}

/** Whole words, where it is made of words. */
function standsIn(phrase: string, text: string): boolean {
  const words = wordsOf(phrase);
  if (words.length === 0 || words.every((word) => STOP_WORDS.has(word))) return text.includes(phrase);
  const pattern = words.map(stemOf).join(' ');
  return ` ${wordsOf(text).map(stemOf).join(' ')} `.includes(` ${pattern} `);
}

function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
