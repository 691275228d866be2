import t from 'tap';
import { emptyScratchpad } from '../../conformance/scratchpad-subject.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { Daemon, newMountPoint, shell } from '../daemon.ts';
import { needsFuse } from '../fuse-available.ts';

const SCRIPT = `cd "$1" && python3 - <<'END'
import fcntl, mmap, os
open('a', 'wb').write(b'0123456789' * 1000)
a = os.open('a', os.O_RDWR | os.O_APPEND)
mapped = mmap.mmap(a, 10000)
mapped[2:5] = b'ABC'
mapped.flush()
mapped.close()
os.pwrite(a, b'end', 0)
fcntl.fcntl(a, fcntl.F_SETFL, 0)
os.pwrite(a, b'xy', 0)
other = os.open('a', os.O_RDWR)
mapped = mmap.mmap(other, 10000)
os.close(other)
fcntl.fcntl(a, fcntl.F_SETFL, os.O_APPEND)
mapped[6:8] = b'DE'
mapped.flush()
mapped.close()
os.close(a)
END
head -c 10 a; tail -c +10001 a`;

t.test(
  'what is stored in a mapping stays in its place, also where the file is open to append',
  needsFuse('python3'),
  async (t) => {
    const folder = emptyScratchpad(temporaryFolder(t));
    const plain = await shell(SCRIPT, temporaryFolder(t));
    t.equal(plain.output, 'xyABC5DE89end');
    const { point } = await Daemon.start(t, {
      point: newMountPoint(t),
      driver: 'linux',
      tree: 'scratchpad',
      folder,
    });
    t.same(await shell(SCRIPT, point), plain);
    // The daemon has no page of it.
    t.equal((await shell('head -c 10 "$1"/*/a', folder)).output, 'xyABC5DE89');
  },
);
