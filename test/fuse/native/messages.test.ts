import t from 'tap';
import { invalidateAllNames, invalidateName, invalidateNode } from '../../../src/fuse/native/messages.ts';

t.test('messages are laid out as linux/fuse.h says', async (t) => {
  t.equal(
    invalidateName('dé').toString('hex'),
    words('24000000 03000000 0000000000000000 0100000000000000 03000000 00000000 64c3a900'),
  );
  const node = words('28000000 02000000 0000000000000000 0700000000000000');
  t.equal(invalidateNode(7n, 'attributes and pages').toString('hex'), `${node}${'0'.repeat(32)}`);
  t.equal(invalidateNode(7n, 'attributes').toString('hex'), `${node}${'f'.repeat(16)}${'0'.repeat(16)}`);
  t.equal(invalidateAllNames().toString('hex'), words('10000000 08000000 0000000000000000'));
});

function words(hex: string): string {
  return hex.replaceAll(' ', '');
}
