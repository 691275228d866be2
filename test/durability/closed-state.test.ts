import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FILES_FOLDER } from '../../src/scratchpad/session-folders.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';
import { Place } from './place.ts';
import { outcome } from './small-disk.ts';

testWhereModesCount(
  'a state folder that is closed under a mount',
  async (t) => {
    const place = new Place(t);
    const mount = await place.mount('ctx');
    t.equal(await outcome('echo old > "$1"/refunds', mount.memory), '');
    t.equal(await outcome('echo old > "$1"/draft', mount.scratchpad), '');
    const [session = ''] = readdirSync(join(place.state, 'scratchpads'));
    const folders = [place.state, join(place.state, 'scratchpads', session, FILES_FOLDER)];
    t.teardown(() => {
      for (const folder of folders) chmodSync(folder, 0o700);
    });
    for (const folder of folders) chmodSync(folder, 0o500);
    for (const script of [
      'echo new > "$1"/new',
      'rm -f "$1"/draft',
      'mv "$1"/draft "$1"/moved',
      'mkdir "$1"/folder',
    ]) {
      t.match(await outcome(script, mount.scratchpad), /^failed: .*Permission denied/, script);
    }
    t.equal(await outcome('cat "$1"/draft; ls "$1"', mount.scratchpad), 'old\ndraft\n');
    t.equal(
      await outcome('echo new > "$1"/refunds; cat "$1"/refunds', mount.memory),
      'new\n',
      'what is open stays so',
    );
    t.ok(mount.isAlive);
    for (const folder of folders) chmodSync(folder, 0o700);
    t.equal(await outcome('mv "$1"/draft "$1"/moved; cat "$1"/moved', mount.scratchpad), 'old\n');
    await mount.unmount();
  },
  { ...needsFuse(), timeout: 240_000 },
);
