import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import type { MountedPoint } from '../system/mount-info.ts';
import { MAKE_MOUNT_TABLE, MOUNT_TABLE } from './host.ts';
import { whoUses } from './mount-users.ts';
import { mountAt, mountedPoints } from './mounted-points.ts';

export interface UnmountOptions {
  /** `detach` hides the mount at once and leaves it to those who still use it; `refuse` fails where it is in use. */
  readonly whenBusy: 'detach' | 'refuse';
  /** Of a daemon that answers nothing: how long a helper may take, which waits for it where somebody uses the mount. Default: as long as it takes. */
  readonly withinMs?: number;
  /** Asked just before each helper is run: whether what is there is still what is to be taken away. Else it is left. */
  readonly isStill?: () => boolean;
}

const ATTEMPTS = 3;
const RETRY_MS = 100;

/**
 * Takes the visible mount at a point away with fusermount, without a shell; root may also use umount. Who only passes by, such as a doctor that asks
 * all mounts, is waited for.
 * @throws UserError where nothing is mounted there, or the system refuses; of a busy mount it names the users
 */
export async function unmountPoint(point: string, options: UnmountOptions): Promise<void> {
  const mounted = await mountAt(point);
  if (!mounted) throw new UserError(`${point} is not mounted`, EXIT.cannotMount);
  let refusal = '';
  let isBusy = false;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    refusal = await tryHelpers(mounted, options);
    if (refusal === '') return;
    isBusy = options.whenBusy === 'refuse' && /busy/i.test(refusal);
    if (isBusy && options.withinMs !== undefined) throw hangsError(point);
    if (attempt < ATTEMPTS) await delay(RETRY_MS);
  }
  if (isBusy) throw await busyError(point);
  throw new UserError(`cannot unmount ${point}: ${refusal}${wayOut(mounted)}`, EXIT.cannotMount);
}

function wayOut({ userId }: MountedPoint): string {
  const user = process.getuid?.();
  if (user === 0) return '';
  if (userId !== undefined && userId !== user)
    return `; it is a mount of user ${userId}, who can unmount it, or root`;
  return existsSync(MOUNT_TABLE) ? '' : `; as root, run ${MAKE_MOUNT_TABLE}, and unmount again`;
}

/** @returns why it was refused; empty where the mount is gone */
async function tryHelpers(
  { id, point }: MountedPoint,
  { whenBusy, withinMs, isStill = () => true }: UnmountOptions,
): Promise<string> {
  const flags = whenBusy === 'detach' ? ['-u', '-z', '--', point] : ['-u', '--', point];
  const helpers: [string, string[]][] = [
    ['fusermount3', flags],
    ['fusermount', flags],
  ];
  if (process.getuid?.() === 0)
    helpers.push(['umount', [...(whenBusy === 'detach' ? ['-l'] : []), '--', point]]);
  let refusal = '';
  for (const [command, args] of helpers) {
    if (!isStill()) return '';
    const result = await run(command, args, withinMs);
    if (result.isLate) throw hangsError(point);
    // A signal to the process group may have ended the helper when it had done its work, and what is there next is not to be taken away.
    if (result.ok || (await mountAt(point))?.id !== id) return '';
    refusal ||= result.output;
  }
  return refusal;
}

function hangsError(point: string): UserError {
  return new UserError(
    `${point}: its daemon does not answer, and somebody uses the mount; kgraphfs unmount --force removes it`,
    EXIT.cannotMount,
  );
}

async function busyError(point: string): Promise<UserError> {
  const below = (await mountedPoints()).filter((mounted) => mounted.point.startsWith(`${point}/`));
  if (below.length > 0) {
    const points = below.map((mounted) => `  ${mounted.point}`);
    return new UserError(
      `${point} is busy, something else is mounted in it at\n${points.join('\n')}\nunmount that first, or remove both with --force`,
      EXIT.cannotMount,
    );
  }
  // A shell that has a file of the mount open hands it on to the very command that is to unmount.
  const others = (await whoUses(point)).filter(({ pid }) => pid !== process.pid);
  const users = others.map(({ pid, command }) => `  ${pid} ${command}`);
  const named = users.length > 0 ? `in use by\n${users.join('\n')}` : 'in use by a process of another user';
  return new UserError(
    `${point} is busy, ${named}\nunmount again once they have ended, or use --force`,
    EXIT.cannotMount,
  );
}

/** Runs a helper in a session of its own, so that a signal to our process group does not reach it. */
function run(
  command: string,
  args: readonly string[],
  withinMs: number | undefined,
): Promise<{ ok: boolean; output: string; isLate?: boolean }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    // It waits where no signal reaches it, and is not to keep this process from ending.
    const giveUp = () => {
      child.stderr?.destroy();
      child.unref();
      resolve({ ok: false, output: '', isLate: true });
    };
    const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
    child.on('exit', () => clearTimeout(timer));
    child.on('error', (error) => resolve({ ok: false, output: reasonOf(error) }));
    child.on('close', (status) => {
      resolve({
        ok: status === 0,
        output: Buffer.concat(chunks).toString().trim() || `${command} ended with ${status}`,
      });
    });
  });
}
