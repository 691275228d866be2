import t from 'tap';
import { plainText } from '../../src/retrieval/plain-text.ts';

t.test('markup of a line is left out', async (t) => {
  t.equal(plainText('- see [the *guide*](guide.md "Guide") and `code`'), 'see the guide and code');
});

t.test('links and shortcodes of site generators are read as a reader sees them', async (t) => {
  const lines = {
    'See [paging]({{< relref "api/guidelines#pagination" >}}) for more.': 'See paging for more.',
    'See [paging]({{<relref "api/guidelines">}}#top).': 'See paging.',
    '[Guide]({% link guide.md %}) and [other](<a page.md>)': 'Guide and other',
    'Type: {{<nullable>}} [Appeal]({{< relref "Appeal" >}})': 'Type: Appeal',
    '{{< hint style="info" >}}': '',
    '{{< figure src="a.png" caption="A list of filters" >}}': 'A list of filters',
    'Hello {{ name }}, {{.app.status}}': 'Hello {{ name }}, {{.app.status}}',
  };
  for (const [line, text] of Object.entries(lines)) t.equal(plainText(line), text);
});

t.test('a line of markup without end takes no longer than any other', async (t) => {
  for (const part of ['[', '[a](', '[a]({{', '{{<', '_a', '<a ', '|  ']) {
    const line = part.repeat(300_000);
    t.ok(plainText(line).length > 0, part);
  }
});
