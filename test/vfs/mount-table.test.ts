import t from 'tap';
import { parsePath } from '../../src/core/paths.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { MountTable } from '../../src/vfs/mount-table.ts';

function table(...points: string[]): MountTable {
  return new MountTable(
    points.map((point) => ({ point: parsePath(point), resolver: fixedResolver(point, {}, 0n) })),
  );
}

t.test('a table has one resolver at the root, and one at each point', async (t) => {
  t.throws(() => table('/', '/docs', '/docs'), { message: 'two resolvers are mounted at one point' });
  t.throws(() => table('/docs'), { message: 'no resolver is mounted at /' });
  t.throws(() => table(), { message: 'no resolver is mounted at /' });
});

t.test('mounts come in the order of their points', async (t) => {
  t.same(
    table('/context/review', '/', '/docs', '/context', '/a')
      .mounts()
      .map(({ point }) => point),
    ['/', '/a', '/context', '/context/review', '/docs'],
  );
});

t.test('a path is served by the innermost mount, whatever was asked for before it', async (t) => {
  const mounts = table('/', '/context', '/context/review');
  const route = (path: string) => mounts.route(parsePath(path)).point;
  t.same(
    ['/context/review/a', '/context/a', '/context/review', '/context', '/a', '/context/reviews'].map(route),
    ['/context/review', '/context', '/context/review', '/context', '/', '/context'],
  );
  t.same(mounts.pointsIn(parsePath('/context')), ['review']);
  t.same(mounts.pointsIn(parsePath('/')), ['context']);
});
