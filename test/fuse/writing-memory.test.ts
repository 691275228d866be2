import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  truncateSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { DriverName } from '../../src/config/schema.ts';
import { FACTS } from '../conformance/memory-subject.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { Daemon, newMountPoint, shell } from './daemon.ts';
import { needsFuse } from './fuse-available.ts';
import { traced } from './traced.ts';

const fuse = needsFuse('strace', 'vim');
const REFUNDS = '/context/memory/fact/refunds';

interface Remembering {
  readonly daemon: Daemon;
  /** Where facts are, in the mount. */
  readonly facts: string;
  /** Kind and path of what was entered into the history since it was last asked. */
  news(): Promise<string[]>;
}

/** A mounted memory. @param folder where its store is */
async function mounted(t: Teardown, driver: DriverName, folder = temporaryFolder(t)): Promise<Remembering> {
  const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'memory', folder });
  let known = 0;
  const news = async () => {
    const events = await daemon.tell({ do: 'events' });
    if (!Array.isArray(events)) throw new Error('these are no events');
    const added = events.slice(known);
    known = events.length;
    return added.map(({ type, path }) => `${type} ${path}`);
  };
  return { daemon, facts: join(daemon.point, FACTS), news };
}

/** Of the cases that leave the daemon at work, and nothing open that would be told of later. */
const shared = new Map<DriverName, Promise<Remembering>>();

/** With no entry. */
async function emptied(driver: DriverName): Promise<Remembering> {
  const mount = shared.get(driver) ?? mounted(t, driver);
  shared.set(driver, mount);
  const memory = await mount;
  await shell('cd "$1" && rm -rf -- $(ls -A)', memory.facts);
  return memory;
}

/** With an entry that has a content. @param folder for a daemon of its own: where its store is */
async function withEntry(t: Teardown, driver: DriverName, folder?: string): Promise<Remembering> {
  const memory = folder === undefined ? await emptied(driver) : await mounted(t, driver, folder);
  await shell('echo "Refunds take 5 days" > "$1"/refunds', memory.facts);
  await memory.news();
  return memory;
}

async function untilNews(news: () => Promise<string[]>): Promise<string[]> {
  for (;;) {
    const events = await news();
    if (events.length > 0) return events;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

onEachDriver(
  'echo empties, copies and closes its descriptor before it writes, and makes one commit',
  fuse,
  async (t, driver) => {
    const { facts, news } = await withEntry(t, driver);
    const { from, status } = await traced(t, facts, 'echo "Refunds take 6 days" > refunds');
    t.equal(status, 0);
    const [opened = '', ...calls] = from('refunds');
    t.match(opened, /^openat\(AT_FDCWD, "refunds", O_WRONLY\|O_CREAT\|O_TRUNC, 0666\) = \d+$/);
    const number = /\d+$/.exec(opened)?.[0];
    const copied = calls.indexOf(`dup2(${number}, 1) = 1`);
    const flushed = calls.indexOf(`close(${number}) = 0`);
    const written = calls.indexOf('write(1, "Refunds take 6 days\\n", 20) = 20');
    t.ok(copied !== -1 && copied < flushed && flushed < written, calls.slice(0, 8).join('\n'));
    t.same(await news(), [`write ${REFUNDS}`]);
    t.equal((await shell('cat "$1"/refunds', facts)).output, 'Refunds take 6 days\n');
  },
);

onEachDriver('sed -i writes beside and renames: one commit, of the same entry', fuse, async (t, driver) => {
  const { facts, news } = await withEntry(t, driver);
  const { from, status } = await traced(t, facts, 'sed -i s/5/7/ refunds');
  t.equal(status, 0);
  const calls = from('refunds');
  const renames = calls.flatMap((call) => /^rename\("\.\/(sed\w+)", "refunds"\) = 0$/.exec(call)?.[1] ?? []);
  t.equal(renames.length, 1);
  t.ok(calls.filter((call) => call.startsWith('close(')).every((call) => call.endsWith(' = 0')));
  // One of its names in 184 has no capital and no digit, and could be that of a memory: test/memory/editors.
  const words = renames.filter((name) => /^sed[a-z]{6}$/.test(name)).map((name) => join(FACTS, name));
  const taken = words.flatMap((path) => [`create ${path}`, `remove ${path}`]);
  t.same(await news(), [...taken, `write ${REFUNDS}`]);
  t.equal((await shell('cd "$1" && ls -A && cat refunds', facts)).output, 'refunds\nRefunds take 7 days\n');
});

onEachDriver('cp over an entry, and to a new one, is one commit each', fuse, async (t, driver) => {
  const { facts, news } = await withEntry(t, driver);
  const source = join(temporaryFolder(t), 'source');
  const { from, status } = await traced(
    t,
    facts,
    `printf copied > ${source}; cp ${source} refunds; cp ${source} new`,
  );
  t.equal(status, 0);
  t.match(
    from('refunds').find((call) => call.includes('O_TRUNC')),
    /"refunds", O_WRONLY\|O_TRUNC\) = \d+$/,
  );
  t.same(await news(), [`write ${REFUNDS}`, 'create /context/memory/fact/new']);
  t.equal((await shell('cd "$1" && cat refunds new', facts)).output, 'copiedcopied');
});

onEachDriver(
  'vim saves with one commit, and none of its own files is remembered',
  fuse,
  async (t, driver) => {
    const { facts, news } = await withEntry(t, driver);
    const { from, status, output } = await traced(t, facts, 'vim -es -u NONE -c s/5/8/ -c wq refunds');
    t.equal(status, 0, output);
    t.ok(
      from('refunds').some((call) => /^fsync\(\d+\) = 0$/.test(call)),
      'it is on disk',
    );
    t.same(await news(), [`write ${REFUNDS}`]);
    t.equal((await shell('cd "$1" && ls -A && cat refunds', facts)).output, 'refunds\nRefunds take 8 days\n');
  },
);

onEachDriver(
  'vim with a backup by renaming saves with one commit of the same entry',
  fuse,
  async (t, driver) => {
    const { facts, news } = await withEntry(t, driver);
    const script = 'vim -es -u NONE -c "set backup backupcopy=no" -c s/5/9/ -c wq refunds';
    t.equal((await shell(`cd "$1" && ${script}`, facts)).status, 0);
    t.same(
      (await news()).filter((event) => event.startsWith('write')),
      [`write ${REFUNDS}`],
    );
    t.equal((await shell('cat "$1"/refunds', facts)).output, 'Refunds take 9 days\n');
  },
);

onEachDriver(
  'an emptied file that nothing is written to is empty once it is closed',
  fuse,
  async (t, driver) => {
    const folder = temporaryFolder(t);
    const { facts, news, daemon } = await withEntry(t, driver, folder);
    t.equal((await shell('cd "$1" && : > refunds', facts)).status, 0);
    t.same(await untilNews(news), [`write ${REFUNDS}`]);
    await daemon.kill('SIGKILL');
    await shell('fusermount3 -u -z "$1"', daemon.point);
    const again = await mounted(t, driver, folder);
    t.equal((await shell('stat -c %s "$1"/refunds', again.facts)).output, '0\n');
  },
);

onEachDriver(
  'an emptied file that is open when the daemon is killed has its old content',
  fuse,
  async (t, driver) => {
    const folder = temporaryFolder(t);
    const { facts, daemon } = await withEntry(t, driver, folder);
    const script = 'exec 3> "$1"/refunds; exec 4>&3; exec 4>&-; stat -c %s "$1"/refunds; kill -9 $2';
    t.equal((await shell(script, facts, String(daemon.pid))).output, '0\n');
    await daemon.says('EXIT');
    await shell('fusermount3 -u -z "$1"', daemon.point);
    const again = await mounted(t, driver, folder);
    t.equal((await shell('cat "$1"/refunds', again.facts)).output, 'Refunds take 5 days\n');
  },
);

onEachDriver(
  'what a closed descriptor wrote is there after a kill, what an open one wrote is not',
  fuse,
  async (t, driver) => {
    const folder = temporaryFolder(t);
    const { facts, daemon } = await withEntry(t, driver, folder);
    const script =
      'open F, ">>", "$ARGV[0]/refunds"; syswrite F, "kept\\n"; open G, ">&F"; close G; syswrite F, "lost\\n"; kill 9, $ARGV[1]';
    t.equal((await shell('perl -e "$3" "$1" "$2"', facts, String(daemon.pid), script)).status, 0);
    await daemon.says('EXIT');
    await shell('fusermount3 -u -z "$1"', daemon.point);
    const again = await mounted(t, driver, folder);
    t.equal((await shell('cat "$1"/refunds', again.facts)).output, 'Refunds take 5 days\nkept\n');
  },
);

onEachDriver(
  'what cannot be kept is refused, also by close, and readers have what is kept',
  needsFuse('python3'),
  async (t, driver) => {
    const { facts } = await withEntry(t, driver);
    const script = `
import os, sys
path = sys.argv[1] + '/refunds'
# As many bytes as what is refused, so that no size gives it away.
open(path, 'w').write('Refunds take 5 days.\\n')
fd = os.open(path, os.O_WRONLY | os.O_TRUNC)
try: os.write(fd, b'---\\nconfidence: 7\\n---'); print('written')
except OSError as error: print(error.strerror)
try: os.close(fd); print('closed')
except OSError as error: print(error.strerror)
print(open(path).read(), end='')
fd = os.open(path, os.O_RDWR)
for at in (2 ** 40, 0):
  try: os.pwrite(fd, b'x', at)
  except OSError as error: print(error.strerror)
try: os.close(fd)
except OSError as error: print(error.strerror)
print(open(path).read(), os.stat(path).st_size)
`;
    t.equal(
      (await shell('python3 -c "$2" "$1"', facts, script)).output,
      'Invalid argument\nInvalid argument\nRefunds take 5 days.\nFile too large\nFile too large\nFile too large\nRefunds take 5 days.\n 21\n',
    );
  },
);

onEachDriver('what cannot be kept is told by the echo of the shell too', fuse, async (t, driver) => {
  const { facts } = await withEntry(t, driver);
  const script =
    'printf -- "---\\nconfidence: 7\\n---\\nnew\\n" > "$1"/refunds; echo "status $?"; cat "$1"/refunds';
  const { output } = await shell(script, facts);
  t.match(output, /write error: Invalid argument\nstatus 1\nRefunds take 5 days\n$/);
});

onEachDriver('an entry that was refused can be made right at once', needsFuse(), async (t, driver) => {
  const { facts } = await emptied(driver);
  const refused = 'printf -- "---\\nconfidence: 7\\n---\\nx\\n" > tried 2>/dev/null';
  const script = `cd "$1" && for i in $(seq 20); do ${refused}; echo good > tried || exit 1; cat tried && rm tried || exit 1; done`;
  t.same(await shell(script, facts), { status: 0, output: 'good\n'.repeat(20) });
});

onEachDriver('a name that another mount has just removed can be written anew', fuse, async (t, driver) => {
  const folder = temporaryFolder(t);
  const { facts } = await withEntry(t, driver, folder);
  const { facts: elsewhere } = await mounted(t, driver, folder);
  const script = 'cat "$1"/refunds && rm "$2"/refunds && echo new > "$1"/refunds && cat "$1"/refunds';
  const { status, output } = await shell(script, elsewhere, facts);
  t.equal(status, 0, output);
  t.equal(output, 'Refunds take 5 days\nnew\n');
});

onEachDriver(
  'of two mounts that make one memory and append to it, each finds all its lines',
  needsFuse(),
  async (t, driver) => {
    const folder = temporaryFolder(t);
    const { facts } = await mounted(t, driver, folder);
    const { facts: elsewhere } = await mounted(t, driver, folder);
    const script = `
exec 3>> "$1"/log && echo elsewhere >> "$2"/log && echo one >&3 && exec 4>&3 4>&-
until [ "$(stat -c %s "$1"/log)" -ge 10 ]; do sleep 0.01; done
echo two >&3 && echo three >&3 && exec 3>&- && cat "$2"/log* | sort`;
    const { status, output } = await shell(script, facts, elsewhere);
    t.same({ status, output }, { status: 0, output: 'elsewhere\none\nthree\ntwo\n' });
  },
);

onEachDriver(
  'what is written on after others have moved the end of the file is in its place',
  needsFuse(),
  async (t, driver) => {
    const log = join((await emptied(driver)).facts, 'log');
    for (const [title, moveEnd, content] of [
      ['appended', () => appendFileSync(log, 'other\n'), 'Begun\nat the end\non\ner\n'],
      ['cut by its path', () => truncateSync(log, 6), `Begun\n${'\0'.repeat(11)}on\n`],
      ['cut', (descriptor: number) => ftruncateSync(descriptor, 6), `Begun\n${'\0'.repeat(11)}on\n`],
    ] as const) {
      const descriptor = openSync(log, 'wx');
      writeSync(descriptor, 'begun\n');
      // After this, the next one could be of a program that appends.
      writeSync(descriptor, 'B', 0);
      writeSync(descriptor, 'at the end\n');
      moveEnd(descriptor);
      writeSync(descriptor, 'on\n');
      closeSync(descriptor);
      t.equal(readFileSync(log, 'utf8'), content, title);
      unlinkSync(log);
    }
  },
);

onEachDriver(
  'names like those of libfuse are names, where nothing is open behind them',
  needsFuse(),
  async (t, driver) => {
    const { facts } = await emptied(driver);
    const name = '.fuse_hidden0000000000000003';
    const script = `cd "$1" && echo x > a && mv a ${name} && cat ${name} && mv ${name} b && cat b && ls -A && rm b && ls -A`;
    t.same(await shell(script, facts), { status: 0, output: 'x\nx\nb\n' });
  },
);

onEachDriver(
  'a folder that is moved into one that had its name is found, copied and removed with all that is in it',
  needsFuse(),
  async (t, driver) => {
    const { facts } = await emptied(driver);
    const nest = 'mkdir a && mv a b && mkdir a && echo x > a/f && mv a b/a && stat -c %i b b/a | uniq -d';
    const script = `cd "$1" && ${nest} && find b && cp -a b "$2" && ls -R "$2" && rm -r b && ls -A`;
    const copied = join(temporaryFolder(t), 'copy');
    const output = `b\nb/a\nb/a/f\n${copied}:\na\n\n${copied}/a:\nf\n`;
    t.same(await shell(script, facts, copied), { status: 0, output });
  },
);

t.test(
  'an open memory without a name takes mode, owner and times, however it was opened',
  needsFuse(),
  async (t) => {
    const { facts } = await withEntry(t, 'linux');
    const change = 'chmod 0600, *F or die $!; chown $<, -1, *F or die $!; utime 5, 7, *F or die $!';
    const show = 'my @now = stat F; printf "%o %d %d\n", @now[2, 3, 9]';
    const opened = (flags: string): string =>
      `perl -MFcntl -e 'sysopen F, $ARGV[0], ${flags} or die; unlink $ARGV[0] or die; ${change}; ${show}' refunds`;
    const again = `perl -e 'open F, "<", "made" or die; unlink "made"; open G, "+>>", "/proc/self/fd/".fileno(F) or die $!; syswrite G, "more"; sysread F, $_, 9 and print'`;
    const script = `cd "$1" && ${opened('O_RDWR')} && ${opened('O_CREAT')} && echo x > refunds && ${opened('O_RDONLY')} && echo x > made && ${again}`;
    t.same(await shell(script, facts), { status: 0, output: `${'100600 0 7\n'.repeat(3)}x\nmore` });
  },
);

t.test('an open folder of memory without a name has no links', needsFuse(), async (t) => {
  const { facts } = await emptied('linux');
  const script = `cd "$1" && mkdir a && exec 3< a && rmdir a && stat -Lc %h /proc/self/fd/3`;
  t.same(await shell(script, facts), { status: 0, output: '0\n' });
});
