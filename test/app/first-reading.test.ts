import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openApp } from '../../src/app/app.ts';
import { openToolbox } from '../../src/app/open-toolbox.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { systemClock } from '../../src/core/clock.ts';
import { parsePath } from '../../src/core/paths.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { openSearchStoreAnew } from '../../src/store/search-store.ts';
import { openStore } from '../../src/store/store.ts';
import { callTool } from '../../src/toolkit/call.ts';
import { TOOLS } from '../../src/toolkit/toolkit.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('what finds nothing while the docs are read for the first time says so', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'refunds.md'), '# Refunds\n\nA refund takes five days.\n');
  const settings = loadSettings({ docs, state: join(folder, 'state') }, folder);
  const store = openStore(join(settings.state, 'index.sqlite'));
  const search = openSearchStoreAnew(join(settings.state, 'search.sqlite'));
  const app = openApp({ settings });
  t.teardown(() => {
    app.close();
    search.close();
    store.close();
  });
  const textAt = async (path: string) => {
    const file = await app.fs.open(parsePath(path), {});
    const bytes = Buffer.alloc(4096);
    return bytes.toString('utf8', 0, await file.read(bytes, 0));
  };
  const box = openToolbox(app, { countTokens: (text) => text.length, writesCountAtOnce: false });
  const called = (tool: string) =>
    callTool(TOOLS, { tool, args: { query: 'how long does money take to come back' } }, box, { context: {} });
  const TOOLS_THAT_SEARCH = ['search_files', 'vfs_search', 'query_knowledge'];
  const page = () => textAt('/search/how long does money take to come back');
  const context = async () => (await app.contexts.build('how long does money take to come back')).text;

  const reading = 'the docs are being read for the first time, 0 so far: ask again in a moment';
  t.match(await page(), `nothing found for "how long does money take to come back"\n${reading}\n`);
  t.match(await context(), `Nothing was found for this question: ${reading}.`);
  for (const tool of TOOLS_THAT_SEARCH)
    t.match(await called(tool), { hits: { length: 0 }, hits_note: reading }, tool);

  const { selection, maxDocumentBytes: maxBytes } = settings;
  await updateIndex({ store, search, docs: selection, excluded: [], maxBytes, clock: systemClock });
  t.match(await page(), /docs\/refunds\.md/);
  t.match(await context(), /five days/);
  for (const tool of TOOLS_THAT_SEARCH) t.notOk('hits_note' in (await called(tool)), tool);
  const nothing = await textAt('/search/xylophone');
  t.match(nothing, 'nothing found for "xylophone"');
  t.notMatch(nothing, 'first time', 'all was read');
});
