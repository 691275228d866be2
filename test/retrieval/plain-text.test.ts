import t from 'tap';
import { isMarkup, plainLines, plainText } from '../../src/retrieval/plain-text.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

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

t.test('a wide gap before a text is told from markup without trying all ways to part it', async (t) => {
  for (const gap of [' ', '\t', ' |', '- '])
    t.ok(cpuMsOf(() => isMarkup(`${gap.repeat(50_000)}text`)) < 500, JSON.stringify(gap));
  for (const markup of ['  --- \r', '', ' \t', '```js ', ' <br/>', '| --- | :-: |', "import A from 'a' "])
    t.ok(isMarkup(markup), JSON.stringify(markup));
  for (const text of ['  text', '- item', '<b>text</b>', '| a |']) t.notOk(isMarkup(text), text);
});

t.test('code is shown as it is written', async (t) => {
  const lines = {
    'Run `nsc push --name <user> -a <account>` now': 'Run nsc push --name <user> -a <account> now',
    '| `STORAGE_<LOCATION>_KEY` | `a \\| b` |': 'STORAGE_<LOCATION>_KEY | a | b',
    '**`__init__`** and `**options`': '__init__ and **options',
    'See [`Map<string, number>`](map.md#a) or ``a `b` || c``': 'See Map<string, number> or a `b` || c',
    '`[text](url)` is a link, <b>`x`</b>': '[text](url) is a link, x',
    'one ` alone is none <br>': 'one ` alone is none',
  };
  for (const [line, text] of Object.entries(lines)) t.equal(plainText(line), text);
});

t.test('lines of a block of code are no markup', async (t) => {
  const code = ['- name: <test>', 'if (!a || !b) return;'];
  t.same(plainLines(['- **one**', '```yaml', ...code, '```', '- **two**'].join('\n')), [
    'one',
    '',
    ...code,
    '',
    'two',
  ]);
  t.same(
    plainLines([...code, '```', '', '- **two**'].join('\n')),
    [...code, '', '', 'two'],
    'from its middle',
  );
  t.same(
    plainLines([...code, '```', '</Tab>', '**two**'].join('\n')),
    [...code, '', '', 'two'],
    'in an element',
  );
  t.same(plainLines(['- **one**', '```', ...code].join('\n')), ['one', '', ...code], 'to its middle');
  t.same(plainLines(['- **one**', '~~~js', '```', ...code].join('\n')), ['one', '', '```', ...code]);
});

t.test('a fence that is followed by one with a language ends a block that began before', (t) => {
  const tabs = ['</Tab>', '<Tab value="go">', '', 'Call **pay**:', '```go'];
  t.same(plainLines(['pay(<id>)', '```', ...tabs, 'a || b', '```', '</Tab>'].join('\n')), [
    'pay(<id>)',
    '',
    '',
    '',
    '',
    'Call pay:',
    '',
    'a || b',
    '',
    '',
  ]);
  t.same(plainLines(['```', ...tabs].join('\n')), ['', '', '', '', 'Call pay:', ''], 'at its very end');
  const shown = ['````', '```go', '**a**', '```', '````', '**b**'];
  t.same(plainLines(shown.join('\n')), ['', '```go', '**a**', '```', '', 'b'], 'a longer fence shows others');
  t.end();
});

t.test('a tag that goes on over several lines is left out as one in a line is', (t) => {
  const card = [
    'Read on.',
    '<Card',
    '  title="Other"',
    '  href="/other"',
    '>',
    '  It goes on **there**.',
    '</Card>',
  ];
  t.same(plainLines(card.join('\n')), ['Read on.', '', '', '', '', 'It goes on there.', '']);
  t.same(plainLines('<Needs\n  one={"of"}\n/> this'), ['', '', 'this']);
  for (const text of [
    '<Card\n\nis how a card begins',
    '<Bell\nshown={(it) => {\nreturn <b\n',
    '<b\n<c\nand no end',
    '<b\nand no end',
    'if a <b\nthen c> d',
  ])
    t.same(plainLines(text), text.split('\n'), JSON.stringify(text));
  t.same(plainLines('```\n<Card\n  title="Other"\n>\n```'), ['', '<Card', 'title="Other"', '>', ''], 'code');
  const hostile = '<a b\n'.repeat(100_000);
  t.ok(cpuMsOf(() => plainLines(hostile)) < 2_000);
  t.ok(cpuMsOf(() => plainLines(`<a\n${'b\n'.repeat(100_000)}`)) < 2_000);
  t.end();
});
