import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';
import { runHere } from './run-here.ts';

function project(t: Teardown): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs/sub'), { recursive: true });
  writeFileSync(join(folder, 'docs/README.md'), '# Read me\n\n[sub](sub/page.md)\n');
  writeFileSync(join(folder, 'docs/sub/page.md'), '# Page\n');
  return folder;
}

t.test(
  'a file that is taken for binary, or is too large, is told, and the exit status says so',
  async (t) => {
    const cwd = project(t);
    t.match(await runHere(['lint'], { cwd }), { status: 0, out: '', err: 'nothing found\n' });
    writeFileSync(join(cwd, 'docs/nul.md'), '# A\0B\n');
    writeFileSync(join(cwd, 'docs/large.md'), 'x'.repeat(8 * 1024 * 1024 + 1));
    writeFileSync(join(cwd, 'docs/image.png'), '\0');
    const { status, out, err } = await runHere(['lint'], { cwd });
    t.equal(status, 1);
    const [large, nul, ...others] = out.trimEnd().split('\n');
    t.match(large, /^docs\/large\.md:1:1: error: this file has \d+ bytes.*\[unreadable\]$/);
    t.match(nul, /^docs\/nul\.md:1:1: error: this markdown file holds NUL bytes.*\[unreadable\]$/);
    t.same(others, []);
    t.equal(err, '2 errors, 0 warnings; not all was checked: 2 places could not be read\n');
    t.match(await runHere(['lint', 'docs/nul.md/x'], { cwd }), { status: 1, err: /no such file or folder/ });
    t.match(await runHere(['lint', '--rule', 'broken-link'], { cwd }), { status: 1, out });
    t.match(await runHere(['lint', 'docs/nul.md'], { cwd }), { status: 1, out: `${nul}\n` });
    t.match(await runHere(['lint', 'docs/sub'], { cwd }), { status: 0, out: '' });
    rmSync(join(cwd, 'docs/nul.md'));
    rmSync(join(cwd, 'docs/large.md'));
    t.match(await runHere(['lint'], { cwd }), { status: 0, out: '', err: 'nothing found\n' });
  },
);

t.test('a folder of which the content is not seen is told, also to who asks for what is in it', async (t) => {
  const cwd = project(t);
  const deep = join('docs', ...Array.from({ length: 130 }, () => 'd'));
  mkdirSync(join(cwd, deep), { recursive: true });
  writeFileSync(join(cwd, deep, 'page.md'), '[gone](gone.md)\n');
  const told = /^docs\/d[/d]*:1:1: error: .* \[unreadable\]\n$/;
  t.match(await runHere(['lint'], { cwd }), { status: 1, out: told });
  t.match(await runHere(['lint', join(deep, 'page.md')], { cwd }), { status: 1, out: told });
});

testWhereModesCount('a file and a folder that this user may not read are told', async (t) => {
  const cwd = project(t);
  writeFileSync(join(cwd, 'docs/secret.md'), '# Secret\n');
  chmodSync(join(cwd, 'docs/secret.md'), 0);
  chmodSync(join(cwd, 'docs/sub'), 0);
  t.teardown(() => chmodSync(join(cwd, 'docs/sub'), 0o700));
  const { status, out } = await runHere(['lint'], { cwd });
  t.equal(status, 1);
  t.match(out, /^docs\/secret\.md:1:1: error: .*does not let this user read it \[unreadable\]$/m);
  t.match(out, /^docs\/sub:1:1: error: .*does not let this user read it \[unreadable\]$/m);
  t.match(await runHere(['lint', 'docs/sub/page.md'], { cwd }), {
    status: 1,
    err: /page\.md cannot be read: /,
  });
});

t.test(
  'a document that is not UTF-8 keeps its bytes where suggestions are followed, and is told',
  async (t) => {
    const cwd = project(t);
    const [latin, text] = [join(cwd, 'docs/latin.md'), join(cwd, 'docs/text.md')];
    const bytes = Buffer.from('# Caf\xe9\n\n[page](sub/pagee.md)\n', 'latin1');
    writeFileSync(latin, bytes);
    writeFileSync(text, '[page](sub/pagee.md)\n');
    const told = `${latin}: stays as it is: its text is not UTF-8; save it as UTF-8, then run it again\n`;
    const shown = await runHere(['lint', '--fix-suggestions'], { cwd });
    t.match(shown, { status: 1, err: `${told}would change 1 line in 1 file\n` });
    t.notMatch(shown.out, 'latin.md');
    const written = await runHere(['lint', '--fix-suggestions', '--write'], { cwd });
    t.match(written, { status: 1, err: `${told}changed 1 line in 1 file\n` });
    t.same(readFileSync(latin), bytes);
    t.equal(readFileSync(text, 'utf8'), '[page](sub/page.md)\n');
  },
);

t.test('suggestions are followed beside what cannot be read', async (t) => {
  const cwd = project(t);
  writeFileSync(join(cwd, 'docs/text.md'), '[page](sub/pagee.md)\n');
  writeFileSync(Buffer.concat([Buffer.from(join(cwd, 'docs/')), Buffer.from('\xff.md', 'latin1')]), '# X\n');
  mkdirSync(join(cwd, 'docs', ...Array.from({ length: 130 }, () => 'd')), { recursive: true });
  const written = await runHere(['lint', '--fix-suggestions', '--write'], { cwd });
  t.match(written, { status: 1, err: 'changed 1 line in 1 file\n' });
  t.equal(readFileSync(join(cwd, 'docs/text.md'), 'utf8'), '[page](sub/page.md)\n');
});
