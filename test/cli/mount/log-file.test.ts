import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openLog } from '../../../src/cli/mount/log-file.ts';
import { temporaryFolder } from '../../support/temporary.ts';

t.test('the tail of a log is what was written since it was opened, its last lines', async (t) => {
  const file = join(temporaryFolder(t), 'daemon.log');
  writeFileSync(file, 'before\n');
  const log = openLog(file);
  t.equal(log.tail(), '');
  appendFileSync(file, 'one\ntwo\n');
  t.equal(log.tail(), 'one\ntwo');
  appendFileSync(file, 'line\n'.repeat(100));
  t.equal(log.tail(), Array(8).fill('line').join('\n'));
  log.close();
});

t.test('a log that cannot be written is told as such, with the way out', async (t) => {
  const file = join(temporaryFolder(t), 'none', 'daemon.log');
  t.throws(() => openLog(file), { name: 'UserError', message: /daemon\.log: cannot be written \(.*--state/ });
});
