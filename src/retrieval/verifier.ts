import type { ParsedQuery, SearchOptions } from '../core/search.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { namesIn, stemOf, termsOf, type WholeName, withWholeNames, wordsOf } from '../words/tokens.ts';
import type { Corpus, SearchedSource } from './corpus.ts';
import { plainLines } from './plain-text.ts';

/** Checks what a hit must contain, and must not: by terms before anything is ranked, and by the text itself before it is shown. */
export class Verifier {
  readonly #phrases: readonly string[];
  /** Names and terms of all phrases, and terms of everything that must not occur. Names are recognized by their capitals. */
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

  /** Whether nothing has to occur in a hit, and nothing must not. */
  get acceptsAll(): boolean {
    return this.#phrases.length + this.#excluded.length === 0 && this.#contained === undefined;
  }

  /** By passage: which of the allowed ones are left. */
  narrow(corpus: Corpus, allowed: Uint8Array | undefined): Uint8Array | undefined {
    if (this.#required.size + this.#names.length + this.#unwanted.length === 0) return allowed;
    const left = allowed?.slice() ?? new Uint8Array(corpus.sourceIds().length).fill(1);
    for (const term of this.#required) keepOnly(left, new Set(corpus.holding(term)));
    for (const name of this.#names) keepOnly(left, holdingName(corpus, name));
    for (const terms of this.#unwanted) this.#leaveOut(left, corpus, terms);
    return left;
  }

  /** Whether the text contains everything that it must and nothing that it must not. */
  accepts({ title }: SearchedSource, headings: string, text: string): boolean {
    if (this.acceptsAll) return true;
    const whole = folded(`${title}\n${headings}\n${text}`);
    const plain = folded(plainLines(text).join('\n'));
    if (this.#contained !== undefined && !whole.includes(this.#contained)) return false;
    if (!this.#phrases.every((phrase) => whole.includes(phrase) || plain.includes(phrase))) return false;
    return !this.#excluded.some((phrase) => standsIn(phrase, whole));
  }

  /** If a source contains anywhere what it must not, all of it is left out. */
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

/** Passages that contain a name as one word, in any case, or contain its parts, since longer names may begin with it. */
function holdingName(corpus: Corpus, { term, parts }: WholeName): ReadonlySet<number> {
  const [first = [], ...others] = termsOf(parts.join(' ')).map((part) => corpus.holding(part));
  const rest = others.map((ids) => new Set(ids));
  const withParts = [...first].filter((id) => rest.every((ids) => ids.has(id)));
  return new Set([...corpus.holding(term), ...withParts]);
}

function keepOnly(left: Uint8Array, ids: ReadonlySet<number>): void {
  for (let id = 0; id < left.length; id += 1) if (left[id] === 1 && !ids.has(id)) left[id] = 0;
}

/** Whether a text contains a phrase. If the phrase consists of words, they have to be whole words there. */
function standsIn(phrase: string, text: string): boolean {
  const words = wordsOf(phrase);
  if (words.length === 0 || words.every((word) => STOP_WORDS.has(word))) return text.includes(phrase);
  const pattern = words.map(stemOf).join(' ');
  return ` ${wordsOf(text).map(stemOf).join(' ')} `.includes(` ${pattern} `);
}

function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
