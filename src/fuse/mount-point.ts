import { createHash } from 'node:crypto';
import { access, constants, mkdir, readdir, readlink, realpath, rmdir, stat, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { MOUNT_TYPE } from '../core/mount-type.ts';
import { mountSerialAt } from '../system/file-status.ts';
import { holdName } from '../system/held-name.ts';
import type { MountedPoint } from '../system/mount-info.ts';
import { listedNow, mountAt, mountedPoints, type OwnMount, visibleAt } from './mounted-points.ts';
import { type UnmountOptions, unmountPoint } from './unmount.ts';

const ANSWER_WITHIN_MS = 3000;
const SEARCHABLE = constants.R_OK | constants.W_OK | constants.X_OK;

function refusal(message: string, cause?: unknown): UserError {
  return new UserError(message, EXIT.cannotMount, { cause });
}

/** Why a folder in which a mount point is to be made does not count. */
function parentUnreached(parent: string, error: unknown): string {
  if (systemCodeOf(error) === 'ENOENT')
    return `there is no folder ${parent} to make the mount point in: make it first (mkdir -p), or name another mount point`;
  return `the parent folder of the mount point cannot be reached: ${parent}: ${reasonOf(error)}`;
}

/** A point at which one can mount. */
export interface ReadyPoint {
  /** Without symbolic links on the way. */
  readonly path: string;
  /** Whether there was no such folder before. */
  readonly isMade: boolean;
}

/**
 * Makes sure that one can mount at a point: clears a dead mount away, makes the folder where its parent exists.
 * @throws UserError with the reason why not
 */
export async function prepareMountPoint(point: string): Promise<ReadyPoint> {
  if (!isAbsolute(point)) throw refusal(`a mount point is an absolute path: ${point}`);
  const parent = await realpath(dirname(point)).catch((error: unknown) => {
    throw refusal(parentUnreached(dirname(point), error), error);
  });
  let resolved = join(parent, basename(point));
  await clearDeadMount(resolved);
  const isMade = await mkdir(resolved).then(
    () => true,
    async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      await refuseWithinMount(resolved, error);
      throw refusal(`cannot make the mount point: ${error.message}`, error);
    },
  );
  resolved = await realpath(resolved).catch((error: unknown) => {
    const why = `is a link to what cannot be reached (${systemCodeOf(error) ?? reasonOf(error)})`;
    throw refusal(`${point} ${why}: remove it, make the folder that it leads to, or name another`, error);
  });
  await refuseSecondMount(resolved);
  const info = await stat(resolved);
  if (!info.isDirectory())
    throw refusal(`the mount point is not a folder: ${point}; name an empty folder, or one to be made`);
  await access(resolved, SEARCHABLE).catch((error: unknown) => {
    throw refusal(`no permission to mount at ${point}: ${reasonOf(error)}`, error);
  });
  if ((await readdir(resolved)).length > 0) {
    throw refusal(
      `the mount point is not empty: ${point}; its content would be hidden: name an empty folder, or one to be made`,
    );
  }
  return { path: resolved, isMade };
}

/**
 * Mounts at a point of {@link prepareMountPoint}. From the look at what is there until something is mounted, nobody else does so: of two at
 * once each would see an empty folder, or the same dead mount, and the later one would lie over the other or take it away.
 * A folder that was made for it goes again where it is refused.
 * @throws UserError with the reason why not
 */
export async function mountAtPoint<T>(point: string, mount: (resolved: string) => Promise<T>): Promise<T> {
  const place = await placeOfPoint(point);
  const giveBack = holdName(await nameOfPlace(place));
  if (giveBack === undefined)
    throw refusal(`kgraphfs is already being mounted at ${point} by another process`);
  try {
    const { path, isMade } = await prepareMountPoint(place);
    // Another process may be mounting where it leads now.
    if (path !== place) throw refusal(`${point} leads to another folder than a moment ago: try again`);
    try {
      return await mount(path);
    } catch (error) {
      // Whatever keeps the folder, why nothing is mounted matters more.
      if (isMade) await rmdir(path).catch(() => {});
      throw error;
    }
  } finally {
    giveBack();
  }
}

/** Without symbolic links, as far as it is there. Nothing that is mounted there is asked, since it may never answer. */
async function placeOfPoint(point: string): Promise<string> {
  if (!isAbsolute(point)) return point;
  const parent = await realpath(dirname(point)).catch(() => undefined);
  if (parent === undefined) return point;
  const place = join(parent, basename(point));
  return (await mountAt(place)) === undefined ? realpath(place).catch(() => place) : place;
}

/** The same path is another place in another mount namespace. */
async function nameOfPlace(place: string): Promise<string> {
  const path = createHash('sha256').update(place).digest('hex');
  return `kgraphfs ${await readlink('/proc/self/ns/mnt')} ${path}`;
}

/** In a mount of ours a folder can be made where people write, and nowhere else. */
async function refuseWithinMount(point: string, cause: Error): Promise<void> {
  const around = (await mountedPoints()).filter((mounted) => point.startsWith(`${mounted.point}/`)).at(-1);
  if (around?.type !== MOUNT_TYPE) return;
  throw refusal(
    `${point} would be inside the mount of kgraphfs at ${around.point}, and cannot be made there; name a folder outside it`,
    cause,
  );
}

/** A mount over another kind of mount (a container's volume, a tmpfs) is fine; over one of ours it is a mistake. */
async function refuseSecondMount(point: string): Promise<void> {
  const mounted = await mountAt(point);
  if (mounted?.type === MOUNT_TYPE) throw refusal(`kgraphfs is already mounted at ${point}`);
  if (mounted?.type.startsWith('fuse'))
    throw refusal(`${mounted.source} (${mounted.type}) is already mounted at ${point}`);
}

/**
 * Takes away the mounts at a point whose daemon has ended. A mount that works stays. Never for a mount of this very
 * process, which cannot answer itself while it waits; those do not come here, since their process lives.
 * @returns whether there was one
 * @throws UserError where a mount neither answers nor is dead
 */
export async function clearDeadMount(point: string): Promise<boolean> {
  let cleared = false;
  for (;;) {
    const state = await stateAt(point);
    if (state === 'silent') {
      throw refusal(`the mount at ${point} does not answer; end its daemon, then try again`);
    }
    if (state !== 'dead') return cleared;
    await unmountPoint(point, { whenBusy: 'detach' });
    cleared = true;
  }
}

/**
 * Takes away a mount of this process whose connection lives, wherever it is now; nothing where it is gone.
 * @param mounts as they are now
 * @throws UserError where something else is mounted over it, and as `unmountPoint`
 */
export async function unmountOwn(
  mounts: readonly MountedPoint[],
  own: OwnMount,
  options: Pick<UnmountOptions, 'whenBusy'>,
): Promise<void> {
  const now = listedNow(mounts, own);
  if (now === undefined) return;
  const visible = visibleAt(mounts, now.point);
  if (visible?.id !== now.id)
    throw new UserError(
      `cannot unmount ${now.point}: ${visible?.source} is mounted over it`,
      EXIT.cannotMount,
    );
  // Number and device of a mount that another took away may already be those of the next one there.
  const isStill = () => own.serial === undefined || mountSerialAt(now.point) === own.serial;
  await unmountPoint(now.point, { ...options, isStill });
}

/**
 * Takes away what a connection that is over has left, wherever that is now. The mount itself may be gone: another that is dead, too, may have
 * got its number and its device since, and stays for its owner, who looks for it there.
 */
export async function clearAfterEnd(own: OwnMount): Promise<void> {
  const point = listedNow(await mountedPoints(), own)?.point ?? own.point;
  const isStill = () => mountSerialAt(point) === own.serial;
  if ((await stateAt(point)) !== 'dead' || !isStill()) return;
  try {
    await unmountPoint(point, { whenBusy: 'detach', isStill });
  } catch (error) {
    // Another took it away meanwhile, as `unmount --force` does, and what is made next gets its number and its device.
    const now = listedNow(await mountedPoints(), own);
    if (now !== undefined && mountSerialAt(now.point) === own.serial) throw error;
  }
}

async function stateAt(point: string): Promise<'dead' | 'silent' | 'not dead'> {
  const mounted = await mountAt(point);
  if (!mounted?.type.startsWith('fuse')) return 'not dead';
  const waiting = new AbortController();
  const answer = await Promise.race([
    // Not stat: the kernel may still know the answer to that when the daemon is long gone.
    statfs(point).then(
      () => 'alive',
      (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
    ),
    delay(ANSWER_WITHIN_MS, 'silent' as const, { signal: waiting.signal }).catch(() => 'silent' as const),
  ]);
  waiting.abort();
  if (answer === 'silent') return answer;
  return answer === 'ENOTCONN' || answer === 'ECONNABORTED' ? 'dead' : 'not dead';
}
