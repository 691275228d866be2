import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { askMount } from '../../../src/cli/mount/ask-mount.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { EXAMPLE_STATUS } from './example-status.ts';

const STATUS = JSON.stringify(EXAMPLE_STATUS);

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
