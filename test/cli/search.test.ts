import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

const folder = temporaryFolder(t);
const docs = join(folder, 'docs');
cpSync('docs/sample', docs, { recursive: true });
writeFileSync(join(docs, 'quokka.md'), '# Quokka house\n\n## Cleaning\n\nStaff sweep it with vinegar.\n');
writeFileSync(join(docs, 'wombat.md'), '# Wombat house\n\nA draft, without any broom.\n');
const at = ['--docs', docs, '--state', join(folder, 'state')];

function search(...args: string[]) {
  return runHere(['search', ...args, ...at]);
}

interface FoundHit {
  readonly path: string;
  readonly hops: readonly unknown[];
}

async function hitsOf(...args: string[]): Promise<FoundHit[]> {
  const { status, out, err } = await search(...args, '--json');
  if (status !== 0 && status !== 1) throw new Error(err);
  return JSON.parse(out).hits;
}

async function pathsOf(...args: string[]): Promise<string[]> {
  return (await hitsOf(...args)).map(({ path }) => path);
}

t.test('JSON has all there is to know of a hit', async (t) => {
  const { query, hits } = JSON.parse((await search('sweep with vinegar', '--json')).out);
  t.equal(query, 'sweep with vinegar');
  t.match(hits[0], {
    path: '/docs/quokka.md',
    line: Number,
    end_line: Number,
    kind: 'document',
    title: 'Quokka house',
    headings: Array,
    score: Number,
    retrievers: { keyword: 1 },
    date: /^20\d\d-\d\d-\d\dT/,
    stale: false,
    hops: Array,
    snippet: /vinegar/,
  });
});

t.test('text is a block for each hit', async (t) => {
  const { status, out } = await search('sweep with vinegar', '--limit', '1');
  t.equal(status, 0);
  t.match(
    out,
    /^1 {2}docs\/quokka\.md:\d+ {2}document \d\.\d{4} {2}keyword #1.* {2}20\d\d-\d\d-\d\d\n {3}Quokka house/,
  );
});

t.test('options narrow a question as filters do', async (t) => {
  t.same(await pathsOf('house', '--contains', 'VINEGAR', '--scope', '/docs'), ['/docs/quokka.md']);
  t.same(await pathsOf('house', '--contains', 'nowhere at all'), []);
  t.same(await pathsOf('house', '--path-regex', 'wombat\\.md$'), ['/docs/wombat.md']);
  t.same(await pathsOf('house', '--scope', '/docs/wombat.md'), ['/docs/wombat.md']);
  const undrafted = await pathsOf('house -draft', '--scope', '/docs');
  t.ok(undrafted[0] === '/docs/quokka.md' && !undrafted.includes('/docs/wombat.md'));
  t.equal((await pathsOf('charge', '--limit', '3')).length, 3);
  const bare = await hitsOf('subscription renewal charge', '--depth', '0');
  t.ok(bare.length > 0 && bare.every(({ hops }) => hops.length === 0));
});

t.test('filters alone list what passes', async (t) => {
  const endpoints = await pathsOf('type:endpoint', '--limit', '50');
  t.ok(endpoints.length > 5 && endpoints.every((path) => path.startsWith('/graph/nodes/')));
  t.ok((await pathsOf('related:Subscription')).length > 0);
  t.ok((await pathsOf('in:/docs/charges')).every((path) => path.startsWith('/docs/charges/')));
  t.same(await pathsOf('"'), [], 'and no filter lists nothing');
});

t.test('what finds nothing ends with status 1, and says what to try', async (t) => {
  const { status, out, err } = await search('xyzzyplugh');
  t.match({ status, out }, { status: 1, out: '' });
  t.match(err, /^kgraphfs: nothing found for "xyzzyplugh"\n.*grep .*'xyzzyplugh' docs\n$/s);
  t.match(
    (await search('vinegar in:/docs/charges')).err,
    /without what narrows it there is something: vinegar/,
  );
  t.match(await search('xyzzyplugh', '--json'), { status: 1, out: /"hits": \[\]/ });
});

t.test('a question that begins with a dash is text', async (t) => {
  t.ok((await pathsOf('-draft quokka', '--limit', '50')).includes('/docs/quokka.md'));
  t.equal((await search('-vinegar')).status, 0);
  t.equal((await search('--limit', '1', '--verbose vinegar')).status, 0);
  t.equal((await runHere(['search', ...at, '--', '-vinegar'])).status, 0);
  t.match(await search('vinegar', '--strcit'), { status: 2, err: /unknown option --strcit/ });
});

t.test('wrong usage ends with status 2, and what is not there with 1', async (t) => {
  const wrong = async (status: number, err: RegExp, ...args: string[]) =>
    t.match(await search(...args), { status, out: '', err }, args.join(' '));
  await wrong(2, /search needs a <query>, or --batch/);
  await wrong(2, /--path-regex: Invalid regular expression/, 'x', '--path-regex', '(');
  await wrong(2, /--depth is at most 5/, 'x', '--depth', '6');
  await wrong(2, /column 8: there is no filter "foo:"/, '--strict', 'quokka foo:bar');
  await wrong(2, /column 8: this quotation mark/, '--strict', 'quokka "house');
  await wrong(2, /column 8: "yesterday" is not a date/, '--strict', 'quokka after:yesterday');
  await wrong(1, /ENOENT: \/nowhere: .*--scope/, 'house', '--scope', '/nowhere');
  t.equal((await search('--strict', 'quokka type:document "house"')).status, 0);
});

t.test('a batch is answered line by line, and succeeds whatever is found', async (t) => {
  const input = 'quokka\n\nxyzzyplugh\r\n  \nafter:yesterday wombat';
  const batch = (...args: string[]) =>
    runHere(['search', '--batch', '-', '--limit', '1', ...args, ...at], { input });
  const answersOf = (out: string) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const { status, out } = await batch('--json');
  t.equal(status, 0);
  t.same(
    answersOf(out).map(({ query, hits }) => [query, hits.length]),
    [
      ['quokka', 1],
      ['xyzzyplugh', 0],
      ['after:yesterday wombat', 1],
    ],
  );
  const file = join(folder, 'queries');
  writeFileSync(file, input);
  const hitsOf = (out: string) => answersOf(out).map(({ hits }) => hits);
  t.same(hitsOf((await search('--batch', file, '--limit', '1')).out), hitsOf(out));
  t.equal((await search('--batch', `${file}-not-there`)).status, 1);
  const strict = await batch('--strict');
  t.equal(strict.status, 2, 'one line was refused');
  t.match(answersOf(strict.out)[2], {
    hits: { length: 0 },
    problems: [{ column: 1, message: /is not a date/ }],
  });
});

t.test('what is asked is in the history', async (t) => {
  await search('sweep with vinegar', '--scope', '/docs');
  const { out } = await runHere(['context', 'history', '--type', 'search', '--json', ...at]);
  t.match(JSON.parse(out).at(-1), { path: '/docs', data: { query: 'sweep with vinegar', limit: 10 } });
});

t.test('a file that was removed is found no more, before anything is built anew', async (t) => {
  rmSync(join(docs, 'wombat.md'));
  t.notOk((await pathsOf('wombat draft broom')).includes('/docs/wombat.md'));
});
