import t from 'tap';
import { quickVersionOf } from '../../src/source/docs-file.ts';
import { isSettled } from '../../src/source/settled.ts';

const SECOND_MS = 1_700_000_000_000;

t.test('a time is trusted once no change can have it any more', (t) => {
  const cases: [changedMs: number, nowMs: number, isTrusted: boolean][] = [
    [SECOND_MS + 123, SECOND_MS + 173, false],
    [SECOND_MS + 123, SECOND_MS + 174, true],
    [SECOND_MS + 123, SECOND_MS + 100, false],
    // The disk may have whole seconds, or two of them.
    [SECOND_MS, SECOND_MS + 999, false],
    [SECOND_MS, SECOND_MS + 2000, false],
    [SECOND_MS, SECOND_MS + 2051, true],
    [SECOND_MS, SECOND_MS - 1, false],
  ];
  for (const [changedMs, nowMs, isTrusted] of cases) {
    const name = `changed at ${changedMs - SECOND_MS} ms, looked at ${nowMs - SECOND_MS} ms`;
    t.equal(isSettled(BigInt(changedMs) * 1_000_000n, nowMs), isTrusted, name);
  }
  t.end();
});

t.test('a file of a disk with whole seconds is told by its bytes until then', (t) => {
  const statusOf = (changedMs: number) => ({
    mode: 0o100644,
    inode: 5,
    sizeBytes: 5,
    disk: 1,
    mount: 0,
    modifiedNs: 0n,
    changedNs: BigInt(changedMs) * 1_000_000n,
    stamp: 'a stamp',
  });
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });
  Date.now = () => SECOND_MS + 1500;
  t.equal(quickVersionOf(statusOf(SECOND_MS)), undefined);
  t.equal(quickVersionOf(statusOf(SECOND_MS + 1)), 'a stamp');
  Date.now = () => SECOND_MS + 2500;
  t.equal(quickVersionOf(statusOf(SECOND_MS)), 'a stamp');
  t.end();
});
