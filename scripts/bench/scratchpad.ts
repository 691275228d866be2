import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FILES_FOLDER } from '../../src/scratchpad/session-folders.ts';
import { type Bench, outputOf, READINGS, timed, timedAgain, withBindfs, withMount } from './places.ts';
import { milliseconds, printTable, ratio } from './table.ts';

const STREAM_MB = 256;
const MS_PER_S = 1000;

/**
 * What four processes do at once, each in a folder of its own with 2,500 files. They use the system calls alone: perl's own `sysopen` asks of each file that it
 * opens whether it is a terminal (TCGETS), which is one more request through FUSE.
 */
const STEPS = {
  create: `sub {
    defined(my $file = POSIX::open("$_[0]/f$_[1]", O_WRONLY | O_CREAT | O_EXCL, 0644)) or die $!;
    POSIX::close($file) or die $!;
  }`,
  'write 2 kB': `sub {
    defined(my $file = POSIX::open("$_[0]/f$_[1]", O_WRONLY)) or die $!;
    POSIX::write($file, $text, 2048) == 2048 or die $!;
    POSIX::close($file) or die $!;
  }`,
  rename: 'sub { rename("$_[0]/f$_[1]", "$_[0]/g$_[1]") or die $! }',
  stat: 'sub { (stat "$_[0]/g$_[1]")[7] == 2048 or die $! }',
  'unlink half': 'sub { $_[1] % 2 or unlink("$_[0]/g$_[1]") or die $! }',
};

/** A program that does a step and prints its milliseconds. */
function programOf(step: string): string {
  return `perl -MPOSIX -MTime::HiRes=time -e '
  $text = "x" x 2048;
  $step = ${step};
  $start = time;
  for $part (1 .. 4) { if (!fork) { mkdir "w$part"; $step->("w$part", $_) for 1 .. 2500; exit 0 } }
  while (wait != -1) { die if $? }
  print((time - $start) * 1000);'`;
}

const MANY_STEPS = 'a process for each of 4 folders with 2,500 files';

/**
 * Makes, writes, renames and removes files in the scratchpad, compared with the disk that it is on. Each step is done in all places before the next one:
 * ext4 without a journal avoids the inode number of a file that was removed a moment ago, and searches through all of them for each new file.
 */
export async function fileWork(bench: Bench, title: string, docs: string): Promise<void> {
  const { work, drivers } = bench;
  const plainFolder = join(work, 'plain');
  mkdirSync(plainFolder);
  const rows = await withBindfs(bench, plainFolder, (bindfs) =>
    withMounts(bench, docs, (points) => {
      const folders = [plainFolder, bindfs, ...points.map((point) => join(point, 'context/scratchpad'))];
      const places = folders.map((folder, index) => join(folder, `work${index}`));
      for (const place of places) mkdirSync(place);
      return Object.values(STEPS).map((step) =>
        places.map((place) => Number(outputOf(bench.pin, programOf(step), place))),
      );
    }),
  );
  const all = rows.reduce((sum, row) => sum.map((ms, place) => ms + (row[place] ?? 0)));
  printTable(
    `${title}: ${MANY_STEPS}`,
    ['ms', 'ext4', 'bindfs', '', ...drivers.flatMap((driver) => [driver, '']), 'aim'],
    [...Object.keys(STEPS), 'all of it'].map((name, index) => {
      const [base = 0, ...others] = rows[index] ?? all;
      const cells = others.flatMap((ms) => [milliseconds(ms), ratio(ms, base)]);
      return [name, milliseconds(base), ...cells, name === 'all of it' ? '≤ 8 ×, ahead of bindfs' : ''];
    }),
  );
  rmSync(plainFolder, { recursive: true });
}

/** Mounts with each driver at the same time. */
async function withMounts<Result>(
  bench: Bench,
  docs: string,
  use: (points: readonly string[]) => Result,
  points: readonly string[] = [],
): Promise<Result> {
  const driver = bench.drivers[points.length];
  if (driver === undefined) return use(points);
  const mount = { docs, state: join(bench.work, `pad-state-${driver}`), flags: ['--driver', driver] };
  return withMount(bench, mount, (point) => withMounts(bench, docs, use, [...points, point]));
}

/** A large file, written, and then read by a mount that has not seen it, with and without its bytes in the page cache of the disk. */
export async function streams(bench: Bench, title: string, docs: string): Promise<void> {
  const { pin, work, drivers } = bench;
  const write = `dd if=/dev/zero of=big bs=1M count=${STREAM_MB} status=none`;
  const read = 'dd if=big of=/dev/null bs=1M status=none';
  const forget = (folder: string) =>
    outputOf([], 'sync big; dd if=big iflag=nocache count=0 status=none', folder);
  const rate = (command: string, folder: string) => (STREAM_MB / timed(pin, command, folder)) * MS_PER_S;
  const plainFolder = join(work, 'stream');
  mkdirSync(plainFolder);
  const onDisk = [rate(write, plainFolder), rate(read, plainFolder)];
  forget(plainFolder);
  onDisk.push(rate(read, plainFolder));
  const ours: number[][] = [];
  for (const driver of drivers) {
    const state = join(work, 'pad-state');
    const flags = ['--driver', driver];
    const pad = 'context/scratchpad';
    const [written, session] = await withMount(bench, { docs, state, flags }, (point, status) => [
      rate(write, join(point, pad)),
      status.session,
    ]);
    const again = { docs, state, flags: [...flags, '--session', session] };
    const warm = await withMount(bench, again, (point) => rate(read, join(point, pad)));
    forget(join(state, 'scratchpads', session, FILES_FOLDER));
    const cold = await withMount(bench, again, (point) => rate(read, join(point, pad)));
    ours.push([written, warm, cold]);
    await withMount(bench, again, (point) => outputOf([], 'rm big', join(point, pad)));
  }
  const lines = [
    ['write', '≥ 400 MB/s'],
    ['first read, on the disk in its page cache', '≥ 0.5 ×'],
    ['first read, on the disk not in its page cache', '≥ 0.5 ×'],
  ] as const;
  printTable(
    `${title}: a file of ${STREAM_MB} MB in the scratchpad`,
    ['MB/s', 'ext4', ...drivers.flatMap((driver) => [driver, '']), 'aim'],
    lines.map(([name, aim], row) => {
      const base = onDisk[row] ?? 0;
      const cells = ours.flatMap(({ [row]: speed = 0 }) => [Math.round(speed), ratio(speed, base)]);
      return [name, Math.round(base), ...cells, aim];
    }),
  );
  rmSync(plainFolder, { recursive: true });
}

const GIT_STATUS = 'git status --porcelain';
const REPOSITORY = `cp -r "$1" repo && cd repo && git init -q . && git add . &&
  git -c user.name=bench -c user.email=bench@example.org -c gc.auto=0 commit -qm one`;

/** `git status` in a repository of all documents, in the scratchpad and on the disk that it is on. */
export async function gitStatus(bench: Bench, title: string, docs: string): Promise<void> {
  const { pin, work, drivers } = bench;
  const run = (folder: string): number[] => {
    outputOf([], REPOSITORY, folder, docs);
    const repository = join(folder, 'repo');
    const times = [timed(pin, GIT_STATUS, repository), timedAgain(pin, GIT_STATUS, repository)];
    rmSync(repository, { recursive: true });
    return times;
  };
  const plainFolder = join(work, 'git');
  mkdirSync(plainFolder);
  const plain = run(plainFolder);
  const ours: number[][] = [];
  for (const driver of drivers) {
    const mount = { docs, state: join(work, 'pad-state'), flags: ['--driver', driver] };
    ours.push(await withMount(bench, mount, (point) => run(join(point, 'context/scratchpad'))));
  }
  printTable(
    `${title}: git status of all documents, committed in the scratchpad`,
    ['ms', 'ext4', ...drivers.flatMap((driver) => [driver, '']), 'aim'],
    ['first', `again, the middle one of ${READINGS}`].map((name, row) => {
      const base = plain[row] ?? 0;
      const cells = ours.flatMap(({ [row]: ms = 0 }) => [milliseconds(ms), ratio(ms, base)]);
      return [name, milliseconds(base), ...cells, row === 0 ? '' : '≤ 2 ×'];
    }),
  );
  rmSync(plainFolder, { recursive: true });
}
