import { EXIT, UserError } from '../../core/errors.ts';
import { MEMORY_TYPES } from '../../core/memory-entry.ts';
import { encodeName } from '../../core/names.ts';
import { parsePath } from '../../core/paths.ts';
import { HIT_KINDS, type HitKind } from '../../core/search.ts';
import { unreadText } from '../../core/unread-sources.ts';
import { MAX_BUDGET_TOKENS } from '../../settings/context.ts';
import { printable } from '../../text/printable.ts';
import { withCommas } from '../../text/with-commas.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { wordsOrInput } from '../given-question.ts';
import { writeJson } from '../io.ts';
import { didYouMean } from '../near-names.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { requirePlace } from '../search/required-place.ts';
import { shownOn } from '../text/printable.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'context build';
const KINDS = HIT_KINDS.join(', ');

export const contextBuild = defineCommand({
  verb: VERB,
  summary: 'a context for a question, within a budget: facts of the graph, and the passages that answer',
  details:
    'Prints the same markdown as context/for/<question> of a mount. It is never over its budget, as counted by the tokenizer of the\n' +
    'config (o200k_base). --json prints the manifest, which says what was chosen, why, and what was left out, with the text in it.\n' +
    'If nothing is found, or nothing fits, the exit status is 1.\n' +
    'The question may contain filters, such as type:endpoint or in:/docs; docs/search.md describes them.',
  positionals: { question: { summary: 'the question to answer; - reads standard input', isFreeText: true } },
  options: {
    budget: {
      type: 'count',
      value: 'N',
      min: 1,
      summary: `at most N tokens, up to ${withCommas(MAX_BUDGET_TOKENS)} (default: the config, or 8,000)`,
    },
    scope: { type: 'text', value: 'PATH', summary: 'only from below this path of the mount, such as /docs' },
    path: {
      type: 'texts',
      value: 'PATH',
      summary: 'only from these files or folders of the mount; may be repeated',
    },
    type: { type: 'list', value: 'TYPE', summary: 'only nodes of these types and memories of these kinds' },
    include: { type: 'list', value: 'KIND', summary: `only these kinds: ${KINDS}` },
    exclude: { type: 'list', value: 'KIND', summary: 'none of these kinds' },
  },
  example: 'kgraphfs context build "How do refunds work?" --budget 2000 --docs docs/sample',
  async run(args, io) {
    const { budget, scope, path, type } = args;
    if (args.question.trim() === '') throw usageError(`${VERB} needs a question`, VERB);
    const include = kindsOf(args.include, 'include');
    const hints = {
      ...(scope === undefined ? {} : { scope: parsePath(scope) }),
      ...(path.length === 0 ? {} : { paths: path.map((text) => parsePath(text)) }),
      ...(type.length === 0 ? {} : { types: type }),
      ...(include.length === 0 ? {} : { include }),
      exclude: kindsOf(args.exclude, 'exclude'),
    };
    const context = callerContext(io);
    const question = await wordsOrInput(args.question, io, VERB);
    const provenance = provenanceOf(VERB, { ...args, question });
    return withProject(args, io, async ({ contexts, workspace, fs, graph }) => {
      if (hints.scope !== undefined) await requirePlace(fs, hints.scope, '--scope');
      for (const path of hints.paths ?? []) await requirePlace(fs, path, '--path');
      requireTypes(type, graph.nodeTypes());
      const [{ manifest, text }, { manifestJson }] = await Promise.all([
        contexts.build(question, { ...(budget === undefined ? {} : { budgetTokens: budget }), hints }),
        import('../../context/manifest.ts'),
      ]);
      workspace.record({
        type: 'read',
        path: parsePath(`/context/for/${encodeName(question)}`),
        data: { budget_tokens: manifest.budgetTokens, tokens: manifest.tokens },
        context,
      });
      if (args.json) writeJson(io.out, { ...manifestJson(manifest), text, ...provenance(graph.revision()) });
      else io.out.write(shownOn(io.out, text));
      if (manifest.note === undefined && manifest.unread !== undefined)
        io.err.write(`kgraphfs: ${printable(unreadText(manifest.unread))}\n`);
      if (manifest.note !== undefined && (args.json || text === '')) io.err.write(`${manifest.note}\n`);
      return manifest.note === undefined ? 0 : 1;
    });
  },
});

/** Checks types, in upper or lower case. @throws UserError for a type that neither nodes nor memories can have */
function requireTypes(asked: readonly string[], nodeTypes: readonly string[]): void {
  const known = [...nodeTypes, ...MEMORY_TYPES, ...HIT_KINDS];
  const all = new Set(known.map((type) => type.toLowerCase()));
  const unknown = asked.find((type) => !all.has(type.toLowerCase()));
  if (unknown === undefined) return;
  const near = didYouMean(unknown, known);
  throw new UserError(
    `--type: "${unknown}" is not one of ${[...new Set(known)].join(', ')}${near}`,
    EXIT.wrongUsage,
  );
}

/** The kinds of hits by their names. @throws UserError if there is no such kind */
function kindsOf(texts: readonly string[], option: string): HitKind[] {
  return texts.map((text) => {
    const kind = HIT_KINDS.find((kind) => kind === text.toLowerCase());
    if (kind === undefined)
      throw new UserError(`--${option}: "${text}" is not one of ${KINDS}`, EXIT.wrongUsage);
    return kind;
  });
}
