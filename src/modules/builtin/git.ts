/**
 * The module `git`: history of the repository that the docs are in. No program that the repository's configuration names is run (`git/run-git.ts`),
 * and textconv and external diffs are turned off by name.
 */
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { z } from 'zod';
import { wholeEnvironment } from '../../config/environment.ts';
import { decodeName, encodeName } from '../../core/names.ts';
import { absentObject } from '../../git/blobs.ts';
import { commitInfos, findCommit } from '../../git/commits.ts';
import { findRepository, type Repository } from '../../git/repository.ts';
import { GitFailure } from '../../git/run-git.ts';
import type { ModuleHost, ModuleName, ModulePlace, ModuleResolver } from '../module.ts';
import { blameText, lineText } from './git-blame.ts';

const DEFAULT_COMMITS = 50;
const LOG_LINES = 1000;
/** The time is less than a module may take for an answer. */
const LIMITS = { timeoutMs: 8000, maxOutputBytes: 16 << 20 };
const SAFE_DIFF = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', '--no-relative'];

export const config = z.strictObject({
  /** How many of the latest commits are listed. All others exist, too, without being listed. Default 50. */
  commits: z.int().min(1).max(10_000).optional(),
});

export function resolver(
  { commits = DEFAULT_COMMITS }: z.infer<typeof config>,
  host: ModuleHost,
): ModuleResolver {
  const history = new History(host, commits);
  return { at: (path) => history.at(path), revision: () => history.revision() };
}

const README = `# The history of the docs

- log                          the latest commits, one a line
- HEAD, branches/, tags/       links to commits
- commits/<revision>/          message, stat, diff. Any revision of git works: HEAD~2, v1.0, 1a2b3c4, feature%2Fx
- commits/<revision>/files/    all files as of that commit (not listed above it, so that grep -r ends)
- blame/<document>             who wrote which line. Paths are those of the docs, or of the repository
- blame/<document>:<line>      who wrote one line, in which commit and why
`;

class History {
  readonly #repository: Repository;
  readonly #commits: number;
  /** The docs roots within the repository. If there are several, each has the first part of its paths as its name. */
  readonly #roots: readonly { readonly name: string; readonly prefix: string }[];

  constructor({ docs, folder }: ModuleHost, commits: number) {
    const [first] = docs.folders;
    const caller = { variables: wholeEnvironment(), workingFolder: folder };
    const repository = first && findRepository(first.folder, caller);
    if (repository === undefined) throw new Error('the docs are in no repository of git');
    this.#repository = repository;
    this.#commits = commits;
    this.#roots = docs.folders.map(({ name, folder }) => ({
      name,
      prefix: relative(repository.topFolder, folder),
    }));
  }

  at([top, ...rest]: readonly string[]): ModulePlace | undefined {
    switch (top) {
      case undefined:
        return { folder: this.#top() };
      case 'README.md':
        return rest.length === 0 ? { file: README } : undefined;
      case 'log':
        return rest.length === 0 ? this.#log() : undefined;
      case 'HEAD':
        return rest.length === 0 ? linkTo(findCommit(this.#repository, 'HEAD'), 'commits') : undefined;
      case 'branches':
        return this.#refs(rest, ['refs/heads', 'refs/remotes']);
      case 'tags':
        return this.#refs(rest, ['refs/tags']);
      case 'commits':
        return this.#commitsAt(rest);
      case 'blame':
        return this.#blame(rest);
      default:
        return undefined;
    }
  }

  /** HEAD and all branches and tags. */
  revision(): string {
    return hash('sha1', `${findCommit(this.#repository, 'HEAD')}\n${this.#text('for-each-ref')}`);
  }

  #top(): ModuleName[] {
    const head =
      findCommit(this.#repository, 'HEAD') === undefined ? [] : [{ name: 'HEAD', kind: 'link' } as const];
    return ['README.md', 'log', ...head, 'branches/', 'tags/', 'commits/', 'blame/'];
  }

  #log(): ModulePlace {
    const format = '--format=%h  %cs  %<(20,trunc)%an  %s%d';
    const file = this.#has('HEAD')
      ? this.#text('log', `--max-count=${LOG_LINES}`, '--no-color', format, 'HEAD')
      : '';
    return { file };
  }

  #refs([name, ...rest]: readonly string[], kinds: readonly string[]): ModulePlace | undefined {
    const refs = this.#commitsOfRefs(kinds);
    if (name === undefined) {
      return { folder: [...refs.keys()].map((ref) => ({ name: encodeName(ref), kind: 'link' as const })) };
    }
    return rest.length > 0 ? undefined : linkTo(refs.get(decodeName(name)), '../commits');
  }

  /** Commits by the short names of refs. A ref that does not point to a commit is left out. */
  #commitsOfRefs(kinds: readonly string[]): Map<string, string> {
    const format =
      '--format=%(refname:lstrip=2)%00%(objectname)%00%(*objectname)%00%(objecttype)%00%(*objecttype)';
    const lines = this.#text('for-each-ref', format, ...kinds).split('\n');
    return new Map(
      lines.flatMap((line): [string, string][] => {
        const [name = '', object = '', peeled = '', type, peeledType] = line.split('\0');
        if (type === 'commit') return [[name, object]];
        return peeledType === 'commit' ? [[name, peeled]] : [];
      }),
    );
  }

  #commitsAt([revision, part, ...rest]: readonly string[]): ModulePlace | undefined {
    if (revision === undefined) {
      if (!this.#has('HEAD')) return { folder: [] };
      const latest = this.#text('rev-list', `--max-count=${this.#commits}`, 'HEAD').trim().split('\n');
      return { folder: latest.map((commit) => `${commit}/`) };
    }
    if (revision.startsWith('.')) return undefined;
    const commit = findCommit(this.#repository, decodeName(revision));
    if (commit === undefined) return undefined;
    if (part === undefined && revision !== commit) return { link: commit };
    const modified = commitInfos(this.#repository, [commit])[0]?.committedMs ?? 0;
    if (part === undefined) return { folder: ['message', 'stat', 'diff'], modified };
    if (part === 'files') return this.#fileAt(commit, rest, modified);
    if (rest.length > 0) return undefined;
    switch (part) {
      case 'message':
        return { file: this.#text('log', '--no-walk', '--no-color', '--format=fuller', commit), modified };
      case 'stat':
        return { file: this.#diff(commit, ['--stat=120']), modified };
      case 'diff':
        return { file: this.#diff(commit, ['-p']), modified };
      default:
        return undefined;
    }
  }

  /** What a commit changed; for a merge, compared with its first parent. */
  #diff(commit: string, options: readonly string[]): string {
    const parent = findCommit(this.#repository, `${commit}^1`);
    const trees = parent === undefined ? ['--root', '--no-commit-id', commit] : [parent, commit];
    return this.#text('-c', 'diff.orderFile=', 'diff-tree', '-r', '-M', ...SAFE_DIFF, ...options, ...trees);
  }

  #fileAt(commit: string, path: readonly string[], modified: number): ModulePlace | undefined {
    if (path.length === 0) return { folder: this.#namesIn(commit), modified };
    const entry = this.#entryAt(commit, path.join('/'));
    if (entry === undefined) return undefined;
    if (entry.type === 'tree') return { folder: this.#namesIn(entry.object), modified };
    if (entry.type !== 'blob') return { folder: [], modified };
    const { object, sizeBytes } = entry;
    if (sizeBytes === undefined) throw absentObject(this.#repository, object);
    return { file: () => this.#bytes('cat-file', 'blob', object), sizeBytes, version: object, modified };
  }

  #entryAt(commit: string, path: string) {
    const [entry] = entriesIn(this.#bytes('ls-tree', '-l', '-z', '--full-tree', commit, path));
    return entry?.name === path ? entry : undefined;
  }

  #namesIn(tree: string): string[] {
    // Without sizes: to know them, git would need each object to be present.
    const entries = entriesIn(this.#bytes('ls-tree', '-z', '--full-tree', tree));
    return entries.map(({ name, type }) => (type === 'blob' ? name : `${name}/`));
  }

  #blame(path: readonly string[]): ModulePlace | undefined {
    if (path.length === 0) return { folder: [] };
    if (!this.#has('HEAD')) return undefined;
    const whole = path.join('/');
    const found = this.#inRepository(whole);
    if (found?.type === 'tree') return { folder: [] };
    if (found?.type === 'blob') {
      return { file: blameText(this.#porcelain(found.path, [])), modified: this.#headMs() };
    }
    const [, document, line = ''] = /^(.+):([1-9]\d{0,8})$/.exec(whole) ?? [];
    const lined = document === undefined ? undefined : this.#inRepository(document);
    if (document === undefined || lined?.type !== 'blob') return undefined;
    const about = this.#porcelain(lined.path, [`-L${line},${line}`]);
    return { file: lineText(`${document}:${line}`, about), modified: this.#headMs() };
  }

  /** A document by its path in the docs, else a file by its path in the repository. */
  #inRepository(path: string): { readonly path: string; readonly type: string } | undefined {
    const candidates = [...this.#roots.flatMap((root) => pathOf(root, path) ?? []), path];
    for (const candidate of candidates) {
      const entry = candidate === '' ? { type: 'tree' } : this.#entryAt('HEAD', candidate);
      if (entry !== undefined) return { path: candidate, type: entry.type };
    }
    return undefined;
  }

  #porcelain(path: string, options: readonly string[]): string {
    requireOrdinaryRevsFiles(this.#repository);
    try {
      return this.#text('blame', '--no-textconv', '--porcelain', ...options, 'HEAD', '--', path);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      const [, absent] = /Cannot read blob ([0-9a-f]+)/.exec(error.said) ?? [];
      if (absent !== undefined) throw absentObject(this.#repository, absent);
      if (!/has only \d+ lines?/.test(error.said)) throw error;
      throw Object.assign(new Error('the document has no such line'), { code: 'ENOENT' });
    }
  }

  #headMs(): number {
    return commitInfos(this.#repository, ['HEAD'])[0]?.committedMs ?? 0;
  }

  #has(revision: string): boolean {
    return findCommit(this.#repository, revision) !== undefined;
  }

  #text(...command: string[]): string {
    return this.#bytes(...command).toString('utf8');
  }

  #bytes(...command: string[]): Buffer {
    return this.#repository.run(command, LIMITS);
  }
}

/** Git reads the files that `blame.ignoreRevsFile` names before anything else, and would never finish if one is a device or a pipe. */
function requireOrdinaryRevsFiles(repository: Repository): void {
  const files = settingsOf(repository, 'blame.ignoreRevsFile').filter((file) => file !== '');
  const odd = files.find(
    (file) => !statSync(resolve(repository.topFolder, file), { throwIfNoEntry: false })?.isFile(),
  );
  if (odd === undefined) return;
  const reason = `blame.ignoreRevsFile of the repository names something that is not an ordinary file: ${odd}`;
  throw Object.assign(new Error(reason), { code: 'EACCES' });
}

function settingsOf(repository: Repository, key: string): string[] {
  try {
    return repository.run(['config', '-z', '--get-all', key], LIMITS).toString('utf8').split('\0');
  } catch (error) {
    if (error instanceof GitFailure) return [];
    throw error;
  }
}

function linkTo(commit: string | undefined, folder: string): ModulePlace | undefined {
  return commit === undefined ? undefined : { link: `${folder}/${commit}` };
}

function pathOf(
  { name, prefix }: { readonly name: string; readonly prefix: string },
  path: string,
): string | undefined {
  if (name !== '' && path !== name && !path.startsWith(`${name}/`)) return undefined;
  const below = name === '' ? path : path.slice(name.length + 1);
  if (below === '') return prefix;
  return prefix === '' ? below : `${prefix}/${below}`;
}

interface TreeEntry {
  readonly name: string;
  readonly type: string;
  readonly object: string;
  /** Undefined if the object is missing, or the size was not asked for. */
  readonly sizeBytes: number | undefined;
}

/** Reads the output of `ls-tree -z`, with or without `-l`. A missing object has the size `BAD`. */
function entriesIn(output: Buffer): TreeEntry[] {
  return output
    .toString('utf8')
    .split('\0')
    .flatMap((field) => {
      const [, type, object, size, name] =
        /^\d+ (\w+) ([0-9a-f]+)(?: +(\d+|-|BAD))?\t(.*)$/s.exec(field) ?? [];
      if (type === undefined || object === undefined || name === undefined) return [];
      const sizeBytes = size === undefined || size === 'BAD' ? undefined : Number(size === '-' ? 0 : size);
      return [{ name, type, object, sizeBytes }];
    });
}
