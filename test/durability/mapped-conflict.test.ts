/** A memory that one mount has mapped while the other one writes it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { needsFuse } from '../fuse/fuse-available.ts';
import { Place, shell } from './place.ts';

/** Stores into a mapping of a file, and ends once it is told to. */
const MAPPER = `import mmap, os, sys
file = os.open(sys.argv[1], os.O_RDWR)
mapped = mmap.mmap(file, 0)
mapped[0:3] = b'MAP'
print('stored', flush=True)
sys.stdin.readline()
mapped.close()
os.close(file)`;

t.test(
  'who has stored into a mapping gets a copy beside what the other mount has written',
  needsFuse('python3'),
  async (t) => {
    const place = new Place(t, 'linux');
    const [a, b] = await Promise.all([place.mount('a'), place.mount('b')]);
    await shell('echo "old text" > "$1"/refunds', b.memory);
    const mapper = spawn('timeout', ['200', 'python3', '-c', MAPPER, join(b.memory, 'refunds')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(mapper, 'exit');
    t.teardown(() => mapper.kill('SIGKILL'));
    const lines = createInterface(mapper.stdout)[Symbol.asyncIterator]();
    t.same(await lines.next(), { value: 'stored', done: false });
    await shell('until [ -s "$1"/refunds ]; do :; done; echo "from a, and longer" > "$1"/refunds', a.memory);
    // By the time that the other mount shows this one, it has had the kernel drop what it knew of that one.
    await shell('echo 1 > "$1"/later', a.memory);
    await shell('until grep -q 1 "$1"/later; do :; done 2>/dev/null', b.memory);
    mapper.stdin.end('\n');
    t.same(await ended, [0, null]);
    for (const { memory } of [a, b]) {
      const { output } = await shell('cat "$1"/refunds; cat "$1"/refunds.conflict-*', memory);
      t.equal(output, 'from a, and longer\nMAP text\n');
    }
    for (const mount of [a, b]) await mount.unmount();
  },
);

/** Writes to a file, and once the other mount has written to it, too, goes on with what it has open: reads it, stores into a mapping of it. */
const GOER_ON = `import mmap, os, sys
file = os.open(sys.argv[1], os.O_RDWR)
os.pwrite(file, b'mine, which is longer', 0)
print('written', flush=True)
sys.stdin.readline()
os.fsync(file)
print('kept apart', flush=True)
sys.stdin.readline()
print(os.pread(file, 100, 0).decode(), flush=True)
mapped = mmap.mmap(file, 21)
mapped[15:21] = b'mapped'
mapped.flush()
mapped.close()
os.close(file)`;

t.test(
  'who has open what became a conflict copy reads and maps the copy, and not what has its name',
  needsFuse('python3'),
  async (t) => {
    const place = new Place(t, 'linux');
    const [a, b] = await Promise.all([place.mount('a'), place.mount('b')]);
    await shell('echo old > "$1"/refunds', b.memory);
    const goerOn = spawn('timeout', ['200', 'python3', '-c', GOER_ON, join(b.memory, 'refunds')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(goerOn, 'exit');
    t.teardown(() => goerOn.kill('SIGKILL'));
    const lines = createInterface(goerOn.stdout)[Symbol.asyncIterator]();
    t.same(await lines.next(), { value: 'written', done: false });
    await shell('until [ -s "$1"/refunds ]; do :; done; echo from a > "$1"/refunds', a.memory);
    goerOn.stdin.write('\n');
    t.same(await lines.next(), { value: 'kept apart', done: false });
    await shell('until grep -q "from a" "$1"/refunds; do :; done', b.memory);
    goerOn.stdin.end('\n');
    t.same(await lines.next(), { value: 'mine, which is longer', done: false });
    t.same(await ended, [0, null]);
    for (const { memory } of [a, b]) {
      const { output } = await shell('cat "$1"/refunds; cat "$1"/refunds.conflict-*', memory);
      t.equal(output, 'from a\nmine, which is mapped');
    }
    for (const mount of [a, b]) await mount.unmount();
  },
);
