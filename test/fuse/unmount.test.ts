import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { unmountPoint } from '../../src/fuse/unmount.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { Daemon, isMounted, newMountPoint } from './daemon.ts';
import { needsFuse } from './fuse-available.ts';

t.test('who looks into a mount in passing does not keep it from being unmounted', needsFuse(), async (t) => {
  const daemon = await Daemon.start(t, { driver: 'linux', point: newMountPoint(t), tree: 'small' });
  const helpers = temporaryFolder(t);
  const real = execFileSync('which', ['fusermount3'], { encoding: 'utf8' }).trim();
  const busy = 'echo "target is busy" >&2; exit 1';
  for (const name of ['fusermount', 'umount'])
    writeFileSync(join(helpers, name), `#!/bin/sh\n${busy}\n`, { mode: 0o755 });
  const once = `[ -e '${helpers}/asked' ] || { : >'${helpers}/asked'; ${busy}; }`;
  writeFileSync(join(helpers, 'fusermount3'), `#!/bin/sh\n${once}\nexec '${real}' "$@"\n`, { mode: 0o755 });
  const path = process.env['PATH'];
  t.teardown(() => {
    process.env['PATH'] = path;
  });
  process.env['PATH'] = `${helpers}:${path}`;
  await unmountPoint(daemon.point, { whenBusy: 'refuse' });
  t.notOk(isMounted(daemon.point));
});
