import t from 'tap';
import { IncludeUse } from '../../src/source/include-use.ts';

function unused(include: readonly string[], files: readonly string[], roots: readonly string[] = ['']) {
  const folders = roots.map((name) => ({ name, folder: `/srv/${name}` }));
  const use = new IncludeUse({ folders, include, exclude: [] });
  for (const path of files) use.file(path);
  return use.problems().map(({ message }) => /"(.*)"/.exec(message)?.[1]);
}

t.test('patterns that fit no file are named, in their order', async (t) => {
  t.same(unused(['guide/**', '*.md', 'api/*.md'], ['guid/a.md']), ['guide/**', 'api/*.md']);
  t.same(unused(['guide/**', '!guide/old/**'], ['guide/a.md']), [], 'what takes back names no file');
  t.same(unused(['*.{md,mdx}'], ['x/a.mdx']), [], 'one alternative is enough');
  t.same(unused([], []), []);
});

t.test('of several roots it is enough that a pattern fits in one', async (t) => {
  const roots = ['web', 'api'];
  t.same(unused(['web/x/*.md', 'api/x/*.md', 'x/*.md'], ['web/x/a.md'], roots), ['api/x/*.md']);
  t.same(
    unused(['*.md'], ['/modules/api/a.md'], roots),
    ['*.md'],
    'texts of modules are chosen by no pattern',
  );
});
