import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openAppVectors } from '../../src/app/vectors/app-vectors.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { systemClock } from '../../src/core/clock.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { openSearchStoreAnew } from '../../src/store/search-store.ts';
import { openStore } from '../../src/store/store.ts';
import { until } from '../ingest/watch-fixture.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** An indexed document, whose two passages a daemon has embedded, and what it said of failures. */
async function embedded(t: Test) {
  const server = await startEmbeddingServer(16);
  t.teardown(() => server.close());
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'refunds.md'), '# Refunds\n\nThey take five days.\n\n## Fees\n\nThey are kept.\n');
  const settings = loadSettings({ docs, state: join(folder, 'state') }, folder);
  const state = stateFolderAt(settings.state);
  const [store, search] = [openStore(state.indexFile), openSearchStoreAnew(state.searchFile)];
  const { selection, maxDocumentBytes: maxBytes } = settings;
  await updateIndex({ store, search, docs: selection, excluded: [], maxBytes, clock: systemClock });
  search.close();
  store.close();
  const embeddings = {
    model: 'words',
    baseUrl: server.url,
    batchSize: 8,
    memory: false,
    questionTimeoutMs: 20_000,
  };
  const place = { state, settings, excluded: [] };
  const reasons: string[] = [];
  const daemon = openAppVectors(embeddings, place, (reason) => reasons.push(reason));
  t.teardown(() => daemon.close());
  await until('the passages to be embedded', () => daemon.figures()?.done === 2);
  return { server, place, embeddings, daemon, reasons };
}

t.test('a daemon tells a failure of embeddings once, until it fails for another reason', async (t) => {
  const { server, daemon, reasons } = await embedded(t);
  const refused = { kind: 'status', status: 400 } as const;
  server.script(refused, refused, { kind: 'status', status: 403 });
  for (const question of ['how long', 'how much', 'who pays'])
    t.match(await daemon.nearest(question, 1), { passages: { length: 0 }, lack: String });
  await until('all three to be counted', () => daemon.figures()?.failures === 3);
  t.equal(reasons.length, 2);
  t.match(reasons[0], /400/);
  t.notMatch(reasons[1], /400/);
});

t.test('why a command has no vectors is what its latest question was told', async (t) => {
  const { server, place, embeddings } = await embedded(t);
  const here = openAppVectors(
    async () => embeddings,
    place,
    () => {},
  );
  t.teardown(() => here.close());
  server.script({ kind: 'status', status: 400 });
  t.match(await here.nearest('how long', 1), { passages: { length: 0 } });
  t.match(here.lack(), /400/);
  t.match(await here.nearest('five days', 1), { passages: { length: 1 }, lack: undefined });
  t.equal(here.lack(), undefined);
});
