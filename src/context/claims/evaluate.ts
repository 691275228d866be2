/** What of an answer stands on the sources it was given. */
import { sum } from '../../core/sum.ts';
import type { Thesaurus } from '../../words/thesaurus.ts';
import type { SelectedSpan } from '../manifest.ts';
import { type Citation, type Claim, claimsOf } from './answer-claims.ts';
import { CLAIM_FOLDER, claimKey } from './claim-key.ts';
import type { Conflict } from './conflicts.ts';
import { type Evidence, FACT_SCORE, type Judgement, judgeOf, type Verdict } from './judge.ts';
import { withSubjects } from './pronouns.ts';
import type { ClaimSource } from './source-statements.ts';

/** Says how far evidence supports claims, better than words alone can. */
export interface EntailmentModel {
  readonly name: string;
  /**
   * @returns for each claim, in order, how far its evidence supports it, from 0 to 1; undefined where the model has no opinion, and what the words say counts
   */
  score(
    claims: readonly { readonly text: string; readonly evidence: readonly Evidence[] }[],
    question: string,
    signal?: AbortSignal,
  ): Promise<readonly (number | undefined)[]>;
}

export interface AnswerToEvaluate {
  readonly question: string;
  /** Markdown. */
  readonly answer: string;
  readonly sources: readonly ClaimSource[];
  readonly thesaurus?: Pick<Thesaurus, 'related'> | undefined;
  readonly model?: EntailmentModel | undefined;
  readonly signal?: AbortSignal;
}

export interface EvaluatedClaim extends Claim {
  /** The same for the same claim, whenever and wherever it is made: the key of its entry in memory. */
  readonly key: string;
  readonly verdict: Verdict;
  /** From 0 to 1; `FACT_SCORE` and more is supported. */
  readonly score: number;
  readonly evidence: readonly Evidence[];
  /** In what a contradicted claim differs from its evidence. */
  readonly conflict?: Conflict;
  /** What the answer cites for it and is none of the sources. */
  readonly unknownCitations: readonly Citation[];
}

export interface Evaluation {
  readonly question: string;
  /** The mean of its claims; undefined where it claims nothing. */
  readonly score: number | undefined;
  readonly claims: readonly EvaluatedClaim[];
  /** What judged: `words`, or the model's name. */
  readonly judge: string;
}

/** The model is shown so much for each claim. */
const SHOWN_TO_MODEL = 5;

/**
 * Splits an answer into claims and holds each against the sources. A model's word counts but for two things: a claim that has another number than
 * its sources, or denies what they say, is never supported by it, nor is one with a pronoun in doubt.
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
    // Of whom a model takes it to speak nobody knows.
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

/** What answers claimed before, and what was said in conversations: an answer does not prove itself. */
const OWN_WORDS = new RegExp(`^/context/(?:memory/[a-z]+/(?:${CLAIM_FOLDER}|conversations)|history)/`);

/** What a manifest quotes, as sources of claims, without what comes of answers itself. */
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
