import t from 'tap';
import { parsePath, type VfsPath } from '../../../src/core/paths.ts';
import { ChangedPaths } from '../../../src/fuse/linux/changed-paths.ts';

function pathsOf(...paths: string[]): VfsPath[] {
  return paths.map((path) => parsePath(path));
}

/** What is taken next. */
function taken(waiting: ChangedPaths): string[] | undefined {
  const some = waiting.take();
  return some && [...some.paths];
}

t.test('folders take turns, each with all its paths, once', async (t) => {
  const waiting = new ChangedPaths();
  waiting.add(pathsOf('/a/1', '/b/1', '/a/2', '/a/1'));
  t.same(waiting.all(), ['/a/1', '/a/2', '/b/1']);
  t.same(taken(waiting), ['/a/1', '/a/2']);
  t.same(taken(waiting), ['/b/1']);
  t.equal(taken(waiting), undefined);
});

t.test(
  'what is left of a turn comes after the others, and before what came in its folder meanwhile',
  async (t) => {
    const waiting = new ChangedPaths();
    waiting.add(pathsOf('/a/1', '/a/2'));
    const some = waiting.take();
    if (some === undefined) throw new Error('nothing waits');
    some.paths.delete(parsePath('/a/1'));
    waiting.add(pathsOf('/a/3', '/b/1'));
    waiting.putBack(some);
    t.same(taken(waiting), ['/b/1']);
    t.same(taken(waiting), ['/a/2', '/a/3']);
  },
);

t.test('a turn of which nothing is left leaves nothing in the row', async (t) => {
  const waiting = new ChangedPaths();
  waiting.add(pathsOf('/a/1'));
  const some = waiting.take();
  if (some === undefined) throw new Error('nothing waits');
  some.paths.clear();
  waiting.putBack(some);
  t.equal(waiting.take(), undefined);
});
