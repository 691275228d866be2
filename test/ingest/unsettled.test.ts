import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { versionOnDisk } from '../../src/ingest/on-disk.ts';
import { type FileVersion, stampOf } from '../../src/ingest/stamp.ts';
import { oneFolder } from '../support/one-folder.ts';
import { openStores } from '../support/open-stores.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** An index of one document and one other text. */
function project(t: Teardown) {
  const docs = temporaryFolder(t);
  const state = temporaryFolder(t);
  const [{ store, search }, other] = [openStores(t, state), openStores(t, state)];
  const { now } = Date;
  const versionOf = (name: string): FileVersion => {
    const version = versionOnDisk(join(docs, name));
    if (version === undefined) throw new Error(`${name} is not there`);
    return version;
  };
  return {
    store,
    search,
    write: (name: string, text: string) => writeFileSync(join(docs, name), text),
    /** Another content, of which the disk says what it said of the one before. */
    changeUnseen(name: string, text: string) {
      const before = stampOf(versionOf(name));
      writeFileSync(join(docs, name), text);
      const as = (stamp: string) => stamp.replace(before, stampOf(versionOf(name)));
      const row = store.documents.get(name);
      if (row !== undefined) store.documents.restamp(row.id, as(row.stamp));
      search.sources.restamp(name, as(search.sources.file(name)?.stamp ?? ''), 0);
    },
    /** @param agoMs how long ago the files were changed */
    async update(agoMs: number) {
      const latestMs = Math.max(
        ...['a.md', 'note.txt'].map((name) => Number(versionOf(name).changedNs / 1_000_000n)),
      );
      Date.now = () => latestMs + agoMs;
      try {
        return await updateIndex({
          store,
          search,
          docs: oneFolder(docs),
          excluded: [],
          maxBytes: 1 << 20,
          clock: { nowMs: () => 5 },
        });
      } finally {
        Date.now = now;
      }
    },
    stampOnDisk: (name: string) => stampOf(versionOf(name)),
    /** Changes with each commit. */
    written: () => [other.store.dataVersion(), other.search.dataVersion()],
  };
}

t.test(
  'what changed within one tick of the clock, before and after it was read, is read once more',
  async (t) => {
    const it = project(t);
    it.write('a.md', '# Once\n');
    it.write('note.txt', 'charge\n');
    await it.update(10);
    it.changeUnseen('a.md', '# More\n');
    it.changeUnseen('note.txt', 'refund\n');
    await it.update(5000);
    t.equal(it.store.documents.get('a.md')?.title, 'More');
    t.equal(it.search.sources.file('a.md')?.title, 'More');
    t.same(it.search.passages.match(['charge'], { limit: 9 }), []);
    t.not(it.search.passages.match(['refund'], { limit: 9 }).length, 0);
  },
);

t.test('what did not change is read once more, and then no longer', async (t) => {
  const it = project(t);
  it.write('a.md', '# Once\n');
  it.write('note.txt', 'charge\n');
  const { revision } = await it.update(10);
  const before = it.written();
  t.match(await it.update(20), { changed: 0, revision });
  t.same(it.written(), before, 'nothing is written while that tells nothing new');
  t.match(await it.update(5000), { changed: 0, revision });
  t.equal(it.store.documents.get('a.md')?.stamp, it.stampOnDisk('a.md'));
  for (const name of ['a.md', 'note.txt']) t.equal(it.search.sources.file(name)?.stamp, it.stampOnDisk(name));
  it.changeUnseen('a.md', '# More\n');
  await it.update(5000);
  t.equal(it.store.documents.get('a.md')?.title, 'Once', 'a status that is trusted is not doubted again');
});
