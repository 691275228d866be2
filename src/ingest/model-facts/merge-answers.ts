import {
  type DocumentFacts,
  isNodeTypeOfMap,
  type Mention,
  type ModelPart,
  type NodeKey,
  type NodeType,
  type Statement,
} from '../../core/graph-model.ts';
import { groupBy } from '../../core/group.ts';
import type { Answer } from '../../model-extraction/answer.ts';
import { type MapTypes, NO_MAP_TYPES } from '../../model-extraction/map-types.ts';
import { foldSpace } from '../../text/fold-space.ts';
import { shorten } from '../markdown/rich-text.ts';
import type { ModelAnswers } from './kept-answers.ts';
import { type NamedNode, NamesOfModel } from './names-of-model.ts';
import { LINK, placeOfName, plainOf, QuotedLines } from './quoted-lines.ts';
import { bearing } from './relation-check.ts';
import { isCalled, isListOf } from './type-check.ts';

/** What became of the facts from a model about a document. */
export interface ModelFigures {
  /** Found by the model alone. */
  readonly found: number;
  /** Found by rules, too. */
  readonly confirmed: number;
  /** Without evidence in the text, contradicted by it, or no fact at all. */
  readonly dropped: number;
}

export const NO_MODEL_FIGURES: ModelFigures = { found: 0, confirmed: 0, dropped: 0 };

const MAX_QUOTE_LENGTH = 200;
/** The confidence of what only a model has found: a node; a relation that its line has words for; a relation that follows from its line. */
const NODE_CONFIDENCE = 0.5;
const SAID_CONFIDENCE = 0.6;
const IMPLIED_CONFIDENCE = 0.45;

/** How many lines above a line count as near it. The names in them and in the headings above may be the ends of its relations. */
const LINES_ABOVE = 12;

/**
 * Adds the facts that a model has found in a document to those that rules have found, as far as the text supports them. Rules come first: what they say of a
 * pair of nodes stays, names that they know are used, and facts that both have found are marked.
 * @param text the whole file
 */
export function mergeAnswers<Facts extends DocumentFacts>(
  facts: Facts,
  text: string,
  {
    model,
    types = NO_MAP_TYPES,
    answers,
  }: Pick<ModelAnswers, 'model' | 'answers'> & { readonly types?: MapTypes },
): { readonly facts: Facts; readonly figures: ModelFigures } {
  const merging = new Merging(facts, text, model, types);
  for (const { nodes, unreadable } of answers) {
    merging.drop(unreadable);
    for (const node of nodes) merging.node(node);
  }
  merging.edges(answers.flatMap(({ edges }) => edges));
  return { facts: { ...facts, ...merging.result() }, figures: merging.figures() };
}

interface Claim {
  readonly source: NamedNode;
  readonly target: NamedNode;
  readonly type: Answer['edges'][number]['type'];
  readonly line: number;
  readonly confidence: number;
}

class Merging {
  readonly #facts: DocumentFacts;
  readonly #types: MapTypes;
  readonly #sourceLines: readonly string[];
  readonly #lines: QuotedLines;
  readonly #names: NamesOfModel;
  readonly #found: ModelPart;
  readonly #confirmedPart: ModelPart;
  readonly #mentions = new Map<NodeKey, Mention>();
  readonly #confirmedNodes = new Set<NodeKey>();
  readonly #statements: Statement[] = [];
  readonly #confirmedRelations = new Set<string>();
  #dropped = 0;

  constructor(facts: DocumentFacts, text: string, model: string, types: MapTypes) {
    this.#facts = facts;
    this.#types = types;
    this.#sourceLines = text.split(/\r\n|\r|\n/);
    this.#lines = new QuotedLines(text);
    this.#names = new NamesOfModel(facts.mentions, this.#lines);
    this.#found = { name: model, role: 'found' };
    this.#confirmedPart = { name: model, role: 'confirmed' };
  }

  drop(count: number): void {
    this.#dropped += count;
  }

  node({ name, type, quote, line: near }: Answer['nodes'][number]): void {
    const line = this.#lines.lineOf(quote, near);
    const named = line === undefined ? undefined : this.#names.read(name);
    if (line === undefined || named === undefined) {
      this.drop(1);
      return;
    }
    if (named.isKnown) {
      this.#confirmedNodes.add(named.key);
      if (this.#isCalled(named, type, line) && !isNodeTypeOfMap(named.type)) this.#mention(named, type, line);
      return;
    }
    if (!this.#declare(named, type, line)) this.drop(1);
  }

  edges(edges: Answer['edges']): void {
    const claims = edges.flatMap((edge) => this.#claim(edge) ?? []);
    const byLine = groupBy(claims, ({ source, target, line }) => {
      return `${line}\n${[source.key, target.key].sort().join('\n')}`;
    });
    for (const ofLine of byLine.values()) {
      // A line says one thing about two nodes. A model that reads more from it is guessing.
      const said = ofLine.filter(({ type }) => type !== 'references');
      const isGuess = new Set(said.map(relationOfClaim)).size > 1;
      for (const claim of ofLine) this.#take(claim, isGuess && claim.type !== 'references');
    }
  }

  result(): Pick<DocumentFacts, 'mentions' | 'statements'> {
    const mentions = this.#facts.mentions.map((mention) =>
      this.#confirmedNodes.has(mention.key) ? { ...mention, model: this.#confirmedPart } : mention,
    );
    const statements = this.#facts.statements.map((statement) =>
      this.#confirmedRelations.has(relationOf(statement))
        ? { ...statement, model: this.#confirmedPart }
        : statement,
    );
    return {
      mentions: [...mentions, ...this.#mentions.values()],
      statements: [...statements, ...this.#statements],
    };
  }

  figures(): ModelFigures {
    return {
      found: this.#mentions.size + this.#statements.length,
      confirmed: this.#confirmedNodes.size + this.#confirmedRelations.size,
      dropped: this.#dropped,
    };
  }

  /** Undefined, and counted as dropped, if the document does not support the relation. */
  #claim({ source, target, type, quote, line: near }: Answer['edges'][number]): Claim | undefined {
    const line = this.#lines.lineOf(quote, near);
    const [from, to] = [this.#names.read(source), this.#names.read(target)];
    if (line === undefined || from === undefined || to === undefined || from.key === to.key) {
      this.drop(1);
      return undefined;
    }
    const plain = this.#lines.plain(line);
    const above = this.#above(line);
    const borne = bearing({
      type,
      asked: this.#types.edges.find((asked) => asked.type === type),
      from: from.kind,
      to: to.kind,
      line: plain,
      fromPlace: placeOfName(plain, from.label),
      toPlace: placeOfName(plain, to.label),
      isFromAbove: placeOfName(above, nameAbove(from)) !== undefined,
      isToAbove: placeOfName(above, nameAbove(to)) !== undefined,
    });
    const isKnown = this.#facts.statements.some(
      (statement) => relationOf(statement) === relationOf({ source: from.key, type, target: to.key }),
    );
    if (borne === undefined && !isKnown) {
      this.drop(1);
      return undefined;
    }
    const confidence = borne === 'said' ? SAID_CONFIDENCE : IMPLIED_CONFIDENCE;
    return { source: from, target: to, type, line, confidence };
  }

  /** Makes a node of something that rules did not find. @returns whether the line is enough for that */
  #declare(named: NamedNode, type: NodeType, line: number): boolean {
    if (named.isKnown || this.#mentions.has(named.key)) return true;
    const source = this.#sourceLines[line - 1] ?? '';
    if (!this.#names.isTold(named, this.#lines.plain(line), source)) return false;
    const isObject = named.kind === 'thing' && type === 'APIObject';
    const isOther = isObject || this.#isCalled(named, type, line);
    this.#mention(named, isOther ? type : named.type, line);
    return true;
  }

  #mention({ key, label }: NamedNode, type: NodeType, line: number): void {
    this.#mentions.set(key, {
      key,
      type,
      label: this.#asWritten(label, line),
      line,
      confidence: NODE_CONFIDENCE,
      declares: true,
      description: this.#sentence(line),
      model: this.#found,
    });
  }

  /** Whether the type is one of the schema map, and the text calls the thing that, in this line or by the heading above it. */
  #isCalled({ kind, label }: NamedNode, type: NodeType, line: number): boolean {
    if (kind !== 'thing' || !this.#types.nodes.some((asked) => asked.type === type)) return false;
    const heading = this.#sourceLines.slice(0, line - 1).findLast((one) => /^#{1,6}\s/.test(one)) ?? '';
    return isCalled(this.#lines.plain(line), label, type) || isListOf(plainOf(heading), type);
  }

  #take(claim: Claim, isGuess: boolean): void {
    const { source, target, type, line, confidence } = claim;
    const relation = relationOfClaim(claim);
    if (this.#facts.statements.some((statement) => relationOf(statement) === relation)) {
      this.#confirmedRelations.add(relation);
      return;
    }
    if (isGuess) {
      this.drop(1);
      return;
    }
    for (const end of [source, target]) this.#declare(end, end.type, line);
    if (this.#statements.some((statement) => relationOf(statement) === relation && statement.line === line))
      return;
    this.#statements.push({
      source: source.key,
      type,
      target: target.key,
      line,
      confidence,
      description: this.#sentence(line),
      model: this.#found,
    });
  }

  /** Plain words of the headings above a line, and of the lines just before it. */
  #above(line: number): string {
    const near = this.#sourceLines.slice(Math.max(0, line - 1 - LINES_ABOVE), line - 1);
    const headings = this.#sourceLines.slice(0, line - 1).filter((one) => /^#{1,6}\s/.test(one));
    return plainOf([this.#facts.title, ...headings, ...near].join(' \n '));
  }

  /** The name as the line writes it, if that is a form of the same name. */
  #asWritten(label: string, line: number): string {
    const source = this.#sourceLines[line - 1] ?? '';
    const at = source.toLowerCase().indexOf(label.toLowerCase());
    return at === -1 ? label : foldSpace(source.slice(at, at + label.length));
  }

  #sentence(line: number): string {
    const source = this.#sourceLines[line - 1] ?? '';
    const plain = source
      .replace(/^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)\s+/, '')
      .replace(LINK, '$1')
      .replace(/[*`]/g, '');
    return shorten(foldSpace(plain), MAX_QUOTE_LENGTH);
  }
}

function relationOf({ source, type, target }: Pick<Statement, 'source' | 'type' | 'target'>): string {
  return `${type}\n${source}\n${target}`;
}

function relationOfClaim({ source, type, target }: Claim): string {
  return relationOf({ source: source.key, type, target: target.key });
}

/** The name to look for above a line. For an endpoint it is the path. */
function nameAbove({ kind, label }: NamedNode): string {
  return kind === 'endpoint' ? label.slice(label.indexOf('/')) : label;
}
