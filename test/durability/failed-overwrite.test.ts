import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import root from 'tap';
import type { DriverName } from '../../src/config/schema.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { onEachDriver } from '../support/each-driver.ts';
import type { Teardown } from '../support/temporary.ts';
import { type HistoryLine, type LiveMount, Place, shell } from './place.ts';

const fuse = { ...needsFuse(), timeout: 240_000 };

const OLD = `old ${'o'.repeat(9000)}\n`;
/** Past the limit of 16 MiB for an entry, in the seventeenth of writes of 1 MiB. */
const TOO_LARGE = 'dd if=/dev/zero of="$1"/refunds bs=1M count=17 status=none';

/** Perl that opens a file and maps it into memory (mmap(2) of x86-64, readable and shared), and says for each line of its input what both show. */
const READER = `$| = 1; open F, "<", $ARGV[0] or die; $n = -s F; $m = syscall(9, 0, $n, 1, 1, fileno(F), 0);
  while (1) {
    seek F, 0, 0; { local $/; $read = <F> } $mapped = unpack("P$n", pack("Q", $m));
    printf "%d %s %s\\n", length $read, $read eq $ARGV[1] ? "read" : "NOT read", $mapped eq $ARGV[1] ? "mapped" : "NOT mapped";
    defined <STDIN> or exit }`;

/** Somebody who has the file open, and mapped, all the time. */
class Reader {
  readonly #child;
  readonly #lines: AsyncIterator<string>;

  constructor(t: Teardown, path: string) {
    this.#child = spawn('timeout', ['-s', 'KILL', '200', 'perl', '-e', READER, path, OLD], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(this.#child, 'exit');
    t.teardown(async () => {
      this.#child.kill('SIGKILL');
      await ended;
    });
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  /** What it sees now. */
  async sees(): Promise<string> {
    const { value } = await this.#lines.next();
    return String(value);
  }

  lookAgain(): void {
    this.#child.stdin.write('\n');
  }
}

/** All cases of a driver share its mount: each has a folder of its own in the memory. */
const mounts = new Map<DriverName, Promise<LiveMount>>();
let cases = 0;

interface Overwriting {
  /** Where `refunds` is. */
  readonly memory: string;
  readonly reader: Reader;
  /** Writes to what is in that folder that the history tells of. */
  writes(): Promise<readonly HistoryLine[]>;
}

async function withOld(t: Teardown, driver: DriverName): Promise<Overwriting> {
  const mounting = mounts.get(driver) ?? new Place(root, driver).mount('ctx');
  mounts.set(driver, mounting);
  const mount = await mounting;
  cases += 1;
  const name = `case-${cases}`;
  const memory = join(mount.memory, name);
  await shell('mkdir "$1" && printf %s "$2" > "$1"/refunds', memory, OLD);
  return {
    memory,
    reader: new Reader(t, join(memory, 'refunds')),
    async writes() {
      const history = await mount.history();
      return history.filter(({ event_type, path }) => event_type === 'write' && path?.includes(`/${name}/`));
    },
  };
}

const SAME = `${OLD.length} read mapped`;
const LOOK = 'cat "$1"/refunds; stat -c %s "$1"/refunds; ls "$1"';
const SHOWN = `${OLD}${OLD.length}\nrefunds\n`;

for (const { what, script, refusal } of [
  { what: 'too large', script: TOO_LARGE, refusal: 'File too large' },
  { what: 'too large, in place', script: `${TOO_LARGE} conv=notrunc`, refusal: 'File too large' },
  {
    what: 'too large, at its end',
    script: `${TOO_LARGE} conv=notrunc oflag=append`,
    refusal: 'File too large',
  },
  {
    what: 'impossible by its front matter',
    script: 'printf -- "---\\nconfidence: 7\\n---\\n" | dd of="$1"/refunds status=none',
    refusal: /Invalid (argument|input)/,
  },
]) {
  onEachDriver(`an overwrite that is ${what}: all see the old content, whole`, fuse, async (t, driver) => {
    const { memory, reader, writes } = await withOld(t, driver);
    t.equal(await reader.sees(), SAME);
    const { status, output } = await shell(script, memory);
    t.not(status, 0);
    t.match(output, refusal);
    t.equal((await shell(LOOK, memory)).output, SHOWN, 'by a new open');
    reader.lookAgain();
    t.equal(await reader.sees(), SAME, 'by one who has had it open and mapped all the time');
    const reader2 = new Reader(t, join(memory, 'refunds'));
    t.equal(await reader2.sees(), SAME, 'by one who maps it now');
    const entered = await writes();
    t.same(
      entered.filter(({ data }) => data?.['sha256'] !== undefined),
      [],
      'and the history tells of no write',
    );
  });
}

onEachDriver('a new file that is too large is not made', fuse, async (t, driver) => {
  const { memory } = await withOld(t, driver);
  const { output } = await shell(TOO_LARGE.replace('/refunds', '/new'), memory);
  t.match(output, 'File too large');
  t.equal((await shell(LOOK, memory)).output, SHOWN);
  t.match((await shell('cat "$1"/new', memory)).output, 'No such file');
});
