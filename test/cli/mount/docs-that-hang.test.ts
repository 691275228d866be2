import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { DriverName } from '../../../src/config/schema.ts';
import { ANSWER_WITHIN_MS } from '../../../src/system/found-place.ts';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { fact, remembering, write } from '../../memory/fixture.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { hangingMount } from '../../support/hanging-mount.ts';
import { kgraphfs } from '../run-cli.ts';
import { daemonOf, isRunning, mountPlace, statusOf, until } from './mount-place.ts';

/** Who asks a mount that is stopped by its docs cannot be killed: the daemon is, so that it ends. */
const ANSWERED_WITHIN_S = 8;
/** Between looks at what takes seconds. */
const RARELY_MS = 250;

/** A mount of two docs roots, one of which is a link that can be switched to a mount that hangs. */
async function subject(t: Test, driver: DriverName) {
  const { folder: named, state } = mountPlace(t);
  const folder = realpathSync(named);
  const mountpoint = join(folder, 'ctx');
  const hanging = await hangingMount(t);
  const at = (path: string) => join(folder, path);
  const put = (target: string, path: string) => {
    symlinkSync(target, at('new-link'));
    renameSync(at('new-link'), at(path));
  };
  cpSync('docs/sample', at('releases/docs'), { recursive: true });
  mkdirSync(at('other'));
  writeFileSync(at('other/one.md'), '# First Other\n');
  writeFileSync(at('kgraphfs.config.json'), JSON.stringify({ docs: ['docs', 'other'], mount: { driver } }));
  put('releases/docs', 'docs');
  const run = (...args: string[]) => kgraphfs([...args, '--state', state], { cwd: folder });
  const { status, err } = run('mount', mountpoint, '--wait');
  if (status !== 0) throw new Error(err);
  const pid = daemonOf(mountpoint);
  t.teardown(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  const asks = (script: string, ...words: string[]): string => {
    // Not spawned in the mount: this process would wait until its child is there, whatever the limit.
    const there = `cd -- "$1" && shift && ${script}`;
    const limit = [
      '-s',
      'KILL',
      String(ANSWERED_WITHIN_S),
      'bash',
      '-c',
      there,
      'bash',
      mountpoint,
      ...words,
    ];
    const { stdout, signal, status } = spawnSync('timeout', limit, {
      encoding: 'utf8',
      // SIGTERM would not do: `timeout` passes it on, and goes on waiting for who asks.
      killSignal: 'SIGKILL',
      timeout: 2000 * ANSWERED_WITHIN_S,
    });
    if (signal !== null || status === 137) {
      process.kill(pid, 'SIGKILL');
      throw new Error(`the mount did not answer: ${script} ${words}`);
    }
    return stdout;
  };
  return {
    hanging,
    /** The memory of the mount, as another process has it. */
    files: remembering(t, {}, join(state, 'context.sqlite')).files,
    mountpoint,
    pid,
    run,
    at,
    put,
    asks,
    has: (path: string) => asks('test -e "$1" && echo yes', path) === 'yes\n',
    status: () => statusOf(mountpoint, (path) => asks('cat -- "$1"', path)),
  };
}

onEachDriver(
  'docs that become a link into a mount that does not answer are away until they are back, and all else goes on',
  needsFuse(),
  async (t, driver) => {
    const { hanging, mountpoint, pid, run, at, put, asks, has, status, files } = await subject(t, driver);
    t.ok(has('graph/nodes/Charge'));
    write(files, fact('theirs'), 'before');
    await until('what others remember', () => /before/.test(asks('cat context/memory/fact/theirs')));
    const { documents } = status();
    hanging.hang();
    const startMs = performance.now();
    put(hanging.docs, 'docs');
    writeFileSync(at('other/two.md'), '# Second Other\n');
    asks('echo mine > context/memory/fact/mine');
    write(files, fact('theirs'), 'afterwards');
    await until('what others changed', () => /afterwards/.test(asks('cat context/memory/fact/theirs')));
    await until('what changed in other docs', () => has('graph/nodes/Second Other'));
    t.ok(performance.now() - startMs < ANSWER_WITHIN_MS, 'before the docs are given up');
    await until('the docs to be away', () => !status().watcher.alive, RARELY_MS);
    t.match(status().watcher.reason, /\/docs cannot be opened: its disk (has|does) not answer/);
    writeFileSync(at('other/three.md'), '# Third Other\n');
    await until('what changed in other docs then', () => has('graph/nodes/Third Other'));
    t.equal(status().documents, documents + 2);
    t.ok(has('graph/nodes/Charge'));
    t.match(
      asks('cat .kgraphfs/lint.jsonl; cat graph/graph.json'),
      /"Charge"/,
      'what takes long is answered, too',
    );
    t.match(asks('cat "context/summary/docs/other/three.md"'), /Third Other/, 'and so are contexts');
    t.match(asks('cat "context/for/second other"'), /Second Other/);
    t.match(asks('cat context/memory/fact/mine'), /mine/);

    put('releases/docs', 'docs');
    hanging.goOn();
    await until('the docs to be back', () => status().watcher.alive, RARELY_MS);
    writeFileSync(at('docs/back.md'), '# Back Again\n');
    await until('their changes', () => has('graph/nodes/Back Again'));

    // So it is with a link to such a mount itself, and the daemon can be ended meanwhile.
    hanging.hang();
    put(hanging.point, 'docs');
    writeFileSync(at('other/four.md'), '# Fourth Other\n');
    await until('what changed in other docs', () => has('graph/nodes/Fourth Other'));
    await until('the docs to be away once more', () => !status().watcher.alive, RARELY_MS);
    t.match(status().watcher.reason, /\/docs cannot be opened: its disk (has|does) not answer/);
    t.ok(has('graph/nodes/Charge'));
    t.match(run('unmount', mountpoint), { status: 0 });
    await until('the daemon to end', () => !isRunning(pid));
  },
);
