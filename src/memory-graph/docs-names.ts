import type { NodeKey } from '../core/graph-model.ts';
import { documentKey, foldConcept } from '../core/identity.ts';
import type { NodeIdentity } from '../store/nodes.ts';
import { isEmptyWord, isOrdinary } from './ordinary-words.ts';

/** A node of the docs that texts may name. */
export interface DocsName {
  readonly key: NodeKey;
  readonly type: NodeIdentity['type'];
  readonly label: string;
  readonly display: string;
  /** The file name in graph/nodes. */
  readonly name: string;
  /** How a text has to write the name to mean the node. */
  readonly use: NameUse;
}

/**
 * `any`: in any case and number. `cased`: for ordinary English words, with the capitals of the label where a capital means something, or as code.
 * `exact`: for acronyms and constants, letter by letter except for a plural s, or as code.
 */
export type NameUse = 'any' | 'cased' | 'exact';

/** What is known of a word, independent of its place. */
interface Lexeme {
  /** The letters by which names are compared, before plurals are folded. */
  readonly letters: string;
  /** The nodes that have it as their label. */
  readonly named: readonly DocsName[];
  /** Whether a longer label begins with it. */
  readonly begins: boolean;
}

const MAX_LEXEMES = 50_000;
const NONE: readonly DocsName[] = [];

/** All names of the docs graph, to look up what a text names and which document a path means. */
export class DocsNames {
  readonly #byKey = new Map<NodeKey, DocsName>();
  readonly #byFolded = new Map<string, DocsName[]>();
  /** All beginnings of labels that end with a whole word. */
  readonly #beginnings = new Set<string>();
  /** A cache, since texts repeat their words. */
  readonly #lexemes = new Map<string, Lexeme>();

  constructor(nodes: Iterable<NodeIdentity>) {
    for (const node of nodes) {
      const { key, type, label, display, name } = node;
      const known = { key, type, label, display, name, use: useOf(node) };
      this.#byKey.set(key, known);
      if (type !== 'Document' && type !== 'Endpoint') this.#fold(known);
    }
  }

  get(key: NodeKey): DocsName | undefined {
    return this.#byKey.get(key);
  }

  /** The document of a source path, which is relative to the docs root, or below `docs/` as in the mount, with or without a line. */
  document(sourcePath: string): DocsName | undefined {
    const path = sourcePath.replace(/^(?:\.?\/)+/, '');
    const bare = path.replace(/(?::\d+)+$/, '');
    for (const form of [path, bare, bare.replace(/^docs\//, '')]) {
      const document = this.#byKey.get(documentKey(form));
      if (document !== undefined) return document;
    }
    return undefined;
  }

  /** The document with a label, which is unique. Looks through all documents. */
  shownAs(display: string): DocsName | undefined {
    for (const name of this.#byKey.values()) if (name.display === display) return name;
    return undefined;
  }

  word(word: string): Lexeme {
    let known = this.#lexemes.get(word);
    if (known === undefined) {
      const letters = word.normalize('NFKC').toLowerCase();
      known = { letters, named: this.named(letters), begins: this.begins(letters) };
      if (this.#lexemes.size >= MAX_LEXEMES) this.#lexemes.clear();
      this.#lexemes.set(word, known);
    }
    return known;
  }

  /**
   * The nodes whose label folds to these letters, except for endpoints and documents.
   * @param letters the words of a text, in lower case and joined
   */
  named(letters: string): readonly DocsName[] {
    return this.#byFolded.get(foldConcept(letters)) ?? NONE;
  }

  /** Whether a label with more words begins with these letters. */
  begins(letters: string): boolean {
    return this.#beginnings.has(letters);
  }

  /** Whether all texts name the same nodes by either of the two, though the nodes may be shown differently. */
  meansAs(other: DocsNames): boolean {
    if (this.#byKey.size !== other.#byKey.size) return false;
    for (const [key, name] of this.#byKey) {
      const before = other.#byKey.get(key);
      if (before?.type !== name.type || before.label !== name.label || before.use !== name.use) return false;
    }
    return true;
  }

  /** The nodes that both have and show differently. */
  *shownOtherwiseIn(other: DocsNames): Generator<NodeKey> {
    for (const [key, { display, name }] of this.#byKey) {
      const before = other.#byKey.get(key);
      if (before !== undefined && (before.display !== display || before.name !== name)) yield key;
    }
  }

  #fold(name: DocsName): void {
    const folded = foldConcept(name.label);
    if (!/\p{L}/u.test(folded)) return;
    const others = this.#byFolded.get(folded);
    if (others) others.push(name);
    else this.#byFolded.set(folded, [name]);
    let letters = '';
    for (const word of wordsOf(name.label)) {
      if (letters !== '') this.#beginnings.add(letters);
      letters += word.normalize('NFKC').toLowerCase();
    }
  }
}

/** `PaymentMethod`, `payment_method` and `Payment method` have two words each. */
function wordsOf(label: string): string[] {
  return label
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u);
}

/** If the docs declare an object with at least this confidence, under a name with a capital and more than once, its bare word means it, too. */
const STRONG_CONFIDENCE = 0.85;
const STRONG_WEIGHT = 2;

/** `API`, `OAuth2`'s kin `RPC`, `MANAGE_CHANNELS`. A long word in capitals is shouted, and not an acronym. */
const CONSTANT = /^(?=[^a-z]*[A-Z])(?:[A-Z\d]{1,5}|[A-Z\d]+(?:_[A-Z\d]+)+)$/;
const SHORTEST_WORD = 3;

function useOf({ type, label, weight, confidence }: NodeIdentity): NameUse {
  const folded = foldConcept(label);
  if (type === 'Event') return 'exact';
  if (CONSTANT.test(label) || folded.length < SHORTEST_WORD) return 'exact';
  if (!isOrdinary(folded)) return 'any';
  const isDeclared = type === 'APIObject' && confidence >= STRONG_CONFIDENCE && weight >= STRONG_WEIGHT;
  return isDeclared && /^\p{Lu}/u.test(label) && !isEmptyWord(folded) ? 'any' : 'cased';
}
