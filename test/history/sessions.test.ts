import { join } from 'node:path';
import t from 'tap';
import { UserError } from '../../src/core/errors.ts';
import { Sessions } from '../../src/history/sessions.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import type { SessionProcess } from '../../src/store/session-table.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { handClock, START_MS } from './fixture.ts';

const ALIVE = { pid: 10, startTicks: '100' };

function subject(t: Teardown) {
  const store = openContextStore(join(temporaryFolder(t), 'context.sqlite'));
  t.teardown(() => store.close());
  const alive = new Set<number>([ALIVE.pid]);
  const clock = handClock();
  const isAlive = ({ pid, startTicks }: SessionProcess) => alive.has(pid) && startTicks === `${pid}0`;
  const sessions = new Sessions({ store, clock, isAlive });
  const begin = (id?: string, pid = 10) =>
    sessions.begin({
      id,
      actor: 'ana',
      mountpoint: `/mnt/${pid}`,
      process: { pid, startTicks: `${pid}0` },
    });
  return { sessions, store, clock, alive, begin };
}

t.test('a mount begins a session of its own, named by the time', async (t) => {
  const { sessions, begin } = subject(t);
  const id = begin();
  t.match(id, /^20261121T060000-[0-9a-f]{4}$/);
  t.match(sessions.list(), [
    { id, startedMs: START_MS, endedMs: null, actor: 'ana', mountpoint: '/mnt/10', pid: 10 },
  ]);
  t.equal(sessions.served(id)?.id, id);
  t.equal(sessions.served('none'), undefined);
});

t.test('no two sessions have one name, however many begin within a second', async (t) => {
  const { sessions } = subject(t);
  const ids = Array.from({ length: 600 }, () => sessions.make('ana'));
  t.equal(new Set(ids).size, 600);
});

t.test('an ended session, and one whose daemon was killed, can be gone on with', async (t) => {
  const { sessions, clock, alive, begin } = subject(t);
  const id = begin();
  clock.advance(1000);
  sessions.end(id);
  t.match(sessions.list(), [{ endedMs: START_MS + 1000 }]);
  t.equal(sessions.served(id), undefined);
  t.equal(begin(id), id);
  t.match(sessions.list(), [{ endedMs: null }], 'it goes on');
  alive.clear();
  alive.add(20);
  t.equal(begin(id, 20), id);
  t.match(sessions.list(), [{ pid: 20, mountpoint: '/mnt/20' }]);
});

t.test('a live session is not taken from its daemon: the refusal says where that is', async (t) => {
  const { sessions, alive, begin } = subject(t);
  const id = begin();
  alive.add(20);
  const refused = new UserError(
    `session ${id} is live, mounted at /mnt/10 by process 10; unmount it there first`,
  );
  t.throws(() => begin(id, 20), refused);
  t.throws(() => sessions.markNext(id), refused);
  t.match(sessions.list(), [{ pid: 10 }]);
});

t.test('a process that got the number of a dead daemon does not make its session live', async (t) => {
  const { sessions, store, begin } = subject(t);
  const id = begin(undefined, 10);
  t.equal(sessions.served(id)?.id, id);
  store.transact(() => store.sessions.setLive(id, '/mnt/10', { pid: 10, startTicks: 'earlier' }));
  t.equal(sessions.served(id), undefined);
});

t.test('whether one session is served is asked of its process alone, however many there are', async (t) => {
  const { store, begin } = subject(t);
  begin(undefined, 10);
  const id = begin(undefined, 20);
  const asked: number[] = [];
  const isAlive = ({ pid }: SessionProcess) => asked.push(pid) > 0;
  t.equal(new Sessions({ store, clock: handClock(), isAlive }).served(id)?.id, id);
  t.same(asked, [20]);
});

t.test('a session that is not there is named', async (t) => {
  const { begin, sessions } = subject(t);
  t.throws(() => begin('nope'), { message: /^there is no session nope; "kgraphfs session list" shows/ });
  t.throws(() => sessions.markNext('nope'), UserError);
});

t.test('the next mount goes on with the session that was marked last, and only the next one', async (t) => {
  const { sessions, alive, begin } = subject(t);
  const first = sessions.make('ana');
  const second = sessions.make('bea');
  t.equal(sessions.nextId(), second);
  alive.add(20).add(30);
  t.equal(begin(), second);
  t.equal(sessions.nextId(), undefined);
  t.not(begin(undefined, 20), first);
  sessions.markNext(first);
  t.equal(begin(undefined, 30), first);
  t.match(
    sessions.list().find(({ id }) => id === second),
    { actor: 'bea', mountpoint: '/mnt/10' },
  );
});

t.test('a mount that names a session leaves the mark for the one after it', async (t) => {
  const { sessions, begin } = subject(t);
  const named = sessions.make('ana');
  const marked = sessions.make('ana');
  t.equal(begin(named), named);
  t.equal(sessions.nextId(), marked);
});

t.test('a mount that came to nothing leaves no session of its own', async (t) => {
  const { sessions, store, begin } = subject(t);
  const before = sessions.make('ana');
  begin(before);
  sessions.end(before);
  const revision = store.sessions.revision();
  const id = begin();
  const begun = store.sessions.revision();
  sessions.abandon(id);
  sessions.end(id);
  t.match(sessions.list(), [{ id: before }]);
  t.notOk([revision, begun].includes(store.sessions.revision()), 'and those who saw it look again');
});

t.test('a mount that came to nothing leaves the mark that another session got meanwhile', async (t) => {
  const { sessions, begin } = subject(t);
  const marked = sessions.make('ana');
  t.equal(begin(), marked);
  const later = sessions.make('ana');
  sessions.abandon(marked);
  sessions.end(marked);
  t.equal(sessions.nextId(), later);
});

t.test('a mount that came to nothing leaves the mark on the next session', async (t) => {
  const { sessions, begin } = subject(t);
  const marked = sessions.make('ana');
  t.equal(begin(), marked);
  sessions.abandon(marked);
  sessions.end(marked);
  t.equal(sessions.nextId(), marked);
  t.equal(begin(), marked);
});

t.test('a session that a mount named stays, also where the mount came to nothing', async (t) => {
  for (const isOtherMarked of [false, true]) {
    const { sessions, begin } = subject(t);
    const named = sessions.make('ana');
    const marked = isOtherMarked ? sessions.make('bea') : undefined;
    begin(named);
    sessions.abandon(named);
    sessions.end(named);
    t.ok(sessions.list().some(({ id }) => id === named));
    t.equal(sessions.nextId(), marked, 'and is not what the next mount goes on with');
  }
});

t.test('whether there is a session can be asked of a store that cannot be read', async (t) => {
  const { sessions, store } = subject(t);
  const id = sessions.make('ana');
  t.equal(sessions.has(id), true);
  t.equal(sessions.has('none'), false);
  store.close();
  t.equal(sessions.has(id), false);
});
