import t from 'tap';
import {
  invalidateName,
  invalidateNode,
  nameGone,
  STORED_AT,
  storeBytes,
} from '../../../../src/fuse/linux/protocol/notice.ts';

/** Hex with spaces between the fields of C. */
function bytes(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex');
}

t.test('notices are laid out as in fuse.h, their names with a NUL that does not count', (t) => {
  t.same(
    invalidateNode(2 ** 32 + 5, 'attributes and pages'),
    bytes('28000000 02000000 0000000000000000 0500000001000000 0000000000000000 0000000000000000'),
    'fuse_notify_inval_inode_out',
  );
  t.same(
    invalidateNode(5, 'attributes'),
    bytes('28000000 02000000 0000000000000000 0500000000000000 ffffffffffffffff 0000000000000000'),
    'a negative offset',
  );
  t.same(
    invalidateName(7, 'é'),
    bytes('23000000 03000000 0000000000000000 0700000000000000 02000000 00000000 c3a9 00'),
    'fuse_notify_inval_entry_out',
  );
  t.same(
    nameGone(7, 9, 'ab'),
    bytes('2b000000 06000000 0000000000000000 0700000000000000 0900000000000000 02000000 00000000 6162 00'),
    'fuse_notify_delete_out',
  );
  t.end();
});

t.test('bytes that are given stand behind the notice', (t) => {
  const notice = Buffer.alloc(STORED_AT + 8, 0xee);
  notice.write('abc', STORED_AT);
  t.equal(storeBytes(notice, 9, 3), STORED_AT + 3);
  t.same(
    notice.subarray(0, STORED_AT + 3),
    bytes('2b000000 04000000 0000000000000000 0900000000000000 0000000000000000 03000000 00000000 616263'),
    'fuse_notify_store_out',
  );
  t.end();
});
