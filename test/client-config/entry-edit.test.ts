import fc from 'fast-check';
import t from 'tap';
import { type EntryPlace, entryIn, insertEntry, removeEntry } from '../../src/client-config/entry-edit.ts';
import { parseJsonc } from '../../src/client-config/jsonc.ts';

const PLACE: EntryPlace = { file: '/p/mcp.json', list: 'servers', name: 'kgraphfs', isLenient: true };
const VALUE = { command: 'node', args: ['a "b"', 'c'] };

/** What a lenient text says, by the eyes of JSON.parse. */
function meaning(text: string): unknown {
  const isStringOrComment = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g;
  const bare = text
    .replace(/\uFEFF/g, '')
    .replace(isStringOrComment, (one) => (one.startsWith('"') ? one : ' '));
  const withoutCommas = bare.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (one) => (one === ',' ? '' : one));
  return JSON.parse(withoutCommas);
}

const blank = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\r\n',
  '\n  ',
  '\t',
  ' // why\n',
  '\n/* a {"b": */ ',
  '/* x */',
);

/** A text of some value, written in any way that a client takes. */
const written: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', '-2.5e3', 'true', 'null', '"x"', '"a // b"', '"\\"}"', '"é\\u0041"'),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), blank)
      .map(([items, gap]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.constantFrom('a', 'servers2', 'b c', 'x'), { maxLength: 3 }),
      fc.array(tie('value'), { minLength: 3, maxLength: 3 }),
      blank,
      blank,
      fc.boolean(),
    )
    .map(([names, values, one, other, hasComma]) => {
      const members = names.map((name, index) => `${one}"${name}"${other}:${one}${values[index]}${other}`);
      return `{${members.join(',')}${hasComma && members.length > 0 ? ',' : ''}${one}}`;
    }),
})).object;

const withServers = fc
  .tuple(written, written, fc.constantFrom('none', 'first', 'last'), blank)
  .map(([outer, inner, where, gap]) => {
    const isBare = Object.keys(Object(meaning(outer))).length === 0;
    const member = `${gap}"servers"${gap}:${gap}${inner}${gap}`;
    if (where === 'none') return outer;
    if (where === 'first' || isBare) return outer.replace('{', `{${member}${isBare ? '' : ','}`);
    return outer.replace(
      /,?(\s*(?:\/\/[^\n]*\n|\/\*[^*]*\*\/)?\s*)\}$/,
      (_, rest: string) => `${rest},${member}}`,
    );
  })
  .filter((text) => {
    try {
      meaning(text);
      return true;
    } catch {
      return false;
    }
  });

t.test('an entry is put into any text, next to what was there, and taken out without a trace', async () => {
  fc.assert(
    fc.property(withServers, fc.boolean(), (text, hasMark) => {
      const before = hasMark ? `\uFEFF${text}` : text;
      const { text: after, piece } = insertEntry(before, VALUE, PLACE);
      const servers = { ...Object(Object(meaning(before)).servers), kgraphfs: VALUE };
      const expected = { ...Object(meaning(before)), servers };
      return (
        JSON.stringify(sorted(meaning(after))) === JSON.stringify(sorted(expected)) &&
        removeEntry(after, PLACE, piece, true) === before
      );
    }),
  );
});

t.test('an entry is taken out of a text that was edited since', async () => {
  fc.assert(
    fc.property(withServers, (text) => {
      const { text: after } = insertEntry(text, VALUE, PLACE);
      const left = meaning(removeEntry(after.replace('"node"', '"deno"'), PLACE, 'no longer there', false));
      const servers = Object(Object(meaning(text)).servers);
      return JSON.stringify(sorted(left)) === JSON.stringify(sorted({ ...Object(meaning(text)), servers }));
    }),
  );
});

t.test('a text keeps its indentation and its line ends', async (t) => {
  const text = '{\r\n\t"servers": { // mine\r\n\t\t"a": {}\r\n\t}\r\n}\r\n';
  t.equal(
    insertEntry(text, { command: 'x' }, PLACE).text,
    '{\r\n\t"servers": { // mine\r\n\t\t"kgraphfs": {\r\n\t\t\t"command": "x"\r\n\t\t},\r\n\t\t"a": {}\r\n\t}\r\n}\r\n',
  );
  t.equal(
    insertEntry('', { command: 'x' }, PLACE).text,
    '{\n  "servers": {\n    "kgraphfs": {\n      "command": "x"\n    }\n  }\n}\n',
  );
  t.equal(insertEntry('{}', 1, PLACE).text, '{\n  "servers": {\n    "kgraphfs": 1\n  }\n}');
});

t.test('a broken text, and one of another shape, is refused with its line', async (t) => {
  const refusal = (text: string, isLenient = true) => {
    try {
      return String(insertEntry(text, VALUE, { ...PLACE, isLenient }).text);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  t.match(refusal('{\n  "a": 1\n  "b": 2\n}'), /^\/p\/mcp\.json:3:3: a comma or \} was expected/);
  t.match(refusal('{\n  "a": tru\n}'), ':2:8: a value');
  t.match(refusal('{"a": 1,}', false), ':1:9: a name');
  t.match(refusal('// note\n{}', false), ':1:1: a value');
  t.match(refusal('{} x'), ':1:4: nothing more');
  t.match(refusal('[]'), ':1:1: an object');
  t.match(refusal('{"servers": []}'), ':1:13: "servers" as an object');
  t.match(refusal('{"a'), ':1:2:');
  t.match(refusal('['.repeat(10_000)), 'too deeply');
  t.equal(parseJsonc(' {"a": [1, {"b": "c"}]} ', 'x', false).end, 23);
  t.equal(entryIn('{"servers": {"kgraphfs": {"x": 1}}}', PLACE), '{"x": 1}');
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
