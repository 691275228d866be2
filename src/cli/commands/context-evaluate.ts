import type { EvaluationRequest } from '../../app/contexts/context-loop.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { usageError } from '../usage-error.ts';
import { wholeInput } from '../whole-input.ts';

const VERB = 'context evaluate';

export const contextEvaluate = defineCommand({
  verb: VERB,
  summary: 'compare each claim of an answer with its sources, and remember what they support',
  details:
    'The answer is split into claims: sentences, items of lists, rows of tables; not code, questions, or text which says that it does\n' +
    'not know. A claim of at least 0.7 becomes a fact in memory, with the lines that say it. Any other becomes an episodic entry that\n' +
    'waits in context/review. A claim that contradicts a known fact is related to it (contradicts) and waits, too. No entry is\n' +
    'overwritten, and evaluating again writes nothing. The sources are those of a manifest (context build --json), else what a context\n' +
    'for the question would have and what search finds for each claim.',
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
      const [{ openContextLoop }, { viewOfClaims, writeClaims }] = await Promise.all([
        import('../../app/contexts/context-loop.ts'),
        import('../evaluated-claims.ts'),
      ]);
      const loop = openContextLoop(app);
      const result = await loop.evaluate({ question, answer: text, spans, dryRun }, context);
      loop.close();
      if (args.json)
        writeJson(io.out, { ...viewOfClaims(result, dryRun), ...provenance(app.graph.revision()) });
      else writeClaims(io.out, result, dryRun);
      return 0;
    });
  },
});

/** The spans of a manifest. @throws UserError if the file is no JSON of a manifest */
async function spansOf(file: string, io: Io): Promise<EvaluationRequest['spans']> {
  const [text, { spansOfManifest }] = await Promise.all([
    wholeInput(file, io),
    import('../../context/manifest-json.ts'),
  ]);
  return spansOfManifest(text, file);
}
