import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountPlace } from './mount-place.ts';

const QUOTA_BYTES = 8 << 20;
/** Large enough for the kernel to be given the disk's file, where it takes that. */
const FILE_BYTES = 2 << 20;
const GROWN_BYTES = 32 << 20;

/**
 * Perl that has a file open to read, makes it longer by the way that it is told, and fills what is new through a shared mapping: mmap(2), read(2) and msync(2) of
 * x86-64. What is refused on the way is no failure.
 */
const FILL = `
  use Fcntl; use warnings FATAL => 'all'; my ($file, $from, $to, $way) = @ARGV;
  sysopen my $reader, $file, O_RDONLY or die $!; sysread $reader, my $byte, 1;
  sysopen my $writer, $file, O_RDWR or die $!;
  if ($way eq 'name') { truncate $file, $to or exit }
  elsif ($way eq 'handle') { truncate $writer, $to or exit }
  elsif ($way eq 'write') { sysseek $writer, $to - 1, 0; syswrite $writer, 'x' or exit }
  my $at = syscall 9, 0, $to + 0, 3, 1, fileno $writer, 0; exit if $at == -1;
  sysopen my $random, '/dev/urandom', O_RDONLY or die $!;
  for (my $i = $from; $i < $to; $i += 4096) { syscall 0, fileno $random, $at + $i, 1 }
  syscall 26, $at, $to + 0, 4;
`;

onEachDriver(
  'a file that is mapped takes no more than the quota of the scratchpad',
  needsFuse(),
  async (t, driver) => {
    const { folder, mountpoint, state } = mountPlace(t);
    const config = join(folder, 'small.json');
    writeFileSync(config, JSON.stringify({ mount: { driver }, scratchpad: { maxBytes: QUOTA_BYTES } }));
    const { status, err } = kgraphfs([
      'mount',
      mountpoint,
      '--docs',
      'docs/sample',
      '--state',
      state,
      '--config',
      config,
    ]);
    if (status !== 0) throw new Error(err);
    const script = `
    cd "$1/context/scratchpad" || exit 1
    head -c ${FILE_BYTES} /dev/urandom > "$3"
    perl -e '${FILL.replaceAll("'", `'"'"'`)}' "$3" ${FILE_BYTES} ${GROWN_BYTES} "$3"
    sync "$3"
    du -s --block-size=1 "$2/scratchpads" | cut -f 1; rm "$3"`;
    for (const way of ['name', 'handle', 'write']) {
      const { stdout, stderr } = spawnSync(
        'timeout',
        ['-s', 'KILL', '60', 'bash', '-c', script, 'bash', mountpoint, state, way],
        {
          encoding: 'utf8',
        },
      );
      t.equal(stderr, '');
      const takenBytes = Number(stdout);
      t.ok(
        takenBytes >= FILE_BYTES && takenBytes < QUOTA_BYTES + (1 << 20),
        `made longer by ${way}: ${takenBytes} bytes are taken`,
      );
    }
  },
);
