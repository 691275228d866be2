import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';
import { mountPlace } from './mount-place.ts';

/** Only root can be somebody else. */
const skip = needsFuse().skip || (process.getuid?.() !== 0 && 'this needs root');
if (skip === 'this needs root') process.stdout.write('# tests of other users did not run: not root\n');

/** `nobody` of every Linux. */
const OTHER = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

onEachDriver(
  'whom --allow-other lets in sees docs and graph, and nothing of what is remembered',
  { skip },
  async (t, driver) => {
    const { folder, mountpoint, at } = mountPlace(t, driver);
    chmodSync(folder, 0o755);
    t.equal(kgraphfs(['mount', mountpoint, '--wait', '--allow-other', ...at]).status, 0);
    const shell = (script: string, as: readonly string[] = []) =>
      spawnSync('timeout', ['-s', 'KILL', '60', ...as, 'bash', '-c', script], { cwd: '/', encoding: 'utf8' });
    const facts = join(mountpoint, 'context/memory/fact');
    const made = shell(
      `cd ${facts} && echo 'a Charge is fragile in zanzibar' > zanzibar-key; cd ../../scratchpad && echo x > zanzibar-key`,
    );
    t.equal(made.stderr, '');
    const refused = writeEntryThatIsRefused(join(facts, 'zanzibar-refused'));
    t.equal(refused, 'EINVAL');
    for (const path of [
      'context/memory',
      'context/memory/fact/zanzibar-key',
      'context/review',
      'context/scratchpad/zanzibar-key',
      'context/history',
      'graph/memory',
      '.kgraphfs/errors.jsonl',
    ]) {
      const { stdout, stderr } = shell(`grep -r . ${mountpoint}/${path}; ls ${mountpoint}/${path}/`, OTHER);
      t.equal(stdout, '', path);
      t.match(stderr, /Permission denied/, path);
    }
    t.match(shell(`cat ${mountpoint}/docs/errors.md`, OTHER), { status: 0, stdout: /Errors/ });
    const all = shell(`cd ${mountpoint} && ls -R; grep -r . docs graph .kgraphfs AGENTS.md`, OTHER);
    t.match(all.stdout, /Charge/);
    t.notMatch(all.stdout, /zanzibar/);
    t.match(shell(`echo x > ${mountpoint}/context/memory/fact/mine`, OTHER).stderr, /Permission denied/);
    t.match(
      shell(`'${process.execPath}' '${MAIN}' unmount '${mountpoint}'`, OTHER),
      { status: 3, stderr: /it is a mount of user 0, who can unmount it, or root\n$/ },
      'and is told whose it is',
    );
    t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  },
);

t.test(
  'who asks for the daemons of another user is not told that there are none, and a mount with another one in it is named with that',
  { skip },
  async (t) => {
    const { folder, mountpoint, at } = mountPlace(t);
    chmodSync(folder, 0o755);
    t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
    const [program, ...args] = [...OTHER, process.execPath, MAIN];
    for (const words of [['status'], ['stop', '--all']]) {
      const options = { encoding: 'utf8', env: { ...process.env, HOME: folder } } as const;
      const { status, stdout, stderr } = spawnSync(program ?? '', [...args, ...words, ...at], options);
      t.same([status, stdout], [1, ''], words.join(' '));
      t.match(stderr, /the state folder belongs to another user \(0\); run kgraphfs as that user/);
    }

    const inner = join(mountpoint, 'context/scratchpad/inner');
    const root = (command: string) =>
      spawnSync('bash', ['-c', command], { encoding: 'utf8', timeout: 60_000 });
    t.match(root(`mkdir '${inner}' && mount -t tmpfs none '${inner}'`), { status: 0, stderr: '' });
    t.match(kgraphfs(['unmount', mountpoint]), {
      status: 3,
      err: `something else is mounted in it at\n  ${inner}\nunmount that first`,
    });
    t.match(root(`umount '${inner}'`), { status: 0, stderr: '' });
    t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  },
);

function writeEntryThatIsRefused(path: string): unknown {
  try {
    writeFileSync(path, '---\nconfidence: 7\n---\n');
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}
