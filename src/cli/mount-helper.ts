#!/usr/bin/env node

/**
 * `mount.fuse.kgraphfs`: the program that mount(8) runs for `mount -t fuse.kgraphfs DOCS POINT -o OPTIONS` and for such a line of fstab(5), and
 * that mount.fuse3(8) runs for `mount.fuse.kgraphfs#DOCS`. It prints nothing if all goes well.
 */

import { realpath } from 'node:fs/promises';
import { EXIT } from '../core/errors.ts';
import { mountAt } from '../fuse/mounted-points.ts';
import { processIo } from './io.ts';
import { endWithLostOutput } from './lost-output.ts';
import { askMount } from './mount/ask-mount.ts';
import { becomeUser } from './mount/become-user.ts';
import { type HelperCall, inHelperWords, parseHelperCall } from './mount/helper-call.ts';
import { isOurs, resolveMountPoint } from './mount/mount-point.ts';
import { reportError } from './report-error.ts';
import { runCommandLine } from './run.ts';
import { leaveOwnersRights } from './umask.ts';

/** Exit statuses of mount(8). */
const DONE = 0;
const WRONG_CALL = 1;
const NOT_MOUNTED = 32;

leaveOwnersRights();
void run(process.argv.slice(2)).then((status) => {
  process.exitCode = exitStatus(status);
});

async function run(args: readonly string[]): Promise<number> {
  const own = processIo();
  const write = (text: string) => own.err.write(inHelperWords(text));
  const io = { ...own, err: { ...own.err, write } };
  endWithLostOutput(io);
  try {
    const call = parseHelperCall(args, io.workingFolder());
    const { tokens, user, isFake, isVerbose } = call;
    if (isFake) return DONE;
    // A config file in the folder where somebody happens to call mount must have no effect.
    process.chdir('/');
    if (user !== undefined) becomeUser(user);
    // `mount -a` asks again for what is mounted already, since the source that our mounts show is not the docs folder. Only its owner can look into a mount.
    if (await isMounted(call)) return DONE;
    return await runCommandLine(tokens, isVerbose ? io : { ...io, out: { ...io.out, write() {} } });
  } catch (error) {
    return reportError(error, io);
  }
}

/** Whether these very docs are already mounted there, in the way that is asked for. */
async function isMounted({ docs, point, isReadOnly, letsOthersIn }: HelperCall): Promise<boolean> {
  const mountpoint = await resolveMountPoint(point, '/');
  const there = await mountAt(mountpoint);
  if (!isOurs(there) || there?.isReadOnly !== isReadOnly || there.letsOthersIn !== letsOthersIn) return false;
  const answer = await askMount(mountpoint);
  return answer.kind === 'alive' && answer.status.docs === (await realpath(docs).catch(() => docs));
}

function exitStatus(status: number): number {
  if (status === DONE) return DONE;
  return status === EXIT.wrongUsage ? WRONG_CALL : NOT_MOUNTED;
}
