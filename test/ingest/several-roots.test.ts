import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import type { DocsSelection } from '../../src/core/docs-selection.ts';
import { nodeLinkData } from '../../src/graph/node-link.ts';
import { graphQueries } from '../../src/graph/queries.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { LiveDocs, type LiveDocsOptions } from '../../src/ingest/live-docs.ts';
import type { LiveDocsMessage } from '../../src/ingest/live-docs-message.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { Inotify } from '../../src/system/inotify.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { until } from './watch-fixture.ts';

function project(t: Teardown, files: Readonly<Record<string, string>>) {
  const folder = realpathSync(temporaryFolder(t));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const indexFile = join(folder, 'index.sqlite');
  const store = openStore(indexFile);
  t.teardown(() => store.close());
  const select = (names: readonly string[], patterns: Partial<DocsSelection> = {}): DocsSelection => ({
    folders: names.map((name) => ({ name: names.length === 1 ? '' : name, folder: join(folder, name) })),
    include: [],
    exclude: [],
    ...patterns,
  });
  const update = (docs: DocsSelection) =>
    updateIndex({ store, docs, excluded: [], maxBytes: 1 << 20, clock: { nowMs: () => 0 } });
  return { folder, indexFile, store, select, update };
}

const paths = (store: Store) => store.documents.all().map(({ path }) => path);

function links(store: Store): string[] {
  const { links } = nodeLinkData(graphQueries(store));
  return links
    .filter(({ edge_type }) => edge_type === 'references')
    .map(({ source, target }) => `${source} -> ${target}`)
    .filter((link) => /^document:.*-> document:/.test(link))
    .sort();
}

t.test('documents are named by their root, and links stay in it', async (t) => {
  const { store, select, update } = project(t, {
    'api/a.md': '# A\n[up](../web/b.md) [here](sub/c.md) [top](/sub/c.md) [far](../../web/b.md)\n',
    'api/sub/c.md': '# C\n[[b]] and [[sub/d]]\n',
    'api/sub/d.md': '# D\n[a](../a.md)\n',
    'web/b.md': '# B\n[own](/sub/c.md)\n',
    'web/web/b.md': '# Own B\n',
  });
  await update(select(['api', 'web']));
  t.same(paths(store).sort(), ['api/a.md', 'api/sub/c.md', 'api/sub/d.md', 'web/b.md', 'web/web/b.md']);
  t.same(links(store), [
    'document:api/a.md -> document:api/sub/c.md',
    'document:api/sub/c.md -> document:api/sub/d.md',
    'document:api/sub/c.md -> document:web/b.md',
    'document:api/sub/d.md -> document:api/a.md',
  ]);
});

t.test('roots and patterns that change take effect at the next update', async (t) => {
  const { store, select, update } = project(t, {
    'api/a.md': '# A\n',
    'api/old/x.md': '# X\n',
    'web/b.md': '# B\n',
    'web/b.mdx': '# Bx\n',
  });
  await update(select(['api']));
  t.same(paths(store), ['a.md', 'old/x.md']);
  await update(select(['api', 'web'], { exclude: ['old/**'], include: ['*.md'] }));
  t.same(paths(store), ['api/a.md', 'web/b.md']);
  await update(select(['api', 'web'], { exclude: ['web/b.*'] }));
  t.same(paths(store), ['api/a.md', 'api/old/x.md']);
  await update(select(['web']));
  t.same(paths(store), ['b.md', 'b.mdx']);
});

function followed(
  t: Teardown,
  {
    folder,
    indexFile,
    docs,
    ...options
  }: { folder: string; indexFile: string; docs: DocsSelection } & Pick<LiveDocsOptions, 'inotify'>,
): LiveDocsMessage[] {
  const messages: LiveDocsMessage[] = [];
  const live = new LiveDocs({
    docs,
    indexFile,
    searchFile: join(folder, 'search.sqlite'),
    excluded: [],
    maxBytes: 1 << 20,
    onCrash: (error) => {
      throw error;
    },
    ...options,
  });
  t.teardown(() => live.stop());
  live.listen((message) => messages.push(message));
  return messages;
}

t.test('each root is followed by itself: one may go and come back', async (t) => {
  const { folder, indexFile, store, select } = project(t, { 'api/a.md': '# A\n', 'web/b.md': '# B\n' });
  const docs = select(['api', 'web'], { exclude: ['no.md'] });
  const messages = followed(t, { folder, indexFile, docs });
  const state = () => messages.findLast(({ type }) => type === 'watch') ?? 'nothing is told';
  const has = (path: string) => () => paths(store).includes(path);
  await until('the first index', () => has('api/a.md')() && has('web/b.md')());
  await until('it to be watched', () => JSON.stringify(state()).includes('"watching"'));

  writeFileSync(join(folder, 'web/no.md'), '# No\n');
  writeFileSync(join(folder, 'web/new.md'), '# New\n');
  await until('the new document', has('web/new.md'));
  t.notOk(has('web/no.md')(), 'what is excluded is not read');

  renameSync(join(folder, 'api'), join(folder, 'away'));
  await until('the root to be missed', () => JSON.stringify(state()).includes(join(folder, 'api')));
  t.match(state(), { state: { kind: 'missing' } });
  writeFileSync(join(folder, 'web/later.md'), '# Later\n');
  await until('the other root to be read', has('web/later.md'));
  t.ok(has('api/a.md')(), 'what was in the missing one is not forgotten');

  rmSync(join(folder, 'away/a.md'));
  writeFileSync(join(folder, 'away/back.md'), '# Back\n');
  renameSync(join(folder, 'away'), join(folder, 'api'));
  await until('the root to be read again', has('api/back.md'));
  await until('what was removed meanwhile to go', () => !has('api/a.md')());
  await until('all to be watched', () => JSON.stringify(state()).includes('"watching"'));
});

/** Has the link `web` of a folder lead somewhere else in it. */
function leadingWeb(folder: string): (target: string) => void {
  return (target) => {
    symlinkSync(target, join(folder, 'new-link'));
    renameSync(join(folder, 'new-link'), join(folder, 'web'));
  };
}

/** The folder `api`, and what the link `web` leads to: `web-1` at first. */
function apiAndWeb(folder: string): DocsSelection {
  return {
    folders: [
      { name: 'api', folder: join(folder, 'api') },
      { name: 'web', folder: join(folder, 'web-1'), way: join(folder, 'web') },
    ],
    include: [],
    exclude: [],
  };
}

/** Waits until the documents are these, in the order of their paths. */
function allAre(store: Store): (...expected: readonly string[]) => Promise<void> {
  return (...expected) =>
    until(`${expected}`, () => JSON.stringify(paths(store).sort()) === JSON.stringify(expected));
}

t.test(
  'a root that comes to lie in another one is no part of that, until it lies elsewhere again',
  async (t) => {
    const { folder, indexFile, store } = project(t, {
      'api/a.md': '# A\n',
      'api/sub/b.md': '# B\n',
      'web-1/c.md': '# C\n',
    });
    const lead = leadingWeb(folder);
    lead('web-1');
    const messages = followed(t, { folder, indexFile, docs: apiAndWeb(folder) });
    const are = allAre(store);
    await are('api/a.md', 'api/sub/b.md', 'web/c.md');
    lead('api/sub');
    await are('api/a.md', 'web/b.md');
    const isWatching = (message: LiveDocsMessage | undefined) =>
      message?.type === 'watch' && message.state.kind === 'watching';
    await until('all to be watched', () => isWatching(messages.findLast(({ type }) => type === 'watch')));
    writeFileSync(join(folder, 'api/sub/new.md'), '# New\n');
    await are('api/a.md', 'web/b.md', 'web/new.md');
    lead('web-1');
    await are('api/a.md', 'api/sub/b.md', 'api/sub/new.md', 'web/c.md');
  },
);

/** Is told of what happens in folders, and not of what becomes of the way to them, as on a disk of the network. */
class WithoutWays extends Inotify {
  override watchEnd(): number {
    return super.watchEnd('/');
  }
}

t.test(
  'where one root looks before another has noticed that it lies in it, both are read anew',
  async (t) => {
    const { folder, indexFile, store } = project(t, {
      'api/a.md': '# A\n',
      'api/gone.md': '# Gone\n',
      'api/sub/b.md': '# B\n',
      'web-1/c.md': '# C\n',
      'web-1/gone.md': '# Gone\n',
    });
    const lead = leadingWeb(folder);
    lead('web-1');
    const inotify = () => new WithoutWays();
    const messages = followed(t, { folder, indexFile, docs: apiAndWeb(folder), inotify });
    const are = allAre(store);
    await are('api/a.md', 'api/gone.md', 'api/sub/b.md', 'web/c.md', 'web/gone.md');
    const isRead = () => messages.at(-1)?.type === 'indexed';
    await until('all to be read', isRead);
    messages.length = 0;
    lead('api/sub');
    // It has the root look where all lie, and be watched and read anew.
    unlinkSync(join(folder, 'api/gone.md'));
    const isWatchedAnew = () =>
      messages.some(({ type, ...more }) => type === 'disk-changed' && !('atMs' in more));
    await until('the first root to be read', () => isWatchedAnew() && isRead());
    unlinkSync(join(folder, 'web-1/gone.md'));
    await are('api/a.md', 'web/b.md');
  },
);

t.test('a root that is away hides nothing of another one but where it lay itself', async (t) => {
  const { folder, indexFile, store } = project(t, {
    'api/a.md': '# A\n',
    'api/sub/b.md': '# B\n',
    'web-1/c.md': '# C\n',
    'gone/d.md': '# D\n',
  });
  const lead = leadingWeb(folder);
  lead('api/sub');
  const docs: DocsSelection = {
    folders: [
      { name: 'api', folder: join(folder, 'api') },
      { name: 'web', folder: join(folder, 'api/sub'), way: join(folder, 'web') },
      { name: 'gone', folder: join(folder, 'gone') },
    ],
    include: [],
    exclude: [],
  };
  const messages = followed(t, { folder, indexFile, docs });
  await until('the first index', () => paths(store).includes('web/b.md'));
  renameSync(join(folder, 'gone'), join(folder, 'elsewhere'));
  await until('one to be away', () => {
    const last = messages.findLast(({ type }) => type === 'watch');
    return last?.type === 'watch' && last.state.kind !== 'watching';
  });
  lead('web-1');
  const isShown = () => paths(store).includes('api/sub/b.md') && paths(store).includes('web/c.md');
  await until('what the root left to be shown by the other', isShown);
  writeFileSync(join(folder, 'api/sub/new.md'), '# New\n');
  await until('what changes there to be followed', () => paths(store).includes('api/sub/new.md'));
});
