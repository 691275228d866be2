import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { IndexRun } from '../../src/ingest/index-run.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { PlannedRows } from '../../src/ingest/planned-rows.ts';
import { readContribution } from '../../src/ingest/read-document.ts';
import { SearchRun } from '../../src/ingest/search-run.ts';
import { DocsFolders } from '../../src/source/docs-folders.ts';
import { oneFolder } from '../support/one-folder.ts';
import { openStores } from '../support/open-stores.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const clock = { nowMs: () => 5 };
const MAX_BYTES = 1 << 20;

/** What a process is about to write to when the other comes before it. */
type Point = 'index' | 'search';

/** Two processes over one state folder: the first updates, and the second does something just before the first writes. */
function twoProcesses(t: Teardown, files: Readonly<Record<string, string>>) {
  const docs = temporaryFolder(t);
  const state = temporaryFolder(t);
  const [first, second] = [openStores(t, state), openStores(t, state)];
  const selection = oneFolder(docs);
  let before: { readonly point: Point; act(): void } | undefined;
  const reach = (point: Point) => {
    if (before?.point !== point) return;
    const { act } = before;
    before = undefined;
    act();
  };
  const store: typeof first.store = {
    ...first.store,
    transact(body) {
      reach('index');
      return first.store.transact(body);
    },
  };
  const search: typeof first.search = {
    ...first.search,
    transact(body) {
      reach('search');
      return first.search.transact(body);
    },
  };
  const options = { store, search, docs: selection, excluded: [], maxBytes: MAX_BYTES, clock };
  const it = {
    docs,
    write(path: string, text: string) {
      mkdirSync(dirname(join(docs, path)), { recursive: true });
      writeFileSync(join(docs, path), text);
    },
    /** @returns whether the second process came in between */
    async update(point?: Point, act?: () => void, paths = ['']) {
      before = point && act && { point, act };
      const result = await updateIndex({ ...options, paths });
      return { ...result, wasInterrupted: before === undefined };
    },
    /** As the second process reads files and writes what they say. */
    takeInSecond(...paths: string[]) {
      const folders = new DocsFolders(selection, { excluded: [] });
      const planned = new PlannedRows(new Set());
      const outcomes = paths.map((path) => {
        planned.note(path, second.search.sources.file(path));
        const request = { path, search: { sha256: undefined } };
        return readContribution(folders, selection, request, MAX_BYTES);
      });
      folders.close();
      new IndexRun({ store: second.store, clock }).commit(outcomes, []);
      new SearchRun(second.search).commit(outcomes, [], planned);
    },
    titles: (path: string) => [
      second.store.documents.get(path)?.title,
      second.search.sources.file(path)?.title,
    ],
    problems: () => second.store.problems.all().map(({ path, code }) => `${path} ${code}`),
  };
  for (const [path, text] of Object.entries(files)) it.write(path, text);
  return it;
}

for (const point of ['index', 'search'] as const) {
  t.test(`an older reading does not take the place of a newer one: ${point}`, async (t) => {
    const it = twoProcesses(t, { 'a.md': '# Zero\n', 'b.md': '# Other\n' });
    await it.update();
    it.write('a.md', '# First\n');
    const { wasInterrupted } = await it.update(point, () => {
      it.write('a.md', '# Second\n');
      it.takeInSecond('a.md');
    });
    t.ok(wasInterrupted);
    t.same(it.titles('a.md'), ['Second', 'Second']);
    t.same(it.titles('b.md'), ['Other', 'Other']);
  });

  t.test(`an older reading of a new file does not, either: ${point}`, async (t) => {
    const it = twoProcesses(t, { 'a.md': '# First\n' });
    await it.update(point, () => {
      it.write('a.md', '# Second\n');
      it.takeInSecond('a.md');
    });
    t.same(it.titles('a.md'), ['Second', 'Second']);
  });

  t.test(`what another process wrote and the disk has no more is read anew: ${point}`, async (t) => {
    const it = twoProcesses(t, { 'a.md': '# First\n' });
    await it.update(point, () => {
      it.write('a.md', '# Second\n');
      it.takeInSecond('a.md');
      it.write('a.md', '# Third\n');
    });
    t.same(it.titles('a.md'), ['Third', 'Third']);
  });

  t.test(`a new file that is gone before it is written down does not stay: ${point}`, async (t) => {
    const it = twoProcesses(t, { 'a.md': '# First\n', 'note.txt': 'text\n' });
    const { documents } = await it.update(point, () => {
      rmSync(join(it.docs, 'a.md'));
      rmSync(join(it.docs, 'note.txt'));
      it.takeInSecond('a.md', 'note.txt');
    });
    t.equal(documents, 0);
    t.same([...it.titles('a.md'), ...it.titles('note.txt')], [undefined, undefined, undefined, undefined]);
  });

  t.test(`a file that came back is not taken out: ${point}`, async (t) => {
    const it = twoProcesses(t, { 'sub/a.md': '# First\n', 'sub/b.md': '# B\n' });
    await it.update();
    const [sub, away] = [join(it.docs, 'sub'), join(temporaryFolder(t), 'away')];
    renameSync(sub, away);
    const { wasInterrupted } = await it.update(point, () => {
      renameSync(away, sub);
      it.write('sub/a.md', '# Second\n');
      it.takeInSecond('sub/a.md');
    });
    t.ok(wasInterrupted);
    t.same(it.titles('sub/a.md'), ['Second', 'Second']);
    t.same(it.titles('sub/b.md'), ['B', 'B'], 'the very same as before: the other had nothing to write');
  });
}

t.test('what a walk met and a later one did not is not noted for good', async (t) => {
  const it = twoProcesses(t, { '.kgraphfsignore': '**/**/**/**/x\n' });
  const { wasInterrupted } = await it.update('index', () => it.write('.kgraphfsignore', 'x\n'));
  t.ok(wasInterrupted);
  t.same(it.problems(), []);
  it.write('.kgraphfsignore', '**/**/**/**/x\n');
  await it.update();
  t.same(it.problems(), ['.kgraphfsignore ignore-file']);
});

t.test('where many were overtaken all is looked at again', async (t) => {
  const paths = Array.from({ length: 1001 }, (_, index) => `p${index}.md`);
  const it = twoProcesses(t, Object.fromEntries(paths.map((path) => [path, '# First\n'])));
  const { documents } = await it.update('index', () => {
    for (const path of paths) it.write(path, '# Second\n');
    it.takeInSecond(...paths);
    it.write('p0.md', '# Third\n');
  });
  t.equal(documents, paths.length);
  t.same(it.titles('p0.md'), ['Third', 'Third']);
  t.same(it.titles('p1000.md'), ['Second', 'Second']);
});
