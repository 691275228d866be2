import t from 'tap';
import { unchecked } from '../../src/system/libc.ts';
import { releaseFreeMemory, releaserBy } from '../../src/system/memory.ts';

t.test('memory is given back, and a C library without a function for that is left alone', async (t) => {
  t.doesNotThrow(releaseFreeMemory);
  let calls = 0;
  const missing = unchecked<[keepBytes: number]>('int kgraphfs_has_no_such_function(size_t keepBytes)');
  const release = releaserBy((keepBytes) => {
    calls += 1;
    return missing(keepBytes);
  });
  t.doesNotThrow(release);
  t.doesNotThrow(release);
  t.equal(calls, 1);
});
