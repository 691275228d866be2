import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { QuestionThread } from '../../src/app/threads/question-thread.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** Longer than a thread takes to answer, and to end. */
const BUSY_MS = 500;

/** Answers what it is asked with the same, and ends as the threads of the program do. */
const PROGRAM = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', (request) => {
  if (request === 'end') {
    parentPort.close();
    return;
  }
  request.port.postMessage({ answer: request.parameters[0] });
  request.port.close();
});
`;

function echoThread(t: Teardown): QuestionThread<{ echo: (text: string) => string }> {
  const file = join(temporaryFolder(t), 'program.mjs');
  writeFileSync(file, PROGRAM);
  const thread = new QuestionThread<{ echo: (text: string) => string }>(pathToFileURL(file), {});
  t.teardown(() => thread.close());
  return thread;
}

t.test('what was answered before a thread ended is not lost where this one was busy', async (t) => {
  const thread = echoThread(t);
  t.equal(await thread.ask('echo', ['one']), 'one', 'it runs');
  const asked = thread.ask('echo', ['two']);
  thread.renew({});
  const endMs = performance.now() + BUSY_MS;
  while (performance.now() < endMs);
  t.equal(await asked, 'two');
});

t.test('who asks after the end gets no answer, and starts no thread that nobody would end', async (t) => {
  const thread = echoThread(t);
  t.equal(await thread.ask('echo', ['one']), 'one');
  thread.close();
  await t.rejects(thread.ask('echo', ['two']), { message: /has ended/ });
});
