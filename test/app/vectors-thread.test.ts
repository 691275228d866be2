import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { VectorsThread } from '../../src/app/vectors/vectors-thread.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { DocsSelection } from '../../src/core/docs-selection.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { openSearchStore } from '../../src/store/search-store.ts';
import { openStore } from '../../src/store/store.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { until } from '../ingest/watch-fixture.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { hangingMount } from '../support/hanging-mount.ts';
import { oneFolder } from '../support/one-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';

const LIMIT_MS = 120_000;

function settingsFor(server: EmbeddingServer) {
  return { model: 'words', baseUrl: server.url, batchSize: 8, memory: true, questionTimeoutMs: 20_000 };
}

function threadOn(t: Test, server: EmbeddingServer, vectorsText?: string): VectorsThread {
  const folder = temporaryFolder(t);
  const state = stateFolderAt(join(folder, 'state'));
  mkdirSync(state.path);
  if (vectorsText !== undefined) writeFileSync(state.vectorsFile, vectorsText);
  const thread = new VectorsThread({
    ...state,
    settings: settingsFor(server),
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
  const ended = thread.close();
  t.match(await waiting, { passages: { length: 0 }, lack: 'vectors are closed' });
  await ended;
});

/** Two docs roots that are indexed, of which the second is a link that can be switched. */
async function twoRoots(t: Test) {
  const folder = realpathSync(temporaryFolder(t));
  const at = (path: string) => join(folder, path);
  const state = stateFolderAt(at('state'));
  for (const name of ['state', 'one', 'two']) mkdirSync(at(name));
  writeFileSync(at('one/refunds.md'), '# Refunds\n\nThey take five days.\n');
  writeFileSync(at('two/fees.md'), '# Fees\n\nThey are two percent.\n');
  symlinkSync('two', at('link'));
  const docs: DocsSelection = {
    folders: [
      { name: 'one', folder: at('one') },
      { name: 'two', folder: at('two'), way: at('link') },
    ],
    include: [],
    exclude: [],
  };
  const [store, search] = [openStore(state.indexFile), openSearchStore(state.searchFile)];
  const how = { docs, excluded: [], maxBytes: 1000 };
  await updateIndex({ ...how, store, search, clock: systemClock });
  search.close();
  store.close();
  return { at, state, how };
}

t.test(
  'of docs that do not answer no text is embedded until it is told where they lie, and of all others it is',
  needsFuse(),
  async (t) => {
    const server = await serverFor(t);
    const { at, state, how } = await twoRoots(t);
    const hanging = await hangingMount(t);
    rmSync(at('link'));
    symlinkSync(hanging.docs, at('link'));
    hanging.hang();
    const found = new Map([['one', at('one')]]);
    const thread = new VectorsThread({
      ...state,
      ...how,
      found,
      settings: settingsFor(server),
      apiKey: undefined,
    });
    t.teardown(() => thread.close());
    const embedded = () => server.requests.flatMap(({ texts }) => texts).join('\n');
    await until('what answers', () => /five days/.test(embedded()));
    t.notMatch(embedded(), /two percent/);
    await until('its vector to be kept', () => thread.figures().done > 0);
    t.match(await thread.nearest('five days', 1), { passages: { length: 1 }, lack: undefined });
    thread.docsAt(new Map([...found, ['two', at('two')]]));
    await until('what was found', () => /two percent/.test(embedded()));
  },
);
