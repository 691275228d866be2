import { join } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { isRunning, until } from '../cli/mount/mount-place.ts';
import { needsDiskThatFails, onDiskThatFails, outcome, VANISH } from './small-disk.ts';

const statusSchema = z.object({ pid: z.number() });

/** What is tried while a memory is open, and then with that. */
const USES = `exec 5>> refunds; ${VANISH}
cat refunds; echo two > refunds; cat refunds; echo new > other; ls; rm refunds; mv refunds moved; mkdir folder; touch refunds; : > refunds
cat refunds; chmod 600 refunds; ls -la; cat ../../history/*; echo new >&5; exec 5>&-; echo done`;

// A daemon in the background has its log in the state folder, too.
t.test(
  'a state folder whose disk vanished: docs go on, and the mount ends',
  needsDiskThatFails(),
  async (t) => {
    const place = onDiskThatFails(t);
    const point = join(place.folder, 'ctx');
    await place.kgraphfs('mount', point);
    const { pid } = statusSchema.parse(JSON.parse(await outcome('cat "$1"/.kgraphfs/status.json', point)));
    t.teardown(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
    const facts = join(point, 'context/memory/fact');
    t.equal(await outcome('cd "$1" && echo old > refunds && mkdir more', facts), '');
    t.match(await outcome(`cd "$1" && ${USES}`, facts, place.state), /Input\/output error(?:.|\n)*done\n$/);
    t.match(await outcome('cat "$1"/docs/charge.md', point), /requires/);
    t.match(await place.kgraphfs('unmount', point), /^unmounted /);
    await until('the daemon to end', () => !isRunning(pid));
  },
);
