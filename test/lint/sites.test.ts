/** Links as certain site generators take them. */
import t from 'tap';
import { told } from './docs.ts';

t.test(
  'what a document takes in has its anchors, and what is only shown in code takes nothing in',
  async (t) => {
    const files = {
      'a.mdx': "import Part from './_part.mdx';\n\n# A\n\n<Part />\n",
      '_part.mdx': '## Of the part\n',
      'b.md': '# B\n\n--8<-- "snippets/c.md"\n',
      'shared/snippets/c.md': '## Of the snippet\n',
      'd.md': '# D\n\n```rust\n{{#include ../x.rs}}\n```\n\nWrite `{{#include x.md}}`.\n',
      'e.md': '# E\n\n{{#include generated.md}}\n',
    };
    const holds =
      '[a](a.mdx#of-the-part) [b](b.md#of-the-snippet) [e](e.md#anything)\n[a](a.mdx#no) [b](b.md#no) [d](d.md#no)\n';
    t.same(told({ ...files, 'x.md': holds }), [
      'x.md:2:1 broken-anchor a.mdx#no',
      'x.md:2:15 broken-anchor b.md#no',
      'x.md:2:28 broken-anchor d.md#no',
    ]);
  },
);

t.test('places that MyST names are reached from every document', async (t) => {
  const files = {
    'guide/a.md':
      '(guide/start)=\n# Start\n\n:::{tip}\n:name: a-tip\nText\n:::\n\n```{figure} x\n:name: fig one\n```\n',
  };
  const text = '# X\n\n[](guide/start) [b](#a-tip) [c](<#Fig one>)\n[d](guide/strat) [e](#a-tpi)\n';
  t.same(told({ ...files, 'x.md': text }), [
    'x.md:4:1 broken-link guide/strat',
    'x.md:4:18 broken-anchor #a-tpi',
  ]);
});

t.test('Hugo resolves relative links from the address of the page, which is in lower case', async (t) => {
  const files = {
    '_index.md': '# Root\n',
    'guide/_index.md': '# Guide\n\n## Options\n',
    'guide/Big-Plan.md': '# Plan\n\n`size`\n: How big.\n\n## Size\n',
  };
  const text =
    '[a](../#options) [b](../big-plan/) [c](../big-plan/#size-1) [d](../#size) [e](../Big-plan/)\n';
  t.same(told({ ...files, 'guide/x.md': text }), [
    'guide/x.md:1:61 broken-anchor ../#size',
    'guide/x.md:1:75 case-mismatch ../Big-plan/ -> Big-Plan',
  ]);
});

t.test('arrays of TOML are no wikilinks, even where a file is called alike', async (t) => {
  const text = "[[resources]]\n  src = 'a'\n[[module.mounts]]\n[[params]]\n[[cascade]]\n";
  t.same(told({ 'Resources.md': '# Resources\n', 'x.md': text }), []);
});

t.test('an address is looked for in the language of the page, too', async (t) => {
  const files = {
    'en/docs/a.md': '# A\n\n## One\n',
    'ru/docs/a.md': '# A\n\n## Раз\n',
    'docs/a.md': '# A\n',
  };
  const text = '[a](/docs/a#раз) [b](/docs/a#two)\n';
  t.same(told({ ...files, 'ru/docs/x.md': text }), ['ru/docs/x.md:1:18 broken-anchor /docs/a#two']);
});

t.test('markdown links name pages as wikilinks do, where many do', async (t) => {
  const names = Array.from({ length: 12 }, (_, index) => `page ${index}`);
  const pages = Object.fromEntries(names.map((name) => [`deep/api/${name}/it.md`, '# It\n']));
  const links = names.map((name) => `[x](<${name}/it>)`).join('\n');
  const text = `[[deep/api/page 1/it]]\n${links}\n[x](page1/itt)\n`;
  t.same(told({ ...pages, 'notes/x.md': text }), ['notes/x.md:14:1 broken-link page1/itt']);
  const few = { 'deep/api/a.md': '# A\n', 'x.md': '[[deep/api/a]]\n', 'notes/y.md': '[x](api/a)\n' };
  t.same(told(few), ['notes/y.md:1:1 broken-link api/a -> ../deep/api/a']);
});

t.test('pages that are no markdown are pages', async (t) => {
  const files = {
    'src/pages/help.js': '',
    'pages/showcase.html': '',
    'api/index.rst': '',
    'api/b.rst': '',
    'lib/c.js': '',
  };
  const text = '[a](/help) [b](/showcase/) [c](api/b) [d](lib/c)\n';
  t.same(told({ ...files, 'x.md': text }), ['x.md:1:39 broken-link lib/c']);
});

t.test('Next.js serves page.mdx as its folder, without a slash at the end', async (t) => {
  const files = { 'app/docs/a/page.mdx': '# A\n', 'app/docs/(group)/b/page.mdx': '# B\n' };
  const text = '[a](./a) [b](/docs/a) [c](/docs/b) [d](./no)\n';
  t.same(told({ ...files, 'app/docs/x/page.mdx': text }), ['app/docs/x/page.mdx:1:36 broken-link ./no']);
});

t.test(
  'a post has its date as folders of its address, a collection its name without the underscore',
  async (t) => {
    const files = {
      'blog/2016-07-27-jest-14.md': '# Jest 14\n',
      'blog/2016-12-15-2016-in-jest.md': '# 2016\n',
      '_docs/a.md': '# A\n',
    };
    const text =
      '[a](/blog/2016/07/27/jest-14) [b](/blog/2016/12/15/2016-in-jest) [c](/docs/a)\n[d](/blog/2016/07/27/jest-15)\n[e](/docs/b)\n';
    t.same(told({ ...files, 'x.md': text }), [
      'x.md:2:1 broken-link /blog/2016/07/27/jest-15',
      'x.md:3:1 broken-link /docs/b',
    ]);
  },
);

t.test('an address in other letters than its page is broken where the site heeds them', async (t) => {
  const files = { 'guide/intro.md': '# Intro\n', 'guide/Setup.md': '# Setup\n' };
  const text = '[a](/guide/intro) [b](/guide/setup) [c](/guide/Intro)\n';
  t.same(told({ ...files, 'x.md': text }), ['x.md:1:37 case-mismatch /guide/Intro -> /guide/intro']);
  const pages = ['a', 'b', 'c', 'd', 'e'];
  const many = Object.fromEntries(pages.map((page) => [`guide/${page}.md`, '# Page\n']));
  const habit = pages.map((page) => `[x](/guide/${page.toUpperCase()})`).join(' ');
  t.same(told({ ...many, 'x.md': `${habit}\n` }), []);
});

t.test('Jekyll’s name of the site before an address is none of the address', async (t) => {
  const files = { 'guide/a.md': '# A\n', 'posts/b.md': '# B\n' };
  const text =
    '[a]({{site.url}}{{ site.baseurl }}/guide/a/) [b]({{ "/guide/a" | relative_url }}) [c]({{ site.baseurl }}{% link posts/b.md %}#b)\n[d]({{ site.baseurl }}/guide/aa/)\n';
  t.same(told({ ...files, 'x.md': text }), [
    'x.md:2:1 broken-link {{ site.baseurl }}/guide/aa/ -> {{ site.baseurl }}/guide/a',
  ]);
});

t.test('a definition whose target has an expression in it is one, and so are those below', async (t) => {
  const text =
    '[a][a] [b][b] [c][c]\n\n[a]: https://x.org/{{< param version >}}/a.md\n[b]: {{< relref "b" >}}\n[c]: no.md\n';
  t.same(told({ 'b.md': '# B\n', 'x.md': text }), ['x.md:5:1 broken-link no.md']);
});

t.test('an attribute that Vue computes is no link, and one of several lines is in its line', async (t) => {
  const text = '<a :href="item.url" v-bind:src="x.y">a</a>\n\n<Card\n  title="A"\n  href="/lost.md"\n/>\n';
  t.same(told({ 'x.md': text }), ['x.md:5:3 broken-link /lost.md']);
});

t.test('ids that attribute lists and components give are anchors', async (t) => {
  const text = [
    '# A',
    '### Path <small>x</small> { id=the-path }',
    '### 9.7.0 { id="9.7.0" }',
    '<Accordion title="OAuth 2.0">',
    '</Accordion>',
    '<ParamField body="user.name" type="string">',
    '</ParamField>',
    '## Split by `$ref`',
  ].join('\n\n');
  const links = ['the-path', '9.7.0', 'oauth-2-0', 'body-user-name', 'param-user-name', 'split-by-%24ref'];
  const all = links.map((anchor) => `[x](a.mdx#${anchor})`).join(' ');
  t.same(told({ 'a.mdx': text, 'x.md': `${all}\n[x](a.mdx#user-name)\n` }), [
    'x.md:2:1 broken-anchor a.mdx#user-name',
  ]);
});

t.test(
  'Obsidian heeds no punctuation in headings, and a block’s id may follow an embed at once',
  async (t) => {
    const files = { 'faq.md': '# FAQ\n\n## How large, and (why) so?\n\n![[a.png]]^big-one\n', 'a.png': '' };
    const text = '[[faq#How large and why so]] ![[faq#^big-one]] [[faq#How small]]\n';
    t.same(told({ ...files, 'x.md': text }), ['x.md:1:48 broken-anchor faq#How small']);
  },
);

t.test('in MDX a fence may follow a tag at any depth', async (t) => {
  const text =
    '<Tabs>\n  <Tab title="A">\n    ```bash\n    cd a\n\n    # Not a heading\n    ```\n  </Tab>\n</Tabs>\n\n[x](#not-a-heading)\n';
  t.same(told({ 'x.mdx': text }), ['x.mdx:11:1 broken-anchor #not-a-heading']);
});

t.test('headings of MDX escape their ids, and what describes an API has anchors of its own', async (t) => {
  const files = {
    'a.mdx': '# A\n\n#### [<code>id</code>](#the-id) \\{#the-id\\}\n',
    'api.mdx': 'import API from \'@theme/API\'\n\n<API url="https://x.org/api.json" />\n',
    'create.mdx': '---\nopenapi: post /x\n---\n\n## Notes\n',
    'b.mdx': '# B\n\n<Note>x</Note>\n',
  };
  const text =
    '[a](a.mdx#the-id) [b](api.mdx#of-it) [c](create.mdx#body-x) [d](b.mdx#tag/a/operation/b)\n[e](b.mdx#no)\n';
  t.same(told({ ...files, 'x.md': text }), ['x.md:2:1 broken-anchor b.mdx#no']);
});

t.test('Docusaurus takes a bare file name from its docs folder, too', async (t) => {
  const files = { 'auth.md': '# Auth\n', 'api/x.md': '[a](auth.md) [b](./auth.md) [c](ath.md)\n' };
  const all = [
    'api/x.md:1:1 broken-link auth.md -> ../auth.md',
    'api/x.md:1:14 broken-link ./auth.md -> ../auth.md',
  ];
  const last = 'api/x.md:1:29 broken-link ath.md -> ../auth.md';
  t.same(told(files), [...all, last]);
  t.same(told({ ...files, 'i.md': '---\nsidebar_label: I\n---\n# I\n' }), [...all.slice(1), last]);
  const project = {
    'site/docs/auth.md': '---\nsidebar_label: I\n---\n# Auth\n',
    'site/docs/deep/models.md': '# Models\n',
    'site/docs/api/x.md': '[a](auth.md) [b](deep/models.md)\n[c](deep/no.md)\n',
    'site/x.md': '[a](auth.md)\n',
  };
  t.match(told(project), [
    /^site\/docs\/api\/x.md:2:1 broken-link deep\/no.md/,
    /^site\/x.md:1:1 broken-link auth.md/,
  ]);
  t.equal(told(project).length, 2);
});

t.test(
  'what a shortcode puts into a page may have any anchor, what one stands around has its own',
  async (t) => {
    const files = {
      'made.md': '# Made\n\n{{% event event="m.room_key" %}}\n',
      'around.md': '# Around\n\n{{% alert title="x" %}}\nText\n{{% /alert %}}\n\n`{{% event %}}`\n',
    };
    t.same(told({ ...files, 'x.md': '[a](made.md#mroom_key) [b](around.md#no)\n' }), [
      'x.md:1:24 broken-anchor around.md#no',
    ]);
  },
);

t.test(
  'a heading that a template completes leaves other anchors open only without an id of its own',
  async (t) => {
    const files = {
      'open.md': '# Open {{% removed %}}\n',
      'own.md': '# Card {{% removed %}} {#card}\n\n## Kramdown {% badge %} {: #kramdown }\n',
    };
    t.same(
      told({ ...files, 'x.md': '[a](open.md#any) [b](own.md#card) [c](own.md#kramdown) [d](own.md#no)\n' }),
      ['x.md:1:56 broken-anchor own.md#no'],
    );
  },
);

t.test(
  'the page over a part of the site that is elsewhere is elsewhere, and so are routes of API viewers',
  async (t) => {
    const pages = [...'abcdefgh'];
    const files = Object.fromEntries(pages.map((page) => [`docs/guide/${page}.md`, '# Page\n']));
    const found = pages.map((page) => `[p](/docs/guide/${page})`).join(' ');
    const text = `${found} [x](/docs/rest/x) [y](/docs/rest/y) [z](/docs/rest/z)\n[r](/docs/rest) [t](/docs/guide/tag/users/POST/users) [g](/docs/gone) [v](!term)\n`;
    t.same(told({ ...files, 'x.md': text }), ['x.md:2:55 broken-link /docs/gone']);
  },
);

t.test('a site below a folder of its host serves there also what it serves as it is', async (t) => {
  const files = { 'docs/a.md': '# A\n', 'static/forms/leave.html': '', 'static/x.css': '' };
  const text =
    '[a](/docs/a) [b](/docs/forms/leave.html) [c](/docs/x.css)\n[d](/docs/forms/no.html) [e](/docs/no.css)\n';
  t.same(told({ ...files, 'docs/x.md': text }), [
    'docs/x.md:2:1 broken-link /docs/forms/no.html',
    'docs/x.md:2:26 broken-link /docs/no.css',
  ]);
  const images = { 'docs/a.md': '# A\n', 'static/img/a.png': '', 'static/logo.png': '' };
  t.same(told({ ...images, 'docs/x.md': '[a](/docs/logo.png) [b](/img/a.png) [c](/img/logo.png)\n' }), [
    'docs/x.md:1:37 broken-link /img/logo.png -> /static/logo.png',
  ]);
});

t.test('an id of Docusaurus stands for the name of a file in its folder, not in any other', async (t) => {
  const files = {
    'docs/quickstart/02-frontend.md': '---\nid: frontend-setup\n---\n# Frontend\n',
    'docs/quickstart/top.md': '---\nslug: /welcome\n---\n# Top\n',
    'docs/mfa/email/otp.md':
      '---\nsidebar_position: 1\n---\n# O\n\n[a](../../quickstart/frontend-setup) [b](/docs/quickstart/frontend-setup) [c](../welcome)\n[d](../frontend-setup) [e](frontend-setup)\n',
  };
  t.same(told(files), [
    'docs/mfa/email/otp.md:7:1 broken-link ../frontend-setup',
    'docs/mfa/email/otp.md:7:24 broken-link frontend-setup',
  ]);
});

t.test('sites may split the words of a name in code in a heading', async (t) => {
  const text =
    '# A\n\n## `inviteMember()`\n\n## `mountTaskSetupMFA`\n\n## HTTPServer & more\n\n[a](#invite-member) [b](#invitemember) [c](#mount-task-setup-mfa) [d](#http-server-more) [e](#invite-mem-ber)\n';
  t.same(told({ 'x.md': text }), ['x.md:9:90 broken-anchor #invite-mem-ber -> #invitemember']);
});

t.test('a component takes in the document that its source names without an ending', async (t) => {
  const files = {
    'a.mdx': '# A\n\n  <Include src="_partials/setup" />\n',
    '_partials/setup.mdx': '## Of the part\n',
    'b.mdx': '# B\n\n<Typedoc src="shared/user" />\n',
    'c.mdx':
      '# C\n\n<Video src="/img/a.mp4" />\n<Image src="//x.y/z" />\n\n```mdx\n<Include src="shared/x" />\n```\n',
    'img/a.mp4': '',
  };
  const text = '[a](a.mdx#of-the-part) [b](b.mdx#set-active)\n[a](a.mdx#no) [c](c.mdx#no)\n';
  t.same(told({ ...files, 'x.md': text }), [
    'x.md:2:1 broken-anchor a.mdx#no',
    'x.md:2:15 broken-anchor c.mdx#no',
  ]);
});
