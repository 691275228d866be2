import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSchemaMap, loadSchemaMapBy } from '../../src/schema/load-map.ts';
import { parseSchemaMap } from '../../src/schema/parse-map.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** What is said of a map; nothing of a right one. */
function error(map: unknown): string {
  try {
    parseSchemaMap(typeof map === 'string' ? map : JSON.stringify(map), 'm');
    return '';
  } catch (wrong) {
    return wrong instanceof Error ? wrong.message : 'no error';
  }
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const document = (paths: unknown) => ({ documents: [{ paths, type: 'A' }] });
const heading = (more: object) => ({ headings: [{ heading: 'H', type: 'A', ...more }] });
const phrase = (more: object) => ({ phrases: [{ phrase: 'p', edge: 'e', ...more }] });
const field = (more: object) => ({ frontMatter: [{ key: 'k', property: 'p', ...more }] });

t.test('rules say all that was written, and nothing else', (t) => {
  const rules = (map: object) => parseSchemaMap(JSON.stringify(map), 'm').rules;
  t.strictSame(rules({ version: 1 }), []);
  t.strictSame(parseSchemaMap('', 'm').rules, [], 'an empty file has none');
  t.strictSame(
    rules({
      phrases: [
        { phrase: ' p ', edge: 'e' },
        { phrase: 'q', edge: 'e', reverse: true, paths: ['a'] },
      ],
      headings: [
        { heading: 'H', type: 'A' },
        { heading: 'I', edge: 'e', level: 6, items: 'B', property: 'p', reverse: true, paths: 'a' },
      ],
      frontMatter: [
        { key: 'k', property: 'p' },
        { key: 'l', edge: 'e', types: { x: 'A' }, reverse: true, paths: 'a' },
      ],
      documents: [{ type: 'A' }, { type: 'B', paths: 'a' }],
    }),
    [
      { kind: 'document', paths: [], type: 'A' },
      { kind: 'document', paths: ['a'], type: 'B' },
      { kind: 'field', paths: [], key: 'k', isReverse: false, property: 'p' },
      { kind: 'field', paths: ['a'], key: 'l', isReverse: true, types: { x: 'A' }, edge: 'e' },
      { kind: 'heading', paths: [], heading: 'H', isReverse: false, type: 'A' },
      {
        kind: 'heading',
        paths: ['a'],
        heading: 'I',
        isReverse: true,
        level: 6,
        edge: 'e',
        items: 'B',
        property: 'p',
      },
      { kind: 'phrase', paths: [], phrase: 'p', edge: 'e', isReverse: false },
      { kind: 'phrase', paths: ['a'], phrase: 'q', edge: 'e', isReverse: true },
    ],
  );
  t.end();
});

t.test('a map is as long as it may be', (t) => {
  const filled = (length: number) => `version: 1\n#${'x'.repeat(length - 12)}`;
  t.equal(error(filled(1_000_000)), '');
  t.equal(error(filled(1_000_001)), 'm:1:1: a schema map has at most 1 MB');
  for (const [right, wrong] of [
    [document('x'.repeat(500)), document('x'.repeat(501))],
    [document('x'), document('')],
    [document(times(100, 'x')), document(times(101, 'x'))],
    [document(['x']), document([])],
    [heading({ heading: 'x'.repeat(200) }), heading({ heading: 'x'.repeat(201) })],
    [heading({ heading: 'x' }), heading({ heading: ' ' })],
    [heading({ heading: '*a*' }), heading({ heading: '*a*b*' })],
    [heading({ level: 1 }), heading({ level: 0 })],
    [heading({ level: 6 }), heading({ level: 7 })],
    [field({ types: { ['x'.repeat(200)]: 'A' } }), field({ types: { ['x'.repeat(201)]: 'A' } })],
    ...[document('x'), heading({}), phrase({}), field({})].map((map) => {
      const many = (count: number) =>
        Object.fromEntries(Object.entries(map).map(([key, [one]]) => [key, times(count, one)]));
      return [many(500), many(501)];
    }),
  ]) {
    t.equal(error(right), '');
    t.not(error(wrong), '', JSON.stringify(wrong).slice(0, 80));
  }
  t.end();
});

t.test('what no map can say is refused', (t) => {
  for (const path of ['../a', 'a/../b', 'a\nb', 'a\rb', 'a\0b'])
    t.match(error(document(path)), /^m:1:\d+: documents\[0\]\.paths: /, path);
  t.equal(error(document('a/..b/...')), '');
  t.match(error(heading({ heading: 'a**' })), /headings\[0\]\.heading: a heading has at most two of \*$/);
  t.match(error(heading({ type: undefined })), /headings\[0\]: a rule has type, edge, items or property$/);
  t.match(error(field({ property: undefined })), /frontMatter\[0\]: a rule has types, property or edge$/);
  t.match(error(field({ property: '__proto__' })), /a property is a word/);
  t.match(error(phrase({ phrase: 'a.b' })), /a phrase is words$/);
  for (const [key, value] of [
    ['edge', 'e'],
    ['items', 'A'],
    ['property', 'p'],
  ] as const)
    t.equal(error(heading({ type: undefined, [key]: value })), '', key);
  for (const [key, value] of [
    ['edge', 'e'],
    ['types', { x: 'A' }],
  ] as const)
    t.equal(error(field({ property: undefined, [key]: value })), '', key);
  t.match(error(phrase({ edge: 5 })), /phrases\[0\]\.edge: an edge type is/);
  t.match(error(heading({ type: 5 })), /headings\[0\]\.type: a node type is/);
  t.match(error({ version: 2 }), /^m:1:12: version: /);
  t.match(error('[]'), /^m:1:1: Invalid input/);
  t.end();
});

t.test('each thing that is wrong is told where it stands', (t) => {
  t.same(
    error('documents:\n  - type: a\n  - type: B\n    x: 1\n    y: 2\n')
      .split('\n')
      .map((line) => line.slice(0, 46)),
    [
      'm:2:11: documents[0].type: a node type is a ca',
      'm:4:5: unknown key documents[1].x; known here:',
      'm:5:5: unknown key documents[1].y; known here:',
    ],
  );
  t.match(
    error('documents:\n  - paths: a\n'),
    /^m:2:5: documents\[0\]\.type: /,
    'what is not there, where it should be',
  );
  t.match(error('\n\n[]'), /^m:3:1: Invalid input/);
  t.equal(
    error('a: 1\na: 2\nb: 3\nb: 4\n').replaceAll(/ at line.*/g, ''),
    'm:2:1: Map keys must be unique\nm:4:1: Map keys must be unique',
    'what is no YAML, too',
  );
  const ambiguous = 'phrases:\n  - { phrase: p, edge: e }\n  - { phrase: q, edge: e_of }\n';
  t.match(error(ambiguous), /^m:3:24: "e_of" is the name of the folder for incoming edges of "e"; /);
  t.match(error('a: *b\nc: *d\n'), /^m:1:4: there is no &b before \*b; /);
  t.match(error('version: &v 1\nx: *v\ny: *w\n'), /^m:3:4: there is no &w/);
  const uses = (count: number) => `documents:\n  - type: &a A\n${'  - type: *a\n'.repeat(count)}`;
  t.equal(error(uses(50)), '');
  t.match(error(uses(51)), /^m:1:1: what \*name stands for .* more than 50 times$/);
  t.end();
});

t.test('a map that cannot be read is named', async (t) => {
  const file = join(temporaryFolder(t), 'map.yaml');
  t.throws(() => loadSchemaMap(file), {
    message: new RegExp(`^${file}:1:1: the schema map cannot be read: `),
  });
  const failing = async () => Promise.reject(new Error('no such file'));
  await t.rejects(loadSchemaMapBy(file, failing), {
    message: /:1:1: the schema map cannot be read: no such file/,
  });
  writeFileSync(file, 'documents: [{type: A}]');
  const rules = [{ kind: 'document', paths: [], type: 'A' }];
  t.strictSame(loadSchemaMap(file).rules, rules);
  t.strictSame((await loadSchemaMapBy(file, async () => 'documents: [{type: A}]')).rules, rules);
  const ready = loadSchemaMap('spec-driven').rules;
  t.ok(ready.length > 0);
  t.strictSame((await loadSchemaMapBy('spec-driven', failing)).rules, ready);
});
