import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { within } from '../../support/within.ts';
import { Daemon, newMountPoint, shell } from '../daemon.ts';
import { needsFuse } from '../fuse-available.ts';

/** What waits for nothing but this ends within it, on a machine that is busy with others, too. */
const SOON_MS = 30_000;
/** So long the daemon has to find out what is in use, before the read ends. */
const FINDS_OUT_WITHIN_MS = 1500;
const FIRST_MS = 1_600_000_000_000;

const soon = <T>(action: Promise<T>): Promise<T> => within(SOON_MS, action);

for (const seeOpens of [true, false]) {
  for (const file of ['look-long', 'read-long']) {
    t.test(
      `a daemon that is killed while a client waits for a ${file}, and all is told to have changed, where opens are ${seeOpens ? '' : 'not '}seen`,
      { ...needsFuse(), timeout: 240_000 },
      async (t) => {
        const point = newMountPoint(t);
        // Where it hangs after all: by force the kernel gives up all requests, which it lets root alone do.
        t.teardown(() => shell('mountpoint -q "$1" && umount -f "$1"', point));
        const mount = { readOnly: true, seeOpens, deadlineMs: 60_000 };
        const daemon = await Daemon.start(t, { driver: 'fuse-native', point, tree: 'slow', mount });
        const put = (text: string, modifiedMs: number) =>
          daemon.tell({ do: 'put', path: `/docs/${file}`, text, modifiedMs });
        await put('slow\n', FIRST_MS);
        await shell('cat "$1"/docs/a.txt; cat "$1"/docs/missing', point);
        const client = shell('cat "$1"', `${point}/docs/${file}`);
        await daemon.untilPending((count) => count > 0);
        void put('next\n', FIRST_MS + 1).catch(() => {});
        await delay(FINDS_OUT_WITHIN_MS);
        await soon(daemon.kill('SIGKILL'));
        t.not((await soon(client)).status, 0, 'the client is told');
        t.match((await soon(shell('ls "$1"', point))).output, /not connected/);
        await shell('fusermount3 -u -z "$1"', point);
      },
    );
  }
}
