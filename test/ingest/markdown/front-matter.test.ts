import fc from 'fast-check';
import t from 'tap';
import { parse, stringify } from 'yaml';
import { readFrontMatter } from '../../../src/ingest/markdown/front-matter.ts';

t.test('keys, lists and the lines they stand in are read', async (t) => {
  const { data, lineCount, keyLines, problems } = readFrontMatter(
    '---\ntitle: Charges\ntags:\n  - money\n  - api\n---\n# Charges\n',
  );
  t.same(Object.fromEntries(data), { title: 'Charges', tags: ['money', 'api'] });
  t.equal(lineCount, 6);
  t.equal(keyLines.get('tags'), 3);
  t.same(problems, []);
});

t.test('the quick way to read plain front matter gives what YAML gives', async () => {
  const word = fc.stringMatching(/^[A-Za-z/][A-Za-z0-9 ,.'()&!*|>%@`?={}[\]/_-]{0,20}[A-Za-z0-9]$/);
  const key = fc.stringMatching(/^[a-z][a-z_-]{0,8}$/);
  fc.assert(
    fc.property(
      fc.dictionary(
        key,
        fc.oneof(word, fc.boolean(), fc.nat(), fc.array(word, { minLength: 1, maxLength: 3 })),
      ),
      (values) => {
        const source = Object.entries(values)
          .map(([name, value]) =>
            Array.isArray(value)
              ? `${name}:\n${value.map((item) => `- ${item}\n`).join('')}`
              : `${name}: ${value}\n`,
          )
          .join('');
        const expected = JSON.stringify(parseOrNothing(source));
        const { data, problems } = readFrontMatter(`---\n${source}---\n`);
        return problems.length > 0 || JSON.stringify(Object.fromEntries(data)) === expected;
      },
    ),
    { numRuns: 500 },
  );
});

function parseOrNothing(source: string): unknown {
  return parse(source) ?? {};
}

t.test('whatever YAML writes is read back', async () => {
  const value = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,8}$/),
    fc.oneof(fc.string(), fc.integer(), fc.boolean()),
  );
  fc.assert(
    fc.property(value, (values) => {
      const { data } = readFrontMatter(`---\n${stringify(values)}---\nbody`);
      return JSON.stringify(Object.fromEntries(data)) === JSON.stringify(values);
    }),
  );
});

t.test('broken front matter is a problem at its line, and what can be read of it stays', async (t) => {
  const { data, problems, lineCount } = readFrontMatter('---\ntitle: Fees: and more\nlist: [a\n---\nText\n');
  t.equal(data.get('title'), 'Fees: and more');
  t.equal(problems.length, 1);
  t.equal(problems[0]?.code, 'front-matter');
  t.ok((problems[0]?.line ?? 0) >= 2 && (problems[0]?.line ?? 0) <= 4);
  t.equal(lineCount, 4);
});

t.test('a rule at the start of a page is no front matter', async (t) => {
  t.equal(readFrontMatter('---\n\nText that goes on\n').bodyStart, 0);
  t.equal(readFrontMatter('Text\n---\ntitle: x\n---\n').bodyStart, 0);
});

t.test('a byte order mark, Windows line ends and the TOML of Hugo are understood', async (t) => {
  t.equal(readFrontMatter('\uFEFF---\r\ntitle: Fees\r\n---\r\nText').data.get('title'), 'Fees');
  t.equal(readFrontMatter('+++\ntitle = "Fees"\n[menu]\nname = "x"\n+++\nText').data.get('title'), 'Fees');
});

t.test('an alias bomb is refused, not expanded', async (t) => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((key, at) => `${key}: &${key} [${`*${'abcdefgh'[at]},`.repeat(9)}]`),
  ];
  const { problems } = readFrontMatter(`---\n${bomb.join('\n')}\n---\n`);
  t.equal(problems.length, 1);
});

t.test('a value that holds itself is left out, and named; the others are read', async (t) => {
  const { data, problems } = readFrontMatter(
    '---\ntitle: Fees\nlist: &list [*list]\nmap: &map\n  deep: [{ again: *map }]\nshared: [&one [x], *one]\n---\n# T\n',
  );
  t.same(Object.fromEntries(data), { title: 'Fees', shared: [['x'], ['x']] });
  t.same(
    problems.map(({ line, message }) => `${line} ${message}`),
    ['3 front matter: "list" holds itself by an alias', '4 front matter: "map" holds itself by an alias'],
  );
});

for (const [how, nested] of [
  ['brackets', '[ '.repeat(30_000)],
  ['mappings in a line', `a: ${'{a: '.repeat(20_000)}`],
  ['lists in a line', `a:\n  ${'- '.repeat(20_000)}x`],
  ['indentation', Array.from({ length: 300 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
] as const) {
  t.test(`${how} nested beyond all measure are a problem, and the rest is read`, async (t) => {
    const { data, problems, lineCount } = readFrontMatter(`---\ntitle: Charges\n${nested}\n---\n# Charges\n`);
    t.match(problems, [{ code: 'front-matter', message: /nested more than 200 levels deep/ }]);
    t.equal(data.get('title'), 'Charges');
    t.ok(lineCount > 0);
  });
}

t.test('many brackets beside each other are not deep', async (t) => {
  const { data, problems } = readFrontMatter(
    `---\n${Array(500)
      .fill(0)
      .map((_, at) => `k${at}: ["]", '{', a-b]\n`)
      .join('')}---\n`,
  );
  t.equal(data.size, 500);
  t.same(problems, []);
});

t.test('a list in brackets whose lines are not indented is read, as site generators do', async (t) => {
  const source = 'title: A\naliases: [\n\t"/a",\n"/b",\n]\nmore: {\na: 1\n}\nlast: z\n';
  const { data, keyLines, problems } = readFrontMatter(`---\n${source}---\n`);
  t.same(Object.fromEntries(data), { title: 'A', aliases: ['/a', '/b'], more: { a: 1 }, last: 'z' });
  t.equal(keyLines.get('last'), 10);
  t.same(problems, []);
});

t.test('a text in quotes whose further lines are not indented is read, as site generators do', async (t) => {
  const source = `title: "How a parcel\nis returned"\r\nsummary: 'Send it\n\n  back'\nlast: z\n`;
  const { data, keyLines, problems } = readFrontMatter(`---\n${source}---\n`);
  t.same(Object.fromEntries(data), {
    title: 'How a parcel is returned',
    summary: 'Send it\nback',
    last: 'z',
  });
  t.equal(keyLines.get('last'), 7);
  t.same(problems, []);
});

t.test('the commonest mistakes are told in plain words', async (t) => {
  const messageOf = (line: string) => readFrontMatter(`---\n${line}\nlast: z\n---\n`).problems[0]?.message;
  t.equal(messageOf('title: "Returns'), 'front matter: the " before this value is never closed');
  t.equal(messageOf("title: 'Returns"), "front matter: the ' before this value is never closed");
  t.match(messageOf('title: "{{ .Name "-" }}"'), /^front matter: the value ends at a quote or bracket, /);
  t.match(messageOf('title: [a] b'), /^front matter: the value ends at a quote or bracket, /);
});

t.test('a list in brackets that is never closed is a problem of its own line', async (t) => {
  const { problems } = readFrontMatter('---\ntitle: A\naliases: [\n"/a",\nlast: z\n---\n');
  t.match(problems, [{ line: 3 }]);
});
