import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

/** Opens logs one after the other, as another process does that begins at the same moment. */
const OPEN_ALL = `
  const [module, folder, count] = process.argv.slice(1);
  const { openLog } = await import(module);
  const { readdirSync, writeFileSync } = await import('node:fs');
  writeFileSync(folder + '/ready/' + process.pid, '');
  while (readdirSync(folder + '/ready').length < 2);
  for (let log = 0; log < Number(count); log += 1) openLog(folder + '/' + log).close();
`;

t.test('of two that put a long log aside at once none fails', async (t) => {
  const folder = temporaryFolder(t);
  const count = 1000;
  mkdirSync(join(folder, 'ready'));
  for (let log = 0; log < count; log += 1) {
    writeFileSync(join(folder, String(log)), '');
    truncateSync(join(folder, String(log)), 2 << 20);
  }
  const module = new URL('../../../src/cli/mount/log-file.js', import.meta.url).href;
  const args = ['--input-type=module', '-e', OPEN_ALL, module, folder, String(count)];
  const open = () => promisify(execFile)(process.execPath, args);
  await t.resolves(Promise.all([open(), open()]));
});
