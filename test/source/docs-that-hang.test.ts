import { closeSync, constants, promises as files, openSync, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { findDocsFolder } from '../../src/source/docs-root.ts';
import { ANSWER_WITHIN_MS } from '../../src/system/found-place.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { hangingMount } from '../support/hanging-mount.ts';
import type { Teardown } from '../support/temporary.ts';
import { within } from '../support/within.ts';

/** A machine that is busy may take its time. */
const AT_ONCE_MS = 5000;

t.test(
  'docs that do not answer are not found, though the kernel knows their rights',
  needsFuse(),
  async (t) => {
    const { docs, hang, goOn } = await hangingMount(t);
    statSync(docs);
    hang();
    await within(AT_ONCE_MS, access(docs, constants.R_OK | constants.X_OK));
    const found = within(ANSWER_WITHIN_MS + AT_ONCE_MS, findDocsFolder(docs));
    await t.rejects(found, { name: 'UserError', message: /its disk has not answered/ });
    await within(AT_ONCE_MS, t.rejects(findDocsFolder(docs), { message: /its disk does not answer/ }));
    goOn();
  },
);

/** The paths of links that are asked for from now on. */
function linksAskedFor(t: Teardown): string[] {
  const { lstat } = files;
  const setTo = (instead: unknown): void => {
    Object.assign(files, { lstat: instead });
    syncBuiltinESMExports();
  };
  const asked: string[] = [];
  t.teardown(() => setTo(lstat));
  setTo((path: string, ...rest: unknown[]) => {
    asked.push(path);
    return Reflect.apply(lstat, files, [path, ...rest]);
  });
  return asked;
}

/** Waits until docs are found. */
async function found(docs: string): Promise<void> {
  const endMs = performance.now() + ANSWER_WITHIN_MS;
  for (;;) {
    try {
      (await findDocsFolder(docs)).close();
      return;
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await delay(20);
    }
  }
}

t.test('of docs that answer when they were given up nothing more is asked', needsFuse(), async (t) => {
  const { docs, hang, goOn } = await hangingMount(t);
  statSync(docs);
  hang();
  const asked = linksAskedFor(t);
  await t.rejects(findDocsFolder(docs), { name: 'UserError' });
  // Of the numbers of what was closed, too.
  const opened = Array.from({ length: 8 }, () => openSync('/', 'r'));
  t.teardown(() => opened.forEach(closeSync));
  goOn();
  await found(docs);
  const others = asked.filter((path) =>
    opened.some((descriptor) => path.startsWith(`/proc/self/fd/${descriptor}/`)),
  );
  t.same(others, []);
});
