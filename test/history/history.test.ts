import fc from 'fast-check';
import t from 'tap';
import { FsError } from '../../src/core/errors.ts';
import type { HistoryEvent } from '../../src/core/history-event.ts';
import type { History } from '../../src/history/history.ts';
import type { ContextStore } from '../../src/store/context-store.ts';
import {
  contentOf,
  type HandClock,
  opened,
  type Recording,
  recording,
  SESSION,
  START_MS,
  withCleanup,
  written,
} from './fixture.ts';

function paths({ entries }: Recording): unknown[] {
  return entries().map(({ path }) => path);
}

const LIMIT_MS = 60_000;

/** The files that grew, once it is told. */
function growth(history: History): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('nothing grew')), LIMIT_MS);
    const stop = history.onGrowth((files) => {
      clearTimeout(limit);
      stop();
      resolve(files.map(({ date, session }) => `${date}_${session}`));
    });
  });
}

t.test('that a file is gone is told as its growth is', async (t) => {
  const { history, store } = recording(t);
  history.record({ ...written('/a'), context: {} });
  t.match(await growth(history), [/_/]);
  const [file] = store.history.files();
  if (file === undefined) throw new Error('nothing was entered');
  const told = growth(history);
  history.tellGone(file);
  t.same(await told, [`${file.date}_${file.session}`]);
});

t.test('an event is entered at once, with who did it in which session', async (t) => {
  const { history, entries } = recording(t);
  history.record({ type: 'mount', data: { driver: 'x' }, context: {} });
  history.record({
    ...written('/context/memory/fact/a'),
    context: { caller: { name: 'agent', pid: 7, uid: 1000, session: 'theirs' } },
  });
  t.same(entries(), [
    {
      timestamp: '2026-11-21T06:00:00.000Z',
      event_type: 'mount',
      actor: 'ana',
      data: { driver: 'x' },
      session_id: SESSION,
    },
    {
      timestamp: '2026-11-21T06:00:00.000Z',
      event_type: 'write',
      actor: 'agent',
      path: '/context/memory/fact/a',
      data: { pid: 7, uid: 1000, version: 1 },
      session_id: 'theirs',
    },
  ]);
});

t.test('opens wait for their burst, but never behind what came after them', async (t) => {
  const subject = recording(t);
  const { history, clock, entries } = subject;
  history.record(opened('/docs/a'));
  clock.advance(10);
  history.record(opened('/docs/b'));
  t.same(entries(), []);
  clock.advance(10);
  history.record(written('/context/memory/fact/a'));
  history.record(opened('/docs/c'));
  history.flush();
  t.match(entries(), [
    { event_type: 'read', data: { count: 2, paths: ['/docs/a', '/docs/b'] } },
    { event_type: 'write', timestamp: '2026-11-21T06:00:00.020Z' },
    { event_type: 'read', path: '/docs/c' },
  ]);
});

t.test('a burst that has become quiet is entered without anybody asking, as is the next one', async (t) => {
  const subject = recording(t);
  const { history, clock, entries } = subject;
  const grown = growth(history);
  history.record(opened('/docs/a'));
  clock.advance(1000);
  t.same(await grown, [`2026-11-21_${SESSION}`]);
  t.match(entries(), [{ path: '/docs/a', timestamp: '2026-11-21T06:00:00.000Z' }]);
  const grownMore = growth(history);
  history.record(opened('/docs/b'));
  clock.advance(1000);
  t.same(await grownMore, [`2026-11-21_${SESSION}`]);
  t.same(paths(subject), ['/docs/a', '/docs/b']);
});

t.test(
  'a burst that goes on when it is first looked at is entered later, without anybody asking',
  async (t) => {
    let looks = 0;
    const clock: HandClock = {
      nowMs() {
        looks += 1;
        // As it is entered, and at the first look behind that.
        return looks <= 2 ? START_MS : START_MS + 1000;
      },
      advance() {},
    };
    const subject = recording(t, { clock });
    const grown = growth(subject.history);
    subject.history.record(opened('/docs/a'));
    t.same(await grown, [`2026-11-21_${SESSION}`]);
    t.same(paths(subject), ['/docs/a']);
  },
);

t.test('an entry goes to the file of the day on which it happened', async (t) => {
  const { history, clock, store } = recording(t);
  clock.advance(Date.UTC(2026, 10, 21, 23, 59, 59, 990) - START_MS);
  history.record(opened('/docs/a'));
  clock.advance(20);
  history.record(written('/context/memory/fact/a'));
  const midnightMs = Date.UTC(2026, 10, 22);
  t.match(store.history.files(), [
    { date: '2026-11-21', entries: 1, modifiedMs: midnightMs + 10 },
    { date: '2026-11-22', entries: 1, modifiedMs: midnightMs + 10 },
  ]);
});

t.test('inside a transaction an entry is part of it, after what waited', async (t) => {
  const { history, store, entries } = recording(t);
  history.record(opened('/docs/a'));
  store.transact(() => {
    history.record(written('/context/memory/fact/a'));
    store.transact(() => history.record(written('/context/memory/fact/b')));
  });
  t.match(entries(), [
    { path: '/docs/a' },
    { path: '/context/memory/fact/a' },
    { path: '/context/memory/fact/b' },
  ]);
});

t.test('what did not happen is not entered, and what waited is not lost with it', async (t) => {
  const subject = recording(t);
  const { history, store } = subject;
  history.record(opened('/docs/a'));
  const refused = new FsError('EINVAL', '/x', 'no');
  t.throws(
    () =>
      store.transact(() => {
        history.record(written('/context/memory/fact/a'));
        throw refused;
      }),
    refused,
  );
  t.same(paths(subject), []);
  store.transact(() => history.record(written('/context/memory/fact/b')));
  t.same(paths(subject), ['/docs/a', '/context/memory/fact/b']);
  t.throws(
    () =>
      store.transact(() => {
        throw refused;
      }),
    refused,
  );
  history.flush();
  t.same(paths(subject), ['/docs/a', '/context/memory/fact/b'], 'and is entered once');
});

t.test(
  'while the disk refuses, events are kept in order, the reason is told once, and nobody fails',
  async (t) => {
    const disk: { isFull: boolean } = { isFull: true };
    const subject = recording(t, {
      wrap: (store): ContextStore => ({
        ...store,
        transact: (body) =>
          store.transact(() => {
            const result = body();
            if (disk.isFull) throw new FsError('ENOSPC', '', 'the disk is full');
            return result;
          }),
      }),
    });
    const { history, failures } = subject;
    history.record(written('/a'));
    history.record(opened('/b'));
    history.record(written('/c'));
    history.flush();
    t.same(paths(subject), []);
    t.match(failures, [{ code: 'ENOSPC' }]);
    disk.isFull = false;
    history.record(written('/d'));
    t.same(paths(subject), ['/a', '/b', '/c', '/d']);
    disk.isFull = true;
    history.record(written('/e'));
    t.equal(failures.length, 2, 'after it has worked again, the next failure is told too');
  },
);

t.test(
  'while no transaction can begin, the last events are kept, and entered without anybody asking',
  async (t) => {
    const disk: { isBusy: boolean } = { isBusy: true };
    const subject = recording(t, {
      wrap: (store): ContextStore => ({
        ...store,
        transact: (body) => {
          if (disk.isBusy) throw new FsError('EBUSY', '', 'another process writes');
          return store.transact(body);
        },
      }),
    });
    const { history, entries, failures } = subject;
    for (let number = 0; number <= 10_000; number += 1) history.record(written(`/${number}`));
    t.equal(failures.length, 1);
    disk.isBusy = false;
    t.match(await growth(history), [SESSION]);
    t.equal(entries().length, 10_000);
    t.match(entries()[0], { path: '/1' }, 'the oldest is given up');
  },
);

t.test('inside a transaction, what the disk refuses is refused to whoever changes something', async (t) => {
  const full = new FsError('ENOSPC', '', 'the disk is full');
  const { history, store } = recording(t);
  Object.assign(store.history, {
    append: () => {
      throw full;
    },
  });
  t.throws(() => store.transact(() => history.record(written('/a'))), full);
});

t.test(
  'any mixture of events, transactions and failures leaves what happened, once and in order',
  async () => {
    const step = fc.constantFrom('open', 'write', 'transact', 'fail', 'flush', 'wait');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), (steps) =>
        withCleanup((t) => {
          const subject = recording(t);
          const expected = play(subject, steps);
          subject.history.flush();
          const seen = subject.entries().flatMap(pathsOfEntry);
          return JSON.stringify(seen) === JSON.stringify(expected);
        }),
      ),
      { numRuns: 40 },
    );
  },
);

/** @returns the paths of what has happened */
function play({ history, store, clock }: Recording, steps: readonly string[]): string[] {
  const happened: string[] = [];
  for (const [number, step] of steps.entries()) {
    const path = `/${number}`;
    const enter = (event: HistoryEvent) => {
      history.record(event);
      happened.push(path);
    };
    clock.advance(step === 'wait' ? 400 : 1);
    if (step === 'open') enter(opened(path));
    if (step === 'write') enter(written(path));
    if (step === 'transact') store.transact(() => enter(written(path)));
    if (step === 'flush') history.flush();
    if (step !== 'fail') continue;
    try {
      store.transact(() => {
        history.record(written(path));
        throw new FsError('EINVAL', path, 'no');
      });
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
    }
  }
  return happened;
}

function pathsOfEntry({ path, data }: Record<string, unknown>): unknown[] {
  const inBurst = typeof data === 'object' && data !== null && 'paths' in data ? data.paths : undefined;
  return Array.isArray(inBurst) ? inBurst : [path];
}

t.test('a file that grows is valid JSON lines at each moment', async (t) => {
  const { history, store } = recording(t);
  for (let n = 0; n < 50; n += 1) {
    history.record(written(`/context/memory/fact/${n}`, { text: `line\nbreak ${'€'.repeat(n)}` }));
    const [file] = store.history.files();
    if (!file) throw new Error('there is no file');
    const content = contentOf(store, file, 7 + n);
    t.equal(content.length, file.sizeBytes);
    const lines = content.toString().split('\n');
    t.equal(lines.pop(), '');
    t.equal(lines.map((line) => JSON.parse(line)).length, n + 1);
  }
});

t.test(
  'growth by another process is noticed when one looks, and only that of the files that grew',
  async (t) => {
    const ours = recording(t);
    const theirs = recording(t, { file: ours.file, clock: ours.clock });
    theirs.history.record({ ...written('/a'), context: { caller: { name: 'x', session: 'old' } } });
    ours.history.refresh();
    const grown = growth(ours.history);
    theirs.history.record({ ...written('/b'), context: { caller: { name: 'x', session: 'their' } } });
    ours.history.refresh();
    t.same(await grown, ['2026-11-21_old', '2026-11-21_their']);
    const again = growth(ours.history);
    theirs.history.record({ ...written('/c'), context: { caller: { name: 'x', session: 'their' } } });
    ours.history.refresh();
    t.same(await again, ['2026-11-21_their']);
  },
);

t.test('what is closed has entered all, and takes no more', async (t) => {
  const subject = recording(t);
  subject.history.record(opened('/a'));
  subject.history.close();
  t.same(paths(subject), ['/a']);
  subject.history.record(written('/b'));
  subject.history.close();
  t.same(paths(subject), ['/a']);
});
