import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { VectorsThread } from '../../src/app/vectors/vectors-thread.ts';
import { oneFolder } from '../../src/core/docs-selection.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { temporaryFolder } from '../support/temporary.ts';

const LIMIT_MS = 120_000;

function threadOn(t: Test, server: EmbeddingServer, vectorsText?: string): VectorsThread {
  const folder = temporaryFolder(t);
  const state = stateFolderAt(join(folder, 'state'));
  mkdirSync(state.path);
  if (vectorsText !== undefined) writeFileSync(state.vectorsFile, vectorsText);
  const settings = {
    model: 'words',
    baseUrl: server.url,
    batchSize: 8,
    memory: true,
    questionTimeoutMs: 20_000,
  };
  const thread = new VectorsThread({
    ...state,
    settings,
    apiKey: undefined,
    docs: oneFolder(folder),
    excluded: [],
    maxBytes: 1000,
  });
  t.teardown(() => thread.close());
  return thread;
}

async function serverFor(t: Test): Promise<EmbeddingServer> {
  const server = await startEmbeddingServer(16);
  t.teardown(() => server.close());
  return server;
}

function change(thread: VectorsThread): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('nothing was told')), LIMIT_MS);
    thread.onChange(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

t.test('where vectors cannot be kept, questions are answered without, and figures say why', async (t) => {
  const server = await serverFor(t);
  const thread = threadOn(
    t,
    server,
    'this is no database, but long enough to be taken for one of another kind',
  );
  await change(thread);
  t.match(thread.figures(), { model: 'words', failures: 1, last_error: /the file of vectors is damaged/ });
  t.match(await thread.nearest('anything', 3), { passages: { length: 0 }, lack: /damaged/ });
  t.match(thread.lack(), /damaged/);
  t.equal(server.requests.length, 0);
});

t.test('a question without any vector is answered at once, and one that is stopped, too', async (t) => {
  const thread = threadOn(t, await serverFor(t));
  await change(thread);
  t.match(await thread.nearest('anything', 3), { passages: { length: 0 }, lack: /no text has a vector yet/ });
  t.match(await thread.nearest('anything', 3, AbortSignal.abort()), { lack: /nobody waits/ });
});

t.test('whoever waits when vectors are closed is told so', async (t) => {
  const thread = threadOn(t, await serverFor(t));
  const waiting = thread.nearest('anything', 3);
  thread.close();
  t.match(await waiting, { passages: { length: 0 }, lack: 'vectors are closed' });
});
