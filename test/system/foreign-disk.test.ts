import t from 'tap';
import { isOnForeignDisk } from '../../src/system/foreign-disk.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { hangingMount } from '../support/hanging-mount.ts';

t.test('a disk that another program serves may change unseen, one of this kernel does not', async (t) => {
  t.equal(isOnForeignDisk('/proc'), false);
  t.throws(() => isOnForeignDisk('/proc/none'), { code: 'ENOENT' });
  await t.test('of FUSE', needsFuse(), async (t) => {
    const { point } = await hangingMount(t);
    t.equal(isOnForeignDisk(point), true);
  });
});
