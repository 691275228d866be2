import t from 'tap';
import { extractDocument } from '../../src/ingest/extract/extract.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

/** Makes a page of markdown one of MDX. */
const MDX = "import a from 'a.js'\n\n";

/** Texts of about a length, each of which took time in proportion to the square of it, or worse. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'definitions of links above headings': (length) =>
    `${numbered(length / 2, (at) => `[a${at}]: b.md\n`)}\n${'# a\n'.repeat(length / 8)}`,
  'switches that many were named in': (length) =>
    `<!-- kgraphfs-lint-disable ${numbered(length / 2, (at) => `a${lettersOf(at)} `)}-->\n\n${'<!-- kgraphfs-lint-enable x -->\n\n'.repeat(length / 64)}`,
  'elements of headings that nobody ends': (length) => '<h2>a'.repeat(length / 5),
  'fences that swallow fences': (length) => '```\n```js\n```\ntext\n'.repeat(length / 19),
  'links between escaped pipes in a cell': (length) =>
    `| a |\n|---|\n| ${'[a](b) \\| '.repeat(length / 10)}|\n`,
  'includes on one line': (length) => numbered(length, (at) => `{% include a${at} %} `),
  'quotes with elements that nobody ends': (length) => '> <pre>\n\n'.repeat(length / 9),
  'quotes with comments that nobody ends': (length) => '> <!--\n\n'.repeat(length / 8),
  'a wide heading with a brace': (length) => `# a${' '.repeat(length)}{ x\n`,
  'an id that nobody ends': (length) => `# {#${'a'.repeat(length)}\n\nx {#${'a'.repeat(length)}\n`,
  'a wide template expression': (length) => `[a]({{${' '.repeat(length)})\n`,
  'a delimiter row with something behind': (length) => `| a | b |\n|${'-'.repeat(length)}x\n`,
  'a wide gap in bold': (length) => `**a${' '.repeat(length)}b**\n`,
  'brackets of a title that nobody closes': (length) => `# ${'('.repeat(length)}\n`,
  'a code span that only begins with a space': (length) => `\` ${'a '.repeat(length / 2)}b\`\n`,
  'a wide gap in front matter': (length) =>
    `---\na: b${' '.repeat(length / 6)}#\nc:\n- d${' '.repeat(length / 6)}#\n---\n`,
  'tables in HTML that nobody ends': (length) => `a ${'<table>b '.repeat(length / 9)}\n`,
  'a table in HTML that is long': (length) =>
    `<table><tr><th>a</th></tr>${'<tr><td>b</td></tr>'.repeat(length / 19)}</table>\n`,
  'many tables in HTML': (length) =>
    `a ${'<table><tr><th>a</th></tr><tr><td>b</td></tr></table>'.repeat(length / 53)}\n`,
  'code that is blank': (length) => `${'` '.repeat(length / 2)}\n`,
  'participles one behind the other': (length) =>
    `# A\n\nThe **A** ${'looks at the **B** owned by '.repeat(length / 28)}**A**.\n`,
  'endpoints and no sentence': (length) =>
    `# A\n\n${numbered(length, (at) => `\`GET /a/${at}\` gives.\n\n`)}`,
  'who publishes events, in a table': (length) =>
    `| Event | Published by |\n|---|---|\n${numbered(length, (at) => `| \`a${at}.made\` | Kiln ${lettersOf(at)} |\n`)}`,
  'a wide gap in the title of a container': (length) => `:::a b${' '.repeat(length)}{\n`,
  'containers that nobody closes': (length) => ':::a b\n'.repeat(length / 7),
  'notes that shorter ends do not end': (length) =>
    `${'::::note\n'.repeat(length / 18)}${':::\n'.repeat(length / 8)}`,
  'marks of lists and fences above a heading element': (length) =>
    `${'- '.repeat(length / 4)}\n${'```\n<table>\n'.repeat(length / 24)}\n<h2>a</h2>\n`,
  'exports of MDX that nobody ends': (length) => `${MDX}${'export const {\n\n'.repeat(length / 16)}`,
  'quotes in an export of MDX that nobody ends': (length) =>
    `${MDX}export const a = ${'"\\'.repeat(length / 2)}\n`,
  'templates in exports of MDX': (length) => `${MDX}${'export const a = `\n\n'.repeat(length / 20)}`,
  'patterns in an export of MDX': (length) => `${MDX}export const a = ${'=/[a'.repeat(length / 4)}\n`,
  'ends of tags of MDX on lines of their own': (length) =>
    `${MDX}${`${'<a b="'.repeat(10)}\n>'\n`.repeat(length / 64)}`,
  'cards that no event stands beside': (length) =>
    `${MDX}# Webhook events\n\n${'<Card title="a.data" />\n\n'.repeat(length / 25)}`,
  'a wide gap in the label of a party': (length) =>
    `# Events\n\n## \`a.placed\` event\n\nSent when one is.\n\n**Producer${' '.repeat(length)}x:** Kiln\n`,
  'labels on lines of their own': (length) => `a\n${'**b:** c\n'.repeat(length / 9)}`,
  'parties of an event that "and" joins': (length) =>
    `# Events\n\n## \`a.placed\` event\n\nSent when one is.\n\n**Consumers:** ${'Kiln and '.repeat(length / 9)}Oven\n`,
  'lists below an import of MDX': (length) => "import a from 'a'\n- b\n\n".repeat(length / 23),
  'types that look like tags of MDX': (length) => `${MDX}${'a List<B\n> c\n'.repeat(length / 13)}`,
  'a schema of GraphQL that nobody ends': (length) =>
    `~~~graphql\ntype Query { ${'a(b: {'.repeat(length / 6)}\n~~~\n`,
  'texts of GraphQL that nobody ends': (length) => `~~~graphql\n${'"""a "b \\" '.repeat(length / 11)}\n~~~\n`,
  'quotes of GraphQL that are escaped': (length) => `~~~graphql\n${'"a\\'.repeat(length / 3)}\n~~~\n`,
  'items within a long item in bold': (length) =>
    `- **${'K'.repeat(length / 2)}**\n${'  - b\n'.repeat(length / 12)}`,
  'terms set off in a sentence that nobody ends': (length) =>
    `# A\n\n${'A *Kiln* is an oven! '.repeat(length / 21)}\n`,
  'operations of GraphQL, one a line': (length) =>
    `~~~graphql\ntype Query {\n${numbered(length, (at) => `a${at}: B${lettersOf(at)}\n`)}}\n~~~\n`,
  'a table of operations of GraphQL': (length) =>
    `# Queries\n\n| Field | Type |\n|---|---|\n${numbered(length, (at) => `| **a${at}** | B |\n`)}`,
  'badges of methods on one line': (length) => `a ${'<span>GET</span>'.repeat(length / 16)}/a\n`,
  'items within an item that is a name': (length) =>
    `- **Kiln**\n${'  - Sends mugs to Oven.\n'.repeat(length / 24)}`,
  'terms that sentences set off': (length) => `# A\n\n${'A *Kiln* is an oven. '.repeat(length / 21)}\n`,
  'a wide gap in the title of a note': (length) => `> [!A]${' '.repeat(length)}b\n`,
  'items behind a long paragraph': (length) =>
    `a ${':'.repeat(length * 0.75)} b\n\n${'- a\n'.repeat(length / 16)}`,
  'mistakes of front matter': (length) => `---\na: ${numbered(length / 6, (at) => `[[b${at}]] `)}\n---\n`,
  'values of front matter': (length) => `---\ntags:\n${numbered(length / 6, (at) => `- a${at}\n`)}---\n`,
};

t.test('text that is made to be slow takes time in proportion to its length', async (t) => {
  for (const [what, textOf] of Object.entries(TEXTS)) {
    // The first runs also compile.
    for (let run = 0; run < 2; run += 1) extract(textOf(15_000));
    const short = Math.min(extract(textOf(15_000)), extract(textOf(15_000)));
    const limit = Math.max(short, 10) * 8 * 4;
    const long = extract(textOf(120_000));
    t.ok(long < limit, `${what}: ${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
  }
});

t.test('an element of a heading that is not closed ends where the next begins', async (t) => {
  const { outline } = extractDocument('a.md', 'x <h2>One<h2>Two</h2>\n');
  t.match(outline.anchors, [{ anchor: 'one' }, { anchor: 'two' }]);
});

function extract(text: string): number {
  return cpuMsOf(() => {
    extractDocument('a.md', text);
  });
}

function numbered(length: number, part: (at: number) => string): string {
  const count = Math.ceil(length / part(1_000).length);
  return Array.from({ length: count }, (_, at) => part(at)).join('');
}

function lettersOf(at: number): string {
  return String(at).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
}
