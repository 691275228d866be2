import { LONG_ATTRIBUTE } from '../conformance/fixture.ts';
import { emptyScratchpad } from '../conformance/scratchpad-subject.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { Daemon, newMountPoint, shell } from './daemon.ts';
import { needsFuse } from './fuse-available.ts';

/** Calls getxattr(2) or listxattr(2) with a buffer of a given size, which no tool does. Numbers of x86-64. */
const GET =
  'perl -e \'$b = "\\0" x $ARGV[2]; $n = syscall(191, $ARGV[0], $ARGV[1], $b, 0 + $ARGV[2]); print $n, " ", $! + 0\' "$@"';
const LIST =
  'perl -e \'$b = "\\0" x $ARGV[1]; $n = syscall(194, $ARGV[0], $b, 0 + $ARGV[1]); print $n, " ", $! + 0\' "$@"';
const ERANGE = 34;
const ENODATA = 61;
const ENOTSUP = 95;

onEachDriver('extended attributes', needsFuse(), async (t, driver) => {
  const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'small' });
  const file = `${daemon.point}/docs/tagged.txt`;
  const get = async (name: string, sizeBytes: number) =>
    (await shell(GET, file, name, String(sizeBytes))).output;
  const list = async (sizeBytes: number) => (await shell(LIST, file, String(sizeBytes))).output;
  const listBytes = 'user.kgraphfs.type\0user.kgraphfs.long\0'.length;

  const value = await shell('getfattr -n user.kgraphfs.type --only-values --absolute-names "$1"', file);
  t.equal(value.output, 'Dökument');
  t.equal(await get('user.kgraphfs.type', 0), '9 0', 'the length can be asked for');
  t.equal(await get('user.kgraphfs.type', 9), '9 0', 'a buffer may just fit');
  t.equal(await get('user.kgraphfs.type', 8), `-1 ${ERANGE}`, 'one that does not is told so');
  t.equal(await get('user.kgraphfs.long', 1), `-1 ${ERANGE}`);
  t.equal(await get('user.kgraphfs.long', LONG_ATTRIBUTE.length), `${LONG_ATTRIBUTE.length} 0`);
  t.equal(await get('user.kgraphfs.none', 100), `-1 ${ENODATA}`);
  t.equal(await get('security.selinux', 100), `-1 ${ENOTSUP}`, 'so that ls asks once for all files');
  t.equal(await list(0), `${listBytes} 0`, 'the length of the list is exact');
  t.equal(await list(listBytes), `${listBytes} 0`);
  t.equal(await list(1), `-1 ${ERANGE}`, 'a small buffer is told so, and the daemon lives');
  t.equal((await shell('cat "$1"', file)).output, 'tagged\n');
  t.same(await daemon.tell({ do: 'bugs' }), []);
});

onEachDriver(
  'sizes, blocks, links and the file system as the usual tools show them',
  needsFuse(),
  async (t, driver) => {
    const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'small' });
    const { output } = await shell(
      'cd "$1" && stat -c "%n %s %b %h %a %u %o" docs docs/a.txt docs/tagged.txt',
      daemon.point,
    );
    const user = process.getuid?.();
    t.equal(
      output,
      `docs 4096 8 2 755 ${user} 4096\ndocs/a.txt 6 8 1 644 ${user} 4096\ndocs/tagged.txt 7 8 1 644 ${user} 4096\n`,
    );
    t.match((await shell('du -a "$1"/docs/a.txt', daemon.point)).output, /^4\t/);
    // FUSE_SUPER_MAGIC of linux/magic.h, which coreutils call by other names as they age.
    t.equal((await shell('stat -f -c "%l %s %t" "$1"', daemon.point)).output, '255 4096 65735546\n');
  },
);

/** What programs do with them, in an empty folder; it must print the same in the scratchpad and in a plain folder. */
const AT_WORK = `
  cd "$1" && echo text > a && mkdir d && ln -s a link && ln a other && LC_ALL=C
  setfattr -n user.bytes -v 0x00ff00 a; setfattr -n user.text -v "a text" a; setfattr -n user.empty a
  setfattr -n user.in.folder -v yes d
  getfattr -d -e hex a other link d | sort
  setfattr -h -n user.x -v 1 link 2>&1
  getfattr -n user.none a 2>&1
  setfattr -x user.none a 2>&1
  setfattr -x user.empty other; getfattr -d a | sort
  cp -a a copied; mv a moved; cp -r --preserve=xattr d D; tar --xattrs -cf t.tar moved && mkdir x && tar --xattrs -C x -xf t.tar
  getfattr -d -e hex copied moved D x/moved | sort
  setfattr -n user.large -v "$(printf '%03500d' 0)" moved && getfattr --only-values -n user.large moved | wc -c
  chmod 200 moved; setfattr -n user.text -v unread moved; chmod 600 moved; getfattr -n user.text moved
  chmod 0 moved; setfattr -n user.text -v b moved; chmod 600 moved; getfattr -n user.text moved
  rm -rf d; getfattr -d d 2>&1
`;

onEachDriver('the scratchpad has the attributes that a plain folder has', needsFuse(), async (t, driver) => {
  const folder = emptyScratchpad(temporaryFolder(t));
  const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'scratchpad', folder });
  const [mounted, plain] = await Promise.all(
    [daemon.point, temporaryFolder(t)].map(async (place) => shell(AT_WORK, place)),
  );
  t.equal(mounted?.output, plain?.output);
  t.match(mounted?.output, /user\.bytes=0x00ff00/);
  t.same(await daemon.tell({ do: 'bugs' }), []);
});
