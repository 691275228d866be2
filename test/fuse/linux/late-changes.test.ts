import t from 'tap';
import { emptyScratchpad } from '../../conformance/scratchpad-subject.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { Daemon, newMountPoint, shell } from '../daemon.ts';
import { needsFuse } from '../fuse-available.ts';
import { LATE_MS } from '../late-changes.ts';

/** What the kernel remembers for an hour is right by then only if it was told. */
const WITHIN_S = 10;

const CASES = [
  ['is made', 'echo > create', 'ls; stat -c %s create', 'create\n0\n'],
  ['is cut', 'truncate -s 3 change', 'stat -c %s change; cat change', '3\nlon'],
  ['gets another mode', 'chmod 600 change', 'stat -c %a change', '600\n'],
  ['is written', 'printf more >> write', 'stat -c %s write; cat write', '8\nlongmore'],
  ['is written over', 'printf L 1<> write', 'stat -c %s write; cat write', '4\nLong'],
] as const;

for (const [what, change, look, expected] of CASES) {
  t.test(`a file that ${what} after the caller was told that it failed`, needsFuse(), async (t) => {
    const folder = emptyScratchpad(temporaryFolder(t));
    const mount = { deadlineMs: LATE_MS / 3 };
    const point = newMountPoint(t);
    const daemon = await Daemon.start(t, { driver: 'linux', point, tree: 'late', folder, mount });
    const name = change.split(' ').at(-1) ?? '';
    const has = name === 'create' ? 'true' : `printf long > tmp && mv tmp ${name}`;
    const before = await shell(`cd "$1" && ${has} && { ${look}; }`, point);
    t.not(before.output, expected);
    t.match(await shell(`cd "$1" && ${change}`, point), { output: /timed out/i });
    const after = await shell(
      `cd "$1" && for round in $(seq ${WITHIN_S * 20}); do found=$( { ${look}; } 2>&1; echo .); [ "$found" = "$2." ] && break; sleep 0.05; done; printf %s "\${found%.}"`,
      point,
      expected,
    );
    t.equal(after.output, expected);
    t.same(await daemon.tell({ do: 'bugs' }), []);
  });
}
