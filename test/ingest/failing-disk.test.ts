import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import type { DocsSelection } from '../../src/core/docs-selection.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { failingDisk } from '../support/failing-disk.ts';
import { oneFolder } from '../support/one-folder.ts';
import { openStores } from '../support/open-stores.ts';
import { temporaryFolder } from '../support/temporary.ts';

const TEXTS = {
  'billing/charge.md': '# Charge\n\nThe charge takes money.\n',
  'billing/notes.txt': 'a refund takes five days\n',
  'more/deep/orders.md': '# Orders\n\nAn order creates a charge.\n',
};

/** An index of these documents, on a disk that begins to fail. */
async function project(t: Test, selectionOf: (docs: string) => DocsSelection = oneFolder) {
  const docs = realpathSync(temporaryFolder(t));
  const state = temporaryFolder(t);
  for (const [path, text] of Object.entries(TEXTS)) {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), text);
  }
  const { store, search } = openStores(t, state);
  const selection = selectionOf(docs);
  const update = (...paths: readonly string[]) =>
    updateIndex({
      store,
      search,
      docs: selection,
      excluded: [],
      maxBytes: 1 << 20,
      clock: { nowMs: () => 5 },
      ...(paths.length === 0 ? {} : { paths }),
    });
  await update();
  const { failAt } = failingDisk(t);
  return {
    docs,
    update,
    failAt: (...paths: readonly string[]) => failAt(...paths.map((path) => join(docs, path))),
    documents: () => store.documents.all().map(({ path }) => path),
    texts: () => search.sources.states('').map(({ path }) => path),
    problems: () => store.problems.all().map(({ path, code, message }) => `${path} ${code}: ${message}`),
  };
}

const FAILED = 'the disk failed to read this (EIO)';

t.test(
  'what lies in a folder that the disk fails to list still counts, and is looked at again',
  async (t) => {
    const it = await project(t);
    const [documents, texts] = [it.documents(), it.texts()];
    it.failAt('billing');
    for (const paths of [[], ['billing'], ['billing/charge.md', '']]) {
      t.match(await it.update(...paths), { removed: 0, held: ['billing'] });
      t.same([it.documents(), it.texts()], [documents, texts]);
      t.same(it.problems(), [`billing unreadable: ${FAILED}`]);
    }
    it.failAt();
    rmSync(join(it.docs, 'billing/charge.md'));
    t.match(await it.update('billing'), { removed: 1, held: [] });
    t.same(it.documents(), ['more/deep/orders.md']);
    t.same(it.problems(), []);
  },
);

t.test('what a document said that the disk fails to read still counts, and is read again', async (t) => {
  const it = await project(t);
  const texts = it.texts();
  writeFileSync(join(it.docs, 'billing/charge.md'), '# Charge\n\nThe charge is refunded.\n');
  writeFileSync(join(it.docs, 'billing/notes.txt'), 'a refund takes six days\n');
  it.failAt('billing/charge.md', 'billing/notes.txt');
  const { removed, held } = await it.update();
  t.same([removed, [...new Set(held)]], [0, ['billing/charge.md', 'billing/notes.txt']]);
  t.same(it.documents(), ['billing/charge.md', 'more/deep/orders.md']);
  t.same(it.texts(), texts);
  const told = (path: string) => `${path} unreadable: this document could not be read: ${FAILED}`;
  t.same(it.problems(), [told('billing/charge.md'), told('billing/notes.txt')]);
  it.failAt();
  t.match(await it.update('billing/charge.md'), { changed: 1, held: [] });
  t.same(it.problems(), [told('billing/notes.txt')], 'where it was not looked, it is as it was');
  t.match(await it.update(), { held: [] });
  t.same(it.problems(), []);
});

t.test('a new document that the disk fails to read is told of until it can be read', async (t) => {
  const it = await project(t);
  writeFileSync(join(it.docs, 'new.md'), '# New\n');
  it.failAt('new.md');
  await it.update();
  t.match(it.problems(), [/^new\.md unreadable: /]);
  it.failAt();
  t.match(await it.update('new.md'), { added: 1 });
  t.same(it.problems(), []);
});

t.test('of several docs roots, one that cannot be listed still counts whole', async (t) => {
  const it = await project(t, (docs) => ({
    ...oneFolder(docs),
    folders: ['billing', 'more'].map((name) => ({ name, folder: join(docs, name) })),
  }));
  t.same(it.documents(), ['billing/charge.md', 'more/deep/orders.md']);
  it.failAt('billing', 'more/deep');
  t.match(await it.update(), { removed: 0, held: ['billing', 'more/deep'] });
  t.same(it.documents(), ['billing/charge.md', 'more/deep/orders.md']);
});

t.test('that a pattern fits nothing is not said while the disk fails', async (t) => {
  const it = await project(t, (docs) => ({ ...oneFolder(docs), include: ['/billing/*.md'] }));
  it.failAt('billing');
  await it.update();
  t.same(it.problems(), [`billing unreadable: ${FAILED}`]);
});

t.test('while the disk fails to read an ignore file, what it hides stays hidden', async (t) => {
  const it = await project(t);
  writeFileSync(join(it.docs, 'billing/.gitignore'), 'secret.md\n');
  writeFileSync(join(it.docs, 'billing/secret.md'), '# Secret\n');
  const documents = it.documents();
  it.failAt('billing/.gitignore');
  t.match(await it.update(), { removed: 0, held: ['billing'] });
  t.same(it.documents(), documents);
  t.same(it.problems(), [`billing/.gitignore unreadable: ${FAILED}`]);
  renameSync(join(it.docs, 'billing/.gitignore'), join(it.docs, '.gitignore'));
  it.failAt('.gitignore');
  await t.rejects(it.update(), {
    message: /cannot be opened: EIO: \.gitignore: the disk failed to read this \(EIO\)$/,
  });
  t.same(it.documents(), documents);
});
