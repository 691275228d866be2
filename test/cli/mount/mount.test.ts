import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { DEFAULT_DRIVER } from '../../support/drivers.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';
import { runHere } from '../run-here.ts';
import { daemonOf, isRunning, mountedBelow, mountPlace, readThrough } from './mount-place.ts';

const fuse = needsFuse();

onEachDriver(
  'a tree is there when mount returns, and gone with its daemon when unmount does',
  fuse,
  async (t, driver) => {
    const { folder, mountpoint, at } = mountPlace(t, driver);
    const mounted = kgraphfs(['mount', mountpoint, ...at]);
    t.equal(mounted.err, '');
    t.match(mounted.out, /^mounted .*\/ctx: \d+ documents, \d+ nodes, \d+ edges in \d+\.\d\d s\n$/);
    t.equal(mounted.status, 0);
    t.equal(readThrough(join(mountpoint, 'docs/errors.md')), readFileSync('docs/sample/errors.md', 'utf8'));
    const node = await runHere(['vfs', 'read', '/graph/nodes/Charge', ...at]);
    t.equal(node.out, readThrough(join(mountpoint, 'graph/nodes/Charge')), 'the command line shows the same');
    const pid = daemonOf(mountpoint);
    t.match(
      kgraphfs(['status', mountpoint]).out,
      new RegExp(`^state +(?:ready|indexing)\\nmount point +/.*\\ndaemon +pid ${pid}, driver ${driver}`),
    );
    t.match(kgraphfs(['unmount', mountpoint]), { status: 0, out: `unmounted ${mountpoint}\n`, err: '' });
    t.same(mountedBelow(folder), []);
    t.notOk(isRunning(pid));
  },
);

t.test('status of a mount is what it shows of itself, by its folder and by its project', fuse, async (t) => {
  const { mountpoint, at } = mountPlace(t);
  const mounted = JSON.parse(kgraphfs(['mount', mountpoint, '--wait', '--json', ...at]).out);
  t.match(mounted, { state: 'ready', mountpoint, driver: DEFAULT_DRIVER, errors: 0 });
  const status = await runHere(['status', mountpoint, '--json']);
  t.match(JSON.parse(status.out), { state: 'ready', pid: mounted.pid, documents: mounted.documents });
  t.match(JSON.parse((await runHere(['status', '--json', ...at])).out), { pid: mounted.pid });
  t.match(JSON.parse(kgraphfs(['unmount', mountpoint, '--json']).out), {
    mountpoint,
    state: 'stopped',
    pid: mounted.pid,
  });
  t.match(await runHere(['status', mountpoint, '--json', ...at]), {
    status: 3,
    out: '',
    err: /ctx is not mounted\n$/,
  });
  t.match(JSON.parse((await runHere(['status', '--json', ...at])).out), { state: 'stopped', pid: null });
});

t.test('paths may be relative and hold spaces; the daemon keeps no folder of its caller', fuse, async (t) => {
  const { folder } = mountPlace(t);
  const work = join(folder, 'my work');
  mkdirSync(join(work, 'our docs'), { recursive: true });
  writeFileSync(join(work, 'our docs', 'page.md'), '# A page\n');
  const at = ['--docs', 'our docs', '--state', 'the state'];
  const mounted = kgraphfs(['mount', '../a  tab\there', ...at], { cwd: work });
  t.match(mounted, { status: 0, err: '' });
  const mountpoint = join(folder, 'a  tab\there');
  t.same(mountedBelow(folder), [mountpoint]);
  t.equal(readThrough(join(mountpoint, 'docs/page.md')), '# A page\n');
  t.equal(readlinkSync(`/proc/${daemonOf(mountpoint)}/cwd`), '/');
  t.equal(kgraphfs(['unmount', '../a  tab\there'], { cwd: work }).status, 0);
});

t.test('what the caller has open is not held by the daemon', fuse, async (t) => {
  const { mountpoint, at } = mountPlace(t);
  const command = `{ '${process.execPath}' '${MAIN}' mount '${mountpoint}' ${at.join(' ')} 2>&1; } 9>&1 200>&1 | cat`;
  const { status, stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8', timeout: 60_000 });
  t.equal(status, 0, 'the pipe ends');
  t.match(stdout, /^mounted /);
  const descriptors = `/proc/${daemonOf(mountpoint)}/fd`;
  t.equal(
    readlinkSync(`${descriptors}/200`),
    '/dev/null',
    'and whoever writes there all the same does no harm',
  );
});

t.test('the log is closed to others, and put aside when it has grown', fuse, async (t) => {
  const { folder, state, at } = mountPlace(t);
  const log = join(state, 'daemon.log');
  writeFileSync(log, 'x'.repeat((1 << 20) + 1), { mode: 0o600 });
  const points = ['one', 'two'].map((name) => join(folder, name));
  for (const point of points) t.equal(kgraphfs(['mount', point, ...at]).status, 0);
  t.equal(statSync(`${log}.1`).size, (1 << 20) + 1);
  t.ok(statSync(log).size < 1000);
  t.equal(statSync(log).mode & 0o777, 0o600);
  t.equal(statSync(state).mode & 0o777, 0o700);

  const found: { mountpoint: string }[] = JSON.parse((await runHere(['status', '--json', ...at])).out);
  t.same(
    found.map(({ mountpoint }) => mountpoint).sort(),
    points,
    'the status of a project is of all its mounts',
  );
  for (const point of points) t.equal(kgraphfs(['unmount', point]).status, 0);
});
