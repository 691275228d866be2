import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { DriverName } from '../../src/config/schema.ts';
import { emptyScratchpad } from '../conformance/scratchpad-subject.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { Daemon, newMountPoint, type Outcome, shell } from './daemon.ts';
import { needsFuse } from './fuse-available.ts';

interface Place {
  readonly daemon: Daemon;
  /** A folder of the disk. */
  readonly plain: string;
}

/** All cases of a driver share its mount: each has a folder of its own. */
const places = new Map<DriverName, Promise<Place>>();
let cases = 0;

async function newPlace(driver: DriverName): Promise<Place> {
  const folder = emptyScratchpad(temporaryFolder(t));
  const daemon = await Daemon.start(t, { point: newMountPoint(t), driver, tree: 'scratchpad', folder });
  return { daemon, plain: temporaryFolder(t) };
}

/**
 * Runs a script of bash in a folder of a mounted scratchpad and in a plain folder, which shows that the case is right.
 * @returns what it wrote there
 */
async function asOnDisk(t: Test, driver: DriverName, script: string): Promise<string> {
  const place = places.get(driver) ?? newPlace(driver);
  places.set(driver, place);
  const { daemon, plain } = await place;
  cases += 1;
  const name = `case-${cases}`;
  const run = (folder: string): Promise<Outcome> =>
    shell(`mkdir "$1" && cd "$1" && set -e\n${script}`, join(folder, name));
  const onDisk = await run(plain);
  t.same(await run(daemon.point), onDisk);
  t.same(await daemon.tell({ do: 'bugs' }), []);
  return onDisk.output;
}

const fuse = needsFuse();
const python = needsFuse('python3');

onEachDriver(
  'a second name shows size, content and link count at once, whichever is written to',
  fuse,
  async (t, driver) => {
    const output = await asOnDisk(
      t,
      driver,
      `echo first > a; ln a b; stat -c "%n %h %s" a b
    echo much longer > a; stat -c "%n %h %s" a b; cat b
    echo 11111 > a; cat b; echo 22222 > b; cat a; echo 33333 > a; cat b
    truncate -s 2 b; stat -c "%n %s" a b; cat a; chmod 600 a; stat -c "%n %a" a b
    rm a; stat -c %h b`,
    );
    t.match(output, /^a 2 6\nb 2 6\na 2 12\nb 2 12\nmuch longer\n11111\n22222\n33333\n/);
    t.match(output, /a 600\nb 600\n1\n$/);
  },
);

onEachDriver('a name that is made while the file is open grows with it', fuse, async (t, driver) => {
  const output = await asOnDisk(
    t,
    driver,
    'exec 3> a; ln a b; stat -c "%n %h %s" a b; echo hello >&3; stat -c "%n %h %s" a b; cat b; exec 3>&-; cat b',
  );
  t.equal(output, 'a 2 0\nb 2 0\na 2 6\nb 2 6\nhello\nhello\n');
});

onEachDriver(
  'a removed name takes one off the link count, also while it is open',
  fuse,
  async (t, driver) => {
    const output = await asOnDisk(
      t,
      driver,
      `links() { perl -le 'print +(stat STDIN)[3]' <&3; }
    echo x > a; ln a b; exec 3< a; stat -c %h b; rm a; stat -c %h b; links; cat <&3; rm b; links`,
    );
    t.equal(output, '2\n1\n1\nx\n0\n');
  },
);

onEachDriver(
  'a second name of a file in a folder that is renamed while it is open',
  fuse,
  async (t, driver) => {
    const output = await asOnDisk(
      t,
      driver,
      'mkdir d; echo x > d/a; ln d/a b; exec 3>> d/a; mv d e; echo more >&3; stat -c "%n %s" e/a b; cat b',
    );
    t.equal(output, 'e/a 7\nb 7\nx\nmore\n');
  },
);

onEachDriver(
  'an open file that was removed has no name, its size, and can be read again',
  fuse,
  async (t, driver) => {
    // Some cat(1) put the file's own pages into a pipe (splice(2)): what is written next would show in what was read before.
    const output = await asOnDisk(
      t,
      driver,
      `echo first > a; exec 3<> a; rm a; echo second and longer > a; ls -A
    stat -L -c "%h %s" /proc/self/fd/3; echo "$(cat /proc/self/fd/3)"; echo FIRST >&3; cat /proc/self/fd/3; cat a
    exec 3>&-; ls -A; cat a`,
    );
    t.equal(output, 'a\n0 6\nfirst\nFIRST\nsecond and longer\na\nsecond and longer\n');
  },
);

onEachDriver(
  'a removed file that is open to be read alone gets another mode, time and owner',
  python,
  async (t, driver) => {
    const script = `import os
file = os.open('a', os.O_RDONLY)
os.unlink('a')
os.fchmod(file, 0o640)
os.utime(file, (1, 2))
os.fchown(file, -1, os.getgid())
status = os.fstat(file)
print(oct(status.st_mode), status.st_mtime, status.st_nlink)
os.truncate('/proc/self/fd/%d' % file, 2)
print(os.pread(file, 100, 0))`;
    const output = await asOnDisk(t, driver, `echo one > a; python3 -c "${script}"`);
    t.equal(output, "0o100640 2.0 0\nb'on'\n");
  },
);

onEachDriver(
  'a removed file that is open keeps its extended attributes, and gets others',
  python,
  async (t, driver) => {
    const script = `import errno, os
def name(action):
    try: return action()
    except OSError as error: return errno.errorcode[error.errno]
file = os.open('a', os.O_RDONLY)
os.setxattr(file, 'user.kept', b'1')
os.unlink('a')
print(os.getxattr(file, 'user.kept'), os.listxattr(file))
os.setxattr(file, 'user.new', b'2', os.XATTR_CREATE)
print(name(lambda: os.setxattr(file, 'user.new', b'3', os.XATTR_CREATE)))
os.removexattr(file, 'user.kept')
print(name(lambda: os.getxattr(file, 'user.kept')), os.listxattr(file))`;
    const output = await asOnDisk(t, driver, `echo one > a; python3 -c "${script}"`);
    t.equal(output, "b'1' ['user.kept']\nEEXIST\nENODATA ['user.new']\n");
  },
);

// With libfuse 2, a folder that was removed cannot be asked for anything.
t.test('a removed folder or pipe that is open gets another mode, time and owner', python, async (t) => {
  const script = `import os
os.mkdir('removed'); os.mkdir('replaced'); os.mkdir('other'); os.mkfifo('pipe')
opened = [os.open(name, os.O_RDONLY | os.O_NONBLOCK) for name in ('removed', 'replaced', 'pipe')]
os.rmdir('removed'); os.rename('other', 'replaced'); os.unlink('pipe')
for file in opened:
    before = os.fstat(file)
    os.fchmod(file, 0o701)
    os.fchown(file, -1, os.getgid())
    os.utime(file, ns=(10**18 + 1, 5))
    status = os.fstat(file)
    print(oct(status.st_mode), status.st_atime_ns, status.st_mtime_ns, status.st_nlink)
    print(status.st_ino == before.st_ino, status.st_uid == before.st_uid, status.st_ctime_ns >= before.st_ctime_ns)
    os.utime(file)
    print(os.fstat(file).st_mtime_ns >= before.st_mtime_ns)
print(oct(os.stat('replaced').st_mode & 0o700))`;
  const output = await asOnDisk(t, 'linux', `python3 -c "${script}"`);
  const changed = (kind: string) => `${kind} 1000000000000000001 5 0\nTrue True True\nTrue\n`;
  t.equal(output, `${changed('0o40701')}${changed('0o40701')}${changed('0o10701')}0o700\n`);
});

t.test(
  'a removed file that is open to be read alone is opened to be written, and cut, by its descriptor in /proc',
  python,
  async (t) => {
    const script = `import os
file = os.open('a', os.O_RDONLY)
os.unlink('a')
place = '/proc/self/fd/%d' % file
def written(flags, text):
    again = os.open(place, flags)
    os.write(again, text)
    os.close(again)
    return os.pread(file, 100, 0)
print(written(os.O_WRONLY, b'two'))
print(written(os.O_WRONLY | os.O_APPEND, b' and more'))
os.truncate(place, 5)
print(os.pread(file, 100, 0))
print(written(os.O_RDWR | os.O_TRUNC, b'anew'), os.fstat(file).st_size)`;
    const output = await asOnDisk(t, 'linux', `echo one > a; python3 -c "${script}"`);
    t.equal(output, "b'two\\n'\nb'two\\n and more'\nb'two\\n '\nb'anew' 4\n");
  },
);

onEachDriver('a folder whose open files were removed can be removed', fuse, async (t, driver) => {
  const output = await asOnDisk(
    t,
    driver,
    'mkdir d; echo x > d/a; echo y > d/b; exec 3< d/a; exec 4< d/b; rm -r d; ls -A; mkdir d; ls -A d; exec 3<&-; exec 4<&-; ls -A d; echo z > d/a; cat d/a',
  );
  t.equal(output, 'z\n');
});

onEachDriver(
  'a rename over an open file: who has it open keeps it, others have the new one',
  fuse,
  async (t, driver) => {
    const output = await asOnDisk(
      t,
      driver,
      'echo old > a; echo new > b; exec 3< a; mv b a; cat a; cat <&3; ls -A; echo newer > c; mv c a; cat a; ls -A',
    );
    t.equal(output, 'new\nold\na\nnewer\na\n');
  },
);

onEachDriver('a reader never misses a file that is replaced over and over', python, async (t, driver) => {
  const output = await asOnDisk(
    t,
    driver,
    `echo 0 > a; exec 3< a
    python3 -c "
import os
for n in range(300):
  with open('b', 'w') as new: new.write(str(n))
  old = open('a'); os.rename('b', 'a')
print(open('a').read())" &
    for n in $(seq 150); do read -r _ < a || [ -s a ] || echo lost; done; wait`,
  );
  t.equal(output, '299\n');
});

onEachDriver(
  'files of a renamed folder are read by their new names, not as what once had them',
  fuse,
  async (t, driver) => {
    const output = await asOnDisk(
      t,
      driver,
      `mkdir d e; echo one > d/a; echo two > e/a; cat d/a e/a
    mv d x; mv e d; cat d/a x/a; echo 3333 > d/a; mv d y; mv x d; cat d/a y/a; stat -c "%n %s" d/a y/a; ls -A`,
    );
    t.equal(output, 'one\ntwo\ntwo\none\none\n3333\nd/a 4\ny/a 5\nd\ny\n');
  },
);

onEachDriver(
  'a file that one process empties and another lengthens at once is as long for all',
  python,
  async (t, driver) => {
    const output = await asOnDisk(
      t,
      driver,
      `python3 -c "
import os
wrong = 0
for n in range(200):
  with open('a', 'w') as made: made.write('start')
  ready, begin = os.pipe()
  if os.fork() == 0:
    fd = os.open('a', os.O_WRONLY)
    os.write(begin, b'x')
    while os.fstat(fd).st_size: pass
    os.ftruncate(fd, 6000)
    os._exit(0)
  os.read(ready, 1)
  os.close(os.open('a', os.O_WRONLY | os.O_TRUNC))
  os.wait(); os.close(ready); os.close(begin)
  wrong += os.stat('a').st_size != 6000
print(wrong)"`,
    );
    t.equal(output, '0\n');
  },
);

onEachDriver('a file that is cut by its path while it is open', fuse, async (t, driver) => {
  const output = await asOnDisk(
    t,
    driver,
    `echo 0123456789 > a; exec 3<> a; truncate -s 4 a; stat -L -c %s /proc/self/fd/3; cat <&3; echo
    echo xy >&3; cat a; : > a; stat -L -c %s /proc/self/fd/3`,
  );
  t.equal(output, '4\n0123\n0123xy\n0\n');
});

onEachDriver(
  'times of access and change are kept apart, by touch, cp -p and rsync -t',
  needsFuse('rsync', 'python3'),
  async (t, driver) => {
    const output = await asOnDisk(
      t,
      driver,
      `echo x > a; python3 -c "import os; os.utime('a', (1000000000, 1100000000))"; stat -c "%X %Y" a
    cp -p a b; stat -c "%X %Y" b
    mkdir d; rsync -t b d/; stat -c "%Y" d/b; rsync -ti b d/
    touch -d @1200000000 a; stat -c "%X %Y" a`,
    );
    t.equal(output, '1000000000 1100000000\n1000000000 1100000000\n1100000000\n1200000000 1200000000\n');
  },
);

onEachDriver('a time before 1970 is kept, or is the first that there is', needsFuse(), async (t, driver) => {
  const output = await asOnDisk(t, driver, 'touch -d @-5 a; [ $(stat -c %Y a) -le 0 ] && echo early');
  t.equal(output, 'early\n');
});

onEachDriver(
  'a large file is one, whoever opened it first: to read, to write, or to map',
  python,
  async (t, driver) => {
    const output = await asOnDisk(
      t,
      driver,
      `python3 - <<'END'
import mmap, os
MIB = 1 << 20
def fill():
    with open('large', 'wb') as f: f.write(bytes(4 * MIB))
fill()
def both(first, second):
    a = os.open('large', first); b = os.open('large', second)
    return (a, b) if second == os.O_RDWR else (b, a)
for first, second in ((os.O_RDONLY, os.O_RDWR), (os.O_RDWR, os.O_RDONLY)):
    reader, writer = both(first, second)
    os.pwrite(writer, b'written', 100)
    print(os.pread(reader, 7, 100), os.pread(writer, 7, 100))
    written = mmap.mmap(writer, MIB); written[200:206] = b'mapped'
    print(os.pread(reader, 6, 200), os.pread(writer, 6, 200))
    shown = mmap.mmap(reader, MIB, prot=mmap.PROT_READ); print(shown[100:107], shown[200:206])
    shown.close(); written.close()
    os.ftruncate(writer, 1000); print(os.fstat(reader).st_size, len(os.pread(reader, 5000, 0)))
    os.ftruncate(writer, 2 * MIB); print(os.pread(reader, 3, 2 * MIB - 3))
    os.close(reader); os.close(writer)
    with open('large', 'rb') as f: data = f.read()
    print(len(data), data[100:107], data[200:206], data[1000:] == bytes(2 * MIB - 1000))
    fill()
writer = os.open('large', os.O_RDWR); os.pread(writer, MIB, 0); os.close(writer)
reader, writer = both(os.O_RDONLY, os.O_RDWR)
written = mmap.mmap(writer, MIB); written[5000:5003] = b'new'; written.close()
os.close(reader); os.close(writer)
writer = os.open('large', os.O_RDWR); print(os.pread(writer, 3, 5000)); os.close(writer)
END`,
    );
    t.match(output, /^b'written' b'written'\nb'mapped' b'mapped'\nb'written' b'mapped'\n1000 1000\n/);
    t.match(output, /\nb'new'\n$/);
  },
);

onEachDriver(
  'a mapped file is read, written, and shared with who reads and writes it',
  python,
  async (t, driver) => {
    const output = await asOnDisk(
      t,
      driver,
      `python3 - <<'END'
import mmap, os
open('a', 'wb').write(b'0123456789' * 1000)
with open('a', 'r+b') as file:
  mapped = mmap.mmap(file.fileno(), 10000)
  print(mapped[:12])
  mapped[5:9] = b'ABCD'
  mapped.flush()
  print(open('a', 'rb').read()[:12])
  os.pwrite(file.fileno(), b'xy', 0)
  print(mapped[:12])
  mapped.close()
print(os.stat('a').st_size, open('a', 'rb').read()[:12])
END`,
    );
    t.equal(output, "b'012345678901'\nb'01234ABCD901'\nb'xy234ABCD901'\n10000 b'xy234ABCD901'\n");
  },
);

onEachDriver('appenders of several processes lose nothing', fuse, async (t, driver) => {
  const output = await asOnDisk(
    t,
    driver,
    'for p in 1 2 3 4; do (for n in $(seq 50); do echo "$p $n" >> a; done) & done; wait; wc -l < a; sort -u a | wc -l',
  );
  t.equal(output, '200\n200\n');
});
