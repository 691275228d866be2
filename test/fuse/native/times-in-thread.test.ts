import t from 'tap';
import { modifiedMsOf } from '../../../src/fuse/native/times-in-thread.ts';

const ACCESSED_MS = 1_600_000_000_123;
const MODIFIED_MS = 2 ** 40 + 7;

/** The memory of a thread, as far as it is looked at. */
function thread(accessedMs: number, modifiedMs: number): Buffer {
  const memory = Buffer.alloc(200, 0xff);
  memory.writeBigInt64LE(BigInt(accessedMs), 104);
  memory.writeBigInt64LE(BigInt(modifiedMs), 112);
  return memory;
}

t.test('the time of change is read beside that of access', async (t) => {
  t.equal(modifiedMsOf({ thread: thread(ACCESSED_MS, MODIFIED_MS) }, ACCESSED_MS), MODIFIED_MS);
  t.equal(modifiedMsOf({ thread: thread(ACCESSED_MS, 0) }, ACCESSED_MS), 0);
  t.equal(modifiedMsOf({ thread: thread(-5000, -7000) }, -5000), -7000, 'before 1970');
});

t.test('memory that is none we know is not believed', async (t) => {
  t.equal(
    modifiedMsOf({ thread: thread(ACCESSED_MS + 1, MODIFIED_MS) }, ACCESSED_MS),
    ACCESSED_MS,
    'another time',
  );
  const short = thread(ACCESSED_MS, MODIFIED_MS).subarray(0, 119);
  t.equal(modifiedMsOf({ thread: short }, ACCESSED_MS), ACCESSED_MS, 'too short');
  t.equal(modifiedMsOf({ thread: {} }, ACCESSED_MS), ACCESSED_MS, 'none');
});
