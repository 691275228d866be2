import { once } from 'node:events';
import { closeSync, fstatSync, openSync } from 'node:fs';
import t from 'tap';
import { startThread } from '../../src/core/program-thread.ts';

/** Opens files as Node does, closes them as the system does, and ends when it is told to. */
const PROGRAM = `
  import { openSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  import { closeNow } from '${new URL('../../src/system/files.js', import.meta.url).href}';
  const descriptors = Array.from({ length: 10 }, () => openSync('/dev/null'));
  descriptors.forEach(closeNow);
  parentPort.once('message', () => {});
  parentPort.postMessage(descriptors);`;

t.test('a thread that ends closes nothing of what others have opened meanwhile', async (t) => {
  const worker = startThread(new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`), {});
  const [numbers]: unknown[] = await once(worker, 'message');
  const opened = Array.from({ length: 60 }, () => openSync('/dev/null', 'r'));
  t.teardown(() => {
    for (const descriptor of opened) closeSync(descriptor);
  });
  t.ok(Array.isArray(numbers) && numbers.every((number) => opened.includes(number)), 'of the same numbers');
  worker.postMessage('end');
  await once(worker, 'exit');
  for (const descriptor of opened) t.ok(fstatSync(descriptor).isCharacterDevice());
});
