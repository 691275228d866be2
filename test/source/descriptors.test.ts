import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openFixture, sorted } from './docs-fixture.ts';

const program = fileURLToPath(new URL('descriptors-program.js', import.meta.url));
const LIMITED = ['-c', 'ulimit -n 100; exec "$0" "$@"', process.execPath, program];

t.test('without descriptors what is kept open is given up, and nothing is taken for gone', async (t) => {
  const folders = Array.from({ length: 60 }, (_, index) => `f${index}`);
  const files = folders.flatMap((name) => [
    [`${name}/x.md`, name],
    [`${name}/hidden.md`, ''],
    [`${name}/.gitignore`, 'hidden.md'],
  ]);
  const { folder } = openFixture(t, Object.fromEntries(files));
  const { stdout, stderr } = spawnSync('bash', [...LIMITED, folder], { encoding: 'utf8' });
  t.equal(stderr, '');
  const { withFew, withNone, withOne, afterwards } = JSON.parse(stdout);
  const all = sorted(folders).map((name) => `.gitignore,x.md: ${name}`);
  t.same(withFew, all, 'more folders than descriptors');
  t.match(withNone, [/^ENFILE: f0: kgraphfs has too many files open/, /^EMFILE/]);
  t.match(withOne, /^ENFILE/, 'nothing is shown by rules that could not be read');
  t.same(afterwards.read, all);
  t.match(afterwards.hidden, /^ENOENT/);
  const documents = sorted(folders).map((name) => `${name}/x.md`);
  t.same(
    afterwards.scanned.filter((path: string) => path.endsWith('.md')),
    documents,
  );
});
