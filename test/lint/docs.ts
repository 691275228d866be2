import { extractDocument } from '../../src/ingest/extract/extract.ts';
import type { LintFinding } from '../../src/lint/finding.ts';
import { lint } from '../../src/lint/lint.ts';
import type { LintView, Requirement } from '../../src/lint/view.ts';
import type { LintChoices } from '../../src/settings/lint.ts';

/** Files by path: text for documents, anything for others. */
export type Files = Readonly<Record<string, string>>;

export interface Choices {
  readonly rules?: LintChoices['rules'];
  readonly siteRoot?: string;
  readonly requirements?: readonly Requirement[];
  readonly unshown?: readonly string[];
  /** Why what could not be read, by path. */
  readonly unread?: Readonly<Record<string, string>>;
}

/** All findings but those of orphans, which are nearly all documents of a test. */
export function findingsIn(files: Files, choices: Choices = {}): LintFinding[] {
  return lint(viewOf(files, choices), {
    rules: { 'orphan-document': 'off', ...choices.rules },
    siteRoot: choices.siteRoot,
    rootName: 'docs',
    roots: [],
    ignores: () => false,
  });
}

/** `file:line:column rule target`, with ` -> suggestion` where there is one. */
export function told(files: Files, choices: Choices = {}): string[] {
  return findingsIn(files, choices).map(({ file, line, column, rule, target = '', suggestion }) => {
    const hint = suggestion === undefined ? '' : ` -> ${suggestion}`;
    return `${file}:${line}:${column} ${rule} ${target}`.trimEnd() + hint;
  });
}

/** The files as lint looks at them. */
export function viewOf(
  files: Files,
  { requirements = [], unshown = [], unread = {} }: Choices = {},
): LintView {
  const paths = Object.keys(files).sort();
  const documents = paths.filter((path) => path.endsWith('.md') || path.endsWith('.mdx'));
  const read = new Map(documents.map((path) => [path, extractDocument(path, files[path] ?? '')]));
  const mentionsIn = (path: string) =>
    (read.get(path)?.mentions ?? []).map(({ key, label, line, declares }) => ({
      key,
      label,
      lines: [line],
      declares,
    }));
  return {
    files: () => paths,
    hasUnshown: (path) => unshown.includes(path),
    documents: () => documents,
    unread: () => new Map(Object.entries(unread)),
    outline: (path) => read.get(path)?.outline,
    outlines: () => [...read].map(([path, { outline }]) => ({ path, outline })),
    isLinkedTo: (path) =>
      [...read].some(
        ([from, { outline }]) => from !== path && outline.links.some(({ target }) => path.endsWith(target)),
      ),
    mentionsIn,
    mentionsOf: (key) =>
      documents.flatMap((path) => {
        const lines = mentionsIn(path).flatMap((mention) => (mention.key === key ? mention.lines : []));
        return lines.length === 0 ? [] : [{ path, lines }];
      }),
    nodeLabels: () => documents.flatMap((path) => mentionsIn(path).map(({ label }) => label)),
    requirementsOf: (path) => (path.startsWith('adr/') ? requirements : []),
  };
}
