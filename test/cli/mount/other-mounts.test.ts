import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { MountedDaemon } from '../../../src/cli/mount/ask-daemon.ts';
import { endMounted, unmountAndWait } from '../../../src/cli/mount/unmount-and-wait.ts';
import { DocsFolders } from '../../../src/source/docs-folders.ts';
import type { DocsProblem } from '../../../src/source/docs-problem.ts';
import { lookAtMountsAnew, ownMountPoints } from '../../../src/source/own-mounts.ts';
import { liveDaemons } from '../../../src/state/daemons.ts';
import { type StateFolder, stateFolderAt } from '../../../src/state/state-folder.ts';
import { koffi } from '../../../src/system/koffi.ts';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { stopProcess } from '../../support/stop-process.ts';
import { kgraphfs } from '../run-cli.ts';
import { runHere } from '../run-here.ts';
import {
  daemonOf,
  isRunning,
  type MountPlace,
  mountedBelow,
  mountPlace,
  readThrough,
  statusOf,
  until,
} from './mount-place.ts';

const fuse = needsFuse();
const byRoot = process.getuid?.() === 0 ? fuse : { skip: 'only root may do this' };

/** A second project of the same docs, with an index of its own. */
function secondOf({ folder, state, at }: MountPlace): string[] {
  const second = join(folder, 'second');
  cpSync(state, second, { recursive: true });
  return [...at, '--state', second];
}

t.test(
  'status and stop --all leave alone the mount of another project at the point of theirs',
  fuse,
  async (t) => {
    const place = mountPlace(t);
    const { folder, mountpoint, at } = place;
    const others = secondOf(place);
    kgraphfs(['mount', mountpoint, ...at]);
    const first = daemonOf(mountpoint);
    // Stopped, it would stay for ever where something below fails.
    t.teardown(() => {
      if (isRunning(first)) process.kill(first, 'SIGKILL');
    });
    stopProcess(first);
    t.equal(spawnSync('fusermount3', ['-u', '-z', '--', mountpoint]).status, 0);
    const gone = {
      status: 3,
      out: new RegExp(`^state +unmounted: .*pid ${first}.*stop --all ends it\nmount point .*/ctx\n$`),
    };
    t.match(await runHere(['status', ...at]), gone);
    t.equal(kgraphfs(['mount', mountpoint, ...others]).status, 0);
    const second = daemonOf(mountpoint);
    t.match(await runHere(['status', ...at]), gone);
    t.match(JSON.parse((await runHere(['status', '--json', ...others])).out), { pid: second });
    t.match(await runHere(['stop', '--all', '--force', ...at]), {
      status: 0,
      out: `stopped, pid ${first}\n`,
    });
    t.notOk(isRunning(first));
    t.match(readThrough(join(mountpoint, 'docs/errors.md')), /Errors/);
    t.match(await runHere(['stop', '--all', ...others]), { status: 0, out: `stopped, pid ${second}\n` });
    t.same(mountedBelow(folder), []);
  },
);

t.test(
  'a project in the place of a moved one does not take the mount of that one for its own',
  fuse,
  async (t) => {
    const place = mountPlace(t);
    const { folder, mountpoint, state, at } = place;
    const moved = join(folder, 'moved');
    const others = secondOf(place);
    kgraphfs(['mount', mountpoint, ...at]);
    const pid = daemonOf(mountpoint);
    t.teardown(() => {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
    renameSync(state, moved);
    const named = { pid, state_dir: state };
    t.match(
      JSON.parse((await runHere(['status', '--json', ...at])).out),
      named,
      'it is found by its old place while nothing lies there',
    );
    renameSync(join(folder, 'second'), state);
    t.match(JSON.parse((await runHere(['status', '--json', ...at])).out), { state: 'stopped' });
    t.match(await runHere(['stop', '--all', ...at]), { status: 0, out: /^no daemon/ });
    t.ok(isRunning(pid));
    const there = [...others.slice(0, -1), moved];
    t.match(JSON.parse((await runHere(['status', '--json', ...there])).out), named);
    rmSync(moved, { recursive: true });
    t.match(
      JSON.parse((await runHere(['status', '--json', ...at])).out),
      named,
      'of a folder that is no more, the one that was made anew has the mount',
    );
    t.match(await runHere(['stop', '--all', ...at]), { status: 0, out: `stopped, pid ${pid}\n` });
    t.same(mountedBelow(folder), []);
  },
);

t.test('of a mount that is replaced while it is asked, the next one stays', fuse, async (t) => {
  const place = mountPlace(t);
  const { folder, mountpoint, state, at } = place;
  let one = { state: stateFolderAt(state), options: at };
  let other: typeof one = { state: stateFolderAt(join(folder, 'second')), options: secondOf(place) };
  /** The daemon at the mount point, once it is stopped. */
  const stopped = (of: StateFolder) => {
    const pid = daemonOf(mountpoint);
    t.teardown(() => {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
    stopProcess(pid);
    const record = liveDaemons(of).find((daemon) => daemon.pid === pid);
    if (record === undefined) throw new Error('the daemon has no record');
    return { pid, daemon: { ...record, mountpoint } };
  };
  t.equal(kgraphfs(['mount', mountpoint, ...one.options]).status, 0);
  for (const takeAway of [
    () => unmountAndWait(mountpoint, false),
    () => unmountAndWait(mountpoint, true),
    (daemon: MountedDaemon) => endMounted(daemon, one.state, true),
  ]) {
    const first = stopped(one.state);
    const taken = takeAway(first.daemon);
    await until('it to be asked', () => isAskedBy(process.pid));
    // This thread hears of no answer before the other one is there.
    t.equal(spawnSync('fusermount3', ['-u', '-z', '--', mountpoint]).status, 0);
    t.equal(kgraphfs(['mount', mountpoint, ...other.options]).status, 0);
    const second = daemonOf(mountpoint);
    process.kill(first.pid, 'SIGCONT');
    await taken;
    t.same([daemonOf(mountpoint), isRunning(second)], [second, true]);
    await until('the first daemon to end', () => !isRunning(first.pid));
    [one, other] = [other, one];
  }

  const { pid, daemon } = stopped(one.state);
  const ended = endMounted(daemon, one.state, false);
  await until('it to be asked', () => isAskedBy(process.pid));
  t.equal(spawnSync('fusermount3', ['-u', '-z', '--', mountpoint]).status, 0);
  process.kill(pid, 'SIGCONT');
  await t.resolves(ended);
  t.notOk(isRunning(pid), 'where no next one came, the daemon is ended');
});

/** Whether a process has a program ask a mount. */
function isAskedBy(pid: number): boolean {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.some((child) => readFileSync(`/proc/${child}/comm`, 'utf8') === 'stat\n');
}

t.test('mounts that lie in the docs are no docs for any of them', fuse, async (t) => {
  const { folder, mountpoint: outside } = mountPlace(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'alpha.md'), '# Alpha\n');
  const at = ['--docs', docs, '--state', join(folder, 'own-state')];
  const [inside, later] = [join(docs, 'inside'), join(docs, 'later')];
  for (const point of [inside, outside, later]) {
    t.equal(kgraphfs(['mount', point, '--wait', ...at]).status, 0);
    // The first one, too, has seen by now what was mounted beside it.
    for (const seen of mountedBelow(folder)) {
      t.match(statusOf(seen), { documents: 1, errors: 0 });
      t.notOk(isShownIn(seen, 'inside'));
    }
  }
  for (const seen of [inside, outside]) t.notOk(isShownIn(seen, 'later'));
  t.equal(kgraphfs(['unmount', later]).status, 0);
  mkdirSync(later, { recursive: true });
  writeFileSync(join(later, 'page.md'), '# A page\n');
  const hasPage = (point: string) => isShownIn(point, 'later/page.md');
  for (const seen of [inside, outside]) await until('the page is shown', () => hasPage(seen));
});

t.test(
  'what comes to lie where a mount was that was moved away with its folder is shown',
  fuse,
  async (t) => {
    const { folder, mountpoint } = mountPlace(t);
    const docs = join(folder, 'docs');
    const inside = join(docs, 'kilns/inside');
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(docs, 'alpha.md'), '# Alpha\n');
    const at = ['--docs', docs, '--state', join(folder, 'own-state')];
    for (const point of [inside, mountpoint]) t.equal(kgraphfs(['mount', point, '--wait', ...at]).status, 0);
    t.notOk(isShownIn(mountpoint, 'kilns/inside'));
    // The kernel says of no renaming that the table of mounts changed.
    renameSync(join(docs, 'kilns'), join(folder, 'moved'));
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, 'page.md'), '# A page\n');
    await until('the page is indexed', () => statusOf(mountpoint).documents === 2);
    t.ok(isShownIn(mountpoint, 'kilns/inside/page.md'));
  },
);

function isShownIn(point: string, path: string): boolean {
  return spawnSync('timeout', ['-s', 'KILL', '60', 'stat', '--', join(point, 'docs', path)]).status === 0;
}

let shared: MountPlace | undefined;

/** A mount for tests that leave it as it is, until the last one of them ends it. */
function sharedMount(): MountPlace {
  if (shared === undefined) {
    shared = mountPlace(t);
    kgraphfs(['mount', shared.mountpoint, ...shared.at]);
  }
  return shared;
}

t.test('a mount that comes just after the table of mounts was read is no docs either', byRoot, async (t) => {
  const { folder, mountpoint } = sharedMount();
  const docs = join(folder, 'docs');
  mkdirSync(join(docs, 'later'), { recursive: true });
  writeFileSync(join(docs, 'page.md'), '# A page\n');
  const selection = { folders: [{ name: '', folder: docs }], include: [], exclude: [] };
  const problems: DocsProblem[] = [];
  const folders = new DocsFolders(selection, { excluded: [], report: (problem) => problems.push(problem) });
  t.teardown(() => folders.close());
  t.same(folders.list('later'), []);
  const [clock, nowMs] = [performance.now, performance.now()];
  // No time goes by, so that the table is not read again for its age.
  performance.now = () => nowMs;
  t.teardown(() => {
    performance.now = clock;
  });
  for (const look of [() => folders.list('later'), () => folders.statNames('later', ['AGENTS.md'])]) {
    lookAtMountsAnew();
    t.notOk(ownMountPoints().includes(join(docs, 'later')));
    execFileSync('mount', ['--bind', mountpoint, join(docs, 'later')]);
    try {
      t.throws(look, { code: 'ENOENT' });
    } finally {
      execFileSync('umount', [join(docs, 'later')]);
    }
  }
  lookAtMountsAnew();
  const scanned: string[] = [];
  const onFolder = (path: string): void => {
    // When the root is known, and before it is listed.
    if (path === '') execFileSync('mount', ['--bind', mountpoint, join(docs, 'later')]);
    else scanned.push(path);
  };
  t.same(folders.list('later'), []);
  try {
    for (const { path } of folders.scan({ onFolder })) scanned.push(path);
  } finally {
    execFileSync('umount', [join(docs, 'later')]);
  }
  t.same(scanned, ['page.md']);
  t.same(problems, []);
});

t.test(
  'a mount that moves with a folder, which the kernel does not tell, is found within a second',
  byRoot,
  async (t) => {
    const { folder, mountpoint } = sharedMount();
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    mkdirSync(join(from, 'ctx'), { recursive: true });
    execFileSync('mount', ['--bind', mountpoint, join(from, 'ctx')]);
    t.teardown(() => execFileSync('umount', [join(to, 'ctx')]));
    const clock = performance.now;
    let nowMs = performance.now();
    performance.now = () => nowMs;
    t.teardown(() => {
      performance.now = clock;
    });
    // As a daemon, which asks for more than the table of mounts.
    koffi();
    lookAtMountsAnew();
    t.ok(ownMountPoints().includes(join(from, 'ctx')));
    renameSync(from, to);
    nowMs += 1000;
    t.ok(ownMountPoints().includes(join(to, 'ctx')));
  },
);

t.test('status says what is mounted over a mount', byRoot, async (t) => {
  const { mountpoint, at } = sharedMount();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'lid', mountpoint]);
  t.match(await runHere(['status', ...at]), {
    status: 3,
    out: /^state +covered: lid \(tmpfs\) is mounted over it/,
  });
  t.match(await runHere(['stop', '--all', ...at]), {
    status: 3,
    err: /is not mounted by kgraphfs: it is lid/,
  });
  execFileSync('umount', [mountpoint]);
});

t.test('unmount of a bind mount of a mount takes that away alone', byRoot, async (t) => {
  const { folder, mountpoint } = sharedMount();
  const pid = daemonOf(mountpoint);
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  for (const part of ['', 'docs']) {
    execFileSync('mount', ['--bind', join(mountpoint, part), copy]);
    t.match(kgraphfs(['unmount', '--force', copy]), { status: 0, out: `unmounted ${copy}\n`, err: '' });
    t.same(mountedBelow(folder), [mountpoint]);
    t.equal(daemonOf(mountpoint), pid);
  }
  execFileSync('mount', ['--bind', mountpoint, copy]);
  t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  t.notOk(isRunning(pid), 'with its own mount the daemon ends');
});
