import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { UserError } from '../../src/core/errors.ts';
import type { MemoryPlace } from '../../src/core/memory-entry.ts';
import { MemorySearchIndex } from '../../src/memory/search-index.ts';
import { openSearchStore, type SearchStore } from '../../src/store/search-store.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { CONTEXT, fact, type Remembering, remembering, write } from './fixture.ts';

interface Indexed extends Remembering {
  readonly search: SearchStore;
  readonly index: MemorySearchIndex;
}

function indexed(t: Teardown, of = remembering(t)): Indexed {
  const search = openSearchStore(join(temporaryFolder(t), 'memory-search.sqlite'));
  t.teardown(() => search.close());
  const index = new MemorySearchIndex({ tables: of.store.memory, search, clock: of.clock });
  return { ...of, search, index };
}

/** Places whose passages hold a term, as of now. */
function found({ search, index }: Indexed, term: string): string[] {
  index.catchUp();
  return search.passages
    .match([term], { limit: 100 })
    .map(({ sourceId }) => search.sources.byId(sourceId)?.path ?? '?')
    .sort();
}

function add({ memory }: Remembering, type: MemoryPlace['type'], key: string, text: string): void {
  memory.add({ type, key, content: Buffer.from(text) }, CONTEXT);
}

t.test('an entry is found as soon as it is written, as it is, and no longer than it is there', async (t) => {
  const it = indexed(t);
  add(it, 'fact', 'billing/refunds', '---\ntags: [money]\n---\nThey take five days\n');
  t.same(found(it, 'five'), ['fact/billing/refunds']);
  t.same(found(it, 'refund'), ['fact/billing/refunds'], 'by its key');
  t.same(found(it, 'monei'), ['fact/billing/refunds'], 'by its tag');
  write(it.files, fact('billing/refunds'), 'They take six days\n');
  t.same(found(it, 'five'), []);
  t.same(found(it, 'six'), ['fact/billing/refunds']);
  it.files.rename(fact('billing/refunds'), fact('returns'), CONTEXT);
  t.same(found(it, 'six'), ['fact/returns']);
  it.files.remove(fact('returns'), CONTEXT);
  t.same(found(it, 'six'), []);
  it.memory.restore('returns', CONTEXT);
  t.same(found(it, 'six'), ['fact/returns']);
});

t.test('lines are those of the content, front matter counted', async (t) => {
  const it = indexed(t);
  write(it.files, fact('a'), '---\ntags: [x]\n---\n\nalpha\nbeta\n');
  it.index.catchUp();
  const [source] = it.search.sources.all();
  t.match(it.search.passages.ofSource(source?.id ?? 0), [{ line: 5, endLine: 6, bodyBag: 'alpha beta' }]);
});

t.test('an entry is of the time that it was said to be made, until it is changed', async (t) => {
  const it = indexed(t);
  const createdMs = Date.UTC(2024, 0, 5);
  const dateMs = () => {
    it.index.catchUp();
    return it.search.sources.file('episodic/talk')?.dateMs;
  };
  it.memory.add(
    { type: 'episodic', key: 'talk', content: Buffer.from('Ruth: hall four\n'), createdMs },
    CONTEXT,
  );
  t.equal(dateMs(), createdMs);
  it.clock.advance(1000);
  write(it.files, { type: 'episodic', key: 'talk' }, 'Ruth: hall five\n');
  t.equal(dateMs(), it.clock.nowMs());
});

t.test('expired entries are not remembered, and superseded ones are named', async (t) => {
  const it = indexed(t);
  add(it, 'fact', 'old', 'alpha');
  add(it, 'fact', 'new', 'beta');
  it.memory.add({ type: 'fact', key: 'short', content: Buffer.from('gamma'), ttlSeconds: 60 }, CONTEXT);
  it.memory.relate({ type: 'fact', key: 'new' }, 'supersedes', { type: 'fact', key: 'old' }, 1, CONTEXT);
  t.same([...it.index.superseded()], ['fact/old']);
  for (const place of ['fact/old', 'fact/new', 'fact/short']) t.ok(it.index.isRemembered(place), place);
  it.clock.advance(61_000);
  for (const place of ['fact/short', 'fact/never', 'never']) t.notOk(it.index.isRemembered(place), place);
});

t.test('what another process writes is found, and what was written before the file was there', async (t) => {
  const it = remembering(t);
  add(it, 'fact', 'first', 'alpha');
  const mine = indexed(t, it);
  t.same(found(mine, 'alpha'), ['fact/first']);
  const other = remembering(t, {}, it.file);
  add(other, 'fact', 'second', 'alpha');
  t.same(found(mine, 'alpha'), ['fact/first', 'fact/second']);
});

t.test('many entries are taken in with breaks', async (t) => {
  const it = indexed(t);
  it.memory.addAll(
    Array.from({ length: 1500 }, (_, index) => ({
      type: 'fact' as const,
      key: `k${index}`,
      content: Buffer.from('alpha'),
    })),
    CONTEXT,
  );
  t.equal(it.index.catchUp(400), false);
  t.equal(it.search.sources.all().length, 400);
  let rounds = 1;
  while (!it.index.catchUp(400)) rounds += 1;
  t.equal(rounds, 3);
  t.equal(it.search.sources.all().length, 1500);
});

t.test('a long entry is taken in with breaks, as a whole', async (t) => {
  const it = indexed(t, remembering(t, { limits: { maxEntryBytes: 100_000 } }));
  const long = (word: string): string => `${'a line of its own\n'.repeat(30)}\n`.repeat(50) + word;
  const rounds = (index = it.index): number => {
    let count = 1;
    while (!index.catchUp(10)) count += 1;
    return count;
  };
  add(it, 'fact', 'long', long('alpha'));
  add(it, 'fact', 'short', 'alpha');
  const inAll = rounds();
  t.ok(inAll > 2, `${inAll} rounds`);
  t.same(contents(it.search), contents(anew(t, it)));
  write(it.files, fact('long'), long('beta'));
  write(it.files, fact('short'), 'beta');
  t.equal(it.index.catchUp(10), false);
  t.equal(it.search.passages.frequency('beta'), 0, 'nothing of it is there before all is');
  t.equal(rounds(), inAll - 1, 'and nothing is made twice');
  t.same(contents(it.search), contents(anew(t, it)));
  write(it.files, fact('long'), long('gamma'));
  t.equal(it.index.catchUp(10), false);
  write(it.files, fact('long'), long('delta'));
  t.equal(it.index.catchUp(10), true, 'what changes meanwhile is taken in at once');
  t.same(contents(it.search), contents(anew(t, it)));
});

t.test('all of memory is looked through once, however many breaks are taken', async (t) => {
  const it = indexed(t);
  for (const key of ['a', 'b', 'c', 'd']) add(it, 'fact', key, 'alpha');
  const { changes, entries, searchable } = it.store.memory;
  let looks = 0;
  const counted: typeof searchable = Object.assign(Object.create(searchable), {
    all() {
      looks += 1;
      return searchable.all();
    },
    at: searchable.at.bind(searchable),
    near: searchable.near.bind(searchable),
  });
  const tables = { changes, entries, searchable: counted };
  const index = new MemorySearchIndex({ tables, search: it.search, clock: it.clock });
  t.same([index.catchUp(1), index.catchUp(1)], [false, false]);
  it.files.remove(fact('d'), CONTEXT);
  write(it.files, fact('a'), 'beta');
  t.equal(index.catchUp(), true);
  t.equal(looks, 1);
  t.same(contents(it.search), contents(anew(t, it)), 'with what changed meanwhile');
});

t.test('what another version has made is made anew', async (t) => {
  const it = indexed(t);
  for (const key of ['a', 'b', 'c']) add(it, 'fact', key, 'alpha');
  it.index.catchUp();
  for (const { id: _, ...source } of it.search.sources.all())
    it.search.sources.put({ ...source, version: 0 });
  const next = new MemorySearchIndex({ tables: it.store.memory, search: it.search, clock: it.clock });
  t.same([next.catchUp(2), next.catchUp(2)], [false, true]);
  t.same(contents(it.search), contents(anew(t, it)));
});

t.test('what a full disk takes back is taken in the next time', async (t) => {
  const it = indexed(t);
  add(it, 'fact', 'a', 'alpha');
  let commits = 0;
  const search: SearchStore = {
    ...it.search,
    transact: (body) =>
      it.search.transact(() => {
        const result = body();
        commits += 1;
        if (commits === 1) throw new UserError('the disk is full');
        return result;
      }),
  };
  const index = new MemorySearchIndex({ tables: it.store.memory, search, clock: it.clock });
  t.throws(() => index.catchUp(), UserError);
  t.equal(index.catchUp(), true);
  t.same(contents(it.search), contents(anew(t, it)));
});

t.test('turns that are entries of their own follow one another by the number in their names', async (t) => {
  const it = indexed(t);
  add(it, 'fact', 'talk/turn-9', 'Ana: Where is the key?');
  add(it, 'fact', 'talk/turn-11', 'Ana: Thanks!');
  add(it, 'fact', 'talk/turn-10', 'Bob: Under the mat.');
  add(it, 'fact', 'other/turn-10', 'no talk at all');
  const sides = () => {
    it.index.catchUp();
    const nameOf = (id: number | null) => {
      const passage = id === null ? undefined : it.search.passages.get(id);
      return passage === undefined ? null : it.search.sources.byId(passage.sourceId)?.title;
    };
    return it.search.sources.all().map(({ id, title }) => {
      const [passage] = it.search.passages.ofSource(id);
      return [title, nameOf(passage?.before ?? null), nameOf(passage?.after ?? null)];
    });
  };
  t.same(sides(), [
    ['other/turn-10', null, null],
    ['talk/turn-10', 'talk/turn-9', 'talk/turn-11'],
    ['talk/turn-11', 'talk/turn-10', null],
    ['talk/turn-9', null, 'talk/turn-10'],
  ]);
  write(it.files, fact('talk/turn-10'), 'Bob: In the box.');
  t.same(sides()[1], ['talk/turn-10', 'talk/turn-9', 'talk/turn-11']);
  t.same(sides()[3], ['talk/turn-9', null, 'talk/turn-10']);
  it.files.remove(fact('talk/turn-10'), CONTEXT);
  t.same(sides(), [
    ['other/turn-10', null, null],
    ['talk/turn-11', null, null],
    ['talk/turn-9', null, null],
  ]);
});

t.test(
  'turns without numbers follow one another as they were made, and those within one entry as they stand',
  async (t) => {
    const it = indexed(t);
    add(it, 'episodic', 'talk/monday', 'Ana: Where is the key?');
    add(it, 'episodic', 'talk/aside', 'Bob: Under the mat.');
    add(it, 'episodic', 'whole', 'Ana: one\nBob: two\nmore of it\nAna: three\n');
    it.index.catchUp();
    const passages = (key: string) =>
      it.search.passages.ofSource(it.search.sources.file(`episodic/${key}`)?.id ?? 0);
    t.equal(passages('talk/monday')[0]?.after, passages('talk/aside')[0]?.id);
    const whole = passages('whole');
    t.match(whole, [
      { line: 1, endLine: 1, headings: 'Ana', before: null },
      { line: 2, endLine: 3, headings: 'Bob', before: whole[0]?.id, after: whole[2]?.id },
      { line: 4, endLine: 4, headings: 'Ana', after: null },
    ]);
  },
);

t.test('turns without numbers follow one another as they were made, whatever became of others', async (t) => {
  const it = indexed(t);
  const chain = () => {
    it.index.catchUp();
    return contents(it.search).map(({ path, passages }) => [path, passages[0]?.before, passages[0]?.after]);
  };
  for (const key of ['ana', 'bob', 'eve']) add(it, 'fact', key, `${key}: hello`);
  t.same(chain(), [
    ['fact/ana', undefined, 'fact/bob'],
    ['fact/bob', 'fact/ana', 'fact/eve'],
    ['fact/eve', 'fact/bob', undefined],
  ]);
  it.files.rename(fact('bob'), fact('zoe'), CONTEXT);
  t.same(chain()[2], ['fact/zoe', 'fact/ana', 'fact/eve'], 'under another name it stands where it stood');
  it.files.remove(fact('zoe'), CONTEXT);
  t.same(chain(), [
    ['fact/ana', undefined, 'fact/eve'],
    ['fact/eve', 'fact/ana', undefined],
  ]);
  t.same(contents(it.search), contents(anew(t, it)));
});

t.test('however it was brought up to date, it holds what one made anew holds', async (t) => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'talk/1', 'talk/2', 'talk/3'),
    act: fc.constantFrom('write', 'remove', 'rename', 'catch up'),
    text: fc.constantFrom('alpha beta', 'Ana: alpha', 'Bob: gamma\nmore', ''),
    to: fc.constantFrom('b', 'c', 'talk/2', 'talk/4'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const it = indexed(t);
      // So that there is a folder.
      add(it, 'fact', 'talk/0', 'Ana: hello');
      for (const { key, act, text, to } of steps) {
        const there = it.memory.find(`fact/${key}`).length > 0;
        if (act === 'write') write(it.files, fact(key), text);
        else if (act === 'catch up') it.index.catchUp();
        else if (there && act === 'remove') it.files.remove(fact(key), CONTEXT);
        else if (there && to !== key && act === 'rename') it.files.rename(fact(key), fact(to), CONTEXT);
      }
      it.index.catchUp();
      t.same(contents(it.search), contents(anew(t, it)));
    }),
    { numRuns: 30 },
  );
});

function anew(t: Teardown, it: Remembering): SearchStore {
  const fresh = indexed(t, it);
  fresh.index.catchUp();
  return fresh.search;
}

/** All that a store says, without numbers of rows. */
function contents({ sources, passages }: SearchStore) {
  const nameOf = (id: number | null) => {
    const passage = id === null ? undefined : passages.get(id);
    return passage && sources.byId(passage.sourceId)?.path;
  };
  return sources.all().map(({ id, ...source }) => ({
    ...source,
    passages: passages.ofSource(id).map(({ id: _, sourceId: __, before, after, ...passage }) => ({
      ...passage,
      before: nameOf(before),
      after: nameOf(after),
    })),
  }));
}
