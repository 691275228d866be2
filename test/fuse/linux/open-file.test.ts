import t from 'tap';
import type { OpenFile } from '../../../src/core/resolver.ts';
import { handOver } from '../../../src/fuse/linux/open-file.ts';

t.test('what a resolver opened and is no file is handed over to nobody', async (t) => {
  for (const nonsense of ['-1', '"text"', '{}']) {
    const file: OpenFile = JSON.parse(nonsense);
    t.throws(() => handOver(file, () => t.fail('it became a handle')), {
      message: 'what was opened is no file',
    });
  }
});

t.test('a file that is not handed over is closed, once', async (t) => {
  let closed = 0;
  const file: OpenFile = { sizeBytes: 0, read: () => 0, close: () => (closed += 1) };
  t.equal(await handOver(file, () => 'handed over'), 'handed over');
  t.equal(closed, 0);
  t.throws(
    () =>
      handOver(file, () => {
        throw new Error('refused at once');
      }),
    { message: 'refused at once' },
  );
  await t.rejects(async () => handOver(file, () => Promise.reject(new Error('refused later'))), {
    message: 'refused later',
  });
  t.equal(closed, 2);
});
