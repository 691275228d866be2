import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import t from 'tap';
import { holdName } from '../../src/system/held-name.ts';

t.test('a name is held once at a time, and free again when it is given back', async (t) => {
  const name = `kgraphfs-test-${process.pid}`;
  const giveBack = holdName(name);
  t.ok(giveBack);
  t.equal(holdName(name), undefined);
  holdName(`${name}-other`)?.();
  giveBack?.();
  const again = holdName(name);
  t.ok(again);
  again?.();
});

t.test('a process that ends gives back what it holds', async (t) => {
  const name = `kgraphfs-test-${process.pid}`;
  const module = new URL('../../src/system/held-name.js', import.meta.url).href;
  const script = `const { holdName } = await import('${module}'); console.log(typeof holdName('${name}')); process.kill(process.pid, 'SIGKILL');`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  t.equal(stdout, 'function\n');
  const giveBack = holdName(name);
  t.ok(giveBack);
  giveBack?.();
});

t.test('who asks for a name that is held, again and again, keeps nothing open', async (t) => {
  const name = `kgraphfs-test-${process.pid}-${'x'.repeat(70)}`.padEnd(107, 'y');
  const giveBack = holdName(name);
  t.ok(giveBack, 'of all the length that there is');
  const before = readdirSync('/proc/self/fd').length;
  for (let times = 0; times < 5; times += 1) t.equal(holdName(name), undefined);
  t.equal(readdirSync('/proc/self/fd').length, before);
  giveBack?.();
});

t.test('a name that no socket can have is an error', async (t) => {
  t.throws(() => holdName('x'.repeat(108)), /too long/);
});
