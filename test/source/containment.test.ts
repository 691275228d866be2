import { lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import type { DocsRoot } from '../../src/source/docs-root.ts';
import { type Fixture, openFixture, readText, SECRET, writeFiles } from './docs-fixture.ts';

interface Tree {
  readonly files: readonly string[];
  readonly links: readonly (readonly [path: string, text: string])[];
  readonly ignores: readonly (readonly [folder: string, line: string])[];
}

const NAMES = ['a', 'b', 'c.md', 'l', 'm'];
const paths = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));

/** `<docs>` stands for the path of the docs folder and `<outside>` for that of the one beside it. */
function linkTexts(...more: string[]) {
  const names = fc.array(fc.constantFrom(...NAMES, '..', '..', '.', '', ...more), {
    minLength: 1,
    maxLength: 6,
  });
  return fc
    .tuple(
      fc.constantFrom(
        '',
        '',
        '',
        '<docs>/',
        '<docs>/../',
        '../docs/',
        '../../docs/',
        ...more.map((name) => `<${name}>/`),
        '/',
      ),
      names,
    )
    .map(([start, parts]) => `${start}${parts.join('/')}` || '.');
}

function trees(texts: fc.Arbitrary<string>, maxIgnores: number): fc.Arbitrary<Tree> {
  const lines = fc.constantFrom(...NAMES, '/a', 'l/', '*.md', '!*.md', '!a', 'b/**');
  return fc.record({
    files: fc.uniqueArray(paths, { maxLength: 8 }),
    links: fc.uniqueArray(fc.tuple(paths, texts), { minLength: 1, maxLength: 8, selector: ([path]) => path }),
    ignores: fc.array(fc.tuple(fc.oneof(fc.constant('.'), paths), lines), { maxLength: maxIgnores }),
  });
}

function plant(t: Test, { files, links, ignores }: Tree): Fixture {
  const fixture = openFixture(t, {});
  const { folder, outside } = fixture;
  for (const path of files) unlessTaken(() => writeFiles(folder, { [path]: `inside: ${path}` }));
  for (const [path, line] of ignores) unlessTaken(() => writeFiles(folder, { [`${path}/.gitignore`]: line }));
  for (const [path, text] of links) {
    unlessTaken(() => {
      makeFolders(folder, path.split('/').slice(0, -1));
      symlinkSync(text.replace('<docs>', folder).replace('<outside>', outside), join(folder, path));
    });
  }
  return fixture;
}

/** Never through a link, which `recursive: true` would follow and make folders out there. @throws EEXIST */
function makeFolders(folder: string, names: readonly string[]): void {
  let path = folder;
  for (const name of names) {
    path = join(path, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) mkdirSync(path);
  }
}

/** Random paths may need one name for two things; the first one stands. */
function unlessTaken(action: () => void): void {
  try {
    action();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EEXIST' && code !== 'ENOTDIR' && code !== 'EISDIR') throw error;
  }
}

/** All paths that listings show, with what kind they are. */
function explore(root: DocsRoot, folder = ''): [path: string, kind: string][] {
  return root.list(folder).flatMap(({ name, kind }) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    return [[path, kind] as [string, string], ...(kind === 'directory' ? explore(root, path) : [])];
  });
}

/** Where a link leads for a reader of the mount, whose kernel asks the docs root name by name. */
function followInMount(root: DocsRoot, link: string): string | 'escaped' | undefined {
  const stack: string[] = [];
  const pending = link.split('/').reverse();
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (kindAt(root, stack.join('/')) === 'file') return undefined;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (stack.pop() === undefined) return 'escaped';
      continue;
    }
    const path = [...stack, name].join('/');
    const kind = kindAt(root, path);
    if (kind === undefined) return undefined;
    if (kind === 'link') {
      links += 1;
      const text = root.readLink(path);
      if (text.startsWith('/')) return 'escaped';
      if (links > 40) return undefined;
      pending.push(...text.split('/').reverse());
    } else {
      stack.push(name);
    }
  }
  return stack.join('/');
}

function kindAt(root: DocsRoot, path: string): string | undefined {
  try {
    return root.stat(path).kind;
  } catch (error) {
    if (isFsError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Not by a listing that is `recursive`: Node 24 goes into folders that links lead to. */
function linksOnDisk(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return linksOnDisk(folder, path);
    return entry.isSymbolicLink() ? [path] : [];
  });
}

/** Where a path leads on disk, relative to the docs folder; undefined where it leads nowhere or outside. */
function followOnDisk(folder: string, path: string): string | undefined {
  try {
    const end = relative(folder, realpathSync.native(join(folder, path)));
    return end.startsWith('..') ? undefined : end;
  } catch {
    return undefined;
  }
}

t.test('no tree of files, links and ignore files gives away what lies outside', async (t) => {
  fc.assert(
    fc.property(trees(linkTexts('outside', 'secret.md', 'docs'), 3), (tree) => {
      const { folder, root } = plant(t, tree);
      for (const [path, kind] of explore(root)) {
        if (kind === 'file') {
          if (readText(root, path) === SECRET || !lstatSync(join(folder, path)).isFile()) return false;
          continue;
        }
        const end = kind === 'link' ? followInMount(root, path) : undefined;
        if (end === 'escaped') return false;
        if (end !== undefined && end !== followOnDisk(folder, path)) return false;
      }
      return true;
    }),
    { numRuns: 250 },
  );
});

t.test('a link that stays inside leads in the mount to where it leads on disk', async (t) => {
  fc.assert(
    fc.property(trees(linkTexts(), 0), (tree) => {
      const { folder, root } = plant(t, tree);
      return linksOnDisk(folder).every((path) => {
        const end = followOnDisk(folder, path);
        return end === undefined || (kindAt(root, path) === 'link' && followInMount(root, path) === end);
      });
    }),
    { numRuns: 250 },
  );
});
