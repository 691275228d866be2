import t from 'tap';
import { assemble, assembleText } from '../assembled.ts';

function targets(text: string, path = 'guide/start.md'): string[] {
  return (
    assembleText(text, path)
      .facts.get(path)
      ?.statements.filter(({ target }) => /^(?:link|wiki):/.test(target))
      .map(({ target, line }) => `${target}@${line}`) ?? []
  );
}

t.test('relative and root-absolute targets are resolved, anchors and queries left out', async (t) => {
  t.same(targets('[a](other.md#x) [b](../api/Charges) [c](/docs/d/?q=1)'), [
    'link:api/charges@1',
    'link:d@1',
    'link:docs/d@1',
    'link:guide/other.md@1',
  ]);
  t.same(targets('[a](a%20b.md) [b](<c d.md>) [c](./e.md)'), [
    'link:guide/a b.md@1',
    'link:guide/c d.md@1',
    'link:guide/e.md@1',
  ]);
});

t.test('reference-style links, cards and anchors of HTML are links', async (t) => {
  t.same(
    targets('See [it][1].\n\n<Card href="/x/y" />\n\n<a href="z.md">z</a>\n\n[1]: w.md\n', 'guide/start.mdx'),
    ['link:guide/w.md@1', 'link:x/y@3', 'link:guide/z.md@5'],
  );
});

t.test('wikilinks lead to pages by name, whatever alias, heading or position they have', async (t) => {
  t.same(targets('[[Space Lua|it]] [[a/B#c]] [[D@7]]\n\n![[E]] [[./F]]'), [
    'wiki:a/b@1',
    'wiki:d@1',
    'wiki:space lua@1',
    'link:guide/f@3',
    'wiki:e@3',
  ]);
});

t.test('other sites, anchors, images, code and comments are no links to documents', async (t) => {
  t.same(
    targets(
      '[a](https://x.example/y.md) [b](#here) [c](mailto:a@b.example) ![d](e.png) [f](//h/i) [[https://j]]',
    ),
    [],
  );
  t.same(targets('`[a](b.md)` `[[c]]`\n\n```\n[d](e.md) [[f]]\n```\n\n<!-- [g](h.md) -->\n'), []);
  t.same(targets('[out](../../above.md)'), [], 'nor what lies above the docs root');
});

t.test('front matter names related pages', async (t) => {
  t.same(targets('---\nrelated:\n  - "[[Refunds]]"\n  - ./fees.md\nsee: src/main.rs\n---\n'), [
    'wiki:refunds@3',
    'link:guide/fees.md@4',
  ]);
});

t.test('a link without an ending finds its document', async (t) => {
  const { edges } = assemble({ 'a.md': 'See [b](b) and [[c]].', 'b.md': '# Bees\n', 'sub/c.md': '# Sea\n' });
  t.same(edges('references'), ['a -references-> Bees', 'a -references-> Sea']);
});

t.test('a link finds its document by the address that a site gives it', async (t) => {
  const pages = { '04_customers/02-the-object.mdx': '# Customer\n', '05_plans/0.index.md': '# Plans\n' };
  for (const [from, link] of [
    ['05_plans/1.make.md', '../customers/the-object'],
    ['04_customers/01-make.md', './the-object'],
    ['x.md', '/customers/the-object#fields'],
  ] as const)
    t.same(assemble({ ...pages, [from]: `See [it](${link}).` }).edges('references').length, 1, link);
  t.same(assemble({ ...pages, 'x.md': 'See [it](/plans).' }).edges('references'), ['x -references-> Plans']);
});

t.test('a link from the root of a site finds the page of the same language', async (t) => {
  const pages = {
    'de/api/dates.md': '# Daten\n',
    'en/api/dates.md': '# Dates\n',
    'en/entities/Rule.md': '# Rule\n',
  };
  const found = (text: string) => assemble({ ...pages, 'en/methods/x.md': text }).edges('references');
  t.same(found('See [it](/api/dates).'), ['x -references-> Dates']);
  t.same(found('See [it]({{< relref "entities/Rule" >}}).'), ['x -references-> Rule']);
  t.same(assemble({ 'a/b.md': '# B\n', 'x.md': '[b](/docs/a/b)' }).edges('references'), [
    'x -references-> B',
  ]);
});
