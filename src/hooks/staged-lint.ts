import type { OpenCommits } from '../commit-graph/open.ts';
import { decides } from '../commit-graph/tree-view.ts';
import { documentKey } from '../core/identity.ts';
import { isMarkdown } from '../core/markdown-ending.ts';
import type { Outline } from '../core/outline.ts';
import { isWithin } from '../core/paths.ts';
import { type CommitInfo, headCommit } from '../git/commits.ts';
import { type DocsInTree, diffStaged, emptyTree, type TreeChange } from '../git/tree-files.ts';
import type { LintFinding } from '../lint/finding.ts';
import { indexView, type RequirementsOf } from '../lint/index-view.ts';
import { type LintSettings, lint } from '../lint/lint.ts';
import type { LintView } from '../lint/view.ts';

export interface StagedLintOptions {
  /** Default: nothing is required. */
  readonly requirementsOf?: RequirementsOf;
  /** Called before work that takes long: the graph is far from the present commit, or there is no graph yet. */
  readonly onSlow?: () => void;
}

/** What is staged below the docs for the next commit. */
export interface Staged {
  /** The commit that is checked out; undefined before the first one. */
  readonly head: CommitInfo | undefined;
  readonly changes: readonly TreeChange[];
}

/** @throws GitFailure */
export function stagedIn(docs: DocsInTree): Staged {
  const { repository } = docs;
  const head = headCommit(repository);
  return { head, changes: diffStaged(docs, head?.commit ?? emptyTree(repository)) };
}

/** Reading more documents than this takes seconds. */
const NEAR_DOCUMENTS = 300;

/**
 * What is wrong with the staged documents as they are staged, and what a staged change breaks in others: links to a document, file or heading that goes. What
 * was wrong in other documents before is not reported.
 * @throws UserError if the store cannot be used; GitFailure
 */
export function lintStaged(
  commits: OpenCommits,
  { head, changes }: Staged,
  settings: LintSettings,
  options: StagedLintOptions = {},
): LintFinding[] {
  if (changes.length === 0) return [];
  bringToHead(commits, head, options.onSlow);
  const others = documentsThatMayBreak(commits, changes);
  const outlines = outlinesOf(commits, changes);
  const before = new Set(
    others.size === 0 ? [] : lint(viewOf(commits, options), settings, others).map(textOf),
  );
  return commits.graph.whileStaged(changes, () => {
    const view = viewOf(commits, options);
    const staged = changes.flatMap(({ path, file }) =>
      file !== undefined && isMarkdown(path) ? [path] : [],
    );
    const broken = othersToLookAt(commits, changes, outlines, others);
    for (const path of staged) broken.delete(path);
    return [
      ...lint(view, settings, staged),
      ...lint(view, settings, broken).filter((finding) => !before.has(textOf(finding))),
    ];
  });
}

function bringToHead(
  { graph }: OpenCommits,
  head: CommitInfo | undefined,
  onSlow: (() => void) | undefined,
): void {
  if (head === undefined || graph.bringToIfNear(head, NEAR_DOCUMENTS)) return;
  onSlow?.();
  graph.bringToIfNear(head, Number.POSITIVE_INFINITY);
}

function viewOf({ store, docs }: OpenCommits, { requirementsOf }: StagedLintOptions): LintView {
  const { files, graph } = store;
  const unshown = files.unshown();
  const unknown = [...files.submodules(), ...docs.elsewhere];
  return indexView({
    store: graph,
    files: () => files.shown(),
    // Paths that no commit says anything of may exist.
    hasUnshown: (path) =>
      (path !== '' && unshown.some((file) => isWithin(file, path))) ||
      unknown.some((folder) => isWithin(path, folder)),
    ...(requirementsOf === undefined ? {} : { requirementsOf }),
  });
}

/** Documents that name something that changes or goes, by a link that the graph knows or by its name. */
function documentsThatMayBreak(
  { store: { graph } }: OpenCommits,
  changes: readonly TreeChange[],
): Set<string> {
  const { documents, keys, contributions, outlines } = graph;
  if (changes.some(({ path }) => decides(path))) return new Set(documents.all().map(({ path }) => path));
  const others = new Set<string>();
  for (const { path, file, was } of changes) {
    if (!was) continue;
    const id = keys.find(documentKey(path));
    if (id !== undefined) {
      for (const from of contributions.documentsLinkingTo(id, Number.MAX_SAFE_INTEGER)) others.add(from);
    }
    if (file !== undefined) continue;
    for (const name of namesOf(path)) for (const from of outlines.naming(name)) others.add(from);
  }
  return others;
}

function outlinesOf(
  { store }: OpenCommits,
  changes: readonly TreeChange[],
): Map<string, Outline | undefined> {
  return new Map(changes.map(({ path }) => [path, store.graph.outlines.of(path)?.outline]));
}

/** Those of the documents that have to be looked at again; none if nothing goes and no document loses an anchor. */
function othersToLookAt(
  { store: { graph } }: OpenCommits,
  changes: readonly TreeChange[],
  before: ReadonlyMap<string, Outline | undefined>,
  others: ReadonlySet<string>,
): Set<string> {
  const isHarmless = changes.every(({ path, file, was }) => {
    if (!was) return true;
    if (file === undefined || decides(path)) return false;
    const after = new Set(anchorsIn(graph.outlines.of(path)?.outline));
    return anchorsIn(before.get(path)).every((anchor) => after.has(anchor));
  });
  return new Set(isHarmless ? [] : others);
}

function anchorsIn(outline: Outline | undefined): string[] {
  if (outline === undefined) return [];
  return [
    ...outline.sections.map(({ anchor }) => anchor),
    ...outline.anchors.map(({ anchor }) => anchor),
    ...outline.sections.map(({ title }) => `# ${title}`),
    ...outline.names.map((name) => `name ${name}`),
    ...(outline.labels ?? []).map((name) => `label ${name}`),
  ];
}

/** How links may name a file: with or without its ending, encoded or not, or by its folder if it is an index. */
function namesOf(path: string): string[] {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  const bare = isMarkdown(path) ? name.replace(/\.[^.]+$/, '') : name;
  const folder = /^(?:index|readme)$/i.test(bare) ? parts.at(-2) : undefined;
  const names = folder === undefined ? [bare] : [bare, folder];
  return [...new Set(names.flatMap((one) => [one, encodeURIComponent(one), one.replaceAll(' ', '%20')]))];
}

function textOf({ file, rule, target, message }: LintFinding): string {
  return JSON.stringify([file, rule, target, message]);
}
