import fc from 'fast-check';
import t from 'tap';
import type { MemoryPlace } from '../../src/core/memory-entry.ts';
import type { MemoryFiles } from '../../src/memory/memory-files.ts';
import { attribute, CONTEXT, codeOf, fact, kept, keys, read, remembering, set, write } from './fixture.ts';

const CLAIM: MemoryPlace = { type: 'episodic', key: 'claim' };
const BOTH: MemoryPlace = { type: 'episodic', key: 'both' };

/** An entry that waits. */
function wait(files: MemoryFiles, place: MemoryPlace, text = 'maybe'): void {
  write(files, place, text);
  set(files, place, 'tags', 'needs_review,money');
}

function waiting(files: MemoryFiles, folder = ''): string[] {
  return (files.review.list(folder) ?? []).map(({ name, kind }) =>
    kind === 'directory' ? `${name}/` : name,
  );
}

t.test('entries with the tag wait under their keys', async (t) => {
  const { files } = remembering(t);
  write(files, fact('known'), 'sure');
  wait(files, CLAIM);
  write(files, fact('doubt'), '---\ntags: needs_review\n---\nhm\n');
  t.same(waiting(files), ['claim', 'doubt']);
  t.same(files.review.placeOf('claim'), CLAIM);
  t.equal(files.review.placeOf('known'), undefined);
  set(files, CLAIM, 'tags', 'money');
  t.same(waiting(files), ['doubt']);
});

t.test('a write of one memory does not read all that wait', async (t) => {
  const { files, store } = remembering(t);
  const { entries } = store.memory;
  let looks = 0;
  const count = entries.waitingForReview.bind(entries);
  Object.assign(entries, {
    waitingForReview(nowMs: number) {
      looks += 1;
      return count(nowMs);
    },
  });
  write(files, fact('known'), 'sure');
  wait(files, CLAIM);
  t.same([waiting(files), looks], [['claim'], 0]);
});

t.test('what waits is the same to who follows and to who looks anew', async (t) => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'b/c', 'fact/d'),
    act: fc.constantFrom('wait', 'settle', 'remove', 'rename', 'accept', 'elapse'),
    to: fc.constantFrom('a', 'e', 'b/f'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const it = remembering(t);
      const another = remembering(t, {}, it.file);
      for (const folder of ['fact', 'b']) it.files.makeFolder({ type: 'episodic', key: folder }, 0o755);
      for (const { key, act, to } of steps) {
        const place: MemoryPlace = { type: key.includes('/') ? 'episodic' : 'fact', key };
        const target: MemoryPlace = { type: to.includes('/') ? 'episodic' : 'fact', key: to };
        const name = nameIn(it.files, place);
        const isThere = it.memory.get(place) !== undefined;
        if (act === 'wait') wait(it.files, place);
        else if (act === 'elapse' && isThere) {
          set(it.files, place, 'ttl', '1');
          it.clock.advance(2000);
          it.memory.refresh();
          another.clock.advance(2000);
        } else if (act === 'settle' && isThere) set(it.files, place, 'tags', 'money');
        else if (act === 'remove' && isThere) it.files.remove(place, CONTEXT);
        else if (act === 'rename' && isThere) it.files.rename(place, target, CONTEXT);
        else if (act === 'accept' && name !== undefined) it.files.review.accept(name, target, CONTEXT);
        another.memory.refresh();
      }
      const anew = remembering(t, { startMs: it.clock.nowMs() }, it.file);
      for (const { files } of [it, another]) t.same(listedBelow(files), listedBelow(anew.files));
    }),
    { numRuns: 40 },
  );
});

/** By which name a place waits. */
function nameIn(files: MemoryFiles, { type, key }: MemoryPlace): string | undefined {
  return [key, `${type}/${key}`].find((name) => files.review.placeOf(name)?.type === type);
}

/** Everything that is listed, with the place behind it. */
function listedBelow(files: MemoryFiles, folder = ''): unknown[] {
  return (files.review.list(folder) ?? []).map(({ name, kind }) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    return [path, kind === 'directory' ? listedBelow(files, path) : files.review.placeOf(path)];
  });
}

t.test('a name that would mean two things has its type before it', async (t) => {
  const { files } = remembering(t);
  for (const place of [fact('both'), BOTH, fact('alone')]) {
    wait(files, place);
  }
  t.same(waiting(files), ['alone', 'episodic/', 'fact/']);
  t.same(waiting(files, 'fact'), ['both']);
  t.same(files.review.placeOf('episodic/both'), BOTH);
  t.equal(files.review.placeOf('both'), undefined);
  files.review.reject('fact/both', CONTEXT);
  t.same(waiting(files), ['alone', 'both']);
});

t.test('keys with folders wait in folders', async (t) => {
  const { files } = remembering(t);
  files.makeFolder(fact('billing'), 0o755);
  files.makeFolder(fact('fact'), 0o755);
  wait(files, fact('billing/tax'));
  wait(files, fact('fact/x'));
  wait(files, { type: 'episodic', key: 'billing' });
  t.same(waiting(files), ['billing/', 'episodic/', 'fact/']);
  t.same(waiting(files, 'billing'), ['tax']);
  t.same(waiting(files, 'episodic'), ['billing'], 'an entry that has the name of a folder');
  t.same(waiting(files, 'fact/fact'), ['x'], 'a folder that has the name of a type');
  t.equal(files.review.list('nothing'), undefined);
});

t.test('accepting puts the entry where it belongs, and notes by whom and when', async (t) => {
  const { files, memory, clock, events, told } = remembering(t);
  wait(files, CLAIM);
  const { id } = memory.get(CLAIM) ?? {};
  clock.advance(5000);
  told();
  files.review.accept('claim', fact('claim'), { caller: { name: 'ben' } });
  t.match(memory.get(fact('claim')), {
    id,
    tags: ['money'],
    confidence: 1,
    reviewer: 'ben',
    reviewedMs: clock.nowMs(),
  });
  t.equal(attribute(files, fact('claim'), 'reviewer'), 'ben');
  t.equal(attribute(files, fact('claim'), 'reviewed_at'), new Date(clock.nowMs()).toISOString());
  t.same(waiting(files), []);
  t.same(keys(memory), ['claim']);
  t.match(events.at(-1), {
    type: 'review',
    path: '/context/memory/fact/claim',
    data: { decision: 'accepted', confidence: 1, from: '/context/memory/episodic/claim' },
  });
  t.same(told(), ['memory/episodic/claim', 'memory/fact/claim', 'review']);
});

t.test('accepting keeps a confidence that there is, and works in the same place', async (t) => {
  const { files, memory } = remembering(t);
  wait(files, fact('claim'));
  set(files, fact('claim'), 'confidence', '0.4');
  files.review.accept('claim', fact('claim'), CONTEXT);
  t.match(memory.get(fact('claim')), { confidence: 0.4, tags: ['money'], reviewer: 'ana' });
});

t.test('accepting over another entry replaces it, restorably', async (t) => {
  const { files, memory } = remembering(t);
  write(files, fact('claim'), 'before');
  wait(files, CLAIM, 'after');
  files.review.accept('claim', fact('claim'), CONTEXT);
  t.equal(kept(memory, fact('claim')), 'after');
  t.match(memory.list({ removed: true }), [{ key: 'claim', type: 'fact' }]);
});

t.test(
  'an accepted entry whose front matter asks for review does not wait again when it is edited',
  async (t) => {
    const { files } = remembering(t);
    write(files, CLAIM, '---\ntags: [needs_review]\n---\nmaybe\n');
    files.review.accept('claim', CLAIM, CONTEXT);
    write(files, CLAIM, '---\ntags: [needs_review]\n---\nsurely\n');
    t.same(waiting(files), []);
  },
);

t.test('rejecting removes the entry, restorably', async (t) => {
  const { files, memory, events } = remembering(t);
  wait(files, CLAIM);
  files.review.reject('claim', CONTEXT);
  t.same(keys(memory), []);
  t.match(events.at(-1), { type: 'review', data: { decision: 'rejected', before: { text: 'maybe' } } });
  memory.restore('claim', CONTEXT);
  t.same(waiting(files), ['claim']);
});

t.test('what is not there is neither accepted nor rejected', async (t) => {
  const { files } = remembering(t);
  wait(files, CLAIM);
  t.equal(
    codeOf(() => files.review.accept('nothing', fact('x'), CONTEXT)),
    'ENOENT',
  );
  t.equal(
    codeOf(() => files.review.reject('nothing', CONTEXT)),
    'ENOENT',
  );
  t.equal(
    codeOf(() => files.review.accept('claim', fact('a/b'), CONTEXT)),
    'ENOENT',
  );
  t.equal(
    codeOf(() => files.review.accept('claim', fact('x.tmp'), CONTEXT)),
    'EINVAL',
  );
  t.same(waiting(files), ['claim']);
});

t.test('who has a file open that is accepted goes on with it', async (t) => {
  const { files, memory } = remembering(t);
  wait(files, CLAIM);
  const file = files.openToWrite(CLAIM, { append: true, truncate: false }, CONTEXT);
  file.write(Buffer.from(' not'), 0, CONTEXT);
  files.review.accept('claim', fact('claim'), CONTEXT);
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(memory, fact('claim')), 'maybe not');
  t.equal(read(files, fact('claim')), 'maybe not');
});

t.test('the time of the folder is when it last listed something else', async (t) => {
  const { files, clock } = remembering(t);
  const seconds = () => (files.review.modifiedNs() - startNs) / 1_000_000_000n;
  const startNs = files.review.modifiedNs();
  clock.advance(1000);
  wait(files, CLAIM);
  t.equal(seconds(), 1n);
  clock.advance(1000);
  write(files, CLAIM, 'perhaps');
  t.equal(seconds(), 1n);
  files.review.reject('claim', CONTEXT);
  t.equal(seconds(), 2n);
});

t.test('what comes to wait, and what changes while it waits, is told', async (t) => {
  const { files, told } = remembering(t);
  write(files, CLAIM, 'maybe');
  told();
  set(files, CLAIM, 'tags', 'needs_review');
  t.same(told(), ['review/claim', 'review']);
  write(files, CLAIM, 'perhaps');
  t.same(told(), ['review/claim']);
  files.remove(CLAIM, CONTEXT);
  t.same(told(), ['review']);
});
