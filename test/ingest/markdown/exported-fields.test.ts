import t from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';

t.test('an MDX page has the title that it exports', async (t) => {
  const title = (path: string, text: string) => extractDocument(path, text).title;
  const text =
    'import { X } from "y"\n\nexport const metadata = {\n  title: `Payment flow`,\n}\n\n# {metadata.title}\n\nText.\n';
  t.equal(title('payment/flow/page.mdx', text), 'Payment flow');
  t.same(extractDocument('payment/flow/page.mdx', text).outline.fields, { title: 4 });
  t.equal(
    title('a.mdx', "export const meta: Metadata = { title: 'One', description: 'x' }\n\nText.\n"),
    'One',
  );
  t.equal(title('a.mdx', '---\ntitle: Given\n---\nexport const metadata = { title: "Other" }\n'), 'Given');
  t.equal(title('a.mdx', '# Own\n\n```js\nexport const metadata = { title: "Example" }\n```\n'), 'Own');
  t.equal(title('a.md', 'export const metadata = { title: "Text" }\n'), 'a', 'no MDX');
});

t.test('a page without a title of its own is named after its folder', async (t) => {
  t.equal(extractDocument('payment/flow/page.mdx', '# {metadata.title}\n\nText.\n').title, 'flow');
  t.equal(extractDocument('guides/_index.md', 'Text.\n').title, 'guides');
  t.equal(extractDocument('guides/Page.md', 'Text.\n').title, 'Page');
});
