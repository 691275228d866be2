import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { searchOfProject } from '../../src/app/open-search.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { NearAnswer, VectorSearch } from '../../src/core/vector-search.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { DEFAULT_SEARCH_SETTINGS } from '../../src/settings/search.ts';
import { DocsFolders } from '../../src/source/docs-folders.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import { openSearchStore } from '../../src/store/search-store.ts';
import { openStore } from '../../src/store/store.ts';
import { runHere } from '../cli/run-here.ts';
import { oneFolder } from '../support/one-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';

const PAGES = {
  'words.md': '# Refunds\n\nA refund gives money back.\n',
  'meaning.md': '# Chargebacks\n\nWhat a bank takes from a seller.\n',
  'guide/other.md': '# Reimbursement\n\nPaying somebody what they spent.\n',
};

/** A search over three pages, in which vectors answer what a test says: pages, nearest first. */
async function subject(t: Test) {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  for (const [path, text] of Object.entries(PAGES)) {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), text);
  }
  const state = stateFolderAt(join(folder, 'state'));
  await runHere(['build', '--docs', docs, '--state', state.path]);
  const index = openStore(state.indexFile, { readOnly: true });
  const context = openContextStore(state.contextFile);
  const store = openSearchStore(state.searchFile, { readOnly: true });
  const folders = new DocsFolders(oneFolder(docs), { excluded: [] });
  let said: { readonly pages: readonly string[]; readonly lack?: string } = { pages: [] };
  const asked: { question: string; limit: number }[] = [];
  let revision = 0;
  const vectors: VectorSearch = {
    revision: () => String(revision),
    async nearest(question, limit): Promise<NearAnswer> {
      asked.push({ question, limit });
      const passages = said.pages.flatMap((path) => {
        const sourceId = store.sources.file(path)?.id ?? 0;
        return store.passages
          .ofSource(sourceId)
          .map(({ id }) => ({ corpus: 'docs' as const, sourceId, passageId: id, similarity: 0.5 }));
      });
      return { passages, lack: said.lack };
    },
  };
  const search = searchOfProject({
    searchFile: state.searchFile,
    memorySearchFile: state.memorySearchFile,
    memory: context.memory,
    historySearchFile: state.historySearchFile,
    history: context.history,
    clock: systemClock,
    index,
    folders,
    maxBytes: 1_000_000,
    settings: DEFAULT_SEARCH_SETTINGS,
    literal: () => ({ hits: [], unread: [] }),
    vectors,
  });
  t.teardown(() => {
    search.close();
    folders.close();
    store.close();
    context.close();
    index.close();
  });
  return {
    asked,
    near(...pages: readonly string[]) {
      said = { pages };
      revision += 1;
    },
    late() {
      said = { pages: [], lack: 'late' };
      revision += 1;
    },
    comeBack(...pages: readonly string[]) {
      said = { pages };
    },
    lackOf: async (query: string) => (await search.engine.search(parseQuery(query), { limit: 10 })).lack,
    find: async (query: string) =>
      (await search.engine.search(parseQuery(query), { limit: 10 })).hits.map(({ path, retrievers }) => ({
        path,
        vector: retrievers.vector,
      })),
  };
}

t.test('what is near in meaning is found, and its rank is told', async (t) => {
  const { near, find } = await subject(t);
  near('meaning.md');
  const hits = await find('refund');
  t.match(
    hits.find(({ path }) => path === '/docs/meaning.md'),
    { vector: 1 },
  );
  t.match(
    hits.find(({ path }) => path === '/docs/words.md'),
    { vector: undefined },
  );
});

t.test('a filter holds for what is near, too, and more is asked for then', async (t) => {
  const { near, find, asked } = await subject(t);
  near('meaning.md', 'guide/other.md');
  t.same(
    (await find('refund in:/docs/guide')).filter(({ vector }) => vector !== undefined),
    [{ path: '/docs/guide/other.md', vector: 1 }],
  );
  await find('refund');
  t.equal(asked[0]?.question, 'refund');
  t.ok((asked[0]?.limit ?? 0) > (asked[1]?.limit ?? 0));
});

t.test('an answer is remembered until vectors change, and not where they were late', async (t) => {
  const { near, late, comeBack, find, lackOf, asked } = await subject(t);
  near('meaning.md');
  await find('refund');
  await find('refund');
  t.equal(asked.length, 1);
  t.equal(await lackOf('refund'), undefined);
  late();
  t.ok((await find('refund')).every(({ vector }) => vector === undefined));
  t.equal(asked.length, 2);
  t.equal(await lackOf('refund'), 'late');
  comeBack('meaning.md');
  t.ok((await find('refund')).some(({ vector }) => vector === 1));
});
