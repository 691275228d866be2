import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { areCoresWanted } from '../../src/system/cores-wanted.ts';

t.test('cores are wanted while more programs run than there are cores, and told so each time', async (t) => {
  const others = Array.from({ length: cpus().length + 1 }, () =>
    spawn('sh', ['-c', 'echo; while :; do :; done'], { stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  t.teardown(async () => {
    const ends = others.map((other) => once(other, 'exit'));
    for (const other of others) other.kill('SIGKILL');
    await Promise.all(ends);
  });
  await Promise.all(others.map(({ stdout }) => once(stdout, 'data')));
  for (let times = 0; times < 3; times += 1) {
    t.equal(areCoresWanted(), true);
    await pause(20);
  }
});
