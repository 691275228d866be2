import { join } from 'node:path';
import t from 'tap';
import { Sessions } from '../../src/history/sessions.ts';
import { isServedIn, registerDaemon } from '../../src/state/daemons.ts';
import { thisProcess } from '../../src/state/processes.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import type { Teardown } from '../support/temporary.ts';
import { memoryPlace } from './memory-place.ts';

/** Does what a mount of a project does, in this process, until the test ends. */
function mounting(t: Teardown, folder: string, id?: string): string {
  const state = stateFolderAt(join(folder, '.kgraphfs'));
  t.teardown(registerDaemon(state, { mountpoint: '/mnt/ctx', docs: join(folder, 'docs') }));
  const store = openContextStore(join(folder, '.kgraphfs/context.sqlite'));
  try {
    const isAlive = isServedIn(state);
    const sessions = new Sessions({ store, clock: { nowMs: () => Date.UTC(2026, 0, 5) }, isAlive });
    return sessions.begin({ id, actor: 'ana', mountpoint: '/mnt/ctx', process: thisProcess() });
  } finally {
    store.close();
  }
}

t.test('session new makes a session, which the next mount goes on with', async (t) => {
  const { folder, run, json } = memoryPlace(t);
  t.same(await run(['session', 'list']), { status: 0, out: '', err: 'no sessions\n' });
  t.same(await json('session', 'list'), []);
  const { out } = await run(['session', 'new'], { env: { KGRAPHFS_ACTOR: 'agent' } });
  const id = out.trim();
  t.match(id, /^\d{8}T\d{6}-[0-9a-f]{4}$/);
  t.match(await json('session', 'list'), [
    {
      session: id,
      state: 'next',
      started_at: /^20.*Z$/,
      ended_at: null,
      actor: 'agent',
      mountpoint: null,
      has_scratchpad: false,
      entries: 0,
      history_bytes: 0,
    },
  ]);
  t.match((await run(['session'])).out, /^SESSION .*\n\S+ +next .* empty +agent\n$/);
  t.equal(mounting(t, folder), id);
  t.match(await json('session', 'list'), [{ session: id, state: 'live', mountpoint: '/mnt/ctx' }]);
});

t.test('only the session that was marked last is the next one', async (t) => {
  const { run, json } = memoryPlace(t);
  const { session: first } = Object(await json('session', 'new'));
  await json('session', 'new');
  t.match(await json('session', 'list'), [{ state: 'unused' }, { state: 'next' }]);
  t.match(await run(['session', 'resume', first]), {
    status: 0,
    out: `the next mount continues session ${first}\n`,
  });
  t.match(await json('session', 'list'), [{ session: first, state: 'next' }, { state: 'unused' }]);
});

t.test('a session that is live, or not there, is not gone on with', async (t) => {
  const { folder, run, json } = memoryPlace(t);
  await json('session', 'new');
  const id = mounting(t, folder);
  t.match(await run(['session', 'resume', id]), {
    status: 1,
    err: `kgraphfs: session ${id} is live, mounted at /mnt/ctx by process ${process.pid}; unmount it there first\n`,
  });
  t.match(await run(['session', 'resume', 'nope']), { status: 1, err: /there is no session nope/ });
});

t.test('session list counts what the history has of each', async (t) => {
  const { json, run } = memoryPlace(t);
  const { session } = Object(await json('session', 'new'));
  const env = { KGRAPHFS_SESSION: session };
  await run(['context', 'memory', 'add', 'fact/a', 'x'], { env });
  await run(['context', 'memory', 'add', 'fact/b', 'x'], { env });
  const entries = await json('context', 'history', '--session', session);
  const bytes = Array.isArray(entries) ? entries.map((entry) => `${JSON.stringify(entry)}\n`).join('') : '';
  t.match(await json('session', 'list'), [{ entries: 2, history_bytes: Buffer.byteLength(bytes) }]);
});
