import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { O_CLOEXEC } from '../../../src/system/libc.ts';
import { Daemon, newMountPoint, shell } from '../daemon.ts';
import { needsFuse } from '../fuse-available.ts';

const SIGCHLD = 1n << BigInt(constants.signals.SIGCHLD - 1);

t.test('threads that libfuse ends in the middle of what they do take no signals', needsFuse(), async (t) => {
  const daemon = await Daemon.start(t, { driver: 'fuse-native', point: newMountPoint(t), tree: 'small' });
  await shell('cat "$1"/docs/a.txt', daemon.point);
  const tasks = join('/proc', String(daemon.pid), 'task');
  const text = (thread: string, name: string) => readFileSync(join(tasks, thread, name), 'latin1');
  const waiting = readdirSync(tasks).filter((thread) => text(thread, 'wchan') === 'fuse_dev_do_read');
  t.ok(waiting.length > 0, 'some wait for requests');
  for (const thread of waiting) {
    const mask = /^SigBlk:\s*(\w+)$/m.exec(text(thread, 'status'))?.[1];
    t.equal(BigInt(`0x${mask}`) & SIGCHLD, SIGCHLD);
  }
});

t.test('no child of the daemon gets its /dev/fuse', needsFuse(), async (t) => {
  const daemon = await Daemon.start(t, { driver: 'fuse-native', point: newMountPoint(t), tree: 'small' });
  const process = join('/proc', String(daemon.pid));
  const devices = readdirSync(join(process, 'fd')).filter(
    (descriptor) => readlinkSync(join(process, 'fd', descriptor)) === '/dev/fuse',
  );
  t.equal(devices.length, 1);
  for (const device of devices) {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(join(process, 'fdinfo', device), 'latin1'))?.[1];
    t.equal(Number.parseInt(flags ?? '', 8) & O_CLOEXEC, O_CLOEXEC);
  }
});
