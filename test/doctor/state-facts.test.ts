import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { stateFacts } from '../../src/doctor/state-facts.ts';
import { needsRoot, onSmallDisk } from '../durability/small-disk.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';

t.test('what is where the state folder should be is told, and left as it is', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'open'));
  chmodSync(join(folder, 'open'), 0o755);
  symlinkSync('open', join(folder, 'link'));
  writeFileSync(join(folder, 'file'), '');
  const at = (name: string) => stateFacts({ path: join(folder, name) });
  t.match(await at('open'), { kind: 'there', mode: 0o755 });
  t.match(await at('link'), { kind: 'unusable', problem: 'it is a link' });
  t.match(await at('file'), { kind: 'unusable', problem: 'it is not a folder' });
  t.match(await at('none/at/all'), { kind: 'missing' });
  t.match(await at('n'.repeat(300)), {
    kind: 'unusable',
    problem: /n cannot be looked at \(ENAMETOOLONG\)$/,
  });
  symlinkSync('loop', join(folder, 'loop'));
  t.match(await at('loop/state'), { kind: 'unusable', problem: /loop cannot be written \(ELOOP\)$/ });
  t.same(await stateFacts({ problem: 'no docs' }), { kind: 'unknown', problem: 'no docs' });
  t.same(readdirSync(folder).sort(), ['file', 'link', 'loop', 'open']);
});

testWhereModesCount('files that this user cannot write are told, with what opens all of them', async (t) => {
  const path = temporaryFolder(t);
  const put = (name: string, mode: number) => {
    writeFileSync(join(path, name), '');
    chmodSync(join(path, name), mode);
  };
  put('index.sqlite', 0o400);
  put('context.sqlite', 0o600);
  put('context.sqlite.damaged-20261121T115500', 0o400);
  const remedy = `chmod u+rw ${join(path, 'index.sqlite')}`;
  t.match(await stateFacts({ path }), { kind: 'refused', stopsMount: false, remedy });
  put('context.sqlite-shm', 0o400);
  t.match(await stateFacts({ path }), {
    kind: 'refused',
    problem: 'context.sqlite-shm cannot be used, no permission to read and write it, and 1 more',
    remedy: `chmod u+rw ${join(path, 'context.sqlite-shm')} ${join(path, 'index.sqlite')}`,
    stopsMount: true,
  });
  chmodSync(join(path, 'index.sqlite'), 0o600);
  chmodSync(join(path, 'context.sqlite-shm'), 0o600);
  t.match(await stateFacts({ path }), { kind: 'there' });
});

t.test('a disk with little room, of bytes or of inodes, is told', needsRoot(), async (t) => {
  const { state: path } = onSmallDisk(t, '1m');
  t.match(await stateFacts({ path }), { kind: 'full', path, freeBytes: 2 ** 20, stopsMount: false });
  writeFileSync(join(path, 'some'), Buffer.alloc(2 ** 19));
  t.match(await stateFacts({ path }), { freeBytes: 2 ** 19, stopsMount: true }, 'no index finds room');
  writeFileSync(join(path, 'index.sqlite'), '');
  t.match(await stateFacts({ path }), { stopsMount: true }, 'nor do memory and history behind it');
  writeFileSync(join(path, 'history-search.sqlite'), '');
  t.match(await stateFacts({ path }), { freeBytes: 2 ** 19, stopsMount: false }, 'all is there');
  rmSync(join(path, 'some'));
  writeFileSync(join(path, 'all'), Buffer.alloc(2 ** 20));
  t.match(await stateFacts({ path }), { kind: 'full', freeBytes: 0, stopsMount: true });
  const below = join(path, 'none/yet');
  t.match(await stateFacts({ path: below }), { kind: 'full', path: below, freeBytes: 0 });
  const { state } = onSmallDisk(t, '80m,nr_inodes=50');
  const few = await stateFacts({ path: state });
  t.match(few, { kind: 'full', path: state });
  t.ok(few.kind === 'full' && few.freeBytes > 64e6 && few.freeInodes < 50);
  const leave = (inodes: number) => {
    for (let n = 0; statfsSync(state).ffree > inodes; n += 1)
      writeFileSync(join(state, `${inodes}-${n}`), '');
    return stateFacts({ path: state });
  };
  t.match(await leave(27), { freeInodes: 27, stopsMount: false });
  t.match(await leave(26), { freeInodes: 26, stopsMount: true });
  writeFileSync(join(state, 'history-search.sqlite'), '');
  t.match(await leave(10), { freeInodes: 10, stopsMount: false }, 'most of it is there');
  t.match(await leave(9), { freeInodes: 9, stopsMount: true });
});

t.test('a disk that fails at a look is told, and ends nothing', async (t) => {
  const path = join(temporaryFolder(t), 'state');
  mkdirSync(path, { mode: 0o700 });
  const real = { ...fs };
  t.teardown(() => {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  });
  const failAs = (name: 'readdir' | 'statfs', code: string) => {
    const refusal = Object.assign(new Error(`${code}: ${name}`), { code, syscall: name });
    Object.assign(fs, real, { [name]: () => Promise.reject(refusal) });
    syncBuiltinESMExports();
  };
  for (const name of ['readdir', 'statfs'] as const) {
    failAs(name, 'EIO');
    t.match(await stateFacts({ path }), {
      kind: 'unusable',
      path,
      problem: /state cannot be looked at \(EIO\)$/,
    });
  }
  t.match(await stateFacts({ path: `${path}/none` }), { kind: 'unusable' });
  failAs('statfs', 'ENOSYS');
  t.match(await stateFacts({ path }), { kind: 'there' }, 'a disk need not say how much is free');
});
