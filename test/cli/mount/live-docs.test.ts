import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { DriverName } from '../../../src/config/schema.ts';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs } from '../run-cli.ts';
import { runHere } from '../run-here.ts';
import { mountPlace, readThrough, statusOf, until } from './mount-place.ts';

const LIMIT_MS = 60_000;

interface MountedDocs {
  readonly docs: string;
  readonly at: (path: string) => string;
  /** Whether there is such a path in the mount. */
  readonly has: (path: string) => boolean;
  readonly status: () => {
    state: string;
    watcher: Record<string, unknown>;
    indexing: Record<string, unknown>;
  };
}

const shared = new Map<DriverName, MountedDocs>();

/** A mount of a document, for all cases of a driver that say nothing else: each leaves it at work. */
function mountedDocs(driver: DriverName): MountedDocs {
  const known = shared.get(driver);
  if (known !== undefined) return known;
  const { folder, mountpoint } = mountPlace(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'here.md'), '# Here\n');
  const { status, err } = kgraphfs([
    'mount',
    mountpoint,
    '--wait',
    ...['--docs', docs, '--state', join(folder, 'own-state'), '--driver', driver],
  ]);
  if (status !== 0) throw new Error(err);
  const at = (path: string) => join(mountpoint, path);
  const mounted = {
    docs,
    at,
    has: (path: string) => spawnSync('test', ['-e', at(path)], { timeout: LIMIT_MS }).status === 0,
    status: () => statusOf(mountpoint),
  };
  shared.set(driver, mounted);
  return mounted;
}

onEachDriver('what changes on disk shows in docs and graph', needsFuse(), async (t, driver) => {
  const { docs, at, has, status } = mountedDocs(driver);
  const file = join(docs, 'live.md');
  writeFileSync(file, '# First Topic\n');
  t.equal(readThrough(at('docs/live.md')), '# First Topic\n', 'at once');
  await until('its node', () => has('graph/nodes/First Topic'));
  writeFileSync(`${file}.tmp`, '# Other Topic\n');
  renameSync(`${file}.tmp`, file);
  // fuse-native hears of it from the watch, and its kernel keeps pages by path until then.
  if (driver === 'fuse-native')
    await until('the other bytes', () => readThrough(at('docs/live.md')) === '# Other Topic\n');
  t.equal(readThrough(at('docs/live.md')), '# Other Topic\n', 'of the same size');
  await until('the other node', () => has('graph/nodes/Other Topic'));
  // Names are told one by one: for a moment the kernel knows the new one and still the old one.
  await until('the node before it to go', () => !has('graph/nodes/First Topic'));
  renameSync(file, join(docs, 'moved.md'));
  await until('the new name', () => has('docs/moved.md'));
  // That a name is gone the kernel is told when the watcher has seen it.
  await until('the old name to go', () => !has('docs/live.md'));
  await until('the index to have followed', () => status().indexing['pending'] === 0);
  rmSync(join(docs, 'moved.md'));
  await until('the node to go', () => !has('graph/nodes/Other Topic'));
  await until('the moved name to go', () => !has('docs/moved.md'));
  await until('all to be read', () => status().state === 'ready');
  t.match(status(), {
    watcher: { alive: true, mode: 'events', last_event_at: /Z$/, reason: null },
    indexing: { last_indexed_at: /Z$/ },
  });
});

onEachDriver(
  'a document that grows step by step is read whole after each',
  needsFuse(),
  async (t, driver) => {
    const { docs, at } = mountedDocs(driver);
    const file = join(docs, 'steps.md');
    writeFileSync(file, '');
    // dd asks for no attributes, so what it gets is what the kernel took the size to be when it opened the file.
    const steps = `for i in $(seq 20); do
    echo "step $i" >> "$1"
    dd if="$2" bs=64k status=none | cmp -s - "$1" || echo "$i"
  done`;
    const { stdout } = spawnSync('bash', ['-c', steps, '', file, at('docs/steps.md')], {
      encoding: 'utf8',
      timeout: LIMIT_MS,
    });
    t.equal(stdout, '', 'no step was read as it was before');
  },
);

onEachDriver(
  'what an ignore file hides no more is listed, also in folders whose own time stays',
  needsFuse(),
  async (t, driver) => {
    const { docs, at } = mountedDocs(driver);
    const listed = () => execFileSync('ls', [at('docs/drafts')], { encoding: 'utf8', timeout: LIMIT_MS });
    mkdirSync(join(docs, 'drafts'));
    for (const name of ['hidden.md', 'shown.md']) writeFileSync(join(docs, 'drafts', name), '# Draft\n');
    writeFileSync(join(docs, '.gitignore'), 'hidden.md\n');
    await until('the name to be hidden', () => listed() === 'shown.md\n');
    writeFileSync(join(docs, '.gitignore'), 'others.md\n');
    await until('the name to be listed', () => listed() === 'hidden.md\nshown.md\n');
    writeFileSync(join(docs, '.gitignore'), 'hidden.md\n');
    await until('the name to be hidden again', () => listed() === 'shown.md\n');
    t.pass('they were');
  },
);

onEachDriver('a docs root that goes and comes back shows again', needsFuse(), async (t, driver) => {
  const { docs, at, has, status } = mountedDocs(driver);
  const file = join(docs, 'live.md');
  writeFileSync(file, '# Old Root\n');
  await until('its node', () => has('graph/nodes/Old Root'));
  renameSync(docs, `${docs}-old`);
  await until('it to be missed', () => status().watcher['alive'] === false);
  t.match(status().watcher, { reason: /does not exist/ });
  const faults = () => readThrough(at('.kgraphfs/errors.jsonl'));
  await until('it to be among the errors', () => /watch: .*does not exist/.test(faults()));
  mkdirSync(docs);
  writeFileSync(file, '# New Root\n');
  await until('it to be followed', () => status().watcher['alive'] === true);
  await until('the error to be over', () => !faults().includes('watch: '));
  await until('the new node', () => has('graph/nodes/New Root'));
  t.equal(readThrough(at('docs/live.md')), readFileSync(file, 'utf8'));
  await until('the node of before to go', () => !has('graph/nodes/Old Root'));
  t.equal(spawnSync('ls', [at('docs')], { encoding: 'utf8' }).stdout, 'live.md\n');
  writeFileSync(file, '# Newer Root\n');
  await until('the newer node', () => has('graph/nodes/Newer Root'));
});

/** More than the daemon reads at once. */
const FILES = 400;

onEachDriver(
  'hundreds of files at once show, and their mount answers meanwhile',
  needsFuse(),
  async (t, driver) => {
    const { docs, at, has } = mountedDocs(driver);
    const reader = `for i in $(seq 100); do cat -- "$1" || exit 1; done | wc -l`;
    for (let number = 0; number < FILES; number += 1) {
      const folder = join(docs, `many/${number % 20}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${number}.md`), `# Many ${number}\n`);
    }
    const { status } = spawnSync('bash', ['-c', reader, '', at('AGENTS.md')], { timeout: LIMIT_MS });
    t.equal(status, 0);
    await until('the last node', () => has(`graph/nodes/Many ${FILES - 1}`) && has('graph/nodes/Many 0'));
    const count =
      execFileSync('find', [at('docs/many'), '-type', 'f'], { encoding: 'utf8' }).split('\n').length - 1;
    t.equal(count, FILES);
  },
);

onEachDriver(
  'docs that are a link are what it leads to, also for commands, but no hidden folder elsewhere',
  needsFuse(),
  async (t, driver) => {
    const { folder, mountpoint } = mountPlace(t);
    const project = join(folder, 'project');
    for (const release of ['project/releases/5', 'project/releases/6', '.keys']) {
      mkdirSync(join(folder, release), { recursive: true });
      const name = release.replace(/.*\W/, '');
      writeFileSync(join(folder, release, `${name}.md`), `# Release ${name}\n\nIts word is w${name}w.\n`);
    }
    const switchTo = (target: string) => {
      symlinkSync(target, join(project, 'next'));
      renameSync(join(project, 'next'), join(project, 'docs'));
    };
    const listed = () => execFileSync('ls', [join(mountpoint, 'docs')], { encoding: 'utf8' });
    const has = (path: string) =>
      spawnSync('test', ['-e', join(mountpoint, path)], { timeout: LIMIT_MS }).status === 0;
    const status = () => statusOf(mountpoint);

    switchTo('releases/5');
    t.equal(kgraphfs(['mount', mountpoint, '--wait', '--driver', driver], { cwd: project }).status, 0);
    t.equal(listed(), '5.md\n');
    switchTo('releases/6');
    await until('the other release', () => listed() === '6.md\n');
    await until('its node', () => has('graph/nodes/Release 6'));
    await until('the node of before to go', () => !has('graph/nodes/Release 5'));
    await until('it to be told', () => status().docs === join(project, 'releases/6'));
    t.match((await runHere(['search', 'w6w'], { cwd: project })).out, /6\.md/);
    writeFileSync(join(project, 'releases/6/later.md'), '# Release Later\n');
    await until('what is written there', () => has('graph/nodes/Release Later'));

    switchTo('../.keys');
    await until('it to be missed', () => status().watcher.alive === false);
    await until('the reason', () => /leads to \S+\.keys, a hidden folder/.test(status().watcher.reason));
    t.notOk(has('docs/keys.md'));
    switchTo('releases/5');
    await until('the first release again', () => has('docs/5.md') && has('graph/nodes/Release 5'));
  },
);

t.test(
  'two docs roots that are links are followed when they are moved on, one after the other, and while one is away',
  needsFuse(),
  async (t) => {
    const { folder, mountpoint } = mountPlace(t);
    const project = join(folder, 'project');
    for (const release of ['r1', 'r2', 'r3']) {
      mkdirSync(join(project, release), { recursive: true });
      writeFileSync(join(project, release, `${release}.md`), `# Release ${release}\n`);
    }
    const lead = (name: string, target: string) => {
      symlinkSync(target, join(project, 'next'));
      renameSync(join(project, 'next'), join(project, name));
    };
    const listed = (name: string) =>
      spawnSync('ls', [join(mountpoint, 'docs', name)], { encoding: 'utf8', timeout: LIMIT_MS }).stdout;
    lead('current', 'r2');
    lead('previous', 'r1');
    const roots = ['--docs', 'current', '--docs', 'previous'];
    t.equal(kgraphfs(['mount', mountpoint, '--wait', ...roots], { cwd: project }).status, 0);
    t.same([listed('current'), listed('previous')], ['r2.md\n', 'r1.md\n']);
    lead('current', 'r3');
    lead('previous', 'r2');
    await until('both', () => listed('current') === 'r3.md\n' && listed('previous') === 'r2.md\n');
    rmSync(join(project, 'previous'));
    lead('current', 'r1');
    await until('the one that is there', () => listed('current') === 'r1.md\n');
    lead('previous', 'r3');
    await until('the other one', () => listed('previous') === 'r3.md\n');
  },
);
