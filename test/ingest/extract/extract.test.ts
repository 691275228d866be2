import fc from 'fast-check';
import t from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';
import { cpuMsOf, leastCpuMsOf } from '../../support/cpu-time.ts';

t.test('every document mentions itself by its title', async (t) => {
  const title = (text: string, path: string) => {
    const facts = extractDocument(path, text);
    const [self] = facts.mentions.filter(({ type }) => type === 'Document');
    t.match(self, { key: `document:${path}`, declares: true, label: facts.title });
    return facts.title;
  };
  t.equal(title('---\ntitle: Fees\n---\n# Other\n', 'a.md'), 'Fees');
  t.equal(title('# Charges {#c}\n', 'a.md'), 'Charges');
  t.equal(title('---\nname: Kiln Relay\n---\nThe relay fires mugs.\n\n# Later\n', 'a.md'), 'Kiln Relay');
  t.equal(title('---\nname: kiln-relay\n---\n# Kiln relay\n', 'a.md'), 'Kiln relay');
  t.equal(title('---\nname: potters/kiln-relay\n---\n', 'docs/Relay.md'), 'Relay');
  t.equal(title('![badge](x.svg)\n\n# Parcels\n', 'README.md'), 'Parcels');
  t.equal(title('text\n', 'docs/Space Lua.md'), 'Space Lua');
  t.equal(title('', 'guide/index.md'), 'guide');
});

t.test('a document contains what it declares and is described by its first sentence', async (t) => {
  const facts = extractDocument(
    'a.md',
    '# Charges\n\nA charge moves money.\n\n## Charge object\n\nIt has an amount.\n',
  );
  t.match(
    facts.mentions.find(({ type }) => type === 'Document'),
    { description: 'A charge moves money.' },
  );
  t.ok(
    facts.statements.some(
      ({ source, type, target }) => `${source} ${type} ${target}` === 'document:a.md contains concept:charge',
    ),
  );
});

t.test('a page that has no other prose is described by its note', async (t) => {
  const described = (text: string) =>
    extractDocument('page.md', text).mentions.find(({ type }) => type === 'Document')?.description;
  const note = ':::note\nThis page is about rooms and who is in them.\n:::\n';
  t.equal(described(`# Rooms\n\n${note}`), 'This page is about rooms and who is in them.');
  t.equal(described(`# Rooms\n\n${note}\nA room is where people talk.\n`), 'A room is where people talk.');
});

t.test('descriptions and evidence are plain text of bounded length', async (t) => {
  const facts = extractDocument(
    'a.md',
    `## Charge object\n\n${'A **long** [text](x.md) of `words`. '.repeat(40)}\n`,
  );
  const [charge] = facts.mentions.filter(({ key, declares }) => key === 'concept:charge' && declares);
  t.ok((charge?.description?.length ?? 0) > 100 && (charge?.description?.length ?? 999) <= 300);
  t.notMatch(charge?.description, /[*`[]/);
  t.ok(facts.statements.every(({ description }) => (description?.length ?? 0) <= 200));
});

t.test('plain values of front matter are properties, and relations in it are stated', async (t) => {
  const facts = extractDocument(
    'a.md',
    '---\ntitle: Charge object\nstatus: beta\ntags: [money, api]\nrequires:\n  - Customer\nemits: [charge.paid]\n__proto__: x\n---\n',
  );
  t.match(facts.mentions.find(({ type }) => type === 'Document')?.properties, {
    status: 'beta',
    tags: 'money, api',
  });
  const stated = facts.statements.map(({ source, type, target }) => `${source} ${type} ${target}`);
  t.ok(stated.includes('concept:charge requires concept:customer'));
  t.ok(stated.includes('concept:charge triggers event:charge.paid'));
});

t.test('the same text gives the same facts, whatever was read in between', async () => {
  const text = fc.string({
    unit: fc.constantFrom(
      'A **Charge** requires a **Customer**. ',
      '`a.paid` event ',
      '\n\n',
      '# X\n',
      'GET /a ',
      '- ',
    ),
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const before = JSON.stringify(extractDocument('a.md', one));
      extractDocument('b.md', other);
      return JSON.stringify(extractDocument('a.md', one)) === before;
    }),
  );
});

t.test('no input makes it throw, and lines lie within the file', async () => {
  const pieces = fc.constantFrom(
    ...[
      '# ',
      '## Events\n',
      '\n\n',
      '\n',
      '- ',
      '1. ',
      '| a | b |\n|---|---|\n',
      '| ',
      ' |\n',
      '```\n',
      '```http\n',
      '`',
      '**',
      '[',
      '](',
      ')',
      '[[',
      ']]',
    ],
    ...[
      '<',
      '>',
      '<Route method="GET">',
      '</Route>',
      '<!--',
      '-->',
      '{/*',
      '*/}',
      '---\n',
      'title: [x\n',
      'GET /a/{id}',
      'POST ',
      'curl -X POST https://a.b/c',
      '\\\n',
    ],
    ...[
      'Returns a ',
      'requires ',
      'Charge',
      ' object',
      '`a.created`',
      ' event',
      'fires ',
      '\0',
      '\ud800',
      '\r\n',
      '\t',
      '    ',
      '&lt;',
      '$',
      '\u2028',
      'é',
      '\u{1f600}',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 60 }),
      fc.constantFrom('a.md', 'b.mdx', 'README.md'),
      (parts, path) => {
        const text = parts.join('');
        const { mentions, statements, problems } = extractDocument(path, text);
        const lines = text.split(/\r\n?|\n/).length;
        const places = [...mentions, ...statements];
        return (
          mentions.length > 0 &&
          problems.every(({ code }) => code !== 'unreadable') &&
          places.every(({ line }) => line >= 1 && line <= lines + 1)
        );
      },
    ),
    { numRuns: 1200 },
  );
});

t.test('what is no text is a problem, and so is front matter that cannot be read', async (t) => {
  t.match(extractDocument('a.md', 'x\0y'), { title: 'a.md', problems: [{ line: 0, code: 'not-text' }] });
  t.match(extractDocument('a.md', '---\na: [\n---\n# Title\n'), {
    title: 'Title',
    problems: [{ code: 'front-matter' }],
  });
});

t.test('a document that says more than the graph takes of one is a problem, with the line', async (t) => {
  const of = (count: number) =>
    extractDocument(
      'a.md',
      Array.from({ length: count }, (_, index) => `Calls \`GET /v1/things-${index}\`.\n`).join('\n'),
    );
  t.same(of(1_000).problems, []);
  const { mentions, problems } = of(20_100);
  t.equal(mentions.length, 20_000);
  t.match(problems, [{ code: 'too-many-facts', message: /20,000 mentions.*split the document/ }]);
  t.equal(problems[0]?.line, (mentions.at(-1)?.line ?? 0) + 2, 'the first that is missing');
});

t.test('what is long in one paragraph takes time in proportion to its length', async (t) => {
  const numbered = (length: number, part: (at: number) => string) =>
    Array.from({ length: Math.floor(length / 12) }, (_, at) => part(at)).join('');
  const texts: Readonly<Record<string, (length: number) => string>> = {
    'emphasis within emphasis': (length) => `${'*'.repeat(length / 2)}a${'*'.repeat(length / 2)}`,
    'elements within elements': (length) => `${'<b>'.repeat(length / 7)}${'</b>'.repeat(length / 7)}`,
    'elements that nobody opened': (length) => `${'<b>'.repeat(length / 7)}${'</i>'.repeat(length / 7)}`,
    'template expressions that nobody ends': (length) => '{{%'.repeat(length / 3),
    'links on lines of their own': (length) => '[a](b.md)\n'.repeat(length / 10),
    'definitions whose title has no end': (length) => '[a]: b\n"x\n'.repeat(length / 10),
    'footnotes that are not there': (length) => `[^z]: x\n\n${numbered(length, (at) => `[^${at}xxxx] `)}`,
    'references that are not there': (length) =>
      `${numbered(length / 2, (at) => `[a][name${at}]\n`)}\n${numbered(length / 2, (at) => `[eman${at}]: b\n`)}`,
  };
  for (const [what, textOf] of Object.entries(texts)) {
    cpuMsOfExtracting(textOf(2_000));
    const short = fastest(2, textOf(30_000), 0);
    const limit = Math.max(short, 5) * 8 * 5;
    const long = fastest(2, textOf(240_000), limit);
    t.ok(long < limit, `${what}: ${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
  }
});

t.test('hostile text takes time in proportion to its length', async (t) => {
  const patterns = [
    '*',
    '[',
    '[[',
    '<a ',
    '{',
    '`a``b```',
    '<!--',
    'GET /a/',
    'GET|',
    'curl ',
    "Customer's ",
    'requires A and ',
    'a-',
    '    x\n\n',
    '- **A** — requires a **B**\n',
    '| `GET` | `/x` |\n',
    'really ',
    '\\',
  ];
  for (const pattern of patterns) {
    const textOf = (length: number) => pattern.repeat(length / pattern.length);
    cpuMsOfExtracting(textOf(2_000));
    const short = fastest(3, textOf(10_000), 0);
    const limit = Math.max(short, 2) * 8 * 6;
    const long = fastest(3, textOf(80_000), limit);
    t.ok(long < limit, `${JSON.stringify(pattern)}: ${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
  }
});

t.test('a wide gap below a heading takes time in proportion to its width', async (t) => {
  const textOf = (width: number) => `## Kiln\n\nThe${' '.repeat(width)}Kiln is hot.\n`;
  const short = fastest(3, textOf(1_000), 0);
  const limit = Math.max(short, 2) * 10 * 6;
  const long = fastest(3, textOf(10_000), limit);
  t.ok(long < limit, `${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
});

t.test('parts of a system whose names begin alike take time in proportion to their number', async (t) => {
  const textOf = (count: number) =>
    `It has these components:\n\n${Array.from({ length: count }, (_, at) => `* Row q${at}: sends rows\n`).join('')}`;
  cpuMsOfExtracting(textOf(2_000));
  const short = fastest(3, textOf(500), 0);
  const limit = Math.max(short, 5) * 10 * 3;
  const long = fastest(2, textOf(5_000), limit);
  t.ok(long < limit, `${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
});

t.test('systems that a page speaks of often take time in proportion to their number', async (t) => {
  const nameOf = (at: number) =>
    `Kil${String(10_000 + at).replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
  const textOf = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const name = nameOf(at);
      return `${name} sends rows. ${name} stores the rows. ${name} reads the rows. ${name} keeps all rows.\n\n`;
    }).join('');
  cpuMsOfExtracting(textOf(100));
  const short = fastest(3, textOf(300), 0);
  const limit = Math.max(short, 5) * 10 * 3;
  const long = fastest(2, textOf(3_000), limit);
  t.ok(long < limit, `${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
});

function cpuMsOfExtracting(text: string): number {
  return cpuMsOf(() => extractDocument('a.md', text));
}

function fastest(times: number, text: string, limitMs: number): number {
  return leastCpuMsOf(() => extractDocument('a.md', text), { times, limitMs });
}
