import t from 'tap';
import { mountPointsIn, parseMountInfo } from '../../src/system/mount-info.ts';

t.test('a line tells id, point, type and source, whatever optional fields it has', async (t) => {
  const lines = [
    '22 1 254:0 / / rw,relatime - ext4 /dev/root rw',
    '31 22 0:45 /docs /home/me/ctx rw,nosuid shared:1 master:2 - fuse.kgraphfs kgraphfs rw,user_id=1000,group_id=100',
  ];
  t.same(parseMountInfo(`${lines.join('\n')}\n`), [
    {
      id: 22,
      device: '254:0',
      point: '/',
      type: 'ext4',
      source: '/dev/root',
      root: '/',
      userId: undefined,
      groupId: undefined,
      isReadOnly: false,
      letsOthersIn: false,
    },
    {
      id: 31,
      device: '0:45',
      point: '/home/me/ctx',
      type: 'fuse.kgraphfs',
      source: 'kgraphfs',
      root: '/docs',
      userId: 1000,
      groupId: 100,
      isReadOnly: false,
      letsOthersIn: false,
    },
  ]);
  const [readOnly, open] = parseMountInfo(
    [
      '31 22 0:45 / /home/me/ctx ro,nosuid - fuse.kgraphfs kgraphfs rw,user_id=1000',
      '32 22 0:46 / /home/me/all rw,nosuid - fuse.kgraphfs kgraphfs rw,user_id=1000,allow_other',
    ].join('\n'),
  );
  t.match(readOnly, { isReadOnly: true, letsOthersIn: false });
  t.match(open, { isReadOnly: false, letsOthersIn: true });
});

t.test('escaped characters of a point are read', async (t) => {
  const [mounted] = parseMountInfo('1 1 0:1 / /a\\040b\\134c\\012d\\011e rw - tmpfs tmp\\040fs rw');
  t.match(mounted, { point: '/a b\\c\nd\te', source: 'tmp fs' });
});

t.test('the points of one type are those of all lines with that type', async (t) => {
  const text = [
    '22 1 254:0 / / rw,relatime - ext4 /dev/root rw',
    '31 22 0:45 / /home/me/ctx rw shared:1 - fuse.kgraphfs kgraphfs rw,user_id=1000,group_id=100',
    '32 22 0:46 / /home/me/a\\040-\\040fuse.kgraphfs rw - tmpfs tmpfs rw',
    '33 22 0:47 / /home/me/others rw - fuse.kgraphfs-like other rw',
    '34 22 0:48 / /home/me/nameless rw - fuse.kgraphfs',
    '35 22 0:49 / /home/me/cut rw - fuse.kgr',
  ].join('\n');
  for (const type of ['fuse.kgraphfs', 'ext4', 'tmpfs', 'fuse']) {
    const all = parseMountInfo(text).filter((mounted) => mounted.type === type);
    t.same(
      mountPointsIn(text, type),
      all.map(({ point }) => point),
      type,
    );
  }
  t.same(mountPointsIn(text, 'fuse.kgraphfs'), ['/home/me/ctx', '/home/me/nameless']);
});
