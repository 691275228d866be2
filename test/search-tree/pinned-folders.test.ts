import t from 'tap';
import type { SearchAnswer } from '../../src/core/search.ts';
import { PinnedFolders } from '../../src/search-tree/pinned-folders.ts';
import { fakeHit } from './fake-engine.ts';

/** Folders over an engine that answers when it is told to, in the order of the questions. */
function lateFolders() {
  const waiting: ((answer: SearchAnswer) => void)[] = [];
  const search = () => new Promise<SearchAnswer>((resolve) => void waiting.push(resolve));
  const folders = new PinnedFolders({
    engine: { search },
    revision: () => 'r1',
    clock: { nowMs: () => 1000 },
  });
  const answer = (...paths: string[]) =>
    waiting.shift()?.({ hits: paths.map((path) => fakeHit(path, 1, '')), named: [] });
  return { folders, answer };
}

t.test('a pin that is removed while its first ranking is made is not known after it', async (t) => {
  const { folders, answer } = lateFolders();
  const looked = folders.folder('charges', 1);
  folders.drop('charges');
  answer('/docs/a.md');
  t.same([...(await looked).links.keys()], ['01 docs%2Fa.md']);
  t.equal(folders.known('charges'), undefined);
});

t.test('a pin that is made anew while the ranking of the one before is made has its own time', async (t) => {
  const { folders, answer } = lateFolders();
  const ofFirst = folders.folder('charges', 1);
  folders.drop('charges');
  const ofSecond = folders.folder('charges', 2);
  answer('/docs/a.md');
  t.equal((await ofFirst).changedMs, 1);
  answer('/docs/a.md');
  t.equal((await ofSecond).changedMs, 2);
  t.equal(folders.known('charges')?.changedMs, 2);
  t.equal(folders.known('charges')?.links.get('01 docs%2Fa.md')?.sinceMs, 2);
});

t.test('a ranking that comes late does not change what a pin made anew is known to find', async (t) => {
  const { folders, answer } = lateFolders();
  const ofFirst = folders.folder('charges', 1);
  folders.drop('charges');
  const ofSecond = folders.folder('charges', 2);
  answer('/docs/old.md');
  await ofFirst;
  t.equal(folders.known('charges'), undefined);
  answer('/docs/new.md');
  t.same([...(await ofSecond).links.keys()], ['01 docs%2Fnew.md']);
});
