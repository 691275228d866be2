import type { Repository } from './repository.ts';

/** The folders of the docs in a repository. */
export interface DocsInTree {
  readonly repository: Repository;
  /** At least one root. */
  readonly roots: readonly TreeRoot[];
  /** Names of the docs roots that lie elsewhere. No commit says anything of them. */
  readonly elsewhere: readonly string[];
}

export interface TreeRoot {
  /** The first part of the paths of the root's files if there are several roots; otherwise empty. */
  readonly name: string;
  /** Relative to the top of the repository, without a final slash; empty for the top itself. */
  readonly prefix: string;
}

/** An entry at a path of a tree: a file, a link, or a submodule. */
export interface TreeFile {
  /** The path in the docs, relative to the docs root. Bytes that are not UTF-8 read as U+FFFD. */
  readonly path: string;
  /** The name of the blob, in hexadecimal. */
  readonly object: string;
  /** The mode in the tree: `100644`, `100755`, `120000` for a link, `160000` for a submodule. */
  readonly mode: string;
}

/** A path that differs between two trees, or between a tree and the index. */
export interface TreeChange {
  readonly path: string;
  /** The present file; undefined if it is gone. */
  readonly file: TreeFile | undefined;
  /** Whether there was a file before. */
  readonly was: boolean;
  /** For a file that came: the path, now gone, that it had before. */
  readonly renamedFrom?: string;
}

/** Up to this many files are compared by content to see which was renamed to which. A file with unchanged content is found whatever their number. */
const MAX_COMPARED = 400;
const DIFF_OPTIONS = ['-r', '-z', '--raw', '--no-abbrev', '--no-ext-diff', '-M', `-l${MAX_COMPARED}`];

/** All files of a commit, in Git's order. @throws GitFailure */
export function listTree({ repository, roots }: DocsInTree, commit: string): TreeFile[] {
  const folders = isWhole(roots) ? [] : roots.map(({ prefix }) => `${prefix}/`);
  const output = repository.run(['ls-tree', '-r', '-z', '--full-tree', commit, ...folders]);
  return fields(output).flatMap((field) => {
    const [, mode = '', object = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(field) ?? [];
    const below = pathInDocs(roots, path);
    return below === undefined ? [] : [{ path: below, object, mode }];
  });
}

/** All files that are staged for the next commit, in Git's order. @throws GitFailure */
export function listStaged(docs: DocsInTree): TreeFile[] {
  const output = docs.repository.run(['ls-files', '--stage', '-z', '--full-name', ...limits(docs)]);
  return fields(output).flatMap((field) => {
    const [, mode = '', object = '', stage, path = ''] = /^(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(field) ?? [];
    const below = stage === '0' ? pathInDocs(docs.roots, path) : undefined;
    return below === undefined ? [] : [{ path: below, object, mode }];
  });
}

/** The changes that turn the files of one commit into those of another. @throws GitFailure if one of them does not exist */
export function diffCommits(docs: DocsInTree, from: string, to: string): TreeChange[] {
  const output = docs.repository.run(['diff-tree', ...DIFF_OPTIONS, from, to, ...limits(docs)]);
  return changesOf(docs.roots, output);
}

/** The changes that are staged for the next commit. @param tree a commit, or the empty tree if there is none yet. @throws GitFailure */
export function diffStaged(docs: DocsInTree, tree: string): TreeChange[] {
  const options = ['--cached', '--ita-invisible-in-index'];
  const output = docs.repository.run(['diff-index', ...DIFF_OPTIONS, ...options, tree, ...limits(docs)]);
  return changesOf(docs.roots, output);
}

/** The name of the tree without files. */
export function emptyTree(repository: Repository): string {
  return repository.run(['hash-object', '-t', 'tree', '/dev/null']).toString('utf8').trim();
}

function limits({ roots }: DocsInTree): string[] {
  return isWhole(roots) ? [] : ['--', ...roots.map(({ prefix }) => prefix)];
}

function isWhole(roots: readonly TreeRoot[]): boolean {
  return roots.some(({ prefix }) => prefix === '');
}

/** @param output `:100644 100644 <before> <after> M\0path\0`, with two paths for a rename, see "Raw output format" in git-diff-tree(1) */
function changesOf(roots: readonly TreeRoot[], output: Buffer): TreeChange[] {
  const changes: TreeChange[] = [];
  const rest = fields(output).values();
  for (const field of rest) {
    const match = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])/.exec(field);
    if (match === null) throw new Error(`git said what is no change: ${field}`);
    const [, , mode = '', , object = '', status = ''] = match;
    const path = pathInDocs(roots, rest.next().value ?? '');
    if (status === 'R' || status === 'C') {
      const from = status === 'R' ? path : undefined;
      changes.push(...changesOfCopy(from, pathInDocs(roots, rest.next().value ?? ''), { object, mode }));
    } else if (path !== undefined && status !== 'U') {
      const file = status === 'D' ? undefined : { path, object, mode };
      changes.push({ path, file, was: status !== 'A' });
    }
  }
  return changes;
}

/** @param from the path that it was renamed from; undefined for a copy, and if that is outside the docs */
function changesOfCopy(
  from: string | undefined,
  to: string | undefined,
  content: Pick<TreeFile, 'object' | 'mode'>,
): TreeChange[] {
  const gone = from === undefined ? [] : [{ path: from, file: undefined, was: true }];
  if (to === undefined) return gone;
  const renamed = from === undefined ? {} : { renamedFrom: from };
  return [...gone, { path: to, file: { path: to, ...content }, was: false, ...renamed }];
}

/** The path in the docs for a path of the repository. If one root lies in another, the inner one counts. */
function pathInDocs(roots: readonly TreeRoot[], path: string): string | undefined {
  let found: TreeRoot | undefined;
  for (const root of roots) {
    const isInside = root.prefix === '' || path.startsWith(`${root.prefix}/`);
    if (isInside && (found === undefined || root.prefix.length > found.prefix.length)) found = root;
  }
  if (found === undefined) return undefined;
  const below = found.prefix === '' ? path : path.slice(found.prefix.length + 1);
  return found.name === '' ? below : `${found.name}/${below}`;
}

/** The parts of an output in which each part ends with a NUL. */
function fields(output: Buffer): string[] {
  return output.toString('utf8').split('\0').slice(0, -1);
}
