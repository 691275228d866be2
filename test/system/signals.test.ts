import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import t from 'tap';
import { withoutSignals } from '../../src/system/signals.ts';

/** Whether this thread takes the signal of a child's end. */
function takesChildren(): boolean {
  const mask = /^SigBlk:\s*(\w+)$/m.exec(readFileSync('/proc/thread-self/status', 'latin1'))?.[1];
  return ((BigInt(`0x${mask}`) >> BigInt(constants.signals.SIGCHLD - 1)) & 1n) === 0n;
}

t.test('a thread takes no signals for a while, and does again, whatever comes of it', (t) => {
  t.equal(takesChildren(), true);
  t.equal(withoutSignals(takesChildren), false);
  t.equal(takesChildren(), true);
  t.throws(() =>
    withoutSignals(() => {
      throw new Error('as meant');
    }),
  );
  t.equal(takesChildren(), true);
  t.end();
});
