import type { EvaluatedAnswer, EvaluationRequest } from '../../app/contexts/context-loop.ts';
import type { RememberedClaim } from '../../context/claims/remember-claims.ts';
import { citationText } from '../../conversation/place.ts';
import { printable, printableName } from '../../core/printable.ts';
import { placeText } from '../../memory/places.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { type Io, type Output, writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { counted } from '../text/printable.ts';
import { usageError } from '../usage-error.ts';
import { wholeInput } from '../whole-input.ts';

const VERB = 'context evaluate';

export const contextEvaluate = defineCommand({
  verb: VERB,
  summary: 'hold each claim of an answer against its sources, and remember what they say',
  details:
    'An answer is taken apart into claims: sentences, items of lists, rows of tables; not code, questions, or what says that it does not know.\n' +
    'A claim of at least 0.7 becomes a fact in memory, with the lines that say it; any other an episodic entry that waits in context/review. What\n' +
    'contradicts a known fact is related to it (contradicts) and waits, too; no entry is overwritten, and evaluating again writes nothing. The sources\n' +
    'are those of a manifest (context build --json), else what a context for the question would have and what search finds for each claim.',
  positionals: {},
  options: {
    question: { type: 'text', value: 'TEXT', summary: 'what was asked' },
    answer: {
      type: 'text',
      value: 'FILE',
      summary: 'the answer as markdown, from a file, or from standard input with -',
    },
    manifest: {
      type: 'text',
      value: 'FILE',
      summary: 'JSON of context build, or of context update: only its sources count',
    },
    dryRun: { type: 'boolean', summary: 'only say what would be remembered' },
  },
  example:
    'kgraphfs context evaluate --question "How long are keys kept?" --answer answer.md --docs docs/sample',
  async run(args, io) {
    const { question, answer, manifest, dryRun = false } = args;
    if (question === undefined || question.trim() === '')
      throw usageError(`${VERB} needs a --question`, VERB);
    if (answer === undefined) throw usageError(`${VERB} needs --answer FILE, or - for standard input`, VERB);
    const text = await wholeInput(answer, io);
    const spans = manifest === undefined ? undefined : await spansOf(manifest, io);
    const context = callerContext(io);
    const provenance = provenanceOf(VERB, args);
    return withProject(args, io, async (app) => {
      const { openContextLoop } = await import('../../app/contexts/context-loop.ts');
      const loop = openContextLoop(app);
      const result = await loop.evaluate({ question, answer: text, spans, dryRun }, context);
      loop.close();
      if (args.json) writeJson(io.out, { ...view(result, dryRun), ...provenance(app.graph.revision()) });
      else writeClaims(io.out, result, dryRun);
      return 0;
    });
  },
});

/** @throws UserError where it is no JSON of a manifest */
async function spansOf(file: string, io: Io): Promise<EvaluationRequest['spans']> {
  const [text, { spansOfManifest }] = await Promise.all([
    wholeInput(file, io),
    import('../../context/manifest-json.ts'),
  ]);
  return spansOfManifest(text, file);
}

function view({ evaluation, remembered }: EvaluatedAnswer, dryRun: boolean) {
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

function writeClaims(output: Output, { evaluation, remembered }: EvaluatedAnswer, dryRun: boolean): void {
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
    ...contradicts.map((fact) => `  contradicts ${placeText(fact)}`),
    `  ${outcome}: ${placeText(place)}`,
  ];
  return `${lines.join('\n')}\n`;
}
