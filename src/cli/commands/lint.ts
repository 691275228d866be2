import { sum } from '../../core/sum.ts';
import type { LintFinding } from '../../lint/finding.ts';
import { LINT_RULE_NAMES, type LintChoices, type LintRuleName } from '../../settings/lint.ts';
import { counted } from '../../text/counted.ts';
import { printable, printableName } from '../../text/printable.ts';
import { type CommonArguments, defineCommand } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { findPlace, type Place, withGraph } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { usageError } from '../usage-error.ts';

export const lint = defineCommand({
  verb: 'lint',
  summary: 'what is broken in the docs: links, anchors, tables, fences, front matter, required fields',
  details:
    `Rules: ${LINT_RULE_NAMES.slice(0, 6).join(', ')},\n${LINT_RULE_NAMES.slice(6).join(', ')}.\n` +
    '"lint" in the config file sets the severity of each rule, or switches it off. <!-- kgraphfs-lint-disable-line RULE --> and similar\n' +
    'comments switch rules off in a document. The exit status is 1 if there are errors, and 0 with warnings alone. A file or folder that\n' +
    'cannot be read is an error, too, whatever --rule says, because it was not checked.',
  positionals: {
    paths: { summary: 'files or folders to check (default: all of the docs)', count: 'many', isPath: true },
  },
  options: {
    format: {
      type: 'text',
      value: 'FORMAT',
      choices: ['text', 'json', 'sarif'],
      summary: 'file:line:column: message, JSON, or SARIF 2.1.0 for code review (default: text)',
    },
    staged: {
      type: 'boolean',
      summary: 'check what is staged for the next commit, as it is staged, and the links that it breaks',
    },
    rule: { type: 'list', value: 'RULES', summary: 'only these rules, separated by commas' },
    fixSuggestions: {
      type: 'boolean',
      summary: 'print the suggested changes as a diff for "git apply" or "patch -p1"',
    },
    write: { type: 'boolean', summary: 'with --fix-suggestions: change the documents instead' },
  },
  example: 'kgraphfs lint --docs docs/sample',
  async run(args, io) {
    const provenance = provenanceOf('lint', args);
    if (args.staged && args.fixSuggestions)
      throw usageError(
        '--fix-suggestions changes the files on disk, not what is staged; leave out --staged',
        'lint',
      );
    if (args.write && !args.fixSuggestions) throw usageError('--write needs --fix-suggestions', 'lint');
    const rules = rulesIn(args.rule);
    const place = await findPlace(args, io);
    const choices = onlyRules(place.settings.lint, rules);
    const { findings, revision } = args.staged
      ? { findings: await stagedAmong(args, choices, place, io), revision: null }
      : await findingsNow(args, choices, place, io);
    const json = (fields: object) => writeJson(io.out, { ...fields, ...provenance(revision) });
    const format = args.json ? 'json' : (args.format ?? 'text');
    if (args.fixSuggestions)
      await follow(findings, place, args.write === true, args.json ? json : undefined, io);
    else if (format === 'json') json({ findings });
    else await write(findings, format, place, io);
    return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  },
});

type Asked = CommonArguments & { readonly paths: readonly string[] };

interface Linted {
  readonly findings: readonly LintFinding[];
  readonly revision: number;
}

function findingsNow(args: Asked, choices: LintChoices, place: Place, io: Io): Promise<Linted> {
  return withGraph(args, io, async ({ store }) => {
    const [{ lintDocs }, { askedDocuments }] = await Promise.all([
      import('../../app/lint-docs.ts'),
      import('../lint/asked-documents.ts'),
    ]);
    const { selection, state, templates } = place.settings;
    const isAsked = askedDocuments(args.paths, selection, io.workingFolder());
    const findings = lintDocs({ store, selection, excluded: [state], templates, choices }, isAsked);
    return { findings, revision: store.revision() };
  });
}

async function stagedAmong(args: Asked, choices: LintChoices, place: Place, io: Io): Promise<LintFinding[]> {
  const [{ stagedFindings }, { askedDocuments }] = await Promise.all([
    import('../lint/staged-findings.ts'),
    import('../lint/asked-documents.ts'),
  ]);
  const isAsked = askedDocuments(args.paths, place.settings.selection, io.workingFolder());
  const findings = await stagedFindings(args, io, choices);
  return isAsked === undefined ? findings : findings.filter(({ file }) => isAsked(file));
}

/** The rules with these names. @throws UserError for a rule that does not exist */
function rulesIn(names: readonly string[]): ReadonlySet<LintRuleName> | undefined {
  if (names.length === 0) return undefined;
  const rules = names.map((name) => LINT_RULE_NAMES.find((rule) => rule === name) ?? unknownRule(name));
  return new Set(rules);
}

function unknownRule(name: string): never {
  throw usageError(`there is no rule "${name}"; rules are ${LINT_RULE_NAMES.join(', ')}`, 'lint');
}

/** Limits the findings to the given rules. A rule that is asked for by name is not off, and files that could not be read are reported in any case. */
function onlyRules(choices: LintChoices, rules: ReadonlySet<LintRuleName> | undefined): LintChoices {
  if (rules === undefined) return choices;
  const settings = LINT_RULE_NAMES.map((rule) => {
    const setting = choices.rules[rule] ?? (rule === 'link-outside' ? 'off' : undefined);
    if (rules.has(rule)) return [rule, setting === 'off' ? 'warning' : setting] as const;
    return [rule, rule === 'unreadable' ? setting : 'off'] as const;
  });
  return { ...choices, rules: Object.fromEntries(settings) };
}

async function write(
  findings: readonly LintFinding[],
  format: 'text' | 'sarif',
  place: Place,
  io: Io,
): Promise<void> {
  const [{ findingLine, sarifLog }, { shownName }] = await Promise.all([
    import('../../lint/format.ts'),
    import('../lint/asked-documents.ts'),
  ]);
  const name = (file: string) => shownName(file, place.settings.selection, io.workingFolder());
  const nameInLine = (file: string) => printableName(name(file));
  if (format === 'sarif') {
    const { VERSION } = await import('../../core/version.ts');
    writeJson(io.out, sarifLog(findings, VERSION, name));
    return;
  }
  for (const finding of findings) io.out.write(`${printable(findingLine(finding, nameInLine))}\n`);
  io.err.write(`${summaryOf(findings)}\n`);
}

function summaryOf(findings: readonly LintFinding[]): string {
  if (findings.length === 0) return 'nothing found';
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const unread = findings.filter(({ rule }) => rule === 'unreadable').length;
  const unchecked =
    unread === 0 ? '' : `; not all was checked: ${counted(unread, 'place')} could not be read`;
  return `${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}${unchecked}`;
}

async function follow(
  findings: readonly LintFinding[],
  place: Place,
  isWritten: boolean,
  json: ((fields: object) => void) | undefined,
  io: Io,
): Promise<void> {
  const { editsOf, writeEdits } = await import('../lint/follow-suggestions.ts');
  const { files, left } = editsOf(findings, place.settings.selection, io.workingFolder());
  if (isWritten) writeEdits(files);
  if (json !== undefined) {
    const edits = files.flatMap(({ file, edits: own }) => own.map((edit) => ({ file, ...edit })));
    json({ findings, edits });
  } else if (!isWritten) for (const { diff } of files) io.out.write(diff);
  for (const { path, reason } of left)
    io.err.write(`${printableName(path)}: stays as it is: ${printable(reason)}\n`);
  const lines = sum(files.map(({ edits }) => edits.length));
  const did = isWritten ? 'changed' : 'would change';
  if (json === undefined)
    io.err.write(`${did} ${counted(lines, 'line')} in ${counted(files.length, 'file')}\n`);
}
