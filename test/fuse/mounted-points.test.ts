import t from 'tap';
import {
  listedNow,
  mountedPoints,
  mountOfConnection,
  parseMountInfo,
} from '../../src/fuse/mounted-points.ts';

t.test('a line tells id, point, type and source, whatever optional fields it has', async (t) => {
  const lines = [
    '22 1 254:0 / / rw,relatime - ext4 /dev/root rw',
    '31 22 0:45 /docs /home/me/ctx rw,nosuid shared:1 master:2 - fuse.kgraphfs kgraphfs rw,user_id=1000',
  ];
  t.same(parseMountInfo(`${lines.join('\n')}\n`), [
    { id: 22, device: '254:0', point: '/', type: 'ext4', source: '/dev/root', root: '/', userId: undefined },
    {
      id: 31,
      device: '0:45',
      point: '/home/me/ctx',
      type: 'fuse.kgraphfs',
      source: 'kgraphfs',
      root: '/docs',
      userId: 1000,
    },
  ]);
});

t.test('escaped characters of a point are read', async (t) => {
  const [mounted] = parseMountInfo('1 1 0:1 / /a\\040b\\134c\\012d\\011e rw - tmpfs tmp\\040fs rw');
  t.match(mounted, { point: '/a b\\c\nd\te', source: 'tmp fs' });
});

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
