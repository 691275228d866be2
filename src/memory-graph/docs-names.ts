import type { NodeKey } from '../core/graph-model.ts';
import { documentKey, foldConcept } from '../core/identity.ts';
import type { NodeIdentity } from '../store/nodes.ts';
import { isEmptyWord, isOrdinary } from './ordinary-words.ts';

/** A node of the docs as texts may name it. */
export interface DocsName {
  readonly key: NodeKey;
  readonly type: NodeIdentity['type'];
  readonly label: string;
  readonly display: string;
  /** File name under graph/nodes. */
  readonly name: string;
  /** How a text has to write it to mean it. */
  readonly use: NameUse;
}

/**
 * `any`: in any case and number. `cased`: with the capitals of the label where a capital says something, or as code, for ordinary English
 * words. `exact`: letter by letter but for a plural s, or as code, for acronyms and constants.
 */
export type NameUse = 'any' | 'cased' | 'exact';

/** What the beginning of a text may name. */
interface LookUp {
  /** Nodes whose label is this; endpoints and documents are not among them. */
  readonly named: readonly DocsName[];
  /** Whether a longer label begins with it. */
  readonly begins: boolean;
}

const MAX_KNOWN = 100_000;

/** All names of the docs graph, for looking up what a text names and which document a path means. */
export class DocsNames {
  readonly #byKey = new Map<NodeKey, DocsName>();
  readonly #byFolded = new Map<string, DocsName[]>();
  /** Sorted, to see which words begin a longer name. */
  readonly #folded: readonly string[];
  /** Texts repeat their words. */
  readonly #known = new Map<string, LookUp>();

  constructor(nodes: Iterable<NodeIdentity>) {
    for (const node of nodes) {
      const { key, type, label, display, name } = node;
      const known = { key, type, label, display, name, use: useOf(node) };
      this.#byKey.set(key, known);
      if (type !== 'Document' && type !== 'Endpoint') this.#fold(known);
    }
    this.#folded = [...this.#byFolded.keys()].sort();
  }

  get(key: NodeKey): DocsName | undefined {
    return this.#byKey.get(key);
  }

  /** The document of a source path: relative to the docs root, or as the mount shows it, below `docs/`; with or without a line. */
  document(sourcePath: string): DocsName | undefined {
    const path = sourcePath.replace(/^(?:\.?\/)+/, '');
    const bare = path.replace(/(?::\d+)+$/, '');
    for (const form of [path, bare, bare.replace(/^docs\//, '')]) {
      const document = this.#byKey.get(documentKey(form));
      if (document !== undefined) return document;
    }
    return undefined;
  }

  /** @param letters the words of a text, in lower case and put together */
  lookUp(letters: string): LookUp {
    let known = this.#known.get(letters);
    if (known === undefined) {
      known = { named: this.#byFolded.get(foldConcept(letters)) ?? [], begins: this.#begins(letters) };
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(letters, known);
    }
    return known;
  }

  /** Whether both hold the same names, so that every text names the same by either. */
  equals(other: DocsNames): boolean {
    if (this.#byKey.size !== other.#byKey.size) return false;
    for (const [key, name] of this.#byKey) {
      const before = other.#byKey.get(key);
      if (before === undefined || !isSame(before, name)) return false;
    }
    return true;
  }

  #begins(letters: string): boolean {
    let low = 0;
    let high = this.#folded.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#folded[middle] ?? '') <= letters) low = middle + 1;
      else high = middle;
    }
    return this.#folded[low]?.startsWith(letters) ?? false;
  }

  #fold(name: DocsName): void {
    const folded = foldConcept(name.label);
    if (!/\p{L}/u.test(folded)) return;
    const others = this.#byFolded.get(folded);
    if (others) others.push(name);
    else this.#byFolded.set(folded, [name]);
  }
}

function isSame(a: DocsName, b: DocsName): boolean {
  return (
    a.type === b.type &&
    a.label === b.label &&
    a.display === b.display &&
    a.name === b.name &&
    a.use === b.use
  );
}

/** An object that the docs plainly declare, by a name with a capital and more than once, is meant by its bare word too. */
const STRONG_CONFIDENCE = 0.85;
const STRONG_WEIGHT = 2;

/** `API`, `OAuth2`'s kin `RPC`, `MANAGE_CHANNELS`; a long word in capitals is shouted, not an acronym. */
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
