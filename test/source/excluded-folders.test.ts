import t from 'tap';
import { hiddenIn, pathsWithin } from '../../src/source/excluded-folders.ts';

t.test('a folder lies in the docs root where it is below it, not where it is that or beside it', (t) => {
  const folders = ['/docs', '/', '/docs2', '/other/docs', '/docs/a', '/docs/a/b', '/docs/..a'];
  t.same(pathsWithin('/docs', folders), ['a', 'a/b', '..a']);
  const isHidden = hiddenIn('/docs', folders);
  t.same(
    ['', '..', '../docs2', 'a', 'a/b', 'a/c'].map((path) => isHidden(path)),
    [false, false, false, true, true, false],
  );
  t.end();
});
