import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SHOWN_ERRORS } from '../../core/error-log.ts';
import { jsonOrUndefined } from '../../core/json-text.ts';
import { mountAt } from '../../fuse/mounted-points.ts';
import type { MountedPoint } from '../../system/mount-info.ts';
import { errorLineSchema, type MountStatus, mountStatusSchema } from './mount-status.ts';

/** What a mount of ours answers when it is asked for its status. */
export type MountAnswer =
  | { readonly kind: 'alive'; readonly status: MountStatus }
  /** Its daemon has ended without unmounting. */
  | { readonly kind: 'dead' }
  /** It belongs to another user and lets nobody else in. */
  | { readonly kind: 'private'; readonly userId: number }
  /** It does not answer in time, or not with a status. */
  | { readonly kind: 'silent' };

const ANSWER_WITHIN_MS = 3000;
const POLL_MS = 50;

/** The texts of strerror(3) for ENOTCONN and ECONNABORTED, with which reads of a mount without a daemon fail. */
const DEAD = /Transport endpoint is not connected|Software caused connection abort/;

/** The text for EACCES. */
const REFUSED = /Permission denied/;

/**
 * Reads a mount's `.kgraphfs/status.json` in another process: a process that reads from a hanging daemon cannot be ended, so
 * it must not be this one.
 */
export async function askMount(point: string): Promise<MountAnswer> {
  const mounted = await mountAt(point);
  const userId = mounted?.userId;
  const [asked, { status, errors }] = await Promise.all([
    // statfs(2) is the one request that the kernel never answers from its cache of a daemon that is gone.
    runElsewhere('stat', ['--file-system', '--', point]),
    readStatus(join(point, '.kgraphfs/status.json')),
  ]);
  if (DEAD.test(asked.errors) || DEAD.test(errors)) return { kind: 'dead' };
  if (REFUSED.test(errors) && userId !== undefined && userId !== process.getuid?.()) {
    return (await isDeadToOwner(mounted, point)) ? { kind: 'dead' } : { kind: 'private', userId };
  }
  if (status === undefined) return { kind: 'silent' };
  const tail = await runElsewhere('tail', [
    '-n',
    String(SHOWN_ERRORS),
    '--',
    join(point, '.kgraphfs/errors.jsonl'),
  ]);
  return { kind: 'alive', status: { ...status, last_errors: errorsOf(tail.output) } };
}

/** Whether the mount is dead to its owner. The kernel tells nobody else of a dead mount, but root can ask as that user. */
async function isDeadToOwner(mounted: MountedPoint | undefined, point: string): Promise<boolean> {
  if (process.getuid?.() !== 0 || mounted?.userId === undefined || mounted.groupId === undefined)
    return false;
  const owner = { uid: mounted.userId, gid: mounted.groupId };
  return DEAD.test((await runElsewhere('stat', ['--file-system', '--', point], owner)).errors);
}

/** Reads a status until it is complete. If the status changes at that moment, fuse-native shows only as many bytes as the previous one had. */
async function readStatus(
  file: string,
): Promise<{ readonly status: MountStatus | undefined; readonly errors: string }> {
  const endMs = performance.now() + ANSWER_WITHIN_MS;
  for (;;) {
    const { output, errors } = await runElsewhere('cat', ['--', file]);
    const status = mountStatusSchema.safeParse(jsonOrUndefined(output)).data;
    if (status !== undefined || output === '' || performance.now() > endMs) return { status, errors };
    await delay(POLL_MS);
  }
}

/** The lines that are errors. If a reader other than the owner may not see them, that is no error of the mount. */
function errorsOf(lines: string): NonNullable<MountStatus['last_errors']> {
  return lines.split('\n').flatMap((line) => errorLineSchema.safeParse(jsonOrUndefined(line)).data ?? []);
}

function runElsewhere(
  command: string,
  args: readonly string[],
  as: { readonly uid?: number; readonly gid?: number } = {},
): Promise<{ output: string; errors: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...as,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    });
    const [output, errors] = [collect(child.stdout), collect(child.stderr)];
    const end = () => {
      clearTimeout(timer);
      resolve({ output: output(), errors: errors() });
    };
    const timer = setTimeout(() => {
      abandon(child);
      end();
    }, ANSWER_WITHIN_MS);
    child.on('error', end);
    child.on('close', end);
  });
}

function collect(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** Lets this process end even if the child cannot: it may be waiting where no signal reaches it. */
function abandon(child: ChildProcessByStdio<null, Readable, Readable>): void {
  child.kill('SIGKILL');
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
}
