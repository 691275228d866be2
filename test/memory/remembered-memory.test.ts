import t from 'tap';
import type { NewMemory } from '../../src/memory/memory.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { append, CONTEXT, codeOf, fact, kept, keys, names, read, remembering, write } from './fixture.ts';

const REFUNDS = fact('refunds');
const DAY_MS = 86_400_000;

function entry(key: string, text: string, more: Partial<NewMemory> = {}): NewMemory {
  return { ...fact(key), content: Buffer.from(text), ...more };
}

t.test('an entry that is added has all that was said of it', async (t) => {
  const { memory, files, events } = remembering(t);
  const added = memory.add(
    entry('billing/refunds', 'Refunds take 5 days', {
      confidence: 0.9,
      tags: ['billing'],
      sourcePaths: ['refunds.md:3'],
      provenance: { source: 'zendesk' },
      createdMs: 1000,
      actor: 'ben',
      session: 's7',
    }),
    CONTEXT,
  );
  t.match(added, {
    type: 'fact',
    key: 'billing/refunds',
    confidence: 0.9,
    tags: ['billing'],
    sourcePaths: ['refunds.md:3'],
    provenance: { source: 'zendesk' },
    createdMs: 1000,
    actor: 'ben',
    session: 's7',
    version: 1,
    accessCount: 0,
  });
  t.same(names(files, fact('billing')), ['refunds'], 'in a folder that was made for it');
  t.match(events, [
    { type: 'create', path: '/context/memory/fact/billing/refunds', data: { bytes: 19, version: 1 } },
  ]);
});

t.test('what cannot be a memory is refused', async (t) => {
  const { memory, files } = remembering(t);
  memory.add(entry('refunds', 'x'), CONTEXT);
  files.makeFolder(fact('folder'), 0o755);
  for (const [added, code] of [
    [entry('refunds', 'y'), 'EEXIST'],
    [entry('folder', 'y'), 'EEXIST'],
    [entry('refunds/x', 'y'), 'ENOTDIR'],
    [entry('', 'y'), 'EINVAL'],
    [entry('a//b', 'y'), 'EINVAL'],
    [entry('../b', 'y'), 'EINVAL'],
    [entry('a\0', 'y'), 'EINVAL'],
    [entry('é'.repeat(128), 'y'), 'EINVAL'],
    [entry('draft.tmp', 'y'), 'EINVAL'],
    [entry('a', 'y'.repeat(1001)), 'EFBIG'],
    [entry('a', 'y', { confidence: 2 }), 'EINVAL'],
    [entry('a', 'y', { ttlSeconds: 0 }), 'EINVAL'],
    [entry('a', 'y', { tags: ['a,b'] }), 'EINVAL'],
    [entry('a', '---\nconfidence: 7\n---\n'), 'EINVAL'],
  ] as const) {
    t.equal(
      codeOf(() => memory.add(added, CONTEXT)),
      code,
      added.key,
    );
  }
  t.same(keys(memory), ['refunds']);
});

t.test('entries are listed by type and key, and filtered', async (t) => {
  const { memory } = remembering(t);
  for (const type of ['procedural', 'episodic', 'fact'] as const) {
    for (const key of ['b', 'a']) memory.add({ ...entry(key, type), type, tags: [key] }, CONTEXT);
  }
  t.same(
    memory.list().map(({ type, key }) => `${type}/${key}`),
    ['fact/a', 'fact/b', 'episodic/a', 'episodic/b', 'procedural/a', 'procedural/b'],
  );
  t.same(
    memory.list({ type: 'episodic' }).map(({ key }) => key),
    ['a', 'b'],
  );
  t.same(memory.list({ tag: 'a' }).length, 3);
  t.equal(memory.count(), 6);
  t.same(
    memory.places(),
    memory.list().map(({ type, key }) => ({ type, key })),
  );
  t.equal(memory.find('a').length, 3);
  t.same(
    memory.find('episodic/a').map(({ type }) => type),
    ['episodic'],
  );
  t.same(memory.find('c'), []);
});

t.test('replacing keeps the version before', async (t) => {
  const { memory, events } = remembering(t);
  memory.add(entry('refunds', 'one'), CONTEXT);
  t.equal(memory.replace(REFUNDS, Buffer.from('two'), CONTEXT).version, 2);
  t.equal(memory.replace(REFUNDS, Buffer.from('two and more'), CONTEXT).version, 3);
  t.same(
    memory.versions(REFUNDS).map(({ version, content }) => [version, Buffer.from(content).toString()]),
    [[1, 'one']],
    'what was appended to is still there',
  );
  t.same(
    events
      .map(({ data }) => data?.['before'])
      .slice(1)
      .map((before) => Object(before).text),
    ['one', 'two'],
  );
  t.equal(
    codeOf(() => memory.replace(fact('nothing'), Buffer.from(''), CONTEXT)),
    'ENOENT',
  );
});

t.test('the history has a large version before as hash and size', async (t) => {
  const { memory, events } = remembering(t, { limits: { maxEntryBytes: 1_000_000 } });
  memory.add(entry('refunds', 'x'.repeat(65_537)), CONTEXT);
  memory.replace(REFUNDS, Buffer.from('small'), CONTEXT);
  const before = Object(events.at(-1)?.data?.['before']);
  t.match(before, { bytes: 65_537, sha256: /^[\da-f]{64}$/, version: 1 });
  t.equal(before.text, undefined);
});

t.test('the history repeats what was appended to only where that is short', async (t) => {
  const { memory, events } = remembering(t, { limits: { maxEntryBytes: 1_000_000 } });
  const textBefore = () => Object(events.at(-1)?.data?.['before']).text;
  const [short, long] = ['x'.repeat(4096), 'x'.repeat(4097)];
  memory.add(entry('refunds', short), CONTEXT);
  memory.replace(REFUNDS, Buffer.from(long), CONTEXT);
  t.equal(textBefore(), short);
  memory.replace(REFUNDS, Buffer.from(`${long}y`), CONTEXT);
  t.equal(textBefore(), undefined, 'it is in the next version');
  memory.replace(REFUNDS, Buffer.from('another'), CONTEXT);
  t.equal(textBefore(), `${long}y`, 'which is kept whole when it is replaced');
});

t.test('describing changes what is said and leaves the rest', async (t) => {
  const { memory } = remembering(t);
  memory.add(
    entry('refunds', 'x', { confidence: 0.9, tags: ['a', 'b'], provenance: { source: 'z' } }),
    CONTEXT,
  );
  const described = memory.describe(REFUNDS, { tags: ['c'], provenance: { channel: 'mail' } }, CONTEXT);
  t.match(described, {
    confidence: 0.9,
    tags: ['c'],
    provenance: { source: 'z', channel: 'mail' },
    version: 2,
  });
  t.same(memory.describe(REFUNDS, { tags: [] }, CONTEXT).tags, []);
  t.equal(
    codeOf(() => memory.describe(REFUNDS, { confidence: -1 }, CONTEXT)),
    'EINVAL',
  );
});

t.test('adding many counts what was new, what differed, and what was the same', async (t) => {
  const { memory } = remembering(t);
  memory.add(entry('a', 'A'), CONTEXT);
  memory.add(entry('b', 'B'), CONTEXT);
  t.same(memory.addAll([entry('a', 'A'), entry('b', 'B2'), entry('c', 'C')], CONTEXT), {
    added: 1,
    replaced: 1,
    same: 1,
  });
  t.same(memory.addAll([entry('a', 'A', { tags: ['x'] }), entry('c', 'C')], CONTEXT), {
    added: 0,
    replaced: 1,
    same: 1,
  });
});

t.test('one that cannot be added does not take back those before it', async (t) => {
  const { memory } = remembering(t);
  const entries = [entry('a', 'A'), entry('b', 'B', { confidence: 7 }), entry('c', 'C')];
  t.equal(
    codeOf(() => memory.addAll(entries, CONTEXT)),
    'EINVAL',
  );
  t.same(keys(memory), ['a']);
});

t.test('five thousand entries a second are added', async (t) => {
  const entries = Array.from({ length: 5000 }, (_, number) =>
    entry(`note-${number}`, `Note ${number}: refunds take ${number % 9} days\n`.repeat(3)),
  );
  const timesMs = Array.from({ length: 3 }, () => {
    const { memory } = remembering(t);
    return cpuMsOf(() => memory.addAll(entries, CONTEXT));
  });
  const bestMs = Math.min(...timesMs);
  t.ok(bestMs < 1000, `took ${bestMs} ms`);
});

t.test('what is removed is neither listed nor found, and comes back as it was', async (t) => {
  const { memory, files, events } = remembering(t);
  memory.add(entry('billing/refunds', 'Refunds take 5 days', { tags: ['a'] }), CONTEXT);
  const place = fact('billing/refunds');
  const { id } = memory.get(place) ?? {};
  memory.remove(place, CONTEXT);
  files.removeFolder(fact('billing'));
  t.same(keys(memory), []);
  t.same(memory.search({ text: 'refunds', limit: 5 }), []);
  t.match(memory.list({ removed: true }), [{ key: 'billing/refunds', removedMs: Number }]);
  t.match(memory.restore('billing/refunds', CONTEXT), { id, tags: ['a'] });
  t.equal(read(files, place), 'Refunds take 5 days');
  t.equal(memory.search({ text: 'refunds', limit: 5 }).length, 1);
  t.same(
    events.map(({ type }) => type),
    ['create', 'remove', 'restore'],
  );
  t.equal(
    codeOf(() => memory.restore('billing/refunds', CONTEXT)),
    'EEXIST',
  );
  t.equal(
    codeOf(() => memory.restore('nothing', CONTEXT)),
    'ENOENT',
  );
});

t.test('the one removed last comes back first', async (t) => {
  const { memory, clock } = remembering(t);
  for (const text of ['one', 'two']) {
    memory.add(entry('refunds', text), CONTEXT);
    clock.advance(10);
    memory.remove(REFUNDS, CONTEXT);
  }
  t.equal(kept(memory, memory.restore('refunds', CONTEXT)), 'two');
});

t.test('gc forgets what was removed or replaced thirty days ago', async (t) => {
  const { memory, clock, events } = remembering(t);
  memory.add(entry('gone', 'removed'), CONTEXT);
  memory.add(entry('changed', 'before'), CONTEXT);
  memory.remove(fact('gone'), CONTEXT);
  memory.replace(fact('changed'), Buffer.from('after'), CONTEXT);
  clock.advance(30 * DAY_MS - 1);
  t.same(memory.gc({ dryRun: false }, CONTEXT), { removed: [], expired: [], freedBytes: 0 });
  t.equal(memory.versions(fact('changed')).length, 1);
  clock.advance(1);
  const report = { removed: [fact('gone')], expired: [], freedBytes: 13 };
  t.same(memory.gc({ dryRun: true }, CONTEXT), report);
  t.equal(memory.versions(fact('changed')).length, 1);
  t.same(memory.gc({ dryRun: false }, CONTEXT), report);
  t.same(memory.versions(fact('changed')), []);
  t.equal(
    codeOf(() => memory.restore('gone', CONTEXT)),
    'ENOENT',
  );
  t.match(events.at(-1), { type: 'remove', data: { forgotten: 1, paths: ['/context/memory/fact/gone'] } });
});

t.test('gc forgets which temporary files became memories', async (t) => {
  const { memory, files, store, clock } = remembering(t);
  memory.add(entry('refunds', 'old'), CONTEXT);
  write(files, fact('refunds.part'), 'new');
  const { id } = store.memory.entries.at('fact', '', 'refunds.part') ?? { id: 0 };
  files.rename(fact('refunds.part'), REFUNDS, CONTEXT);
  clock.advance(DAY_MS);
  memory.gc({ dryRun: false }, CONTEXT);
  t.equal(store.memory.adoptions.entryOf(id), memory.get(REFUNDS)?.id);
  clock.advance(1);
  memory.gc({ dryRun: false }, CONTEXT);
  t.equal(store.memory.adoptions.entryOf(id), undefined);
});

t.test('an entry whose time has ended is there for nobody from that moment on', async (t) => {
  const { memory, files, clock, events, told } = remembering(t);
  memory.add(entry('offer', 'Half price', { ttlSeconds: 60 }), CONTEXT);
  clock.advance(59_999);
  t.same(keys(memory), ['offer']);
  memory.refresh();
  told();
  clock.advance(1);
  t.same(keys(memory), []);
  t.equal(memory.count(), 0);
  t.equal(memory.get(fact('offer')), undefined);
  t.same(memory.search({ text: 'price', limit: 5 }), []);
  t.same(names(files), []);
  t.equal(
    codeOf(() => files.stat(fact('offer'))),
    'ENOENT',
  );
  memory.refresh();
  t.same(told(), ['memory/fact/offer']);
  memory.refresh();
  t.same(told(), [], 'once');
  t.same(memory.gc({ dryRun: true }, CONTEXT).expired, [fact('offer')]);
  t.same(memory.gc({ dryRun: false }, CONTEXT).expired, [fact('offer')]);
  t.equal(events.at(-1)?.type, 'expire');
  t.match(memory.restore('offer', CONTEXT), { expiresMs: clock.nowMs() + 60_000 });
});

t.test('who looks is told when the next entry goes by itself', async (t) => {
  const { memory, clock } = remembering(t);
  memory.add(entry('kept', 'K'), CONTEXT);
  t.equal(memory.refresh(), undefined);
  memory.add(entry('later', 'L', { ttlSeconds: 120 }), CONTEXT);
  memory.add(entry('soon', 'S', { ttlSeconds: 60 }), CONTEXT);
  memory.add(entry('forgotten', 'F', { ttlSeconds: 30 }), CONTEXT);
  memory.remove(fact('forgotten'), CONTEXT);
  const startMs = clock.nowMs();
  t.equal(memory.refresh(), startMs + 60_000);
  clock.advance(60_000);
  t.equal(memory.refresh(), startMs + 120_000);
  clock.advance(60_000);
  t.equal(memory.refresh(), undefined);
});

t.test('an entry whose time has ended can be restored before gc, and its name be taken', async (t) => {
  const { memory, files, clock } = remembering(t);
  memory.add(entry('a', 'A', { ttlSeconds: 60 }), CONTEXT);
  memory.add(entry('b', 'B', { ttlSeconds: 60 }), CONTEXT);
  clock.advance(60_000);
  t.equal(kept(memory, memory.restore('a', CONTEXT)), 'A');
  write(files, fact('b'), 'another');
  t.equal(kept(memory, fact('b')), 'another');
  t.equal(memory.get(fact('b'))?.ttlSeconds, undefined);
  t.match(memory.list({ removed: true }), [{ key: 'b', ttlSeconds: 60 }]);
});

t.test('the time to live begins anew with each change', async (t) => {
  const { memory, files, clock } = remembering(t);
  memory.add(entry('a', 'A', { ttlSeconds: 60 }), CONTEXT);
  clock.advance(40_000);
  append(files, fact('a'), 'B');
  clock.advance(40_000);
  t.equal(kept(memory, fact('a')), 'AB');
});

t.test('the same content under another key is told of both', async (t) => {
  const { memory } = remembering(t);
  memory.add(entry('refunds', 'Refunds take 5 days'), CONTEXT);
  t.same(
    memory.add({ ...entry('money-back', 'Refunds take 5 days'), type: 'episodic' }, CONTEXT).duplicateOf,
    REFUNDS,
  );
  t.same(memory.get(REFUNDS)?.duplicateOf, { type: 'episodic', key: 'money-back' });
  memory.remove(REFUNDS, CONTEXT);
  t.equal(memory.list()[0]?.duplicateOf, undefined);
  memory.add(entry('a', ''), CONTEXT);
  t.equal(memory.add(entry('b', ''), CONTEXT).duplicateOf, undefined, 'nothing is no duplicate of nothing');
});

t.test('relations are kept with their strength, and follow their entries', async (t) => {
  const { memory, files, events } = remembering(t);
  memory.add(entry('old', 'x'), CONTEXT);
  memory.add(entry('new', 'y'), CONTEXT);
  memory.relate(fact('new'), 'supersedes', fact('old'), 0.5, CONTEXT);
  memory.relate(fact('new'), 'supersedes', fact('old'), 0.7, CONTEXT);
  t.same(memory.links(), [{ from: fact('new'), relation: 'supersedes', to: fact('old'), weight: 0.7 }]);
  t.same(memory.get(fact('old'))?.supersededBy, fact('new'));
  t.match(events.at(-1), { type: 'relate', data: { relation: 'supersedes', weight: 0.7 } });
  files.rename(fact('old'), fact('older'), CONTEXT);
  t.same(memory.links()[0]?.to, fact('older'));
  memory.remove(fact('new'), CONTEXT);
  t.same(memory.links(), []);
  t.equal(memory.get(fact('older'))?.supersededBy, undefined);
  memory.restore('new', CONTEXT);
  t.equal(memory.links().length, 1);
  for (const weight of [0, -1, 1.1, Number.NaN]) {
    t.equal(
      codeOf(() => memory.relate(fact('new'), 'follows', fact('older'), weight, CONTEXT)),
      'EINVAL',
    );
  }
  t.equal(
    codeOf(() => memory.relate(fact('new'), 'follows', fact('nothing'), 1, CONTEXT)),
    'ENOENT',
  );
  t.equal(
    codeOf(() => memory.relate(fact('new'), 'follows', fact('new'), 1, CONTEXT)),
    'EINVAL',
  );
});

t.test('relations of front matter find entries that are made later', async (t) => {
  const { memory, files } = remembering(t);
  write(files, fact('new'), '---\nsupersedes: old\nrelated_to: [episodic/met, gone]\n---\n');
  t.same(memory.links(), []);
  memory.add({ ...entry('old', 'x'), type: 'procedural' }, CONTEXT);
  t.same(
    memory.links().map(({ to }) => to),
    [{ type: 'procedural', key: 'old' }],
  );
  write(files, fact('old'), 'y');
  memory.add({ ...entry('met', 'x'), type: 'episodic' }, CONTEXT);
  t.same(
    memory.links().map(({ relation, to, weight }) => [relation, to.type, to.key, weight]),
    [
      ['related_to', 'episodic', 'met', 1],
      ['supersedes', 'fact', 'old', 1],
    ],
    'a bare key is first of all one of the same type',
  );
  write(files, fact('new'), 'nothing is said any more');
  t.same(memory.links(), []);
});

t.test('the revision grows with each change and stays without', async (t) => {
  const { memory, files } = remembering(t);
  const grows = (act: () => unknown): boolean => {
    const before = memory.revision();
    act();
    return memory.revision() > before;
  };
  t.ok(grows(() => memory.add(entry('a', 'A'), CONTEXT)));
  t.ok(grows(() => memory.add(entry('b', 'B'), CONTEXT)));
  t.ok(grows(() => memory.describe(fact('a'), { tags: ['x'] }, CONTEXT)));
  t.ok(grows(() => memory.relate(fact('a'), 'follows', fact('b'), 1, CONTEXT)));
  t.notOk(grows(() => memory.describe(fact('a'), { tags: ['x'] }, CONTEXT)));
  t.notOk(grows(() => read(files, fact('a'))));
  t.notOk(grows(() => memory.search({ text: 'a', limit: 1 })));
  t.ok(grows(() => memory.remove(fact('a'), CONTEXT)));
});

t.test('listeners are told the places, or that it may be any', async (t) => {
  const { memory } = remembering(t);
  const told: unknown[] = [];
  const unsubscribe = memory.onChange((places) => told.push(places.map(({ key }) => key)));
  memory.add(entry('a', 'A'), CONTEXT);
  memory.addAll(
    Array.from({ length: 1001 }, (_, number) => entry(`n${number}`, 'x')),
    CONTEXT,
  );
  unsubscribe();
  memory.remove(fact('a'), CONTEXT);
  t.same(told[0], ['a']);
  t.equal(Object(told[1]).length, 1000);
  t.same(told.slice(2), [['n1000']]);
});

t.test('who wrote is who the caller is', async (t) => {
  const { memory, files } = remembering(t, { session: 's9' });
  write(files, fact('a'), 'A');
  memory.add(entry('b', 'B'), { caller: { name: 'claude' } });
  t.match(memory.list(), [
    { actor: 'ana', session: 's9' },
    { actor: 'claude', session: 's9' },
  ]);
});

t.test('an entry that was only changed in its metadata keeps its time', async (t) => {
  const { memory, files, clock } = remembering(t);
  write(files, REFUNDS, 'x');
  const { modifiedNs } = files.stat(REFUNDS);
  clock.advance(5000);
  const { updatedMs } = memory.describe(REFUNDS, { confidence: 0.5 }, CONTEXT);
  t.equal(updatedMs, clock.nowMs());
  t.equal(files.stat(REFUNDS).modifiedNs, modifiedNs);
});
