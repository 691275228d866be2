import type { EvaluatedAnswer } from '../app/contexts/context-loop.ts';
import type { RememberedClaim } from '../context/claims/remember-claims.ts';
import { citationText } from '../conversation/place.ts';
import { placeText } from '../core/memory-entry.ts';
import { counted } from '../text/counted.ts';
import { printable, printableName } from '../text/printable.ts';
import type { Output } from './io.ts';

/** The claims of an answer as JSON shows them; `score` is null if there are none. */
export function viewOfClaims({ evaluation, remembered }: EvaluatedAnswer, dryRun: boolean) {
  const { question, score, judge } = evaluation;
  return {
    question,
    score: score ?? null,
    judge,
    dry_run: dryRun,
    claims: remembered.map(({ claim, outcome, place, contradicts, isConfirmed }) => ({
      claim: claim.text,
      line: claim.line,
      verdict: claim.verdict,
      score: claim.score,
      ...(claim.conflict === undefined ? {} : { conflict: claim.conflict }),
      evidence: claim.evidence,
      citations: claim.citations.map(citationText),
      unknown_citations: claim.unknownCitations.map(citationText),
      outcome,
      entry: placeText(place),
      confirmed: isConfirmed,
      contradicts: contradicts.map(placeText),
    })),
  };
}

/** Writes the same for people: each claim with its evidence, then how many were remembered. */
export function writeClaims(
  output: Output,
  { evaluation, remembered }: EvaluatedAnswer,
  dryRun: boolean,
): void {
  for (const one of remembered) output.write(claimText(one, output));
  if (remembered.length === 0) {
    output.write('the answer claims nothing\n');
    return;
  }
  const facts = remembered.filter(({ outcome }) => outcome === 'fact').length;
  const waiting = remembered.filter(
    ({ outcome }) => outcome === 'episodic' || outcome === 'contradiction',
  ).length;
  const done = dryRun ? 'would be remembered' : 'remembered';
  output.write(
    `\n${counted(remembered.length, 'claim')}, ${evaluation.score} supported on average: ${counted(facts, 'fact')} ${done}, ${waiting} for review\n`,
  );
}

function claimText({ claim, outcome, place, contradicts }: RememberedClaim, { style }: Output): string {
  const { verdict, score, text, evidence, conflict } = claim;
  const colour = verdict === 'supported' ? 'green' : 'yellow';
  const why = conflict === undefined ? '' : ` (${conflict})`;
  const lines = [
    `${style(colour, `${score.toFixed(2)} ${verdict}${why}`)} ${printable(text)}`,
    ...evidence.map((one) => `  ${printableName(one.path.slice(1))}:${one.line}: ${printable(one.text)}`),
    ...contradicts.map((fact) => `  contradicts ${printableName(placeText(fact))}`),
    `  ${outcome}: ${printableName(placeText(place))}`,
  ];
  return `${lines.join('\n')}\n`;
}
