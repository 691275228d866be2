import { closeSync, existsSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { claimStateFolder } from '../../src/state/claim.ts';
import { liveDaemons } from '../../src/state/daemons.ts';
import { withDaemonsLocked } from '../../src/state/daemons-lock.ts';
import { prepareStateFolder, type StateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { tryLock } from '../../src/system/file-lock.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const DOCS = '/srv/docs';

/** A state folder that another process is starting a daemon of, or wiping, until it lets go. */
function locked(t: Teardown): { state: StateFolder; letGo: () => void } {
  const state = stateFolderAt(join(temporaryFolder(t), 'state'));
  prepareStateFolder(state);
  const descriptor = openSync(state.daemonsLock, 'w+');
  if (tryLock(descriptor, 'alone') !== 'taken') throw new Error('the disk of temporary files has no locks');
  return { state, letGo: () => closeSync(descriptor) };
}

t.test('a claim waits for who starts a daemon or wipes, and finds the folder as it needs it', async (t) => {
  const { state, letGo } = locked(t);
  let hasBegun = false;
  const claim = claimStateFolder(state, { mountpoint: null, docs: DOCS }, () => {
    hasBegun = true;
  });
  t.equal(hasBegun, false);
  t.same(liveDaemons(state), []);
  rmSync(state.daemonsFolder, { recursive: true });
  letGo();
  const { release } = await claim;
  t.equal(hasBegun, true);
  t.match(liveDaemons(state), [{ docs: DOCS }]);
  release();
  t.same(liveDaemons(state), []);
});

t.test('who cannot have the lock for long is told so, and one that cannot be locked is named', async (t) => {
  const { state, letGo } = locked(t);
  const claim = claimStateFolder(state, { mountpoint: null, docs: DOCS }, () => {});
  const { now } = performance;
  t.teardown(() => Object.assign(performance, { now }));
  performance.now = () => now.call(performance) + 10_000;
  await t.rejects(claim, { name: 'UserError', message: /another process has been starting a daemon/ });
  Object.assign(performance, { now });
  letGo();
  t.same(liveDaemons(state), []);
  rmSync(state.daemonsLock);
  symlinkSync('elsewhere', state.daemonsLock);
  await t.rejects(
    withDaemonsLocked(state, () => t.fail('it is not locked')),
    { name: 'UserError', message: /daemons\.lock: cannot be locked \(ELOOP: .*choose another --state/ },
  );
  t.notOk(existsSync(join(state.path, 'elsewhere')), 'a link there makes nothing');
});

t.test('daemons of the same docs go beside each other, but for two without a mount', async (t) => {
  const tries = [
    { there: '/mnt/one', mountpoint: '/mnt/two' },
    { there: '/mnt/one', mountpoint: null },
    { there: null, mountpoint: '/mnt/two' },
    { there: null, mountpoint: null, why: /is already running, without a mount/ },
    {
      there: '/mnt/one',
      mountpoint: '/mnt/two',
      docs: '/srv/other',
      why: /this state folder serves \/srv\/docs/,
    },
    {
      there: null,
      mountpoint: null,
      docs: '/srv/other',
      why: /this state folder serves \/srv\/docs, .*kgraphfs stop --all/,
    },
  ];
  for (const { there, mountpoint, docs = DOCS, why } of tries) {
    const state = stateFolderAt(join(temporaryFolder(t), 'state'));
    // A process has one record: the second claim finds that of the first.
    const first = await claimStateFolder(state, { mountpoint: there, docs: DOCS }, () => {});
    const second = claimStateFolder(state, { mountpoint, docs }, () => {});
    if (why === undefined) (await second).release();
    else await t.rejects(second, { message: why });
    first.release();
  }
});
