import t from 'tap';
import { listedNow, mountedPoints, mountOfConnection } from '../../src/fuse/mounted-points.ts';
import { parseMountInfo } from '../../src/system/mount-info.ts';

t.test('of two mounts at a point that of a connection is known by its device', async (t) => {
  const line = (id: number, device: string) => `${id} 1 ${device} / /ctx rw - fuse.kgraphfs kgraphfs rw`;
  const mounts = parseMountInfo([line(7, '0:39'), line(8, '0:40')].join('\n'));
  const about = 'pos:\t0\nflags:\t0100002\nino:\t103\nfuse_connection:\t39\n';
  t.match(mountOfConnection(mounts, '/ctx', about), { id: 7 });
  t.equal(mountOfConnection(mounts, '/other', about), undefined);
  t.equal(mountOfConnection(mounts, '/ctx', about.replace('39', '41')), undefined);
  t.match(mountOfConnection(mounts, '/ctx', 'pos:\t0\n'), { id: 8 }, 'older kernels do not say');
});

t.test('a mount that was given the number of another is not that one', async (t) => {
  const [before, moved, next] = parseMountInfo(
    ['7 1 0:39 / /a/ctx', '7 1 0:39 / /b/ctx', '7 1 0:40 / /a/ctx']
      .map((start) => `${start} rw - fuse.kgraphfs kgraphfs rw`)
      .join('\n'),
  );
  if (!before || !moved || !next) throw new Error('these are no mounts');
  t.equal(listedNow([moved], before), moved);
  t.equal(listedNow([next], before), undefined);
});

t.test('this system has a root', async (t) => {
  t.ok((await mountedPoints()).some(({ point }) => point === '/'));
});
