import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { type ClaimKeeper, SharedWork } from '../../src/model-extraction/shared-work.ts';

const KEY = { sha256: 'a', promptVersion: 1, model: 'm' };

t.test('a disk that refuses to renew a claim ends nothing', async (t) => {
  let renewed = 0;
  const keeper: ClaimKeeper = {
    claim: () => true,
    renewClaims() {
      renewed += 1;
      throw new Error('disk full');
    },
    release: () => {},
  };
  const shared = new SharedWork(keeper, Date.now, 1);
  t.teardown(() => shared.close());
  await delay(10);
  t.equal(renewed, 0, 'nothing is held, so there is nothing to renew');
  t.ok(shared.begin(KEY));
  while (renewed < 2) await delay(1);
  shared.end(KEY);
});
