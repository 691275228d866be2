import { clearInterval, setInterval } from 'node:timers';
import t from 'tap';
import type { SearchAnswer } from '../../src/core/search.ts';
import { PinnedFolders } from '../../src/search-tree/pinned-folders.ts';
import { fakeHit } from './fake-engine.ts';

// What follows a pin waits without keeping a process alive.
const alive = setInterval(() => {}, 1000);
t.teardown(() => clearInterval(alive));

/** Folders over an engine that answers when it is told to, in the order of the questions. */
function lateFolders() {
  const waiting: ((answer: SearchAnswer) => void)[] = [];
  let asked = () => {};
  const search = () =>
    new Promise<SearchAnswer>((resolve) => {
      waiting.push(resolve);
      asked();
    });
  let revision = 1;
  const folders = new PinnedFolders({
    engine: { search },
    revision: () => `r${revision}`,
    clock: { nowMs: () => 1000 },
  });
  /** Of the question whose turn it is. */
  const taken = () => {
    const resolve = waiting.shift();
    return (...paths: string[]) => resolve?.({ hits: paths.map((path) => fakeHit(path, 1, '')), named: [] });
  };
  const answer = (...paths: string[]) => taken()(...paths);
  return {
    ...{ folders, answer, taken },
    change() {
      revision += 1;
      folders.contentChanged();
    },
    nextQuestion: () =>
      new Promise<void>((resolve) => {
        asked = resolve;
      }),
  };
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

t.test('a pin is followed whose first ranking was made of content that changed meanwhile', async (t) => {
  const { folders, answer, change, nextQuestion } = lateFolders();
  const looked = folders.folder('charges', 1);
  change();
  const asked = nextQuestion();
  answer('/docs/old.md');
  await looked;
  const moved = new Promise((resolve) => folders.onMove(resolve));
  await asked;
  answer('/docs/new.md');
  t.same(await moved, ['charges/01 docs%2Fold.md', 'charges/01 docs%2Fnew.md']);
});

t.test('a ranking of earlier content that comes late does not take the place of a later one', async (t) => {
  const { folders, taken, change } = lateFolders();
  const moves: unknown[] = [];
  folders.onMove((paths) => moves.push(paths));
  const first = folders.folder('charges', 1);
  change();
  const second = folders.folder('charges', 1);
  // The engine answers them in another order.
  const [ofFirst, ofSecond] = [taken(), taken()];
  ofSecond('/docs/new.md');
  const now = await second;
  ofFirst('/docs/old.md');
  t.equal(await first, now);
  t.equal(folders.known('charges'), now);
  t.same(moves, []);
});
