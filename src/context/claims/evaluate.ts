/** Finds which claims of an answer are supported by the sources that it was given. */
import { sum } from '../../core/sum.ts';
import type { Thesaurus } from '../../words/thesaurus.ts';
import type { SelectedSpan } from '../manifest.ts';
import { type Citation, type Claim, claimsOf } from './answer-claims.ts';
import { CLAIM_FOLDER, claimKey } from './claim-key.ts';
import type { Conflict } from './conflicts.ts';
import { type Evidence, FACT_SCORE, type Judgement, judgeOf, type Verdict } from './judge.ts';
import { withSubjects } from './pronouns.ts';
import type { ClaimSource } from './source-statements.ts';

/** A model that says how far evidence supports claims, better than words alone can. */
export interface EntailmentModel {
  readonly name: string;
  /** @returns for each claim, in order, how far its evidence supports it, from 0 to 1; undefined if the model has no opinion, so that the words decide */
  score(
    claims: readonly { readonly text: string; readonly evidence: readonly Evidence[] }[],
    question: string,
    signal?: AbortSignal,
  ): Promise<readonly (number | undefined)[]>;
}

export interface AnswerToEvaluate {
  readonly question: string;
  /** The answer, in markdown. */
  readonly answer: string;
  readonly sources: readonly ClaimSource[];
  readonly thesaurus?: Pick<Thesaurus, 'related'> | undefined;
  readonly model?: EntailmentModel | undefined;
  readonly signal?: AbortSignal;
}

export interface EvaluatedClaim extends Claim {
  /** The key of its entry in memory. It is the same for the same claim, whenever and wherever it is made. */
  readonly key: string;
  readonly verdict: Verdict;
  /** From 0 to 1. `FACT_SCORE` and more counts as supported. */
  readonly score: number;
  readonly evidence: readonly Evidence[];
  /** How a contradicted claim differs from its evidence. */
  readonly conflict?: Conflict;
  /** What the answer cites for it that is not among the sources. */
  readonly unknownCitations: readonly Citation[];
}

export interface Evaluation {
  readonly question: string;
  /** The mean of the claims; undefined if there are none. */
  readonly score: number | undefined;
  readonly claims: readonly EvaluatedClaim[];
  /** What has judged: `words`, or the name of the model. */
  readonly judge: string;
}

/** How many pieces of evidence the model is shown for each claim. */
const SHOWN_TO_MODEL = 5;

/**
 * Splits an answer into claims and compares each with the sources. The model's word counts, with two exceptions: it can never support a claim that
 * has another number than its sources or denies what they say, nor one with a pronoun in doubt.
 */
export async function evaluateAnswer(given: AnswerToEvaluate): Promise<Evaluation> {
  const { question, answer, sources, thesaurus, model, signal } = given;
  const judge = judgeOf(sources, thesaurus);
  const claims = claimsOf(answer);
  const byWords = claims.map((claim) => judge.judge(claim));
  const shown = claims.map(({ text }, index) => ({
    text,
    evidence: [
      ...(byWords[index]?.evidence ?? []),
      ...judge.nearest(text, SHOWN_TO_MODEL).map(({ path, line, text }) => ({ path, line, text })),
    ].slice(0, SHOWN_TO_MODEL),
  }));
  const scores = model === undefined || shown.length === 0 ? [] : await model.score(shown, question, signal);
  const judged = claims.map((claim, index): EvaluatedClaim => {
    const words = byWords[index] ?? { verdict: 'unsupported', score: 0, evidence: [] };
    // Nobody knows what the model takes the pronoun to mean.
    const isOpen = withSubjects(claim.text) === undefined;
    const judgement = isOpen ? words : withModel(words, scores[index], shown[index]?.evidence ?? []);
    return {
      ...claim,
      key: claimKey(claim.text),
      ...judgement,
      unknownCitations: claim.citations.filter(({ path }) => !sources.some((one) => isOf(one.path, path))),
    };
  });
  const total = sum(judged.map(({ score }) => score));
  return {
    question,
    score: judged.length === 0 ? undefined : Math.round((total / judged.length) * 1000) / 1000,
    claims: judged,
    judge: model?.name ?? 'words',
  };
}

/** What answers have claimed before, and what was said in conversations. It is excluded, since an answer does not prove itself. */
const OWN_WORDS = new RegExp(`^/context/(?:memory/[a-z]+/(?:${CLAIM_FOLDER}|conversations)|history)/`);

/** The quotations of a manifest as sources for claims, without those that come from answers themselves. */
export function sourcesOfSpans(
  spans: readonly Pick<SelectedSpan, 'path' | 'line' | 'title' | 'headings' | 'text'>[],
): ClaimSource[] {
  return spans
    .filter(({ path }) => !OWN_WORDS.test(path))
    .map(({ path, line, title, headings, text }) => ({
      path,
      line: Math.max(1, line),
      title,
      headings,
      text,
    }));
}

function withModel(words: Judgement, score: number | undefined, evidence: readonly Evidence[]): Judgement {
  if (score === undefined || words.verdict === 'contradicted') return words;
  const isSupported = score >= FACT_SCORE;
  return {
    verdict: isSupported ? 'supported' : 'unsupported',
    score: Math.max(0, Math.min(1, score)),
    evidence: words.evidence.length > 0 ? words.evidence : evidence.slice(0, 1),
  };
}

function isOf(path: string, cited: string): boolean {
  return path === cited || path.endsWith(`/${cited}`);
}
