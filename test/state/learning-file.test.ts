import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readLedger, ruleCounts } from '../../src/state/learning-file.ts';
import { temporaryFolder } from '../support/temporary.ts';

const PROGRAM = fileURLToPath(new URL('learn-program.js', import.meta.url));
const COUNT = 60;

t.test('two processes that learn at once lose nothing of each other', async (t) => {
  const folder = temporaryFolder(t);
  const children = ['a', 'b'].map((name) => {
    const child = spawn(process.execPath, [PROGRAM, folder, name, `${COUNT}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    return child;
  });
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const ended = children.map((child) => once(child, 'exit'));
  for (const child of children) child.stdin.end();
  for (const [status] of await Promise.all(ended)) t.equal(status, 0);
  const ledger = readLedger(join(folder, 'learning.json'));
  t.equal(Object.keys(ledger.judged).length, 2 * COUNT);
  t.same(ruleCounts(ledger), { named: { confirmed: 2 * COUNT, rejected: 0 } });
});
