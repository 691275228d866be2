import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import files from 'node:fs';
import promised from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import t, { type Test } from 'tap';
import { StartedProcesses } from '../../src/modules/end-processes.ts';

t.test('what was started is ended', async (t) => {
  const child = await started(t);
  const processes = new StartedProcesses();
  processes.add(child.pid ?? 0);
  processes.end();
  await once(child, 'exit');
  t.equal(child.signalCode, 'SIGTERM');
});

t.test('another process that has got the number of one that ended is let alone', async (t) => {
  const child = await started(t);
  const file = `/proc/${child.pid}/stat`;
  const stat = files.readFileSync(file, 'utf8');
  const { readFile } = promised;
  let isRead = false;
  // The one before it began earlier.
  const before = async (...args: Parameters<typeof readFile>) => {
    if (args[0] !== file) return readFile(...args);
    isRead = true;
    return stat.replace(/^(.*\) (?:\S+ ){19})\d+/, '$11');
  };
  t.teardown(() => {
    promised.readFile = readFile;
    syncBuiltinESMExports();
  });
  promised.readFile = Object.assign(before, readFile);
  syncBuiltinESMExports();
  const processes = new StartedProcesses();
  processes.add(child.pid ?? 0);
  await new Promise(setImmediate);
  t.ok(isRead);
  processes.end();
  child.kill('SIGUSR1');
  await once(child, 'exit');
  t.equal(child.signalCode, 'SIGUSR1', 'it was sent nothing before');
});

async function started(t: Test): Promise<ChildProcess> {
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child;
}
