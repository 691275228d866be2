import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { openSearchReader } from '../../src/store/search-reader.ts';
import {
  figuresOf,
  openSearchStore,
  openSearchStoreAnew,
  rememberedFigures,
  type SearchStore,
} from '../../src/store/search-store.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

interface Project {
  readonly docs: string;
  readonly file: string;
  store: Store;
  search: SearchStore;
  put(path: string, content: string | Uint8Array): void;
  update(paths?: readonly string[]): ReturnType<typeof updateIndex>;
}

function project(t: Teardown, files: Readonly<Record<string, string | Uint8Array>> = {}): Project {
  const docs = temporaryFolder(t);
  const it: Project = Object.assign(opened(t, docs), { docs, put });
  function put(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), content);
  }
  for (const [path, content] of Object.entries(files)) put(path, content);
  return it;
}

/** An index and a search store of their own over some docs. */
function opened(t: Teardown, docs: string) {
  const state = temporaryFolder(t);
  const file = join(state, 'search.sqlite');
  const it = {
    file,
    store: openStore(join(state, 'index.sqlite')),
    search: openSearchStore(file),
    update: (paths: readonly string[] = ['']) =>
      updateIndex({
        store: it.store,
        search: it.search,
        docs: oneFolder(docs),
        excluded: [],
        maxBytes: 1 << 20,
        paths,
        clock: { nowMs: () => 5 },
      }),
  };
  t.teardown(() => {
    it.store.close();
    it.search.close();
  });
  return it;
}

/** All that a store says, without numbers of rows and when they were read. */
function contents({ sources, passages }: SearchStore) {
  return sources.all().map(({ id, stamp: _, ...source }) => ({
    ...source,
    passages: passages.ofSource(id).map(({ id: __, sourceId: ___, ...passage }) => passage),
  }));
}

/** Paths of the files and keys of the nodes that hold a term. */
function found({ sources, passages }: SearchStore, term: string): string[] {
  const ids = passages.match([term], { limit: 100 }).map(({ sourceId }) => sourceId);
  return [...new Set(ids.map((id) => sources.byId(id)?.path ?? '?'))].sort();
}

const CHARGE = `---
title: Charges
tags: [Billing, money]
date: 2026-03-01
type: Guide
---
Opening words.

## Create a charge

A **Charge** takes money. The Charge triggers \`charge.succeeded\`.

| Field | Meaning |
|---|---|
| amount | how much |
`;

t.test('a document is found by its sections, with lines, headings, tags and date', async (t) => {
  const { search, update, put } = project(t);
  put('charges.md', CHARGE);
  await update();
  const source = search.sources.file('charges.md');
  t.match(source, {
    kind: 'document',
    title: 'Charges',
    type: 'guide',
    tags: '\nbilling\nmoney\n',
    dateMs: Date.UTC(2026, 2, 1),
  });
  t.match(search.passages.ofSource(source?.id ?? 0), [
    { line: 1, endLine: 7, headings: '', titleTerms: 'charg charg' },
    { line: 9, endLine: 15, headings: 'Create a charge', headingTerms: 'creat charg' },
  ]);
  t.ok(found(search, 'amount').includes('charges.md'));
});

t.test('figures that are remembered are those of now', async (t) => {
  const { file, search, update, put } = project(t, { 'a.md': CHARGE });
  await update();
  const reader = openSearchReader(file);
  t.teardown(() => reader.close());
  const figures = rememberedFigures(reader);
  const first = figures();
  t.strictSame(first, figuresOf(search));
  t.equal(figures(), first, 'nothing is counted where nobody wrote');
  put('b.md', CHARGE);
  await update();
  t.not(figures(), first);
  t.strictSame(figures(), figuresOf(search));
});

t.test('other text is found too, and is no document of the graph; binary files are not', async (t) => {
  const { search, store, update } = project(t, {
    'a.md': '# A\n',
    'src/pay.ts': 'export function payInvoice() {\n  return 1;\n}\n\nexport const retryCount = 3;\n',
    'rates.csv': 'country,rate\nFrance,20\n',
    'logo.png': 'invoice',
    'blob.xyz': Uint8Array.of(1, 0, 2, 0),
    'package-lock.json': '{"lodash": 1}',
    'empty.txt': '',
    'latin.txt': Buffer.from('caf\xe9 zebra', 'latin1'),
  });
  const result = await update();
  t.equal(result.documents, 1);
  t.same(
    store.documents.all().map(({ path }) => path),
    ['a.md'],
  );
  t.same(found(search, 'invoic'), ['src/pay.ts']);
  t.same(found(search, 'retri'), ['src/pay.ts']);
  t.same(found(search, 'franc'), ['rates.csv']);
  t.same(found(search, 'zebra'), ['latin.txt']);
  t.same(found(search, 'lodash'), []);
  t.equal((await update()).revision, result.revision, 'and not read again');
});

t.test(
  'nodes are found by what they are and how they are related, and go with the last document',
  async (t) => {
    const { search, store, docs, update } = project(t, {
      'charges.md': '# Charge\n\nA **Charge** takes money. The Charge triggers `charge.succeeded`.\n',
      'events.md': '# Events\n\n## charge.succeeded\n\nSent as a webhook event when it went well.\n',
    });
    await update();
    const nodes = () => found(search, 'trigger').filter((path) => !path.endsWith('.md'));
    t.ok(nodes().includes('event:charge.succeeded'), nodes().join());
    const { nodeTexts } = store;
    const all = nodeTexts.allRelations();
    t.ok(all.size > 0);
    for (const { id } of nodeTexts.changedAfter(-1)) t.same(all.get(id) ?? [], nodeTexts.relations(id));
    rmSync(join(docs, 'charges.md'));
    rmSync(join(docs, 'events.md'));
    await update();
    t.same(search.sources.all(), []);
    t.equal(search.passages.count(), 0);
    t.equal(search.passages.frequency('trigger'), 0);
  },
);

t.test('an edit, a rename and a removal are taken in by one run', async (t) => {
  const { search, docs, put, update } = project(t, {
    'a.md': '# A\n\nalpha\n',
    'b.txt': 'beta',
    'c.md': '# C\n\ngamma\n',
  });
  await update();
  put('a.md', '# A\n\ndelta\n');
  renameSync(join(docs, 'b.txt'), join(docs, 'bb.txt'));
  rmSync(join(docs, 'c.md'));
  await update(['a.md', 'b.txt', 'bb.txt', 'c.md']);
  t.same(found(search, 'alpha'), []);
  t.same(found(search, 'delta'), ['a.md']);
  t.same(found(search, 'beta'), ['bb.txt']);
  t.same(found(search, 'gamma'), []);
});

t.test('a file that was merely touched keeps its passages, and is as new as it is', async (t) => {
  const { search, docs, update } = project(t, { 'a.md': '# A\n\nalpha\n' });
  await update();
  const before = search.sources.file('a.md');
  utimesSync(join(docs, 'a.md'), 1_000, 1_000);
  await update();
  t.match(search.sources.file('a.md'), { id: before?.id, modifiedMs: 1_000_000, dateMs: 1_000_000 });
  t.not(search.sources.file('a.md')?.stamp, before?.stamp);
});

t.test('what an index has and search has not is read again, without a change of the graph', async (t) => {
  const files = { 'a.md': CHARGE, 'b.ts': 'let alpha = 1;\n' };
  t.test('of an older program, or where it stopped between the two', async (t) => {
    const it = project(t, files);
    const { search, ...withoutSearch } = { ...it, docs: oneFolder(it.docs), excluded: [], maxBytes: 1 << 20 };
    const clock = { nowMs: () => 5 };
    const { revision } = await updateIndex({ ...withoutSearch, store: it.store, clock });
    t.same(search.sources.all(), []);
    t.equal((await it.update()).revision, revision);
    const fresh = opened(t, it.docs);
    await fresh.update();
    t.same(contents(search), contents(fresh.search));
  });
  t.test('where its file is lost or damaged', async (t) => {
    const it = project(t, files);
    await it.update();
    const whole = contents(it.search);
    for (const damage of [
      () => rmSync(it.file),
      () => writeFileSync(it.file, Buffer.alloc(statSync(it.file).size, 7)),
      () => writeFileSync(it.file, 'no database'),
    ]) {
      it.search.close();
      rmSync(`${it.file}-wal`, { force: true });
      damage();
      it.search = openSearchStoreAnew(it.file);
      await it.update();
      t.same(contents(it.search), whole);
    }
  });
  t.test('where passages are made otherwise now', async (t) => {
    const it = project(t, files);
    const { revision } = await it.update();
    const whole = contents(it.search);
    for (const { id: _, ...source } of it.search.sources.all()) {
      it.search.passages.replace(it.search.sources.put({ ...source, version: 0 }), []);
    }
    it.search.setPosition('{}');
    t.equal((await it.update()).revision, revision);
    t.same(contents(it.search), whole);
  });
  t.test('where the index was made again', async (t) => {
    const it = project(t, files);
    await it.update();
    const whole = contents(it.search);
    it.put('c.md', '# Refund\n\nA **Refund** returns money.\n');
    await it.update();
    rmSync(join(it.docs, 'c.md'));
    it.store.close();
    it.store = opened(t, it.docs).store;
    await it.update();
    t.same(contents(it.search), whole);
  });
});

t.test('however it was brought up to date, it holds what one made anew holds', async (t) => {
  const texts = [
    CHARGE,
    '# Refund\n\nA **Refund** requires a Charge.\n\n- The Refund triggers `refund.created`\n',
    'plain words\n\nand more of them\n',
    '# Charge\n\nSee [the refund](b.md).\n',
    '',
  ];
  const step = fc.record({
    path: fc.constantFrom('a.md', 'b.md', 'sub/c.md', 'd.ts', 'sub/e.txt'),
    text: fc.option(fc.constantFrom(...texts), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
      async (rounds) => {
        const it = project(t);
        for (const edits of rounds) {
          for (const { path, text } of edits) {
            if (text === undefined) rmSync(join(it.docs, path), { force: true });
            else it.put(path, text);
          }
          await it.update(edits.map(({ path }) => path));
        }
        const fresh = opened(t, it.docs);
        await fresh.update();
        t.same(contents(it.search), contents(fresh.search));
      },
    ),
    { numRuns: 25 },
  );
});

t.test('who reads goes on with the file that takes the place of a damaged one', async (t) => {
  const it = project(t, { 'a.md': CHARGE });
  const reader = openSearchReader(it.file);
  t.teardown(() => reader.close());
  const before = reader.dataVersion();
  t.same(found(reader, 'amount'), []);
  await it.update();
  const after = reader.dataVersion();
  t.not(after, before);
  t.ok(found(reader, 'amount').includes('a.md'));
  it.search.close();
  for (const part of ['-wal', '-shm']) rmSync(`${it.file}${part}`, { force: true });
  writeFileSync(it.file, 'no database');
  it.search = openSearchStoreAnew(it.file);
  await it.update();
  t.ok(reader.dataVersion() > after);
  t.ok(found(reader, 'amount').includes('a.md'));
});
