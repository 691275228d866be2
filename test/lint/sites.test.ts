/** Links as certain site generators take them. */
import t from 'tap';
import { told } from './docs.ts';

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

t.test('in MDX a fence may follow a tag at any depth', async (t) => {
  const text =
    '<Tabs>\n  <Tab title="A">\n    ```bash\n    cd a\n\n    # Not a heading\n    ```\n  </Tab>\n</Tabs>\n\n[x](#not-a-heading)\n';
  t.same(told({ 'x.mdx': text }), ['x.mdx:11:1 broken-anchor #not-a-heading']);
});
