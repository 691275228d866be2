import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import {
  emptyLedger,
  forgetLearnt,
  readLedger,
  ruleCounts,
  writeLedger,
} from '../../src/state/learning-file.ts';
import { failingDisk } from '../support/failing-disk.ts';
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

t.test('a ledger that the disk fails to read is told as that, and nothing of it is forgotten', async (t) => {
  const file = join(realpathSync(temporaryFolder(t)), 'learning.json');
  writeLedger(file, { ...emptyLedger(), proposed: { 'fact/way': 'proposed' }, paths_since_ms: 7 });
  const before = readFileSync(file, 'utf8');
  const disk = failingDisk(t);
  disk.failAt(file);
  const refused = { message: /learning\.json: cannot be looked at \(EIO.*nothing was changed/ };
  t.throws(() => readLedger(file), refused);
  t.throws(() => forgetLearnt(file, { rules: true, paths: false }, 1, (body) => body()), refused);
  disk.failAt();
  t.equal(readFileSync(file, 'utf8'), before);
  forgetLearnt(file, { rules: true, paths: false }, 1, (body) => body());
  t.match(readLedger(file), { proposed: { 'fact/way': 'proposed' }, paths_since_ms: 7, rules_since_ms: 1 });
});
