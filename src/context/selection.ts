import type { SearchEngine } from '../core/search.ts';
import { type Candidate, leftOutOf, SaidTexts, textOf } from './candidates.ts';
import { usableTokens } from './fitting.ts';
import type { LeftOut, SelectedSpan } from './manifest.ts';
import { ANY_MARK, inTextOrder, kindHeading, layoutFor, quotedPart } from './materialize.ts';
import { mergeNeighbours, summarySpan, wholeSpan } from './spans.ts';
import type { TokenCounter } from './tokens.ts';
import { MAX_WHOLE, MIN_WHOLE_SCORE, wholeDocument, withWholeDocuments } from './whole-documents.ts';

export interface SelectionOptions {
  readonly engine: Pick<SearchEngine, 'textOf'>;
  /** The terms of the question. */
  readonly terms: ReadonlySet<string>;
  readonly question: string;
  readonly counter: TokenCounter;
  readonly budgetTokens: number;
  /** Tokens of the budget that are already used before any passage. */
  readonly takenTokens: number;
  /** Whether lines that were not found may be added if there is room: the rest of good documents. */
  readonly showsAll: boolean;
}

export interface Selection {
  /** In the order of the text. */
  readonly selected: readonly SelectedSpan[];
  readonly leftOut: readonly LeftOut[];
}

/** The line breaks around a part. */
const BREAK_TOKENS = 2;
/** With fewer tokens there is no room for a sentence and its source. */
const MIN_PART_TOKENS = 24;
/** How many of the best hits are shown in part at once if they do not fit as a whole. Others are, if there is room left at the end. */
const BEST_HITS = 3;
const SUMMARIES_AT_END = 6;
/** After this many hits that did not fit, the search for a smaller one ends. */
const MAX_WAITING = 40;
const SUMMARY_SENTENCES = 4;
/** The minimal score, compared with the best, of hits that are shown in part at the end. */
const MIN_SUMMARY_SCORE = 0.4;
/**
 * How much the shortness of a passage counts: two that answer well say more than one that answers a little better and takes the room of both. It
 * counts less than in proportion to the length, since a longer passage also says more.
 */
const BREVITY_EXPONENT = 0.2;
/** Added to the length of each passage, so that one line is not worth ten passages. */
const FRAME_TOKENS = 60;
const CHARACTERS_PER_TOKEN = 4;
/** A document that takes at most this share of the budget is shown as a whole at once, so that worse answers do not take the room of its other lines. */
const WHOLE_SHARE = 1 / 3;
/** The share of the room that a summary of one of the best hits may take. The rest is for the others. */
const SUMMARY_SHARE = 0.6;

/**
 * Chooses the best passages that fit as a whole, preferring the shorter of two that answer alike. One that does not fit makes room for the next. The
 * best of those that do not fit are shown by some of their sentences.
 */
export function selectSpans(candidates: readonly Candidate[], options: SelectionOptions): Selection {
  return new Choice(options).of(candidates);
}

interface Considered {
  readonly candidate: Candidate;
  /** The position by its score, from 0. */
  readonly rank: number;
  /** The text; undefined if it is gone. */
  readonly text: string | undefined;
  readonly worth: number;
}

/** A candidate that did not fit. */
interface Waiting {
  readonly candidate: Candidate;
  readonly text: string;
  readonly tokens: number;
}

class Choice {
  readonly #options: SelectionOptions;
  readonly #layout: ReturnType<typeof layoutFor>;
  readonly #said = new SaidTexts();
  readonly #selected: SelectedSpan[] = [];
  readonly #leftOut: LeftOut[] = [];
  /** Candidates that did not fit, best first. */
  readonly #waiting: Waiting[] = [];
  /** Paths of the documents that were met first, whether or not they were short enough to be shown as a whole. */
  readonly #tried = new Set<string>();
  #bestScore = 0;
  #left: number;

  constructor(options: SelectionOptions) {
    this.#options = options;
    this.#layout = layoutFor(options.budgetTokens);
    this.#left = usableTokens(options.budgetTokens) - options.takenTokens;
  }

  of(candidates: readonly Candidate[]): Selection {
    this.#bestScore = Math.max(0, ...candidates.map(({ scores }) => scores.score));
    for (const considered of this.#byWorth(candidates)) this.#consider(considered);
    this.#summarizeRest();
    const { engine, counter, showsAll } = this.#options;
    const merged = mergeNeighbours(engine, this.#selected, counter);
    const room = { engine, counter, tokens: this.#left, costOf: (span: SelectedSpan) => this.#costOf(span) };
    const selected = showsAll ? withWholeDocuments(merged, room) : merged;
    const isShown = (out: LeftOut) => selected.some((span) => holds(span, out));
    const leftOut = this.#leftOut.filter((out) => !isShown(out));
    return { selected: inTextOrder(selected), leftOut };
  }

  #byWorth(candidates: readonly Candidate[]): Considered[] {
    return candidates
      .map((candidate, rank) => {
        const text = textOf(this.#options.engine, candidate.hit);
        const tokens = FRAME_TOKENS + (text?.length ?? 0) / CHARACTERS_PER_TOKEN;
        return { candidate, rank, text, worth: candidate.scores.score / tokens ** BREVITY_EXPONENT };
      })
      .sort((a, b) => b.worth - a.worth || a.rank - b.rank);
  }

  #consider({ candidate, rank, text }: Considered): void {
    if (this.#left < MIN_PART_TOKENS || this.#waiting.length >= MAX_WAITING) {
      this.#leftOut.push(leftOutOf(candidate, 'budget'));
      return;
    }
    const { engine, counter } = this.#options;
    if (text === undefined) this.#leftOut.push(leftOutOf(candidate, 'gone'));
    else if (this.#isShown(candidate) || this.#said.isSaid(text)) {
      this.#leftOut.push(leftOutOf(candidate, 'duplicate', counter.count(text)));
    } else {
      const span = wholeSpan(engine, candidate, text, counter);
      if (this.#takeWholeDocument(span) || this.#take(span, this.#left)) return;
      const isSummed = rank < BEST_HITS && this.#takeSummary(candidate, text, this.#left * SUMMARY_SHARE);
      if (!isSummed) this.#waiting.push({ candidate, text, tokens: span.tokens });
    }
  }

  /** An answer may share no word with the question, and be a few lines away from what does. */
  #takeWholeDocument(span: SelectedSpan): boolean {
    const { engine, counter, budgetTokens, showsAll } = this.#options;
    if (!showsAll || span.kind !== 'document' || span.line === 0) return false;
    if (this.#tried.has(span.path) || this.#tried.size >= MAX_WHOLE) return false;
    if (span.score < MIN_WHOLE_SCORE * this.#bestScore) return false;
    this.#tried.add(span.path);
    const room = Math.min(this.#left, WHOLE_SHARE * budgetTokens);
    const whole = wholeDocument(span, { engine, counter }, room);
    if (whole === undefined || !this.#take(whole, room)) return false;
    // Its other passages are contained in it, and are not considered one by one any more.
    this.#said.isSaid(whole.text);
    return true;
  }

  /** Passages may overlap, and a question may find one twice. */
  #isShown({ hit }: Candidate): boolean {
    return this.#selected.some((span) => holds(span, hit));
  }

  /** Shows each source that did not fit by some of its sentences. They are chosen from all found passages of a document together. */
  #summarizeRest(): void {
    const best = this.#waiting[0]?.candidate.scores.score ?? 0;
    for (const [rank, group] of bySource(this.#waiting).entries()) {
      const [first] = group;
      const isGood =
        first !== undefined &&
        rank < SUMMARIES_AT_END &&
        first.candidate.scores.score >= MIN_SUMMARY_SCORE * best;
      const together = isGood ? this.#together(group, first) : undefined;
      const isShown =
        together !== undefined && this.#takeSummary(together.candidate, together.text, this.#left);
      for (const { candidate, tokens } of isShown ? group.slice(1) : group)
        this.#leftOut.push(leftOutOf(candidate, 'budget', tokens));
    }
  }

  #together(group: readonly Waiting[], first: Waiting): Pick<Waiting, 'candidate' | 'text'> {
    const { hit, scores } = first.candidate;
    if (group.length === 1 || hit.kind !== 'document') return first;
    const range = {
      line: Math.min(...group.map(({ candidate }) => candidate.hit.line)),
      endLine: Math.max(...group.map(({ candidate }) => candidate.hit.endLine)),
    };
    const text = textOf(this.#options.engine, { ...hit, ...range });
    return text === undefined ? first : { candidate: { hit: { ...hit, ...range }, scores }, text };
  }

  #takeSummary(candidate: Candidate, text: string, roomTokens: number): boolean {
    if (roomTokens < MIN_PART_TOKENS) return false;
    const { terms, counter } = this.#options;
    for (let sentences = SUMMARY_SENTENCES; sentences >= 1; sentences -= 1) {
      const span = summarySpan(candidate, text, terms, sentences, counter);
      if (span !== undefined && this.#take(span, roomTokens)) return true;
    }
    return false;
  }

  #take(span: SelectedSpan, roomTokens: number): boolean {
    const tokens = this.#costOf(span);
    if (tokens > roomTokens) return false;
    this.#left -= tokens;
    this.#selected.push(span);
    return true;
  }

  /** The tokens of a span with everything that is written around it. */
  #costOf(span: SelectedSpan): number {
    const { counter } = this.#options;
    const isNew = this.#layout === 'full' && !this.#selected.some(({ kind }) => kind === span.kind);
    const heading = isNew ? counter.count(kindHeading(span)) + BREAK_TOKENS : 0;
    // If there are no marks around the whole, each line begins with two characters instead.
    const lines = this.#layout === 'lines' ? span.text.split('\n').length : 0;
    const frame = counter.count(quotedPart(span, ANY_MARK, this.#layout, '')) + BREAK_TOKENS;
    return heading + frame + lines + span.tokens;
  }
}

function holds(
  { form, path, line, endLine }: SelectedSpan,
  part: Pick<LeftOut, 'path' | 'line' | 'endLine'>,
): boolean {
  return form === 'whole' && path === part.path && line <= part.line && part.endLine <= endLine;
}

/** Grouped by source, in the order of the first of each. */
function bySource(waiting: readonly Waiting[]): Waiting[][] {
  const sources = new Map<string, Waiting[]>();
  for (const one of waiting) {
    const { path } = one.candidate.hit;
    sources.set(path, [...(sources.get(path) ?? []), one]);
  }
  return [...sources.values()];
}
