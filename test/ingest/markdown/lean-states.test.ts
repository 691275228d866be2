import MarkdownIt, { type MarkdownIt as Parser } from 'markdown-it';
import t from 'tap';
import { makeLean } from '../../../src/ingest/markdown/lean-states.ts';

const TEXT = `# A *heading* with \`code\`

Text with **strong _nested_ emphasis**, a [link](there.md "title"), ![image](a.png), <https://example.org>
and a hard break\\
here, an entity &amp; and [a reference][name].

> 1. one
>    - two

| a | b |
|:--|--:|
| **x** | [y](z) |

    code

~~~js
fence
~~~

[name]: target.md
`;

t.test('lean states give the tokens that the parser gives by itself', async (t) => {
  const lean = new MarkdownIt();
  makeLean(lean);
  t.strictSame(JSON.parse(JSON.stringify(lean.parse(TEXT, {}))), parsed(new MarkdownIt()));
  t.equal(lean.render(TEXT), new MarkdownIt().render(TEXT));
});

t.test('attributes of a lean token are set, joined and read', async (t) => {
  const lean = new MarkdownIt();
  makeLean(lean);
  const [token] = lean.parse('text', {});
  t.equal(token?.attrGet('class'), null);
  token?.attrJoin('class', 'a');
  token?.attrJoin('class', 'b');
  token?.attrSet('id', 1);
  token?.attrSet('id', 2);
  t.strictSame(token?.attrs, [
    ['class', 'a b'],
    ['id', 2],
  ]);
  t.equal(token?.attrIndex('id'), 1);
});

function parsed(parser: Parser): unknown {
  return JSON.parse(JSON.stringify(parser.parse(TEXT, {})));
}
