/** Counts the tokens of a text with a model's own tokenizer. */
import { DEFAULT_CONTEXT_SETTINGS, type Tokenizer } from '../settings/context.ts';

export interface TokenCounter {
  /** The name of the encoding; `characters` if it could not be loaded, and four characters count as one token. */
  readonly name: Tokenizer | 'characters';
  /** Counts the tokens of a text. Special tokens such as `<|endoftext|>` are plain text. Except for `characters`, the result is never too small. */
  count(text: string): number;
}

/** Used if the table of the encoding cannot be loaded. */
export const CHARACTER_COUNTER: TokenCounter = {
  name: 'characters',
  count: (text) => Math.ceil(text.length / 4),
};

type Count = (text: string, options: { readonly disallowedSpecial: Set<string> }) => number;

/** The time to merge the bytes of one run grows with the square of its length: 20,000 letters take a third of a second. */
const LONG_RUN = /[\p{L}\p{M}]{1000,}|[^\s\p{L}\p{N}]{1000,}|\s{1000,}/gu;

const LONG_RUN_LENGTH = 900;
const BLANK_CODE = 32;

const NO_SPECIAL = { disallowedSpecial: new Set<string>() };

/** The library caches the tokens of rare words: by default 100,000 of them, which is tens of megabytes. */
const REMEMBERED_WORDS = 10_000;

const LOADERS: Readonly<
  Record<Tokenizer, () => Promise<{ countTokens: Count; setMergeCacheSize(size: number): void }>>
> = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
};

/**
 * Loads the table of an encoding: a quarter of a second and some 60 MB for o200k_base, 0.1 s and 40 MB for cl100k_base. Never rejects: if it cannot
 * be loaded, characters are counted.
 */
export async function loadTokenCounter(
  name: Tokenizer = DEFAULT_CONTEXT_SETTINGS.tokenizer,
): Promise<TokenCounter> {
  try {
    const { countTokens, setMergeCacheSize } = await LOADERS[name]();
    setMergeCacheSize(REMEMBERED_WORDS);
    return { name, count: (text) => countWith(countTokens, text) };
  } catch {
    // Manifests name the counter, so this is visible.
    return CHARACTER_COUNTER;
  }
}

/** A quick test first, since the pattern takes as long as counting does. */
function hasLongRun(text: string): boolean {
  let from = 0;
  let wasBlank = false;
  for (let index = 0; index < text.length; index += 1) {
    const isBlank = text.charCodeAt(index) <= BLANK_CODE;
    if (isBlank !== wasBlank) from = index;
    else if (index - from >= LONG_RUN_LENGTH) return true;
    wasBlank = isBlank;
  }
  return false;
}

function countWith(countTokens: Count, text: string): number {
  if (!hasLongRun(text)) return countTokens(text, NO_SPECIAL);
  let tokens = 0;
  let from = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    // A token is at least one byte.
    tokens += countTokens(text.slice(from, run.index), NO_SPECIAL) + Buffer.byteLength(run[0]);
    from = run.index + run[0].length;
  }
  return tokens + countTokens(from === 0 ? text : text.slice(from), NO_SPECIAL);
}
