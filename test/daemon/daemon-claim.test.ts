import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { loadSettings } from '../../src/config/settings.ts';
import { UserError } from '../../src/core/errors.ts';
import { startDaemon } from '../../src/daemon/daemon.ts';
import type { DaemonOptions } from '../../src/daemon/daemon-options.ts';
import { liveDaemons, registerDaemon } from '../../src/state/daemons.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { readToldStatus } from '../../src/state/told-status.ts';
import { runHere } from '../cli/run-here.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** Two docs folders with one state folder. */
function twoDocs(t: Teardown) {
  const folder = temporaryFolder(t);
  for (const name of ['one', 'other']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'a.md'), `# ${name}\n`);
  }
  const state = stateFolderAt(join(folder, 'state'));
  const options = (name: string, mount: DaemonOptions['mount']): DaemonOptions => ({
    settings: loadSettings({ docs: [join(folder, name)], state: state.path }, folder),
    mount,
    audit: true,
    session: undefined,
    actor: 'ana',
    onProgress: () => {},
    onReady: () => {},
  });
  return { state, options, mountpoint: join(folder, 'mnt') };
}

/** A mount that comes to nothing, once `atMount` is done. */
function failingMount(mountpoint: string, atMount: () => Promise<void>): DaemonOptions['mount'] {
  const mount = async (): Promise<never> => {
    await atMount();
    throw new UserError('no mount today');
  };
  return { mountpoint, allowOther: false, driver: () => ({ name: 'linux', mount }) };
}

t.test('while a daemon starts, none of other docs takes its state folder', async (t) => {
  const { state, options, mountpoint } = twoDocs(t);
  let othersMounts = 0;
  const other = options(
    'other',
    failingMount(`${mountpoint}2`, async () => {
      othersMounts += 1;
    }),
  );
  const atMount = async () => {
    t.match(liveDaemons(state), [{ mountpoint }], 'it is known before it has its mount');
    await t.rejects(startDaemon(other), { message: /this state folder serves .*one, mounted at .*mnt;/ });
  };
  await t.rejects(startDaemon(options('one', failingMount(mountpoint, atMount))), {
    message: 'no mount today',
  });
  t.equal(othersMounts, 0);
  t.same(liveDaemons(state), [], 'one that has no mount takes its record back');
});

t.test('of two daemons without a mount that start at once, one is let', async (t) => {
  const { state, options } = twoDocs(t);
  const started = await Promise.allSettled([
    startDaemon(options('one', undefined)),
    startDaemon(options('one', undefined)),
  ]);
  t.same(started.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  for (const one of started) {
    if (one.status === 'fulfilled') await one.value.stop();
    else t.match(one.reason, { message: /is already running, without a mount/ });
  }
  t.same(liveDaemons(state), []);
});

t.test('a daemon that has no mount yet is said to have none, and hangs for nobody', async (t) => {
  const { state, options, mountpoint } = twoDocs(t);
  await (await startDaemon(options('one', undefined))).stop();
  const docs = join(mountpoint, '../one');
  t.teardown(registerDaemon(state, { mountpoint, docs }));
  const status = await runHere(['status', '--json', '--docs', docs, '--state', state.path]);
  t.match(status, { status: 3, err: '' });
  t.match(JSON.parse(status.out), { state: 'unmounted', mountpoint });
  t.match(await runHere(['status', mountpoint, '--docs', docs, '--state', state.path]), {
    status: 3,
    err: /is not mounted/,
  });
  t.match(await runHere(['unmount', mountpoint]), { status: 3, err: /is not mounted/ });
});

t.test('a daemon whose index was removed says so, and how to go on', async (t) => {
  const { state, options } = twoDocs(t);
  let ready = () => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const daemon = await startDaemon({ ...options('one', undefined), onReady: ready });
  t.teardown(() => daemon.stop());
  await isReady;
  t.equal(daemon.status().errors, 0);
  renameSync(state.indexFile, `${state.indexFile}.away`);
  while (daemon.status().errors === 0) await pause(20);
  const [record] = liveDaemons(state);
  const told = JSON.stringify(record && readToldStatus(state, record));
  t.match(told, /index was removed or replaced.*stop and start/);
});
