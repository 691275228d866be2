import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { mountedBelow, mountPlace } from '../cli/mount/mount-place.ts';
import { MAIN } from '../cli/run-cli.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { temporaryFolder } from '../support/temporary.ts';

const UNIT = 'systemd/kgraphfs@.service';
const settings = new Map(
  readFileSync(UNIT, 'utf8')
    .split('\n')
    .map((line) => /^(\w+)=(.*)$/.exec(line))
    .flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const])),
);

const NO_ANALYZE = existsSync('/usr/bin/systemd-analyze') ? false : 'systemd-analyze is not installed';

t.test('systemd has nothing to say against the unit', { skip: NO_ANALYZE }, async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'kgraphfs@docs.service');
  copyFileSync(UNIT, file);
  const { status, stderr } = spawnSync('systemd-analyze', ['--user', '--man=no', 'verify', file], {
    env: { ...process.env, XDG_RUNTIME_DIR: folder },
    encoding: 'utf8',
  });
  t.same({ status, stderr }, { status: 0, stderr: '' });
});

t.test(
  'what the unit starts serves, is taken over after a kill, and ends as it should',
  needsFuse(),
  async (t) => {
    const home = realpathSync(mountPlace(t).folder);
    const project = join(home, 'my project');
    const mountpoint = join(home, 'ctx');
    mkdirSync(join(home, 'bin'));
    mkdirSync(join(project, 'docs'), { recursive: true });
    writeFileSync(join(project, 'docs/charge.md'), '# Charge\n');
    const program = join(home, 'bin/kgraphfs');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
    chmodSync(program, 0o755);
    const env = {
      HOME: home,
      PROJECT: project,
      MOUNT: mountpoint,
      PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
    };
    const run = (setting: string, main?: ChildProcess): ChildProcess =>
      spawn('/bin/sh', ['-c', commandOf(setting)], { cwd: '/', env: { ...env, MAINPID: String(main?.pid) } });
    const start = async (): Promise<ChildProcess> => {
      const main = run('ExecStart');
      const [status] = await once(run('ExecStartPost', main), 'exit');
      t.equal(status, 0);
      t.equal(
        spawnSync('cat', [join(mountpoint, 'docs/charge.md')], { encoding: 'utf8' }).stdout,
        '# Charge\n',
      );
      return main;
    };

    const unmountable = spawn('/bin/sh', ['-c', 'exit 3']);
    await once(unmountable, 'exit');
    t.same(
      await once(run('ExecStartPost', unmountable), 'exit'),
      [1, null],
      'a daemon that gave up is not waited for',
    );

    const killed = await start();
    for (const _ of [1, 2]) spawnSync('ls', [mountpoint]);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    t.equal(spawnSync('ls', [mountpoint]).status, 0, 'of which the kernel remembers what is in it');
    t.same(mountedBelow(home), [mountpoint], 'a killed daemon leaves a dead mount');
    const unmounting = join(home, 'bin/mountpoint');
    writeFileSync(unmounting, GOES_ONCE_SEEN);
    chmodSync(unmounting, 0o755);
    const givesUp = spawn('/bin/sh', ['-c', 'sleep 1; exit 3']);
    const [seen] = await Promise.all([once(run('ExecStartPost', givesUp), 'exit'), once(givesUp, 'exit')]);
    t.same(seen, [1, null], 'that is not taken for the one that is waited for');
    t.same(mountedBelow(home), [mountpoint], 'nor is one that goes while it is looked at');
    rmSync(unmounting);

    const stopped = await start();
    const exit = once(stopped, 'exit');
    const [status] = await once(run('ExecStop'), 'exit');
    t.equal(status, 0);
    t.same(await exit, [0, null], 'which is no failure: it is not started again');
    t.same(mountedBelow(home), []);
    t.equal(settings.get('Restart'), 'on-failure');
  },
);

/** mountpoint(1), which lets a dead mount go as soon as it was seen, as another daemon may that mounts there just then. */
const GOES_ONCE_SEEN = `#!/bin/sh
findmnt "$2" >/dev/null || exit 1
fusermount3 -u -z "$2"
`;

/** Of `/bin/sh -c '…'`. */
function commandOf(setting: string): string {
  const [, command] = /^\/bin\/sh -c '([^']*)'$/.exec(settings.get(setting) ?? '') ?? [];
  if (command === undefined) throw new Error(`${setting} is no line for the shell`);
  return command.replaceAll('$$', () => '$');
}
