import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { askMount } from '../../../src/cli/mount/ask-mount.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const STATUS = JSON.stringify({
  state: 'ready',
  pid: 1,
  version: '0.1.0',
  driver: 'fuse-native',
  mountpoint: '/home/you/ctx',
  docs: '/home/you/docs',
  state_dir: '/home/you/.kgraphfs',
  started_at: '1970-01-01T00:00:00.000Z',
  revision: 1,
  documents: 1,
  nodes: 1,
  edges: 1,
  memories: 0,
  indexing: { done: 1, total: 1, lag_ms: 0 },
  watcher: { alive: true, last_event_at: null },
  errors: 0,
});

t.test('a status that changes while it is read, and is cut by that, is read once more', async (t) => {
  const folder = temporaryFolder(t);
  const [first, second] = [join(folder, '.kgraphfs/status.json'), join(folder, 'second')];
  mkdirSync(join(folder, '.kgraphfs'));
  for (const name of [first, second]) execFileSync('mkfifo', [name]);
  const answer = askMount(folder);
  for (const text of [STATUS.slice(0, -20), STATUS]) {
    // It is open once somebody reads it, who reads this one alone.
    const file = await open(first, 'w');
    if (text !== STATUS) renameSync(second, first);
    await file.write(text);
    await file.close();
  }
  t.match(await answer, { kind: 'alive', status: { state: 'ready', pid: 1 } });
});
