import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { MEMORY_RELATIONS, MEMORY_TYPES } from '../../src/core/memory-entry.ts';
import { exportLines } from '../../src/exchange/export-memory.ts';
import { checkImport } from '../../src/exchange/import-check.ts';
import { importMemory } from '../../src/exchange/import-memory.ts';
import type { Memory, NewMemory } from '../../src/memory/memory.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { emptyMemory } from './memory-fixture.ts';

const file = join(temporaryFolder(t), 'lines.jsonl');

/** Imports lines, as the command does without and with --keep-going. */
function importLines(memory: Memory, lines: Iterable<string>, keepGoing = false) {
  writeFileSync(file, [...lines].map((line) => `${line}\n`).join(''));
  const descriptor = openSync(file, 'r');
  try {
    const source = { descriptor, maxEntryBytes: 1 << 24 };
    const plan = checkImport(source, memory);
    const done: number[] = [];
    const onProgress = (entries: number) => done.push(entries);
    const report = importMemory(source, plan, memory, { keepGoing, onProgress }, {});
    return { plan, report, done };
  } finally {
    closeSync(descriptor);
  }
}

/** All that a round trip keeps. */
function kept(memory: Memory) {
  return memory.list().map(({ id, version, accessCount, ...entry }) => {
    return { ...entry, content: Buffer.from(entry.content).toString('hex') };
  });
}

const startMs = Date.now();
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((word) => {
  // U+FFFD stands for bytes that are no UTF-8, and is refused in names.
  return (
    /^[^\s,\p{C}/~.#\uFFFD](?:[^,\p{C}/~.\uFFFD]*[^\s,\p{C}/~.\uFFFD])?$/u.test(word) && !/^\d+$/.test(word)
  );
});
const entries: fc.Arbitrary<NewMemory> = fc.record(
  {
    type: fc.constantFrom(...MEMORY_TYPES),
    key: words.map((word) => `k${word}`),
    content: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
      words.map((tag) => Buffer.from(`---\ntags: ["${tag.replace(/["\\]/g, '')}"]\n---\nbody`)),
    ),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    tags: fc.uniqueArray(words, { minLength: 1, maxLength: 3 }),
    sourcePaths: fc.uniqueArray(words, { minLength: 1, maxLength: 3 }),
    provenance: fc.dictionary(fc.constantFrom('channel', 'role'), words),
    ttlSeconds: fc.integer({ min: 60, max: 1_000_000 }),
    createdMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    updatedMs: fc.integer({ min: 0, max: 20_000 }).map((agoMs) => startMs - agoMs),
    review: fc.record({ reviewer: words, reviewedMs: fc.integer({ min: 0, max: 4_000_000_000_000 }) }),
    actor: words,
    session: words,
  },
  { requiredKeys: ['type', 'key', 'content'] },
);

t.test('what is exported and imported into an empty memory is the same, relations too', async (t) => {
  const relations = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...MEMORY_RELATIONS), fc.nat()), {
    maxLength: 5,
  });
  const entry = (key: string, createdMs: number): NewMemory => ({
    type: 'fact',
    key,
    content: Buffer.from(key),
    createdMs,
  });
  // What two entries supersede, made in another order than that of their names.
  const twice: [NewMemory[], [number, 'supersedes', number][]] = [
    [entry('c', 1), entry('b', 1), entry('a', 1)],
    [
      [1, 'supersedes', 0],
      [2, 'supersedes', 0],
    ],
  ];
  fc.assert(
    fc.property(fc.array(entries, { maxLength: 8 }), relations, (list, links) => {
      const from = emptyMemory(t);
      from.addAll(list, {});
      const all = from.list();
      for (const [a, relation, b] of links) {
        const [source, target] = [all[a % all.length], all[b % all.length]];
        if (source && target && source.id !== target.id) from.relate(source, relation, target, 0.5, {});
      }
      const to = emptyMemory(t);
      const { plan, report } = importLines(to, exportLines(from));
      const again = importLines(to, exportLines(from)).report;
      return (
        isDeepStrictEqual(plan.problems, []) &&
        report.stopped === undefined &&
        isDeepStrictEqual(kept(to), kept(from)) &&
        isDeepStrictEqual(to.links(), from.links()) &&
        isDeepStrictEqual(again, { added: 0, replaced: 0, same: all.length, related: 0, problems: [] })
      );
    }),
    { numRuns: 40, examples: [twice] },
  );
  t.pass();
});

t.test('an export has the entries in order, then the relations', async (t) => {
  const memory = emptyMemory(t);
  memory.add({ type: 'episodic', key: 'b', content: Buffer.from('two') }, {});
  memory.add(
    { type: 'fact', key: 'z', content: Buffer.from([255]), createdMs: 0, actor: 'ana', session: 's' },
    {},
  );
  memory.add({ type: 'fact', key: 'a', content: Buffer.from('---\nsupersedes: z\n---\n') }, {});
  const lines = [...exportLines(memory)].map((line) => JSON.parse(line));
  t.match(lines, [
    { memory_type: 'fact', key: 'a' },
    {
      memory_type: 'fact',
      key: 'z',
      content: '/w==',
      encoding: 'base64',
      created_at: '1970-01-01T00:00:00.000Z',
      actor: 'ana',
      session: 's',
    },
    { memory_type: 'episodic', key: 'b', content: 'two' },
    { relation: 'supersedes', from: 'fact/a', to: 'fact/z', weight: 1 },
  ]);
  t.same(
    Array.from(exportLines(memory, 'episodic'), (line) => JSON.parse(line).key),
    ['b'],
  );
});

t.test('an entry lives on for what is left of its time, and one that is over is left out', async (t) => {
  const memory = emptyMemory(t);
  const hour = 3_600_000;
  const at = (ms: number) => new Date(startMs + ms).toISOString();
  const lines = [
    { key: 'half', content: 'a', ttl: 7200, updated_at: at(-hour) },
    { key: 'told', content: 'b', ttl: 7200, updated_at: at(-9 * hour), expires_at: at(hour) },
    { key: 'over', content: 'c', ttl: 60, updated_at: at(-hour) },
    { key: 'said', content: '---\nttl: 1m\n---\nd', expires_at: at(-hour) },
    { key: 'ever', content: 'e', expires_at: at(-hour) },
    { relation: 'follows', from: 'fact/half', to: 'fact/over' },
    { key: 'anew', content: 'f', ttl: 60, updated_at: at(-hour) },
    { key: 'anew', content: 'f' },
    { key: 'once', content: 'g' },
    { key: 'once', content: 'g', ttl: 60, updated_at: at(-hour) },
  ].map((line) => JSON.stringify(line));
  const { plan, report } = importLines(memory, lines);
  t.same(plan.problems, []);
  t.same([...plan.ended], ['fact/over', 'fact/said', 'fact/once'], 'the last line of an entry counts');
  t.match(report, { added: 4, related: 0, problems: { length: 0 } });
  t.same(
    memory.list().map(({ key, expiresMs }) => [key, expiresMs]),
    [
      ['anew', undefined],
      ['ever', undefined],
      ['half', startMs + hour],
      ['told', startMs + hour],
    ],
  );
});

t.test('who accepted an entry is a change of it, as far as all that follows memory can tell', async (t) => {
  const memory = emptyMemory(t);
  const line = { key: 'a', content: 'b' };
  importLines(memory, [JSON.stringify(line)]);
  const accepted = JSON.stringify({ ...line, reviewer: 'ana', reviewed_at: '2026-01-31T12:00:00Z' });
  t.match(importLines(memory, [accepted]).report, { replaced: 1, same: 0 });
  t.match(memory.get({ type: 'fact', key: 'a' }), { reviewer: 'ana', version: 2 });
  t.match(importLines(memory, [accepted]).report, { replaced: 0, same: 1 });
  t.match(importLines(memory, [JSON.stringify(line)]).report, { same: 1 }, 'what is not said stays');
});

t.test('many entries come in steps that are told', async (t) => {
  const memory = emptyMemory(t);
  const lines = Array.from({ length: 2500 }, (_, index) =>
    JSON.stringify({ key: `k${index}`, content: `c${index}` }),
  );
  const { report, done } = importLines(memory, lines);
  t.match(report, { added: 2500, replaced: 0, same: 0 });
  t.same(done, [1000, 2000, 2500]);
  t.equal(memory.count(), 2500);
});

t.test('a relation may come before its entries, or lead to one that is there already', async (t) => {
  const memory = emptyMemory(t);
  memory.add({ type: 'fact', key: 'old', content: Buffer.from('x') }, {});
  const { plan, report } = importLines(memory, [
    '{"relation":"follows","from":"fact/new","to":"fact/old","weight":0.5}',
    '{"key":"new","content":"y"}',
  ]);
  t.same(plan.problems, []);
  t.equal(report.related, 1);
  t.match(memory.links(), [{ from: { key: 'new' }, relation: 'follows', to: { key: 'old' }, weight: 0.5 }]);
});

t.test('what a line says to be empty is emptied, whatever front matter says', async (t) => {
  const memory = emptyMemory(t);
  memory.add({ type: 'fact', key: 'a', content: Buffer.from('one'), tags: ['x'], confidence: 0.5 }, {});
  const lines = [
    { key: 'a', content: 'one', tags: [] },
    { key: 'b', content: '---\ntags: [x]\nconfidence: 0.4\n---\n', tags: [] },
    { key: 'c', content: '---\ntags: [x]\n---\n', confidence: 0.3 },
  ].map((line) => JSON.stringify(line));
  t.match(importLines(memory, lines).report, { added: 2, replaced: 1 });
  t.same(
    memory.list().map(({ tags, confidence }) => ({ tags, confidence })),
    [
      { tags: [], confidence: 0.5 },
      { tags: [], confidence: 0.4 },
      { tags: ['x'], confidence: 0.3 },
    ],
  );
  t.match(importLines(memory, lines).report, { added: 0, replaced: 0, same: 3 });
});

t.test(
  'nothing is related to itself; what the MCP memory server says of that is kept in words',
  async (t) => {
    const memory = emptyMemory(t);
    const entity = '{"type":"entity","name":"Ana","entityType":"","observations":["x"]}';
    const { plan, report } = importLines(memory, [
      entity,
      '{"type":"relation","from":"Ana","to":"Ana","relationType":"follows"}',
      '{"relation":"follows","from":"fact/Ana","to":"fact/Ana"}',
    ]);
    t.same(plan.problems, [{ line: 3, why: 'fact/Ana cannot be related to itself' }]);
    t.equal(report.related, 0);
    t.equal(Buffer.from(memory.list()[0]?.content ?? []).toString(), 'x\nAna follows Ana\n');
  },
);

t.test('what cannot be an entry is found before anything is imported', async (t) => {
  const memory = emptyMemory(t);
  memory.add({ type: 'fact', key: 'there', content: Buffer.from('x') }, {});
  const { plan } = importLines(memory, [
    '{"key":"a","content":"x"}',
    '{"key":"a/b","content":"x"}',
    '{"key":"there/b","content":"x"}',
    '{"key":"../b","content":"x"}',
    '{"key":"b/","content":"x"}',
    '{"key":".b.swp","content":"x"}',
    JSON.stringify({ key: 'c', content: 'x'.repeat((1 << 24) + 1) }),
  ]);
  t.match(plan.problems, [
    { line: 2, why: 'fact/a is an entry, and cannot be a folder for fact/a/b as well' },
    { line: 3, why: /^fact\/there is an entry/ },
    { line: 4, why: /^key "\.\.\/b": / },
    { line: 5, why: /^key "b\/": / },
    { line: 6, why: /temporary files/ },
    { line: 7, why: /^content has 16777217 bytes; an entry has at most 16777216/ },
  ]);
});

t.test('what memory alone can see stops the import at its line, or is left out', async (t) => {
  const lines = ['{"key":"a","content":"x"}', '{"key":"b","content":"x"}', '{"key":"c","content":"x"}'];
  const withFolder = () => {
    const memory = emptyMemory(t);
    memory.add({ type: 'fact', key: 'b/inside', content: Buffer.from('x') }, {});
    return memory;
  };
  const stopped = withFolder();
  t.match(importLines(stopped, lines).report.stopped, { line: 2, why: /EEXIST/ });
  t.same(
    stopped.list().map(({ key }) => key),
    ['a', 'b/inside'],
  );
  const kept = withFolder();
  const { report } = importLines(kept, lines, true);
  t.equal(report.stopped, undefined);
  t.match(report.problems, [{ line: 2, why: /EEXIST/ }]);
  t.same(
    kept.list().map(({ key }) => key),
    ['a', 'b/inside', 'c'],
  );
});
