import t from 'tap';
import { lint } from '../../src/lint/lint.ts';
import { findingsIn, told, viewOf } from './docs.ts';

const GUIDE = '# Guide\n\n## Set up\n\n## C & D\n\n<a id="by-hand"></a>\n\nA block. ^block1\n';

t.test(
  'a link to a page, file or folder that is not there is broken, with a near name as suggestion',
  async (t) => {
    const files = { 'guide.md': GUIDE, 'img/a.png': '', 'sub/b.md': '# B\n' };
    const found = told({
      ...files,
      'x.md':
        '# X\n\nSee [a](guid.md) and\n- ![p](img/b.gif), [f](nowhere/), <a href="gone.md">g</a>\n\n[r][r]\n\n[r]: lost.md\n',
    });
    t.same(found, [
      'x.md:3:5 broken-link guid.md -> guide.md',
      'x.md:4:3 broken-link img/b.gif',
      'x.md:4:20 broken-link nowhere/',
      'x.md:4:35 broken-link gone.md',
      'x.md:8:1 broken-link lost.md',
    ]);
  },
);

t.test('every way to write a link that holds is taken for one that holds', async (t) => {
  const links = [
    ...['guide.md', './guide.md', 'guide', '/guide', '/guide.md', '/docs/guide', 'guide.html', '<guide.md>'],
    ...['guide.md "title"', 'guide.md?x=1#set-up', 'sub/', 'sub', '/sub/b', 'a%20b.md', 'f(1).md', 'guide#'],
    ...[
      '#top',
      '#links',
      'guide.md#L10',
      'guide.md#:~:text=x',
      'guide.md#by-hand',
      'guide.md#c--d',
      'guide.md#c-d',
    ],
    ...['guide.md#^block1', 'mailto:a@b.c', 'https://x.y/z', '//x.y/z', 'www.x.org', 'x.com/y', 'tel:1'],
    ...[
      '{{ site.url }}/x',
      '{% link guide.md %}',
      '{{< relref "b" >}}',
      `\${base}/x`,
      '/users/{id}',
      '%BASE%/x',
    ],
    ...['@site/x.md', '.github/x.yml', '../outside.md', '../docs/guide.md', '/img/logo.png'],
  ];
  const files = { 'guide.md': GUIDE, 'sub/b.md': '# B\n', 'a b.md': '# A\n', 'f(1).md': '# F\n' };
  const text = `# Links\n\n${links.map((link) => `- [x](${link})`).join('\n')}\n`;
  t.same(told({ ...files, 'x.md': text }), []);
});

t.test(
  'links with brackets around their text are links, as generators of API clients write them',
  async (t) => {
    const text = '# Api\n\n[[Back to top]](#) [[Back to list]](../README.md#models) [[Gone]](../GONE.md)\n';
    t.same(told({ 'README.md': '# Read\n\n## Models\n', 'docs/Api.md': text }), [
      'docs/Api.md:3:58 broken-link ../GONE.md',
    ]);
  },
);

t.test('what is no link to a reader is none', async (t) => {
  const text = [
    '# X',
    '`[a](gone.md)` and `[[Gone]]`',
    '<!-- [a](gone.md) -->',
    '{/* [a](gone.md) */}',
    '```md\n[a](gone.md) [[Gone]]\n```',
    '<pre>[a](gone.md)</pre>',
    'Array[0][1], [ ] task, [x] done, [^1] and \\[a](gone.md), [[1, 2]], [[ -f x ]].',
    '- [ ] todo\n- [x] done',
    '*[HTML]: Hypertext\n\n[^1]: A note.',
    '$$\n[a](b)\n$$',
  ].join('\n\n');
  t.same(told({ 'x.md': text, 'y.mdx': `# Y\n\n<Card href={\`/x/\${id}\`} to={link}>x</Card>\n` }), []);
});

t.test(
  'a name in other letter case is told apart, and a hidden or left out file is not broken',
  async (t) => {
    const files = { 'Guide.md': GUIDE, 'x.md': '[a](guide.md) [b](Guide.md#Set-Up) [c](drafts/d.md)\n' };
    t.same(told(files, { unshown: ['drafts/d.md'] }), [
      'x.md:1:1 case-mismatch guide.md -> Guide.md',
      'x.md:1:15 case-mismatch Guide.md#Set-Up -> Guide.md#set-up',
    ]);
  },
);

t.test('an anchor is broken where no heading, id or block has it', async (t) => {
  const found = told({
    'guide.md': GUIDE,
    'x.md': '# X\n\n[a](guide.md#setup) [b](#nothing-here) [c](guide.md#by-foot)\n',
  });
  t.same(found, [
    'x.md:3:1 broken-anchor guide.md#setup -> guide.md#set-up',
    'x.md:3:21 broken-anchor #nothing-here',
    'x.md:3:40 broken-anchor guide.md#by-foot',
  ]);
});

t.test('a document of which parts come from elsewhere may have any anchor', async (t) => {
  t.same(told({ 'a.md': '# A\n\n--8<-- "part.md"\n', 'b.md': '[x](a.md#anything)\n' }), []);
});

t.test(
  'a page of which parts come from elsewhere may have any anchor for itself and in wikilinks',
  async (t) => {
    const files = { 'a.md': '# A\n\n--8<-- "part.md"\n\n[x](#anything)\n' };
    t.same(told({ ...files, 'x.md': '[[a#anything]]\n' }), []);
  },
);

t.test('an anchor may be a heading as it is written, or the title in front matter', async (t) => {
  const files = { 'big-plan.md': '---\ntitle: Big plan\n---\n## Set up: it\n' };
  t.same(told({ ...files, 'x.md': '[a](big-plan.md#big-plan) [b](<big-plan.md#Set up: it>)\n' }), []);
});

t.test('letter case counts for more in the name of a file than in an anchor', async (t) => {
  const files = { 'guide.md': '# G\n\n## Set up\n', 'x.md': '[a](guide.md#Set-Up) [b](Guide.md)\n' };
  const severities = findingsIn(files).map(({ rule, severity }) => `${rule} ${severity}`);
  t.same(severities, ['case-mismatch warning', 'case-mismatch error']);
});

t.test('nothing is suggested that would be a finding itself, or that two pages are called', async (t) => {
  t.same(told({ 'Guide.md': '# G\n', 'x.md': '[a](guide.md#none)\n' }), [
    'x.md:1:1 case-mismatch guide.md#none',
  ]);
  const text = '[[q]] [[Plna]] [[Plna#gone]]\n';
  t.same(told({ 'a/Plan.md': '# P\n', 'q.md': '# Q\n', 'x.md': text }), [
    'x.md:1:7 broken-link Plna -> Plan',
    'x.md:1:16 broken-link Plna#gone',
  ]);
  t.same(told({ 'a/Plan.md': '# P\n', 'b/Plan.md': '# P\n', 'q.md': '# Q\n', 'x.md': text }), [
    'x.md:1:7 broken-link Plna',
    'x.md:1:16 broken-link Plna#gone',
  ]);
});

t.test('front matter names what is ours where the folder is, and templates may name a folder', async (t) => {
  const text = '---\nparent: guides/gone.md\nchild: elsewhere/gone.md\n---\n# X\n';
  t.same(told({ 'guides/g.md': '# G\n', 'sub/x.md': text }), ['sub/x.md:2:9 broken-link guides/gone.md']);
  const templates = '[a]({{< relref "sub" >}}) [b]({{< relref "subs" >}})\n';
  t.same(told({ 'sub/g.md': '# G\n', 'x.md': templates }), ['x.md:1:27 broken-link subs']);
});

t.test('brackets are links where pages are found by them, or where all look like pages', async (t) => {
  const found = (...pages: string[]) =>
    told({
      'a.md': '# A\n',
      'sub/b.md': '# B\n',
      'x.md': `${pages.map((page) => `[[${page}]]`).join(' ')}\n`,
    }).length;
  t.equal(found('a', 'one', 'two', 'three'), 3, 'one that is found speaks for three');
  t.equal(found('a', 'one', 'two', 'three', 'four'), 0);
  t.equal(found('one', 'two'), 2);
  t.equal(found('one', 'two', 'three'), 0, 'three may be a list of anything');
  t.equal(found('One page', 'Two pages', 'Three'), 3);
  t.equal(found('a', '---', '!?', '^x', 'a#', '$x', 'sub', '../../a'), 0, 'these are none, or there');
});

t.test('of pages of one name the one nearest to the root is meant', async (t) => {
  const files = { 'a/b/Plan.md': '# P\n\n## In b\n', 'z/Plan.md': '# P\n\n## In z\n' };
  t.same(told({ ...files, 'x.md': '[[Plan#In z]] [[b/Plan#In b]]\n' }), []);
  t.same(told({ ...files, 'x.md': '[[Plan#In b]]\n' }).length, 1);
});

t.test('wikilinks are found by path, name, alias and heading', async (t) => {
  const files = {
    'notes/Big Plan.md': '---\naliases: [The Plan]\n---\n# Big Plan\n\n## Next: steps\n\n### More\n',
    'pic.png': '',
  };
  const holds = `[[Big Plan]] [[notes/Big Plan|x]] [[The Plan]] [[Big-Plan]] [[Big Plan#Next steps]] [[Big Plan#Next steps#More]] ![[pic.png]] [[\${name}]] [[https://x.y]] query[[from index.pages() limit 3]] [[^Library/Std]]`;
  t.same(told({ ...files, 'x.md': `# X\n\n${holds}\n` }), []);
  const broken = '# X\n\n[[Big Plan]] [[Big Pln]], [[big plan]] ![[no.png]] [[Big Plan#Nextt steps]]\n';
  t.same(told({ ...files, 'x.md': broken }), [
    'x.md:3:14 broken-link Big Pln -> Big Plan',
    'x.md:3:27 case-mismatch big plan -> Big Plan',
    'x.md:3:40 broken-link no.png',
    'x.md:3:52 broken-anchor Big Plan#Nextt steps -> Big Plan#Next: steps',
  ]);
});

t.test('a part of a page from one heading to another is there where both are', async (t) => {
  const files = { 'notes/Plan.md': '# Plan\n\n## First, 1\n\n## Next steps\n\nText. ^block\n' };
  const holds =
    '![[Plan#plan,1:#*]] ![[Plan#plan:#next-steps]] ![[Plan#^begin:#next-steps]] ![[Plan#plan:#^block]] [[Plan#First, 1]]';
  t.same(told({ ...files, 'x.md': `${holds}\n` }), []);
  t.match(told({ ...files, 'x.md': '![[Plan#plan:#neither]] ![[Plan#gone,1:#*]]\n' }), [
    /^x.md:1:1 broken-anchor Plan#plan:#neither/,
    /^x.md:1:25 broken-anchor Plan#gone,1:#\*/,
  ]);
});

t.test('a heading behind the expression that names a page is looked for in that page', async (t) => {
  const files = { 'en/methods/media.md': '# Media\n\n## V2\n' };
  const text =
    '[a]({{< relref "methods/media" >}}#v2)\n[b]({{< relref "methods/media" >}}#v3)\n[c]({{< relref "methods/gone" >}}#v2)\n';
  t.match(told({ ...files, 'en/entities/x.md': text }), [
    /^en\/entities\/x.md:2:1 broken-anchor methods\/media#v3/,
    /^en\/entities\/x.md:3:1 broken-link methods\/gone#v2/,
  ]);
});

t.test('a link to a heading is not taken for the expression of another link beside it', async (t) => {
  const text =
    '# X\n\n[a](#gone) [b]({{< relref "y" >}})\n\n[c](y.md#gone) [d]({{< relref "y.md" >}})\n\n[e](#gone)\n';
  t.match(told({ 'y.md': '# Y\n', 'x.md': `${text}[f]({{ site.url }}/y)\n` }), [
    /^x.md:3:1 broken-anchor #gone/,
    /^x.md:5:1 broken-anchor y.md#gone/,
    /^x.md:7:1 broken-anchor #gone/,
  ]);
});

t.test('double brackets are no wikilinks in docs where they name no page', async (t) => {
  t.same(told({ 'x.md': '[[nodiscard]] [[params]] [[redirects]] [[module.mounts]]\n' }), []);
});

t.test('addresses of a part of the site that is elsewhere are not judged, others are', async (t) => {
  const files = { 'guide/a.md': '# A\n', 'guide/b.md': '# B\n', 'c.md': '# C\n' };
  const text =
    '[a](/guide/a) [b](/guide/b) [c](/c)\n[x](/blog/1) [y](/blog/2) [z](/blog/3)\n[l](/guide/lost)\n';
  t.same(told({ ...files, 'x.md': text }), ['x.md:3:1 broken-link /guide/lost']);
  const based = '[a](/base/guide/a) [b](/base/lost) [c](/elsewhere)\n';
  t.same(told({ ...files, 'x.md': based }, { siteRoot: '/base/' }), ['x.md:1:20 broken-link /base/lost']);
});

t.test('links of front matter and of templates are checked', async (t) => {
  const text =
    '---\nparent: guide.md\ndepends_on:\n  - "[[Guide]]"\n  - lost.md\n---\n[a]({{< ref "guide" >}}) [b]({{< ref "lost" >}})\n';
  t.same(told({ 'guide.md': GUIDE, 'x.md': text }), [
    'x.md:4:6 case-mismatch [[Guide]] -> guide',
    'x.md:5:5 broken-link lost.md',
    'x.md:7:26 broken-link lost',
  ]);
});

t.test('columns are right in quotes, lists, tables and headings', async (t) => {
  const text =
    '# A [h](h.md)\n\n> quoted\n> [q](q.md)\n\n1. item\n   [i](i.md)\n\n| a | b |\n|---|---|\n| [t](t.md) | `x\\|y` [t](t.md) |\n';
  t.same(told({ 'x.md': text }), [
    'x.md:1:5 broken-link h.md',
    'x.md:4:3 broken-link q.md',
    'x.md:7:4 broken-link i.md',
    'x.md:11:3 broken-link t.md',
    'x.md:11:22 broken-link t.md',
  ]);
});

t.test(
  'what leads out of the docs is not judged, though the page’s own address would stay within',
  async (t) => {
    const text = '# X\n\n[deps](../../DEPS) [code](../../lib/a.cc) [gone](../other/gone/)\n';
    t.same(told({ 'dev/x.md': text, 'other/b.md': '# B\n' }), ['dev/x.md:3:43 broken-link ../other/gone/']);
  },
);

t.test('where the site serves a folder under another name is read out of the links', async (t) => {
  const pages = ['api', 'build/linux', 'build/macos', 'conventions'];
  const files = Object.fromEntries(pages.map((page) => [`src/markdown/${page}.md`, '# P\n']));
  const links = [...pages, 'build/window', 'json/a', 'json/b', 'json/c'].map((page) => `[x](/docs/${page})`);
  const text = `# X\n\n${links.join('\n')}\n[d](/download)\n`;
  t.same(told({ ...files, 'src/markdown/x.md': text }), [
    'src/markdown/x.md:7:1 broken-link /docs/build/window',
  ]);
});

t.test('a part of the site of which most addresses are not in the docs is elsewhere', async (t) => {
  const text =
    '# X\n\n[a](/ref/a) [b](/ref/gen/b) [c](/ref/gen/c) [d](/ref/gen/d) [e](/guide/e) [f](/guide/zebra)\n';
  const files = { 'ref/a.md': '# A\n', 'guide/e.md': '# E\n' };
  t.same(told({ ...files, 'x.md': text }), ['x.md:3:75 broken-link /guide/zebra']);
});

t.test('links may be relative to the address that a page gives itself', async (t) => {
  const files = {
    'pages/index.md': '---\npermalink: /index.html\n---\n\n[u](use/) [g](gone/)\n',
    'use/index.md': '# U\n',
  };
  t.same(told(files), ['pages/index.md:5:11 broken-link gone/']);
});

t.test(
  'sites write spaces of folders as hyphens, and show the main language where a page is not translated',
  async (t) => {
    const files = { 'Inter Process/a.md': '# A\n', 'guide/b.md': '# B\n', 'de/c.md': '# C\n' };
    const text = '# X\n\n[a](/inter-process/a/) [b](/de/guide/b) [c](/de/guide/zebra)\n';
    t.same(told({ ...files, 'x.md': text }), ['x.md:3:41 broken-link /de/guide/zebra']);
  },
);

t.test('blocks and pages of Logseq are no paths', async (t) => {
  const text = '# X\n\n[b](((63bc6201-53b1-47a4-834f-83934b69ad49))) [p]([[Page]]) [q]([[Other Page]])\n';
  t.same(told({ 'x.md': text, 'Page.md': '# P\n' }), ['x.md:3:65 broken-link Other Page']);
});

t.test('what a comment of Liquid or the all-contributors bot holds is not looked at', async (t) => {
  const text = [
    '# X\n\n{% comment %}\n[a](gone.md)\n{% endcomment %}\n',
    '<!-- ALL-CONTRIBUTORS-LIST:START -->\n<a href="#doc-somebody">d</a>\n<!-- ALL-CONTRIBUTORS-LIST:END -->\n',
    '[b](gone.md)\n',
  ].join('\n');
  t.same(told({ 'x.md': text }), ['x.md:11:1 broken-link gone.md']);
});

t.test('goldmark’s names of headings are anchors', async (t) => {
  const text =
    '# X\n\n## GET /ca/&lt;id&gt;\n\n## GET /a_b\n\n[a](#get-caltidgt) [b](#get-a-b) [c](#get-a-c)\n';
  t.same(told({ 'x.md': text }), ['x.md:7:34 broken-anchor #get-a-c']);
});

t.test('letter case of a wikilink counts only where the docs heed it', async (t) => {
  const files = Object.fromEntries(
    ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((name) => [`${name}.md`, '# P\n']),
  );
  t.same(told({ ...files, 'x.md': '# X\n\n[[One]] [[two]]\n' }), ['x.md:3:9 case-mismatch two -> Two']);
  t.same(told({ ...files, 'x.md': '# X\n\n[[One]] [[two]] [[three]] [[four]] [[five]] [[six]]\n' }), []);
});

t.test('links in admonitions are looked at', async (t) => {
  const text = '# X\n\n!!! note "N"\n\n    See [a](gone.md).\n';
  t.same(told({ 'x.md': text }), ['x.md:5:9 broken-link gone.md']);
});

t.test('a page is read a few times, however many links it has', async (t) => {
  const links = Array.from({ length: 50 }, (_, index) => `[${index}](page${index}.md)`);
  const files = { 'index.md': `# Index\n\n${links.join(' ')}\n`, 'page0.md': '# Page 0\n' };
  const view = viewOf(files);
  let looks = 0;
  const outline = (path: string) => {
    looks += 1;
    return view.outline(path);
  };
  const settings = { rules: {}, siteRoot: undefined, rootName: 'docs', roots: [], ignores: () => false };
  t.equal(lint({ ...view, outline }, settings).filter(({ rule }) => rule === 'broken-link').length, 49);
  t.ok(looks <= 10, `${looks} times`);
});

t.test('an index that is numbered as the pages beside it is still the page of its folder', async (t) => {
  const files = {
    '1.guides/3.app-extensions/0.index.md': '# A\n\n## Kinds\n',
    '1.guides/3.app-extensions/1.panels.md': '# P\n',
    '02-api/00_readme.md': '# B\n',
  };
  const text =
    '# X\n\n[a](/guides/app-extensions#kinds) [b](/api/) [c](/guides/app-extensions/panels) [d](/guides/gone)\n';
  t.same(told({ ...files, 'x.md': text }), ['x.md:3:81 broken-link /guides/gone']);
});
