import t from 'tap';
import {
  bareName,
  namedEntry,
  requireMemoryType,
  requirePlace,
  waitingEntry,
} from '../../src/cli/named-entry.ts';
import type { MemoryEntry, MemoryPlace, MemoryType } from '../../src/core/memory-entry.ts';

const VERB = 'context memory add';

function entry(type: MemoryType, key: string, tags: readonly string[] = []): MemoryEntry {
  return {
    type,
    key,
    tags,
    id: 1,
    content: Buffer.from(''),
    sourcePaths: [],
    provenance: {},
    accessCount: 0,
    createdMs: 0,
    updatedMs: 0,
    version: 1,
  };
}

function memory(...entries: readonly MemoryEntry[]) {
  return {
    find: (name: string) => entries.filter(({ type, key }) => name === key || name === `${type}/${key}`),
    places: (): MemoryPlace[] => entries.map(({ type, key }) => ({ type, key })),
  };
}

t.test('a name as the mount shows it is the bare name', (t) => {
  for (const name of [
    'fact/a',
    'memory/fact/a',
    '/memory/fact/a',
    'context/memory/fact/a',
    '/context/memory/fact/a',
  ])
    t.equal(bareName(name), 'fact/a', name);
  t.equal(bareName('fact/memory/a'), 'fact/memory/a', 'only at its beginning');
  t.end();
});

t.test('one entry is meant by its key alone, and one of several by its kind', (t) => {
  const alone = entry('fact', 'refunds');
  t.equal(namedEntry(memory(alone), 'refunds'), alone);
  const fact = entry('fact', 'a');
  const episode = entry('episodic', 'a');
  t.throws(() => namedEntry(memory(fact, episode), 'a'), {
    message: '"a" may be fact/a or episodic/a; say which',
  });
  // A key may look like a kind and a key.
  const nested = entry('episodic', 'fact/a');
  const both = { ...memory(fact, nested), find: () => [fact, nested] };
  t.equal(namedEntry(both, 'context/memory/fact/a'), fact);
  t.throws(() => namedEntry(memory(alone), 'refund'), {
    message: /remembered as "refund"; did you mean refunds\?/,
  });
  t.throws(() => namedEntry(memory(alone), 'fact/refund'), { message: /; did you mean fact\/refunds\?/ });
  t.end();
});

t.test('what does not wait for review is not accepted or rejected', (t) => {
  const waits = entry('fact', 'a', ['needs_review']);
  for (const name of ['a', 'context/review/fact/a', '/context/review/fact/a'])
    t.equal(waitingEntry(memory(waits), name), waits, name);
  t.throws(() => waitingEntry(memory(entry('fact', 'a', ['other'])), 'a'), {
    message: /^fact\/a does not wait for review/,
  });
  t.end();
});

t.test('an entry to be needs a kind and a key', (t) => {
  t.same(requirePlace('fact/a', VERB), { type: 'fact', key: 'a' });
  t.same(requirePlace('context/memory/Fact/a/b', VERB), { type: 'fact', key: 'a/b' });
  for (const name of ['/a', 'fact/', '/'])
    t.throws(() => requirePlace(name, VERB), { message: /a kind and a key, such as fact\/refunds/ }, name);
  t.throws(() => requirePlace('a', VERB), { message: /write fact\/a, episodic\/a or procedural\/a/ });
  t.throws(() => requirePlace('fict/a', VERB), { message: /no kind of memory "fict"; did you mean fact\?/ });
  t.throws(() => requirePlace('f/a', VERB), { message: /no kind of memory "f"/ });
  t.equal(requireMemoryType('EPISODIC', VERB), 'episodic');
  t.end();
});
