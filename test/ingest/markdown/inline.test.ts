import t from 'tap';
import { parseMarkdown } from '../../../src/ingest/markdown/parse.ts';
import { type RichText, textOf } from '../../../src/ingest/markdown/rich-text.ts';

function rich(text: string, path = 'page.md'): RichText {
  const block = parseMarkdown(path, text).sections.flatMap((section) => section.blocks)[0];
  if (block?.kind !== 'paragraph') throw new Error('expected a paragraph');
  return block.text;
}

function marks(text: string, path?: string): string[] {
  const found = rich(text, path);
  return found.marks.map(
    (mark) => `${mark.kind} ${textOf(found, mark)}${mark.target === '' ? '' : ` > ${mark.target}`}`,
  );
}

t.test('markup becomes marks over plain text', async (t) => {
  t.equal(rich('A **bold** `code` and [a *link*](/x "t").').text, 'A bold code and a link.');
  t.same(marks('A **bold** `code` and [a *link*](/x "t").'), [
    'strong bold',
    'code code',
    'link a link > /x',
    'emphasis link',
  ]);
});

t.test('wikilinks show their alias, their page or their heading', async (t) => {
  t.same(marks('[[Space Lua]] [[a/Page#x|shown]] [[Page@12]] [[#Here]] ![[Embed]]'), [
    'wikilink Space Lua > Space Lua',
    'wikilink shown > a/Page#x',
    'wikilink Page > Page@12',
    'wikilink Here > #Here',
    'wikilink Embed > Embed',
  ]);
});

t.test('a link whose text is in brackets is no wikilink', async (t) => {
  t.same(marks('[[Back to top]](#) [[List]](../README.md#models) [[Site]](https://x.y/z)'), [
    'link [Back to top] > #',
    'link [List] > ../README.md#models',
    'link [Site] > https://x.y/z',
  ]);
  t.same(marks('[[Film]](2020) [[Film]](see below) [[Film]] (/x) [[Film]](/x ![[Film]](/x)'), [
    'wikilink Film > Film',
    'wikilink Film > Film',
    'wikilink Film > Film',
    'wikilink Film > Film',
    'wikilink Film > Film',
  ]);
});

t.test('reference-style links and those with brackets in the target are links', async (t) => {
  t.same(marks('[one][a], [a] and [two](/x_(y).md)\n\n[a]: ../z.md\n'), [
    'link one > ../z.md',
    'link a > ../z.md',
    'link two > /x_(y).md',
  ]);
});

t.test('a target in a template expression is the page that it names', async (t) => {
  t.same(marks('[Status]({{< relref "entities/status" >}}) [b]({% link b.md %})'), [
    'link Status > entities/status',
    'link b > b.md',
  ]);
});

t.test('inline HTML means what markdown would', async (t) => {
  t.same(marks('<b>x</b> <code>y</code> <a href="/z">w</a>'), ['strong x', 'code y', 'link w > /z']);
});

t.test('tags keep their attributes, and a block-level one ends the line', async (t) => {
  const found = rich('<Route method="GET">/a/[\\{id\\}](/b)</Route>\nNext');
  const [route] = found.marks;
  t.equal(route?.target, 'Route');
  t.equal(route?.attributes.get('method'), 'GET');
  t.equal(route === undefined ? '' : textOf(found, route), '/a/{id}');
  t.match(found.text, /\n\s*Next/);
});

t.test('what looks like a tag but is a parameter stays text', async (t) => {
  t.equal(
    rich('Call /users/<id> with <APP_ID> or <token>.').text,
    'Call /users/<id> with <APP_ID> or <token>.',
  );
  t.equal(rich('a <br/> b').text.replace(/\s+/g, ' '), 'a b');
});

t.test('template expressions and comments are not text, parameters in braces are', async (t) => {
  t.equal(rich('a {{< note >}}b {% raw %}c <%= d %>e').text, 'a b c e');
  t.equal(rich('GET /a/{{id}}/{b}').text, 'GET /a/{{id}}/{b}');
});

t.test('nothing within a code span is markup', async (t) => {
  t.same(marks('`[[a]] **b** <c> [d](e)`'), ['code [[a]] **b** <c> [d](e)']);
  t.same(marks('``a ` b`` and `` ` ``'), ['code a ` b', 'code `']);
});
