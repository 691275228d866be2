import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { within } from '../../support/within.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountPlace } from './mount-place.ts';

/** What ends by itself does so by then, also on a busy machine; a daemon that waits for itself never does. */
const SOON_MS = 60_000;

/** As programs do that walk a path without following links: what they ask by a descriptor looks no name up. */
const READ = `
import os, sys, time
end = time.time() + 3
while time.time() < end:
  try:
    link = os.open(sys.argv[1], os.O_PATH | os.O_NOFOLLOW)
    for _ in range(6):
      os.readlink('', dir_fd=link)
      os.fstat(link)
    os.close(link)
  except OSError:
    pass`;

const REPLACE = `
import os, sys, time
end = time.time() + 3
turn = 0
while time.time() < end:
  turn += 1
  os.symlink(['a.md', 'b.md'][turn % 2], sys.argv[1] + '.new')
  os.rename(sys.argv[1] + '.new', sys.argv[1])
  time.sleep(0.00005)`;

t.test(
  'a link of the docs may be replaced while it is read without being looked up',
  needsFuse(),
  async (t) => {
    const { folder, mountpoint, state } = mountPlace(t);
    const docs = join(folder, 'own-docs');
    mkdirSync(docs);
    for (const name of ['a', 'b']) writeFileSync(join(docs, `${name}.md`), `# ${name}\n`);
    symlinkSync('a.md', join(docs, 'link.md'));
    t.equal(kgraphfs(['mount', mountpoint, '--docs', docs, '--state', state]).status, 0);
    const programs = [
      [REPLACE, join(docs, 'link.md')],
      ...Array.from({ length: 3 }, () => [READ, join(mountpoint, 'docs/link.md')]),
    ].map(([program = '', path = '']) => spawn('python3', ['-c', program, path], { stdio: 'ignore' }));
    // Only their end frees a daemon that waits for the page of a link that they read.
    t.teardown(() => {
      for (const program of programs) program.kill('SIGKILL');
    });
    const ends = await within(SOON_MS, Promise.all(programs.map((program) => once(program, 'exit'))));
    t.same(ends, [
      [0, null],
      [0, null],
      [0, null],
      [0, null],
    ]);
    t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  },
);
