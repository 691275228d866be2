import type { HitKind, Hop, RetrieverName } from '../core/search.ts';

/** What narrows a context down. */
export interface ContextHints {
  /** Paths of the mount, files or folders: only what is at or below any of them. */
  readonly paths?: readonly string[];
  /** Types of node and kinds of memory, such as `endpoint` or `fact`: any of them. */
  readonly types?: readonly string[];
  /** A path of the mount: only what is at or below it. */
  readonly scope?: string;
  /** Only these kinds. Default: documents, nodes and memory. */
  readonly include?: readonly HitKind[];
  readonly exclude?: readonly HitKind[];
}

/** Why something is in a context. */
export interface Why {
  /** The rank in each retriever that found it, from 1. */
  readonly retrievers: Readonly<Partial<Record<RetrieverName, number>>>;
  /** The way that the graph brought it. */
  readonly hops: readonly Hop[];
}

/** All from 0 to 1. */
export interface Scores {
  /** By age on the manifest's day, halving with each half-life. */
  readonly freshness: number;
  /** How well it answers, as part of the best hit. */
  readonly similarity: number;
  /** By where it comes from. */
  readonly trust: number;
  /** The three together: what it was chosen by. */
  readonly score: number;
}

/** A span of a source, or all that a node or an entry says. */
export interface Span {
  /** In the mount, absolute: `/docs/charges/create-charge.md`. */
  readonly path: string;
  /** 1-based; 0 where it is no place in a text. */
  readonly line: number;
  /** Inclusive. */
  readonly endLine: number;
  readonly kind: HitKind;
  /** Type of a node, kind of a memory entry. */
  readonly type?: string;
  readonly title: string;
  /** Outermost first. */
  readonly headings: readonly string[];
}

export interface SelectedSpan extends Span, Scores {
  /** `whole`: as it stands in the source. `summary`: sentences of it, since the budget is tight. */
  readonly form: 'whole' | 'summary';
  /** Of its text. */
  readonly tokens: number;
  /** When what it shows last changed: `2026-11-20`. */
  readonly date: string;
  /** Whether the file has changed since it was indexed. */
  readonly stale: boolean;
  /** Whether it is memory that waits for a person to accept it. */
  readonly waits?: boolean;
  readonly why: Why;
  /** What is quoted. No part of the manifest's JSON: its `text` has it. */
  readonly text: string;
}

export type LeftOutReason = 'budget' | 'duplicate' | 'low similarity' | 'superseded' | 'gone';

/** What was found and is not in the context. */
export interface LeftOut {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly kind: HitKind;
  readonly reason: LeftOutReason;
  /** Of its text; 0 where nobody counted. */
  readonly tokens: number;
  readonly score: number;
}

/** A relation that the docs state. */
export interface Fact {
  /** Labels of nodes. */
  readonly from: string;
  readonly edgeType: string;
  readonly to: string;
  /** Places that state it, relative to the docs root: `charges/create-charge.md:31`. The first few. */
  readonly evidence: readonly string[];
}

/** A way through the graph between nodes that the question names, each step a fact. */
export interface FactPath {
  /** Labels in the order of the way. */
  readonly nodes: readonly string[];
  /** One fewer than the nodes. A step may be walked against its direction. */
  readonly steps: readonly Fact[];
}

/** What a context is made of, and why: the same question and revision give the same. */
export interface ContextManifest {
  readonly question: string;
  readonly budgetTokens: number;
  /** Of the whole materialized text; never over the budget. */
  readonly tokens: number;
  /** What counted. */
  readonly tokenizer: string;
  /** Of docs, graph and memory together. */
  readonly revision: string;
  /** When any of what it was made of last changed: milliseconds since 1970. */
  readonly changedMs: number;
  /** The day of that, which freshness is reckoned from: `2026-11-21`. */
  readonly day: string;
  /** Nodes that the question names, as listed in `graph/nodes`. */
  readonly named: readonly string[];
  /** Ways among the named nodes, shown before the facts. */
  readonly paths: readonly FactPath[];
  /** Relations of the named nodes. */
  readonly facts: readonly Fact[];
  /** In the order of the text: by source, that with the best first, within one by line. */
  readonly selected: readonly SelectedSpan[];
  /** Best first. */
  readonly leftOut: readonly LeftOut[];
  /** Where the context is poorer than asked for, why. */
  readonly note?: string;
  /** As an answer of search says: paths of what could not be read when it was built, and may say what must stand in it. */
  readonly unread?: readonly string[];
  /** Why what is near by meaning had no part in it, where it was to: built again, it may be another one though nothing changed. */
  readonly lack?: string;
}

export interface BuildOptions {
  /** Default: what the configuration says, else 8,000. */
  readonly budgetTokens?: number;
  readonly hints?: ContextHints;
}

/** Builds contexts. Nothing that a question says is an error. */
export interface ContextConstructor {
  /** @throws UserError where the budget is no whole number of tokens from 1 to 1,000,000 */
  build(question: string, options?: BuildOptions): Promise<ContextManifest>;
}

/** A manifest as the command line and the history show it, with the names that all JSON of the project has. */
export function manifestJson(manifest: ContextManifest): Record<string, unknown> {
  const { question, budgetTokens, tokens, tokenizer, revision, day, named, note, unread } = manifest;
  return {
    question,
    budget_tokens: budgetTokens,
    tokens,
    tokenizer,
    revision,
    day,
    ...(note === undefined ? {} : { note }),
    ...(unread === undefined ? {} : { unread }),
    named,
    paths: manifest.paths.map(({ nodes, steps }) => ({ nodes, steps: steps.map(factJson) })),
    facts: manifest.facts.map(factJson),
    selected: manifest.selected.map(({ text: _text, endLine, why, ...span }) => {
      const { line, path, ...rest } = span;
      return {
        path,
        line,
        end_line: endLine,
        ...rest,
        retrievers: why.retrievers,
        hops: why.hops.map(hopJson),
      };
    }),
    left_out: manifest.leftOut.map(({ endLine, line, path, ...rest }) => ({
      path,
      line,
      end_line: endLine,
      ...rest,
    })),
  };
}

function factJson({ from, edgeType, to, evidence }: Fact) {
  return { from, edge_type: edgeType, to, evidence };
}

function hopJson({ from, edgeType, to, evidence }: Hop) {
  return { from, edge_type: edgeType, to, ...(evidence === undefined ? {} : { evidence }) };
}
