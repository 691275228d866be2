import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { nodeLinkData } from '../../src/graph/node-link.ts';
import { graphQueries } from '../../src/graph/queries.ts';
import { type IndexProgress, updateIndex } from '../../src/ingest/indexer.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';

interface Subject {
  readonly docs: string;
  readonly store: Store;
  write(path: string, text: string | Buffer): void;
  /** @param paths where to look; everywhere unless given */
  update(maxBytes?: number, paths?: readonly string[]): ReturnType<typeof updateIndex>;
  content(): unknown;
  problems(): string[];
}

function subject(t: Teardown): Subject {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  return over(t, docs);
}

/** A new index over a docs folder. */
function over(t: Teardown, docs: string): Subject {
  const store = openStore(join(temporaryFolder(t), 'index.sqlite'));
  t.teardown(() => store.close());
  const clock = { nowMs: () => 1_700_000_000_000 };
  return {
    docs,
    store,
    write(path, text) {
      mkdirSync(join(docs, path, '..'), { recursive: true });
      writeFileSync(join(docs, path), text);
    },
    update: (maxBytes = 1 << 20, paths = ['']) =>
      updateIndex({ store, docs: oneFolder(docs), excluded: [], maxBytes, paths, clock }),
    content() {
      const { nodes, links } = nodeLinkData(graphQueries(store));
      return { nodes, links };
    },
    problems: () => store.problems.all().map(({ path, code }) => `${path} ${code}`),
  };
}

t.test('a second update with nothing changed changes nothing', async (t) => {
  const { docs, update, store } = subject(t);
  cpSync('docs/sample', docs, { recursive: true });
  const first = await update();
  t.ok(first.added > 15);
  t.equal(first.documents, first.added);
  const revision = store.revision();
  t.match(await update(), { added: 0, changed: 0, removed: 0, revision });
});

t.test('a file that was only touched is not read into a new revision', async (t) => {
  const { docs, write, update } = subject(t);
  write('a.md', '# Charge\n');
  const { revision } = await update();
  utimesSync(join(docs, 'a.md'), 1, 1);
  t.match(await update(), { changed: 0, revision });
});

t.test('a same-size edit with the old time put back is seen', async (t) => {
  const { docs, write, update, store } = subject(t);
  write('a.md', '# Charge\n');
  utimesSync(join(docs, 'a.md'), 1, 1);
  await update();
  write('a.md', '# Refund\n');
  utimesSync(join(docs, 'a.md'), 1, 1);
  t.match(await update(), { changed: 1 });
  t.equal(store.documents.get('a.md')?.title, 'Refund');
});

const TEXTS = [
  '# Charge\n\nA **Charge** requires a **Customer**.\n',
  '# Customer\n\nPOST /v1/customers\n\nReturns a **Customer** object.\n',
  '# Charge\n\nSee [customers](sub/b.md) and [[b]].\n',
  'no heading at all\n',
  '---\ntitle: Events\n---\n\n# Events\n\n| Event | Sent when |\n|---|---|\n| `charge.failed` | A **Charge** failed |\n',
];
const edit = fc.record({
  path: fc.constantFrom('a.md', 'b.md', 'sub/b.md', 'sub/deep/c.md', 'note.txt'),
  text: fc.option(fc.constantFrom(...TEXTS), { freq: 3 }),
  moveTo: fc.option(fc.constantFrom('a.md', 'sub/moved.md'), { freq: 1 }),
});

/** How a watcher may name what changed: each path, or the folder it lies in with all below it. */
const naming = fc.constantFrom(
  (path: string) => path,
  (path: string) => path.split('/')[0] ?? '',
  () => '',
);

t.test('after any edits on disk the index equals one built from nothing', async (t) => {
  const round = fc.record({ edits: fc.array(edit, { maxLength: 3 }), naming });
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 5 }), async (rounds) => {
      const incremental = subject(t);
      for (const { edits, naming } of rounds) {
        for (const { path, text, moveTo } of edits) {
          const file = join(incremental.docs, path);
          if (text === null) rmSync(file, { force: true });
          else incremental.write(path, text);
          if (text !== null && moveTo !== null && moveTo !== path) {
            mkdirSync(join(incremental.docs, 'sub'), { recursive: true });
            renameSync(file, join(incremental.docs, moveTo));
          }
        }
        const touched = edits.flatMap(({ path, moveTo }) => (moveTo === null ? [path] : [path, moveTo]));
        await incremental.update(undefined, touched.map(naming));
      }
      const rebuilt = over(t, incremental.docs);
      await rebuilt.update();
      return isDeepStrictEqual(incremental.content(), rebuilt.content());
    }),
    { numRuns: 40 },
  );
});

t.test('threads read the same facts as this thread does', async (t) => {
  const many = subject(t);
  for (let index = 0; index < 320; index += 1) many.write(`p${index}.md`, TEXTS[index % TEXTS.length] ?? '');
  const progress: IndexProgress[] = [];
  const { store, docs } = many;
  await updateIndex({
    store,
    docs: oneFolder(docs),
    excluded: [],
    maxBytes: 1 << 20,
    clock: { nowMs: () => 0 },
    onProgress: (p) => progress.push(p),
  });
  t.same(progress[0], { done: 0, total: 320 });
  t.same(progress.at(-1), { done: 320, total: 320 });
  const single = subject(t);
  for (let index = 0; index < 320; index += 1) {
    single.write(`p${index}.md`, TEXTS[index % TEXTS.length] ?? '');
    if (index % 200 === 0) await single.update();
  }
  await single.update();
  t.same(many.content(), single.content());
});

t.test('what cannot be read is named, and the rest goes on', async (t) => {
  const { docs, write, update, problems, store } = subject(t);
  write('good.md', '# Charge\n');
  write('latin1.md', Buffer.from([0x23, 0x20, 0x43, 0x61, 0x66, 0xe9, 0x0a]));
  write('utf16.md', Buffer.from('# Caf\u00e9\n', 'utf16le'));
  write('broken.md', '---\ntitle: [unclosed\n---\n# Broken\n');
  write('large.md', `# Large\n${'x'.repeat(3000)}\n`);
  write('new\nline.md', '# Odd name\n');
  const result = await update(2000);
  t.equal(result.documents, 4, 'latin1 and broken front matter are still documents');
  t.match(problems(), [
    'broken.md front-matter',
    'large.md oversize',
    'latin1.md not-utf8',
    'utf16.md binary',
  ]);
  t.ok(store.documents.get('new\nline.md'));
  rmSync(join(docs, 'large.md'));
  write('utf16.md', '# Now text\n');
  await update(2000);
  t.same(
    problems().filter((one) => /large|utf16/.test(one)),
    [],
    'what was mended is no longer named',
  );
});

t.test('only where something changed is looked at', async (t) => {
  const { docs, write, update, problems, store } = subject(t);
  for (const path of ['a.md', 'sub/b.md', 'sub/deep/c.md', 'subway.md']) write(path, `# ${path}\n`);
  write('large.md', `# Large\n${'x'.repeat(3000)}\n`);
  write('sub/large.md', `# Large\n${'x'.repeat(3000)}\n`);
  await update(2000);
  t.same(problems(), ['large.md oversize', 'sub/large.md oversize']);
  for (const path of ['a.md', 'sub/b.md', 'sub/deep/c.md', 'subway.md']) write(path, `# New ${path}\n`);
  t.match(await update(2000, ['a.md']), { changed: 1 });
  t.match(await update(2000, ['sub']), { changed: 2 }, 'a folder with all below it, and no other');
  t.same(problems(), ['large.md oversize', 'sub/large.md oversize'], 'each is named once');
  rmSync(join(docs, 'sub'), { recursive: true });
  t.match(await update(2000, ['sub/deep', 'sub/deep/c.md']), { removed: 1 });
  t.match(await update(2000, ['sub']), { removed: 1 });
  t.same(problems(), ['large.md oversize']);
  t.match(await update(2000, ['gone', 'gone/too.md', 'a.md/x', '.git/config']), { removed: 0, added: 0 });
  write('sub', 'no folder any more');
  t.match(await update(2000, ['sub', 'sub/x.md']), { removed: 0 });
  t.same(
    store.documents.all().map(({ path }) => path),
    ['a.md', 'subway.md'],
  );
  t.match(await update(2000), { changed: 1 }, 'what was not looked at is seen when it is');
});

testWhereModesCount('a document that can no longer be read gives back what it gave', async (t) => {
  const { docs, write, update, problems, store } = subject(t);
  write('a.md', '# Charge\n');
  await update();
  chmodSync(join(docs, 'a.md'), 0o000);
  await update();
  t.equal(store.documents.count(), 0);
  t.same(problems(), ['a.md unreadable']);
});

t.test('names that cannot be shown are told of as long as they are there', async (t) => {
  const { docs, write, update, problems } = subject(t);
  const bad = Buffer.concat([Buffer.from(`${docs}/sub/bad`), Buffer.from([0xff]), Buffer.from('.md')]);
  write('sub/ok.md', '# Fine\n');
  writeFileSync(bad, '# Bad\n');
  await update();
  t.same(problems(), ['sub/bad\uFFFD.md name-not-utf8']);
  await update();
  t.same(problems(), ['sub/bad\uFFFD.md name-not-utf8']);
  rmSync(bad);
  await update(1 << 20, ['sub/bad\uFFFD.md']);
  t.same(problems(), []);
  writeFileSync(bad, '# Bad\n');
  await update(1 << 20, ['sub/bad\uFFFD.md']);
  t.same(problems(), ['sub/bad\uFFFD.md name-not-utf8'], 'where it alone is looked at, too');
});
