import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import files, { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import type { SubPath } from '../../src/core/paths.ts';
import { mountedScratchpad } from '../../src/scratchpad/mounted-scratchpad.ts';
import { until } from '../cli/mount/mount-place.ts';
import { emptyScratchpad } from '../conformance/scratchpad-subject.ts';
import { Daemon } from '../fuse/daemon.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { LATE_MS } from '../fuse/late-changes.ts';
import { openBelow } from '../support/open-below.ts';
import { temporaryFolder } from '../support/temporary.ts';

const session = '20260101T000000-abcd';

t.test('what was refused since the mount was silent is not done when it answers at last', async (t) => {
  const mountpoint = join(temporaryFolder(t), 'ctx');
  const [scratchpad, status] = [
    join(mountpoint, 'context/scratchpad'),
    join(mountpoint, '.kgraphfs/status.json'),
  ];
  for (const folder of [join(mountpoint, '.kgraphfs'), scratchpad]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(scratchpad, 'plan'), 'kept\n');
  writeFileSync(join(scratchpad, 'old'), 'kept\n');
  // Whoever opens it waits until somebody writes: a mount that says nothing.
  execFileSync('mkfifo', [status]);
  const pad = mountedScratchpad({ session, mountpoint });
  const path = (name: string) => name as SubPath;
  for (const change of [
    () => pad.openToWrite(path('plan'), { append: false, truncate: true }, {}),
    () => pad.remove(path('old'), {}),
  ]) {
    await t.rejects(Promise.resolve(change()), { code: 'EBUSY' });
    await writeFile(status, JSON.stringify({ session }));
    const isDone = () => openBelow(mountpoint).every((open) => open.endsWith('/plan'));
    await until('all that was asked late to be over', isDone);
  }
  t.same(readdirSync(scratchpad), ['old', 'plan']);
  t.equal(readFileSync(join(scratchpad, 'plan'), 'utf8'), 'kept\n');
  t.same(openBelow(mountpoint), [], 'nothing is kept open');
});

t.test(
  'a file that was made in time is given to who asked, however long its folder takes to close',
  async (t) => {
    const mountpoint = join(temporaryFolder(t), 'ctx');
    const scratchpad = join(mountpoint, 'context/scratchpad');
    for (const folder of [join(mountpoint, '.kgraphfs'), scratchpad]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(mountpoint, '.kgraphfs/status.json'), JSON.stringify({ session }));
    const { open } = files;
    const closing: (() => Promise<void>)[] = [];
    const closesLate = async (...args: Parameters<typeof open>) => {
      const handle = await open(...args);
      const close = handle.close.bind(handle);
      if (String(args[0]).endsWith('/scratchpad'))
        handle.close = () =>
          new Promise((resolve, reject) => closing.push(() => close().then(resolve, reject)));
      return handle;
    };
    t.teardown(() => {
      files.open = open;
      syncBuiltinESMExports();
    });
    files.open = closesLate;
    syncBuiltinESMExports();
    const pad = mountedScratchpad({ session, mountpoint, deadlineMs: 1000 });
    const options = { append: false, truncate: true, exclusive: true, mode: 0o600 };
    const made = await pad.create('new' as SubPath, options, {});
    await made.write(Buffer.from('text'), 0, {});
    made.close();
    for (const close of closing) await close();
    await until('all to be closed', () => openBelow(mountpoint).length === 0);
    t.equal(closing.length, 1);
    t.equal(readFileSync(join(scratchpad, 'new'), 'utf8'), 'text');
  },
);

t.test('what a mount has no room for is refused with what may be used up', async (t) => {
  const mountpoint = join(temporaryFolder(t), 'ctx');
  const scratchpad = join(mountpoint, 'context/scratchpad');
  for (const folder of [join(mountpoint, '.kgraphfs'), scratchpad]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(mountpoint, '.kgraphfs/status.json'), JSON.stringify({ session }));
  const { open } = files;
  const full = await open('/dev/full', 'w');
  t.teardown(() => {
    files.open = open;
    syncBuiltinESMExports();
    return full.close();
  });
  files.open = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    if (String(args[0]).endsWith('/plan')) handle.write = full.write.bind(full);
    return handle;
  };
  syncBuiltinESMExports();
  const options = { append: false, truncate: true, exclusive: true, mode: 0o600 };
  const made = await mountedScratchpad({ session, mountpoint }).create('plan' as SubPath, options, {});
  await t.rejects(Promise.resolve(made.write(Buffer.from('text'), 0, {})), {
    code: 'ENOSPC',
    message: /the quota of the scratchpad, or the disk below it, is used up/,
  });
  made.close();
  await until('all to be closed', () => openBelow(mountpoint).length === 0);
});

t.test('a file that a slow mount makes too late is taken back', needsFuse(), async (t) => {
  const mountpoint = join(temporaryFolder(t), 'ctx');
  const point = join(mountpoint, 'context/scratchpad');
  for (const folder of [join(mountpoint, '.kgraphfs'), point]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(mountpoint, '.kgraphfs/status.json'), JSON.stringify({ session }));
  await Daemon.start(t, {
    driver: 'linux',
    point,
    tree: 'late',
    folder: emptyScratchpad(temporaryFolder(t)),
  });
  const pad = mountedScratchpad({ session, mountpoint, deadlineMs: LATE_MS / 3 });
  for (const exclusive of [true, false]) {
    const options = { append: false, truncate: true, exclusive, mode: 0o600 };
    const made = Promise.resolve(pad.create('create' as SubPath, options, {}));
    await t.rejects(made, { code: 'EBUSY' });
    t.not(openBelow(mountpoint).length, 0, 'it is not over yet');
    await until('the late file to be made and let go', () => openBelow(mountpoint).length === 0);
    t.same(readdirSync(point), []);
  }
});
