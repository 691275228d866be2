import t from 'tap';
import { BURST_GAP_MS, type Burst, Bursts, comesInBursts } from '../../src/history/bursts.ts';
import { rowOfBurst } from '../../src/history/entry.ts';
import { opened, START_MS, written } from './fixture.ts';

const DEFAULTS = { actor: 'ana', session: 's1' };

function shape(bursts: readonly Burst[]): [string, number, number, number][] {
  return bursts.map(({ first, firstMs, lastMs, count }) => [first.path ?? '', firstMs, lastMs, count]);
}

t.test('opens are one burst until none came for the gap, whenever somebody asks', async (t) => {
  const bursts = new Bursts();
  for (const ms of [0, 299, 598]) bursts.add(opened('/a'), ms);
  t.same(bursts.takeDue(598 + BURST_GAP_MS - 1), []);
  bursts.add(opened('/b'), 598 + BURST_GAP_MS);
  bursts.add(opened('/c'), 598 + BURST_GAP_MS + 1);
  t.same(shape(bursts.takeDue(598 + BURST_GAP_MS + 1)), [['/a', 0, 598, 3]]);
  t.notOk(bursts.isEmpty);
  t.same(shape(bursts.takeDue(10_000)), [['/b', 898, 899, 2]]);
  t.ok(bursts.isEmpty);
});

t.test('a burst that goes on for seconds is ended all the same', async (t) => {
  const bursts = new Bursts();
  for (let ms = 0; ms <= 12_000; ms += 100) bursts.add(opened('/a'), ms);
  t.same(shape(bursts.takeAll()), [
    ['/a', 0, 4900, 50],
    ['/a', 5000, 9900, 50],
    ['/a', 10_000, 12_000, 21],
  ]);
});

t.test('kinds and callers are kept apart, and come in the order in which they began', async (t) => {
  const bursts = new Bursts();
  const rg = { name: 'rg', pid: 7 };
  bursts.add(opened('/a', rg), 0);
  bursts.add({ ...opened('/b', rg), type: 'write' }, 1);
  bursts.add(opened('/c', { name: 'rg', pid: 8 }), 2);
  bursts.add(opened('/d'), 3);
  bursts.add(opened('/e', { ...rg, session: 'other' }), 4);
  bursts.add(opened('/f', rg), 5);
  t.same(shape(bursts.takeAll()), [
    ['/a', 0, 5, 2],
    ['/b', 1, 1, 1],
    ['/c', 2, 2, 1],
    ['/d', 3, 3, 1],
    ['/e', 4, 4, 1],
  ]);
});

t.test('a burst is of one process, whose name is asked for once, when it begins', async (t) => {
  const bursts = new Bursts();
  let asked = 0;
  const named = (process: string, name: string) => ({
    pid: 7,
    process,
    get name() {
      asked += 1;
      return name;
    },
  });
  bursts.add(opened('/a', named('7:100', 'bash')), 0);
  for (let ms = 1; ms < 100; ms += 1) bursts.add(opened('/b', named('7:100', 'gone')), ms);
  bursts.add(opened('/c', named('7:200', 'rg')), 100);
  const taken = bursts.takeAll();
  t.same(
    taken.map(({ first, count }) => [first.context.caller?.name, count]),
    [
      ['bash', 100],
      ['rg', 1],
    ],
  );
  t.equal(asked, 2);
});

t.test('a burst ends where the clock is put back', async (t) => {
  const bursts = new Bursts();
  bursts.add(opened('/a'), 10_000);
  bursts.add(opened('/b'), 100);
  t.same(shape(bursts.takeDue(100)), [['/a', 10_000, 10_000, 1]]);
});

t.test('only what says nothing beyond its path comes in bursts', async (t) => {
  t.ok(comesInBursts(opened('/a')));
  t.notOk(comesInBursts(written('/a')));
  t.notOk(comesInBursts({ type: 'mount', context: {} }));
  t.notOk(comesInBursts({ type: 'rename', path: opened('/a').path ?? fail(), context: {} }));
});

t.test('ten thousand opens are one entry with the first hundred paths and the count', async (t) => {
  const bursts = new Bursts();
  const rg = { name: 'rg', pid: 7, uid: 1000 };
  for (let n = 0; n < 10_000; n += 1) bursts.add(opened(`/docs/${n}.md`, rg), START_MS + n / 10);
  const [burst, ...others] = bursts.takeAll();
  t.same(others, []);
  const row = rowOfBurst(burst ?? fail(), DEFAULTS);
  const entry = JSON.parse(row.line);
  t.equal(row.path, undefined);
  t.match(entry, {
    timestamp: '2026-11-21T06:00:00.000Z',
    event_type: 'read',
    actor: 'rg',
    session_id: 's1',
    data: { count: 10_000, pid: 7, uid: 1000, until: '2026-11-21T06:00:00.999Z' },
  });
  t.equal(entry.data.paths.length, 100);
  t.equal(entry.data.paths[99], '/docs/99.md');
  t.ok(row.line.endsWith('}\n'));
});

t.test('a single open has a plain path, and so has one path that was opened often', async (t) => {
  const bursts = new Bursts();
  bursts.add(opened('/docs/a.md'), START_MS);
  const [single] = bursts.takeAll();
  t.same(JSON.parse(rowOfBurst(single ?? fail(), DEFAULTS).line), {
    timestamp: '2026-11-21T06:00:00.000Z',
    event_type: 'read',
    actor: 'ana',
    path: '/docs/a.md',
    session_id: 's1',
  });
  for (let n = 0; n < 3; n += 1) bursts.add(opened('/docs/a.md'), START_MS);
  const [repeated] = bursts.takeAll();
  t.match(JSON.parse(rowOfBurst(repeated ?? fail(), DEFAULTS).line), {
    path: '/docs/a.md',
    data: { count: 3, paths: ['/docs/a.md'] },
  });
});

t.test('what a caller says of its session counts where there is such a session', async (t) => {
  const bursts = new Bursts();
  const defaults = { ...DEFAULTS, isSession: (id: string) => id === 's2' };
  for (const session of ['s2', 's3']) {
    bursts.add(opened('/a', { name: 'rg', pid: 7, process: `7:${session}`, session }), START_MS);
  }
  const rows = bursts.takeAll().map((burst) => rowOfBurst(burst, defaults));
  t.same(
    rows.map(({ session }) => session),
    ['s2', 's1'],
  );
});

function fail(): never {
  throw new Error('there is none');
}
