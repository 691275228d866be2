import t from 'tap';
import { FileChoice } from '../../src/source/file-choice.ts';

function shows(include: readonly string[], exclude: readonly string[], rootName = '') {
  const choice = FileChoice.of({ include, exclude }, rootName);
  return (path: string) => {
    const isFolder = path.endsWith('/');
    return choice?.shows(isFolder ? path.slice(0, -1) : path, isFolder ? 'directory' : 'file') ?? true;
  };
}

t.test('without patterns all is chosen', async (t) => {
  t.equal(FileChoice.of({ include: [], exclude: [] }, ''), undefined);
});

t.test('what is included is shown with the folders on the way to it, and nothing else', async (t) => {
  const shown = shows(['specs/*/api/**', 'guide/*.md', '/top.md'], []);
  for (const path of [
    'specs/',
    'specs/a/',
    'specs/a/api/',
    'specs/a/api/x/y.txt',
    'guide/',
    'guide/a.md',
    'top.md',
  ])
    t.ok(shown(path), path);
  for (const path of [
    'other/',
    'a.md',
    'specs/a/web/',
    'specs/a/x.md',
    'guide/deep/',
    'guide/a.txt',
    'x/specs/',
    'x/top.md',
  ])
    t.notOk(shown(path), path);
});

t.test('a pattern without a slash, or that begins with **, is about any depth', async (t) => {
  for (const pattern of ['*.md', '**/*.md']) {
    const shown = shows([pattern], []);
    t.ok(shown('a.md') && shown('x/') && shown('x/y/a.md'), pattern);
    t.notOk(shown('a.txt') || shown('x/a.mdx'), pattern);
  }
  const folder = shows(['specs'], []);
  t.ok(folder('x/specs/') && folder('x/specs/a.md'));
  t.notOk(folder('x/a.md'));
});

t.test('what is excluded is not shown, whatever is included, and its folder neither', async (t) => {
  const shown = shows(['**/*.md'], ['archive/**', '**/node_modules/**', 'draft-*']);
  t.ok(shown('a.md') && shown('x/archive/') && shown('x/archive/a.md'));
  for (const path of [
    'archive/',
    'archive/a.md',
    'node_modules/',
    'x/node_modules/',
    'x/node_modules/y/a.md',
    'x/draft-a.md',
  ])
    t.notOk(shown(path), path);
});

t.test('the last pattern that fits wins, and ! takes back', async (t) => {
  const shown = shows(['*.md', '!secret.md'], ['archive/**', '!archive/keep.md']);
  t.ok(shown('archive/') && shown('archive/keep.md') && shown('a.md'));
  t.notOk(shown('archive/a.md') || shown('x/secret.md'));
});

t.test('braces stand for alternatives, ./ for nothing, and # for itself', async (t) => {
  const shown = shows(['./{specs,guide}/**/*.{md,mdx}', '#x.md'], []);
  t.ok(shown('specs/a.md') && shown('guide/x/a.mdx') && shown('#x.md'));
  t.notOk(shown('other/a.md') || shown('specs/a.txt'));
  t.ok(shows([], ['{'.repeat(50)])('a.md'), 'what closes nowhere is text');
});

t.test('a pattern may begin with the name of a root, and is then about that one alone', async (t) => {
  const patterns = ['api/archive/**'];
  t.notOk(shows([], patterns, 'api')('archive/a.md'));
  t.ok(shows([], patterns, 'web')('archive/a.md'));
  t.notOk(shows([], patterns, 'web')('api/archive/a.md'), 'a folder of that name is meant too');
});

t.test('a backslash keeps braces and commas from being alternatives', async (t) => {
  const literal = shows(['\\{a,b}.md'], []);
  t.ok(literal('{a,b}.md'));
  t.notOk(literal('a.md') || literal('b.md') || literal('\\a.md'));
  const comma = shows(['{a\\,b,c}.md'], []);
  t.ok(comma('a,b.md') && comma('c.md'));
  t.notOk(comma('a.md') || comma('b.md'));
  const both = shows(['\\{x}{a,b\\}}.md'], []);
  t.ok(both('{x}a.md') && both('{x}b}.md'));
  t.notOk(both('{x}b.md'));
  const single = shows(['{a}.md', 'b{}.md'], []);
  t.ok(single('{a}.md') && single('b{}.md'), 'what has no comma is no choice');
  t.notOk(single('a.md') || single('b.md'));
});
