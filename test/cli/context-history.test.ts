import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { openContextStore } from '../../src/store/context-store.ts';
import type { HistoryRow } from '../../src/store/history-table.ts';
import type { Teardown } from '../support/temporary.ts';
import { memoryPlace } from './memory-place.ts';
import { MAIN } from './run-cli.ts';

const HISTORY = ['context', 'history'];

function pathsIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value.map(({ path }) => path) : [];
}

/** A project whose history holds these entries. */
function placeWith(t: Teardown, ...rows: readonly Partial<HistoryRow>[]) {
  const place = memoryPlace(t);
  const enter = (...rows: readonly Partial<HistoryRow>[]) => {
    const store = openContextStore(join(place.folder, '.kgraphfs/context.sqlite'));
    store.transact(() => {
      for (const row of rows) {
        const whole = {
          timeMs: Date.now(),
          type: 'read',
          actor: 'ana',
          session: 's1',
          path: '/docs/a',
          ...row,
        };
        const { timeMs, type, actor, path, session } = whole;
        const entry = {
          timestamp: new Date(timeMs).toISOString(),
          event_type: type,
          actor,
          path,
          session_id: session,
        };
        store.history.append({ line: `${JSON.stringify(entry)}\n`, ...whole }, timeMs);
      }
    });
    store.close();
  };
  enter(...rows);
  return { ...place, enter };
}

t.test('what commands do to memory is in the history, in their name and session', async (t) => {
  const { run, json } = memoryPlace(t);
  const env = { KGRAPHFS_ACTOR: 'agent', KGRAPHFS_SESSION: 'mine' };
  await run(['context', 'memory', 'add', 'fact/a', 'Refunds take 5 days'], { env });
  await run(['context', 'memory', 'edit', 'a'], { env: { EDITOR: 'sed -i s/5/6/' } });
  t.match(await json(...HISTORY, '--path', '/context/memory'), [
    {
      timestamp: /^\d{4}-\d{2}-\d{2}T.*Z$/,
      event_type: 'create',
      actor: 'agent',
      path: '/context/memory/fact/a',
      session_id: 'mine',
    },
    { event_type: 'write', actor: 'kgraphfs', path: '/context/memory/fact/a', session_id: 'cli' },
  ]);
});

t.test('entries are chosen by session, kind, actor, path, time and number, newest last', async (t) => {
  const { json, run } = placeWith(
    t,
    { path: '/1', timeMs: Date.now() - 3 * 3_600_000 },
    { path: '/docs/2', session: 's2' },
    { path: '/docs/x/3', type: 'write' },
    { path: '/docs/x', actor: 'rg' },
  );
  const paths = async (...options: string[]) => pathsIn(await json(...HISTORY, ...options));
  t.same(await paths(), ['/1', '/docs/2', '/docs/x/3', '/docs/x']);
  t.same(await paths('--limit', '2'), ['/docs/x/3', '/docs/x']);
  t.same(await paths('--session', 's2'), ['/docs/2']);
  t.same(await paths('--type', 'write'), ['/docs/x/3']);
  t.same(await paths('--actor', 'rg'), ['/docs/x']);
  t.same(await paths('--path', 'docs/x/'), ['/docs/x/3', '/docs/x']);
  t.same(await paths('--path', '/docs/y/../x'), ['/docs/x/3', '/docs/x']);
  t.same(await paths('--since', '2h'), ['/docs/2', '/docs/x/3', '/docs/x']);
  t.same(await paths('--type', 'tool'), []);
  t.match(
    await run([...HISTORY, '--type', 'list']),
    { status: 2, err: /--type/ },
    'a kind that nothing is of',
  );
});

t.test('a person reads one line an entry, in which nothing moves the cursor', async (t) => {
  const { run } = placeWith(t, { path: '/docs/\u001b[2Ja', timeMs: Date.UTC(2026, 0, 5) });
  t.match(await run(HISTORY), {
    status: 0,
    out: "2026-01-05T00:00:00.000Z read $'/docs/\\x1b[2Ja' by ana\n",
    err: '',
  });
});

t.test('a session of which there is nothing ends with 1', async (t) => {
  const { run } = placeWith(t, { path: '/1' });
  t.match(await run([...HISTORY, '--session', 'nope']), {
    status: 1,
    err: /^no entries: there is no session "nope"; the latest are .*; "kgraphfs session list" shows the sessions\n$/,
  });
  t.equal((await run([...HISTORY, '--session', 's1'])).status, 0);
});

t.test('an empty history is no failure', async (t) => {
  const { run } = memoryPlace(t);
  t.same(await run(HISTORY), { status: 0, out: '', err: 'no entries\n' });
  t.same(await run([...HISTORY, '--json']), { status: 0, out: '[]\n', err: '' });
  t.match(await run([...HISTORY, '--since', 'noon']), { status: 2, err: /--since is a time such as/ });
});

t.test('--follow shows the latest entries, then each as it comes, as JSON lines', async (t) => {
  const { folder, enter } = placeWith(t, { path: '/1' }, { path: '/2' }, { path: '/3' });
  const args = [...HISTORY, '--follow', '--json', '--limit', '2', '--type', 'read'];
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 120_000,
  });
  t.teardown(() => child.kill('SIGKILL'));
  const seen: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    seen.push(JSON.parse(line).path);
    if (seen.length === 2) enter({ path: '/4', type: 'write' }, { path: '/5' }, { path: '/6' });
    if (seen.length === 4) enter({ path: '/7' });
    if (seen.length === 5) child.kill('SIGTERM');
  }
  t.same(seen, ['/2', '/3', '/5', '/6', '/7']);
});
