import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Test } from 'tap';
import type { FileKind, OpenFile } from '../../src/core/resolver.ts';
import type { DocsProblem } from '../../src/source/docs-problem.ts';
import { type DocsRoot, openDocsRoot } from '../../src/source/docs-root.ts';

/** What no file inside the docs folder holds. */
export const SECRET = 'secret of the world outside';

export interface Fixture {
  /** The docs folder on disk. */
  readonly folder: string;
  /** A folder beside it that holds `secret.md`. */
  readonly outside: string;
  readonly root: DocsRoot;
  readonly problems: DocsProblem[];
}

/** A docs folder with these files, removed when the test ends. */
export function openFixture(
  t: Test,
  files: Readonly<Record<string, string | Uint8Array>>,
  exclude?: (path: string) => boolean,
): Fixture {
  const parent = temporaryFolder(t);
  const folder = join(parent, 'docs');
  const outside = join(parent, 'outside');
  mkdirSync(folder);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.md'), SECRET);
  writeFiles(folder, files);
  const problems: DocsProblem[] = [];
  const report = (problem: DocsProblem) => problems.push(problem);
  const root = openDocsRoot(folder, exclude === undefined ? { report } : { report, exclude });
  t.teardown(() => root.close());
  return { folder, outside, root, problems };
}

/** A new folder without links in its path, removed when the test ends. */
export function temporaryFolder(t: Test): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kgraphfs-source-')));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export function textOf(file: OpenFile): string {
  const bytes = Buffer.alloc(file.sizeBytes + 1);
  const count = file.read(bytes, 0);
  if (typeof count !== 'number') throw new Error('a document is read at once');
  return bytes.toString('utf8', 0, count);
}

export function readText(root: DocsRoot, path: string): string {
  const file = root.open(path);
  try {
    return textOf(file);
  } finally {
    file.close();
  }
}

/** The names that a folder lists, a link marked with `@` and a folder with `/`. */
export function listed(root: DocsRoot, path = ''): string[] {
  const marks: Partial<Record<FileKind, string>> = { file: '', link: '@', directory: '/' };
  return root.list(path).map(({ name, kind }) => `${name}${marks[kind] ?? '?'}`);
}

/** How many descriptors this process holds. */
export function countDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

/** By code unit, as listings are. */
export function sorted(texts: readonly string[]): string[] {
  return texts.toSorted((a, b) => (a < b ? -1 : 1));
}

const SETTLED_MS = 60;

/** Waits until what changed a file last is long enough ago for its times to be trusted. */
export async function untilSettled(path: string): Promise<void> {
  const { ctimeMs } = lstatSync(path);
  while (Date.now() - ctimeMs < SETTLED_MS) await setTimeout(SETTLED_MS / 4);
}
