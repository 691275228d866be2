/** Compares claims with sources. */
import { WITHIN_MEMORY } from '../../core/tree-points.ts';
import type { Thesaurus } from '../../words/thesaurus.ts';
import { type Citation, type Claim, canonicalText, partsOf } from './answer-claims.ts';
import type { Conflict } from './conflicts.ts';
import { type Comparison, compare } from './entailment.ts';
import { withSubjects } from './pronouns.ts';
import { type ClaimSource, type SourceStatement, statementsOfSources } from './source-statements.ts';
import type { Weighing } from './word-matches.ts';
import { isTelling, type StatementWords, wordsOfStatement } from './words-of-statement.ts';

/** A claim that its sources support this well counts as a fact. */
export const FACT_SCORE = 0.7;
/** How many statements are compared closely. Most have nothing to do with the claim. */
const CANDIDATES = 40;
const MAX_EVIDENCE = 3;

export type Verdict = 'supported' | 'unsupported' | 'contradicted';

/** A place in a source that was compared with a claim. */
export interface Evidence {
  /** The path in the mount. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** How far the sources say it, from 0 to 1. `FACT_SCORE` and more counts as supported. */
  readonly score: number;
  /** What supports the claim, or contradicts it; else what is closest to it. */
  readonly evidence: readonly Evidence[];
  /** How a contradicted claim differs. */
  readonly conflict?: Conflict;
}

/** Sources that claims can be compared with. */
export interface Judge {
  judge(claim: Pick<Claim, 'text' | 'citations'>): Judgement;
  /** The statements that are closest to a text, best first. */
  nearest(text: string, limit: number): readonly SourceStatement[];
}

export function judgeOf(
  sources: readonly ClaimSource[],
  thesaurus: Pick<Thesaurus, 'related'> | undefined,
): Judge {
  return new SourceJudge(statementsOfSources(sources), thesaurus);
}

interface Held {
  readonly statement: SourceStatement;
  readonly comparison: Comparison;
}

class SourceJudge implements Judge {
  readonly #statements: readonly SourceStatement[];
  readonly #byStem = new Map<string, number[]>();
  /** Statements by their canonical text: a claim that quotes one is supported, whatever else the sources say. */
  readonly #byText: ReadonlyMap<string, SourceStatement>;
  readonly #weighing: Weighing;

  constructor(statements: readonly SourceStatement[], thesaurus: Pick<Thesaurus, 'related'> | undefined) {
    this.#statements = statements;
    this.#byText = new Map(statements.map((one) => [canonicalText(one.text), one] as const));
    for (const [index, { words }] of statements.entries()) {
      for (const stem of new Set([...words.words.map((word) => word.stem), ...words.under])) {
        const places = this.#byStem.get(stem);
        if (places === undefined) this.#byStem.set(stem, [index]);
        else places.push(index);
      }
    }
    this.#weighing = { weightOf: (stem) => this.#weightOf(stem), thesaurus };
  }

  judge({ text, citations }: Pick<Claim, 'text' | 'citations'>): Judgement {
    const quoted = this.#quoted(text);
    if (quoted !== undefined) return quoted;
    // Words alone cannot tell whether the sources speak of what the pronoun means.
    const named = withSubjects(text);
    if (named === undefined) return { verdict: 'unsupported', score: 0, evidence: [] };
    const whole = this.#judgeOne(text, citations);
    const parts = partsOf(named);
    const isSettled =
      whole.verdict === 'supported' || (whole.verdict === 'contradicted' && whole.conflict !== 'number');
    // A number that one statement lacks may be in another one.
    if (isSettled || parts.length < 2) return whole;
    const judged = parts.map((part) => this.#judgeOne(part, citations));
    const worst = judged.find(({ verdict }) => verdict === 'contradicted');
    if (worst !== undefined) return worst;
    const score = Math.min(...judged.map((one) => one.score));
    if (score <= whole.score) return whole;
    const evidence = distinct(judged.flatMap((one) => one.evidence.slice(0, 1)));
    return { verdict: score >= FACT_SCORE ? 'supported' : 'unsupported', score, evidence };
  }

  nearest(text: string, limit: number): readonly SourceStatement[] {
    return this.#candidates(wordsOfStatement(text)).slice(0, limit);
  }

  #quoted(text: string): Judgement | undefined {
    const exact = this.#byText.get(canonicalText(text));
    if (exact === undefined) return undefined;
    const { path, line, text: quote } = exact;
    return { verdict: 'supported', score: 1, evidence: [{ path, line, text: quote }] };
  }

  #judgeOne(text: string, citations: readonly Citation[]): Judgement {
    const quoted = this.#quoted(text);
    if (quoted !== undefined) return quoted;
    const claim = wordsOfStatement(text);
    const held = this.#candidates(claim).map((statement) => ({
      statement,
      comparison: compare(claim, statement.words, this.#weighing),
    }));
    const isCited = ({ statement }: Held) => citations.some((citation) => cites(citation, statement));
    const bySupport = (a: Held, b: Held) =>
      b.comparison.support - a.comparison.support || Number(isCited(b)) - Number(isCited(a));
    const supporting = held.filter(({ comparison }) => comparison.conflict === undefined).sort(bySupport);
    const best = supporting[0];
    const support = best?.comparison.support ?? 0;
    const isSupported = support >= FACT_SCORE;
    const against = held
      .filter(({ comparison }) => comparison.conflict !== undefined)
      // Memory does not outweigh what the docs say. That the two differ is noticed when the claim is to be remembered.
      .filter(({ statement }) => !isSupported || !statement.path.startsWith(WITHIN_MEMORY))
      .sort((a, b) => b.comparison.closeness - a.comparison.closeness)[0];
    const isContradicted =
      against !== undefined &&
      (!isSupported || against.comparison.closeness >= (best?.comparison.closeness ?? 0));
    if (isContradicted) {
      const { conflict, support: score } = against.comparison;
      return {
        verdict: 'contradicted',
        score: rounded(score),
        evidence: [evidenceOf(against)],
        ...(conflict === undefined ? {} : { conflict }),
      };
    }
    const shown = isSupported
      ? supporting.filter(({ comparison }) => comparison.support >= Math.max(FACT_SCORE, support - 0.1))
      : supporting.filter(({ comparison }) => comparison.support > 0.3).slice(0, 1);
    return {
      verdict: isSupported ? 'supported' : 'unsupported',
      score: rounded(support),
      evidence: distinct(shown.map(evidenceOf)).slice(0, MAX_EVIDENCE),
    };
  }

  /** The statements that share most with a claim. */
  #candidates(claim: StatementWords): SourceStatement[] {
    const scores = new Map<number, number>();
    for (const stem of new Set(claim.words.filter(isTelling).map((word) => word.stem))) {
      const weight = this.#weightOf(stem);
      for (const index of this.#byStem.get(stem) ?? []) scores.set(index, (scores.get(index) ?? 0) + weight);
    }
    return [...scores]
      .sort(([one, a], [other, b]) => b - a || one - other)
      .slice(0, CANDIDATES)
      .flatMap(([index]) => this.#statements[index] ?? []);
  }

  #weightOf(stem: string): number {
    const all = this.#statements.length;
    const holding = this.#byStem.get(stem)?.length ?? 0;
    const rarity = Math.log((all + 1) / (holding + 1)) / Math.log(all + 1 + Number.EPSILON);
    return 0.8 + 0.6 * Math.max(0, Math.min(1, Number.isFinite(rarity) ? rarity : 1));
  }
}

function cites({ path, line }: Citation, statement: SourceStatement): boolean {
  if (!statement.path.endsWith(`/${path}`)) return false;
  return line === undefined || Math.abs(statement.line - line) <= 3;
}

function evidenceOf({ statement: { path, line, text } }: Held): Evidence {
  return { path, line, text };
}

function distinct(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [`${one.path}:${one.line}`, one])).values()];
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}
