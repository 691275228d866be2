import type { HitKind, Hop, RetrieverName } from '../core/search.ts';

/** Limits what a context may contain. */
export interface ContextHints {
  /** Paths of the mount, files or folders. Allowed is what is at or below any of them. */
  readonly paths?: readonly string[];
  /** Types of nodes and kinds of memory, such as `endpoint` or `fact`. Any of them is allowed. */
  readonly types?: readonly string[];
  /** A path of the mount. Allowed is what is at or below it. */
  readonly scope?: string;
  /** The kinds that are allowed. Default: documents, nodes and memory. */
  readonly include?: readonly HitKind[];
  readonly exclude?: readonly HitKind[];
}

/** Why something is in a context. */
export interface Why {
  /** The rank in each retriever that found it, from 1. */
  readonly retrievers: Readonly<Partial<Record<RetrieverName, number>>>;
  /** The way through the graph on which it was found. */
  readonly hops: readonly Hop[];
}

/** All from 0 to 1. */
export interface Scores {
  /** Depends on the age on the day of the manifest, and halves with each half-life. */
  readonly freshness: number;
  /** How well it answers, compared with the best hit. */
  readonly similarity: number;
  /** Depends on where it comes from. */
  readonly trust: number;
  /** The combination of the three, by which it was chosen. */
  readonly score: number;
}

/** A span of a source, or the whole text of a node or an entry. */
export interface Span {
  /** The path in the mount, absolute: `/docs/charges/create-charge.md`. */
  readonly path: string;
  /** The first line, 1-based; 0 if it is not a place in a text. */
  readonly line: number;
  /** The last line, inclusive. */
  readonly endLine: number;
  readonly kind: HitKind;
  /** The type of a node, or the kind of a memory entry. */
  readonly type?: string;
  readonly title: string;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
}

export interface SelectedSpan extends Span, Scores {
  /** `whole`: as it is in the source. `summary`: some of its sentences, since the budget is tight. */
  readonly form: 'whole' | 'summary';
  /** The tokens of its text. */
  readonly tokens: number;
  /** The day on which what it shows last changed: `2026-11-20`. */
  readonly date: string;
  /** Whether the file has changed since it was indexed. */
  readonly stale: boolean;
  /** Whether it is memory that waits for a person to accept it. */
  readonly waits?: boolean;
  readonly why: Why;
  /** The quotation. It is not in the manifest's JSON, whose `text` contains it. */
  readonly text: string;
}

export type LeftOutReason = 'budget' | 'duplicate' | 'low similarity' | 'superseded' | 'gone';

/** Something that was found but is not in the context. */
export interface LeftOut {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly kind: HitKind;
  readonly reason: LeftOutReason;
  /** The tokens of its text; 0 if they were not counted. */
  readonly tokens: number;
  readonly score: number;
}

/** A relation that the docs state. */
export interface Fact {
  /** The labels of the two nodes. */
  readonly from: string;
  readonly edgeType: string;
  readonly to: string;
  /** Places that state it, relative to the docs root: `charges/create-charge.md:31`. Only the first few. */
  readonly evidence: readonly string[];
}

/** A path through the graph between nodes that the question names. Each step is a fact. */
export interface FactPath {
  /** The labels of the nodes along the path. */
  readonly nodes: readonly string[];
  /** One fewer than the nodes. A step may be walked against its direction. */
  readonly steps: readonly Fact[];
}

/** What a context consists of, and why. The same question at the same revision gives the same manifest. */
export interface ContextManifest {
  readonly question: string;
  readonly budgetTokens: number;
  /** The tokens of the whole materialized text, never more than the budget. */
  readonly tokens: number;
  /** What has counted the tokens. */
  readonly tokenizer: string;
  /** The revision of docs, graph and memory together. */
  readonly revision: string;
  /** When any of what it was made from last changed: milliseconds since 1970. */
  readonly changedMs: number;
  /** The day of `changedMs`, from which freshness is computed: `2026-11-21`. */
  readonly day: string;
  /** The nodes that the question names, as listed in `graph/nodes`. */
  readonly named: readonly string[];
  /** Paths between the named nodes, shown before the facts. */
  readonly paths: readonly FactPath[];
  /** Relations of the named nodes. */
  readonly facts: readonly Fact[];
  /** In the order of the text: by source, the one with the best span first, and by line within a source. */
  readonly selected: readonly SelectedSpan[];
  /** Best first. */
  readonly leftOut: readonly LeftOut[];
  /** Why the context is poorer than asked for, if it is. */
  readonly note?: string;
  /** As in an answer of search: paths that could not be read when the context was built, and might contain what a passage has to contain. */
  readonly unread?: readonly string[];
  /** Why search by meaning had no part in it although it should. If it is built again, it may differ though nothing has changed. */
  readonly lack?: string;
}

export interface BuildOptions {
  /** Default: what the config says, else 8,000. */
  readonly budgetTokens?: number;
  readonly hints?: ContextHints;
}

/** Builds contexts. No question is an error, whatever it says. */
export interface ContextConstructor {
  /** @throws UserError if the budget is not a whole number of tokens from 1 to 1,000,000 */
  build(question: string, options?: BuildOptions): Promise<ContextManifest>;
}

/** A manifest as the command line and the history show it, with the names that are used in all JSON of the project. */
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
