import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, outputOf, timed, timedAgain, waysOf, withBindfs, withMount } from './places.ts';
import { milliseconds, printTable, ratio } from './table.ts';

const GREP = 'grep -rc payment . | tail -n1';
const RG = 'rg --files . | wc -l';
const NAMES_ALONE = { aim: '≤ 1.3 ×', pinnedAim: '≤ 1.3 ×' };

interface Row {
  readonly name: string;
  readonly command: string;
  /** Run several times; the median counts. */
  readonly isSoonOver?: true;
  readonly aim: string;
  readonly pinnedAim: string;
}

/** The commands that are timed in each place, and their targets without and with pinning to one core. */
const COMMANDS: readonly Row[] = [
  { name: 'grep -r, first', command: GREP, aim: '≤ 15 ×, 5 times ahead of bindfs', pinnedAim: '≤ 8 ×' },
  {
    name: 'grep -r, second',
    command: GREP,
    aim: '≤ 10 ×, 5 times ahead of bindfs; audit off ≤ 1.3 ×',
    pinnedAim: '≤ 5 ×; audit off ≤ 1.3 ×',
  },
  {
    name: 'grep -r, third',
    command: GREP,
    aim: '≤ 10 ×, 5 times ahead of bindfs; audit off ≤ 1.3 ×',
    pinnedAim: '≤ 5 ×; audit off ≤ 1.3 ×',
  },
  { name: 'find -size', command: 'find . -size +4k | wc -l', isSoonOver: true, ...NAMES_ALONE },
  { name: 'ls -lR', command: 'ls -lR . | wc -l', isSoonOver: true, ...NAMES_ALONE },
  { name: 'du', command: 'du -s . | cut -f1', isSoonOver: true, ...NAMES_ALONE },
  { name: 'rg --files, first', command: RG, aim: '', pinnedAim: '' },
  { name: 'rg --files, again', command: RG, isSoonOver: true, ...NAMES_ALONE },
];

/**
 * Opens, reads and closes each file of a list; prints the microseconds for each. It uses the system calls alone: perl's own `sysopen` asks of each file that it
 * opens whether it is a terminal (TCGETS), which is one more request through FUSE.
 */
const OPENS = `perl -MPOSIX -MTime::HiRes=time -e '
  chomp(@files = <STDIN>); $start = time;
  for (@files) {
    defined(my $file = POSIX::open($_, O_RDONLY)) or die "$_: $!";
    POSIX::read($file, my $bytes, 65536) or die;
    POSIX::close($file);
  }
  printf "%.1f", (time - $start) * 1e6 / @files' < "$1"`;

/** After so long a mount has finished the work of its start. */
const REST_MS = 8000;

/** Reading all documents, in the plain folder, through bindfs, and through each way of mounting. */
export async function documents(bench: Bench, title: string, docs: string): Promise<void> {
  const { pin, work, drivers } = bench;
  const isPinned = pin.length > 0;
  const state = join(work, 'state');
  const read = (folder: string) =>
    COMMANDS.map(({ command, isSoonOver }) => (isSoonOver ? timedAgain : timed)(pin, command, folder));
  // Once without taking the time, so that the plain folder is in the page cache, as it is for the places after it.
  timed(pin, GREP, docs);
  const plain = read(docs);
  const peer = await withBindfs(bench, docs, read);
  const ways = waysOf(drivers);
  const ours: number[][] = [];
  const rested: number[] = [];
  for (const { flags } of ways) {
    const mount = { docs, state, flags };
    ours.push(await withMount(bench, mount, (point) => read(join(point, 'docs'))));
    rested.push(
      await withMount(bench, mount, async (point) => {
        await delay(REST_MS);
        return timed(pin, GREP, join(point, 'docs'));
      }),
    );
  }
  const [first = 0] = plain;
  const restedCells = rested.flatMap((ms) => [milliseconds(ms), ratio(ms, first)]);
  printTable(
    title,
    ['ms', 'plain folder', 'bindfs', '', ...ways.flatMap(({ name }) => [name, '']), 'aim'],
    [
      ...COMMANDS.map(({ name, aim, pinnedAim }, row) => {
        const base = plain[row] ?? 0;
        const cells = [peer, ...ours].flatMap(({ [row]: ms = 0 }) => [milliseconds(ms), ratio(ms, base)]);
        return [name, milliseconds(base), ...cells, isPinned ? pinnedAim : aim];
      }),
      [
        `grep -r, first, ${REST_MS / 1000} s after the mount`,
        milliseconds(first),
        '',
        '',
        ...restedCells,
        '',
      ],
    ],
  );
}

/** Reads small files one after another, whose names the kernel knows but whose bytes it does not. */
export async function smallFiles(bench: Bench, title: string, docs: string): Promise<void> {
  const { pin, work, drivers } = bench;
  const state = join(work, 'state');
  const list = join(work, 'files');
  const open = (folder: string): string => {
    outputOf(pin, 'find . -type f > "$1"', folder, list);
    return outputOf(pin, OPENS, folder, list);
  };
  const cells = [open(docs), await withBindfs(bench, docs, open)];
  for (const driver of drivers) {
    const flags = ['--driver', driver];
    cells.push(await withMount(bench, { docs, state, flags }, (point) => open(join(point, 'docs'))));
  }
  printTable(
    title,
    ['µs', 'plain folder, cached', 'bindfs', ...drivers, 'aim'],
    [['open, read and close of a file in a stream of them', ...cells, '< 60']],
  );
}
