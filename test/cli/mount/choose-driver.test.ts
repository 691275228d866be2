import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { chooseDriver } from '../../../src/cli/mount/choose-driver.ts';
import { AS_NOBODY, whyNotAsNobody } from '../../support/nobody.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const ORDER = ['linux', 'fuse-native'] as const;
type Name = (typeof ORDER)[number];

/** Answers what each driver lacks, and keeps who was asked. */
function lacking(lacks: Partial<Record<Name, string>>) {
  const asked: Name[] = [];
  const whyNot = async (name: Name) => {
    asked.push(name);
    return lacks[name];
  };
  return { asked, whyNot };
}

t.test('the first driver that can run is taken, and no later one is even looked at', async (t) => {
  const { asked, whyNot } = lacking({});
  t.equal(await chooseDriver(undefined, ORDER, whyNot), 'linux');
  t.same(asked, ['linux']);
});

t.test('where the first one lacks something, the next one mounts', async (t) => {
  const { whyNot } = lacking({ linux: 'fusermount3 is missing' });
  t.equal(await chooseDriver(undefined, ORDER, whyNot), 'fuse-native');
});

t.test('a driver that was asked for is taken whatever it lacks: its own error says more', async (t) => {
  const { asked, whyNot } = lacking({ linux: 'fusermount3 is missing' });
  t.equal(await chooseDriver('linux', ORDER, whyNot), 'linux');
  t.same(asked, []);
});

t.test('where none can run, one message says what each lacks', async (t) => {
  const { whyNot } = lacking({
    linux: 'fusermount3 is missing: install it',
    'fuse-native': 'libfuse2 is missing: install it',
  });
  await t.rejects(chooseDriver(undefined, ORDER, whyNot), {
    name: 'UserError',
    exitStatus: 3,
    message:
      /^nothing can be mounted here; .*\n {2}driver linux: fusermount3 .*\n {2}driver fuse-native: libfuse2 .*\nkgraphfs doctor /,
  });
});

t.test('what all of them lack is said once', async (t) => {
  const { whyNot } = lacking({ linux: '/dev/fuse is missing', 'fuse-native': '/dev/fuse is missing' });
  await t.rejects(chooseDriver(undefined, ORDER, whyNot), {
    message: /^nothing can be mounted here: \/dev\/fuse is missing\nkgraphfs doctor [^\n]*$/,
  });
});

t.test('what the drivers lack is found out on the machine', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(process.execPath, join(folder, 'node'));
  const module = new URL('../../../src/fuse/linux/requirements.js', import.meta.url).href;
  const script = `const { whyLinuxCannotRun } = await import('${module}'); console.log(await whyLinuxCannotRun());`;
  const run = (path: string, as: readonly string[] = []) => {
    const [command = '', ...args] = [...as, process.execPath, '--input-type=module', '-e', script];
    return spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, PATH: path } }).stdout;
  };
  const lack = /^(?:fusermount3 is missing.*apt-get install fuse3|\/dev\/fuse .*)/;
  t.match(run(folder), lack);
  if (whyNotAsNobody()) return;
  const closed = temporaryFolder(t);
  symlinkSync('/usr/bin/setpriv', join(folder, 'setpriv'));
  chmodSync(folder, 0o755);
  t.match(run(`${closed}:${folder}`, AS_NOBODY), lack, 'also where a folder of the PATH is closed');
});
