import t from 'tap';
import { isPromiseLike } from '../../src/core/awaitable.ts';
import { generatedTree, type Page } from '../../src/core/generated-tree.ts';
import type { SubPath } from '../../src/core/paths.ts';
import type { NodeInfo, OpenFile } from '../../src/core/resolver.ts';

const CONTEXT = {};
const PAGE = 'page' as SubPath;
const OTHER = 'other' as SubPath;

function pageOf(pageKey: string, render: Page['render']): Page {
  return { kind: 'file', modifiedNs: 0n, pageKey, render };
}

function textOf(file: OpenFile): string {
  const bytes = Buffer.alloc(file.sizeBytes + 10);
  return bytes.toString('utf8', 0, Number(file.read(bytes, 0)));
}

t.test('the version of stat is that of the open of the same bytes, and of no others', async (t) => {
  let text = 'first';
  const tree = generatedTree('tree', () => pageOf(`page ${text}`, () => text));
  const before = await tree.stat(PAGE, CONTEXT);
  const open = await tree.open(PAGE, CONTEXT);
  t.ok(before.version);
  t.equal(open.version, before.version);
  text = 'second';
  const now = await tree.stat(PAGE, CONTEXT);
  t.not(now.version, before.version);
  t.equal((await tree.open(PAGE, CONTEXT)).version, now.version);
  t.equal(textOf(open), 'first', 'who has it open goes on reading what was opened');
});

t.test('a page that is promised is made once for all who ask, and holds up nobody', async (t) => {
  let give: (text: string) => void = () => {};
  const page = new Promise<string>((resolve) => {
    give = resolve;
  });
  let renderings = 0;
  const slow = pageOf('slow', () => {
    renderings += 1;
    return page;
  });
  const quick = pageOf('quick', () => 'quick');
  const tree = generatedTree('tree', (path) => (path === PAGE ? slow : quick));
  const asked = [tree.stat(PAGE, CONTEXT), tree.stat(PAGE, CONTEXT)];
  const opened = tree.open(PAGE, CONTEXT);
  t.notOk(isPromiseLike(tree.stat(OTHER, CONTEXT)), 'another page is answered at once meanwhile');
  give('späť');
  const infos: NodeInfo[] = await Promise.all(asked);
  t.same(
    infos.map(({ sizeBytes }) => sizeBytes),
    [6, 6],
  );
  t.equal(textOf(await opened), 'späť');
  t.equal(renderings, 1);
  t.notOk(isPromiseLike(tree.stat(PAGE, CONTEXT)), 'what was made once is there at once');
});

t.test('a page that could not be made is made again for who asks next', async (t) => {
  const answers = [() => Promise.reject(new Error('no')), () => Promise.resolve('yes')];
  const tree = generatedTree('tree', () => pageOf('page', () => answers.shift()?.() ?? 'no answer left'));
  await t.rejects(Promise.resolve(tree.stat(PAGE, CONTEXT)), { message: 'no' });
  t.match(await tree.stat(PAGE, CONTEXT), { sizeBytes: 3 });
});
