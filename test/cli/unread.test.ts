import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openContext } from '../../src/index.ts';
import { failingDisk } from '../support/failing-disk.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

const PHRASE = '"five days"';
const UNREAD = ['/docs/a.md'];
const TOLD = 'cannot be read now, and may say it: /docs/a.md';

const folder = realpathSync(temporaryFolder(t));
const docs = join(folder, 'docs');
mkdirSync(docs);
for (const name of ['a', 'b'])
  writeFileSync(join(docs, `${name}.md`), `# ${name}\n\nRefunds take five days.\n`);
const place = ['--docs', docs, '--state', join(folder, 'state')];
await runHere(['build', ...place]);
const disk = failingDisk(t);
disk.failAt(join(docs, 'a.md'));

t.test('what may say a phrase and cannot be read is told in JSON', async (t) => {
  const one = await runHere(['search', PHRASE, '--json', ...place]);
  t.match(JSON.parse(one.out), { hits: [{ path: '/docs/b.md' }], unread: UNREAD });
  const none = await runHere(['search', `${PHRASE} in:/docs/a.md`, '--json', ...place]);
  t.match(JSON.parse(none.out), { hits: { length: 0 }, unread: UNREAD });
  t.match(none.err, TOLD);
  const many = await runHere(['search', '--batch', '-', ...place], { input: `${PHRASE}\nrefunds\n` });
  const [phrase, words] = many.out.trim().split('\n');
  t.match(JSON.parse(phrase ?? ''), { hits: [{ path: '/docs/b.md' }], unread: UNREAD });
  t.notOk('unread' in JSON.parse(words ?? ''), 'where all was read there is no such field');
});

t.test('what each resolver finds is shown with what could not be read', async (t) => {
  const json = await runHere(['vfs', 'search', 'five days', '--json', ...place]);
  t.match(json.err, `kgraphfs: ${TOLD}\n`);
  t.match(JSON.parse(json.out), {
    answers: [{}, { mount: '/docs', hits: [{ path: '/docs/b.md' }] }, {}],
    unread: UNREAD,
  });
  t.match(await runHere(['vfs', 'search', 'nowhere', ...place]), { status: 1, err: TOLD });
  disk.failAt();
  const later = await runHere(['vfs', 'search', 'five days', '--json', ...place]);
  disk.failAt(join(docs, 'a.md'));
  t.notOk('unread' in JSON.parse(later.out));
});

t.test('a hit in a text is well-formed wherever its line is cut', async (t) => {
  writeFileSync(join(docs, 'smiles.md'), `x${'\u{1F600}'.repeat(150)} smiling\n`);
  t.teardown(() => rmSync(join(docs, 'smiles.md')));
  const { out } = await runHere(['vfs', 'search', 'smiling', '--json', ...place]);
  t.match(JSON.parse(out).answers[1], { hits: [{ snippet: `x${'\u{1F600}'.repeat(99)}\ufffd` }] });
});

t.test('an answer from the sources says it on standard error, and in JSON', async (t) => {
  const said = await runHere(['ask', '--no-llm', `how long is ${PHRASE}`, ...place]);
  t.match(said, { status: 0, out: /five days/, err: `kgraphfs: ${TOLD}\n` });
  const json = await runHere(['ask', '--no-llm', `how long is ${PHRASE}`, '--json', ...place]);
  t.match(JSON.parse(json.out), { unread: UNREAD });
  const none = await runHere(['ask', '--no-llm', `${PHRASE} in:/docs/a.md`, ...place]);
  t.match(none, { status: 1, err: TOLD });
});

t.test('a context says it in its text, its manifest and on standard error', async (t) => {
  const build = (question: string, ...options: string[]) =>
    runHere(['context', 'build', question, ...options, ...place]);
  const { status, out, err } = await build(PHRASE);
  t.match({ status, out, err }, { status: 0, out: `\nWhat ${TOLD}.\n`, err: `kgraphfs: ${TOLD}\n` });
  t.match(out, '### docs/b.md');
  const small = await build(PHRASE, '--budget', '100');
  t.notMatch(small.out, TOLD, 'where there is room for little else');
  t.match(small.err, TOLD);
  const none = await build(`${PHRASE} in:/docs/a.md`);
  t.match(none, { status: 1, out: `Nothing was found for this question. What ${TOLD}.\n` });
  t.match(JSON.parse((await build(PHRASE, '--json')).out), { unread: UNREAD });
  disk.failAt();
  const later = await build(PHRASE);
  disk.failAt(join(docs, 'a.md'));
  t.notMatch(later.out, TOLD);
});

t.test('a host program finds it with the hits, and what its contexts show is not kept', async (t) => {
  const context = await openContext({ docs, state: join(folder, 'state') });
  t.teardown(() => context.close());
  const hits = await context.search(PHRASE);
  t.match(hits, { length: 1 });
  t.same(hits.unread, UNREAD);
  t.equal((await context.search('refunds')).unread, undefined);
  const page = `/context/for/${PHRASE}`;
  t.match(await context.read(page), TOLD);
  disk.failAt();
  t.notMatch(await context.read(page), TOLD);
});
