import { execFile } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { EXIT, systemCodeOf, UserError } from '../core/errors.ts';
import { PERMISSION_BITS } from '../core/file-modes.ts';
import type { MountOptions } from './driver.ts';

export const FUSE_DEVICE = '/dev/fuse';
const FUSE_SETTINGS = '/etc/fuse.conf';

/** Where fusermount3 looks for what an ordinary user may unmount. Bare containers lack it, and fusermount3 mounts without it all the same. */
export const MOUNT_TABLE = '/etc/mtab';
export const MAKE_MOUNT_TABLE = `ln -s /proc/self/mounts ${MOUNT_TABLE}`;

/** The setuid programs that mount for ordinary users: of libfuse 3, and of libfuse 2 where there is no other. */
export const MOUNT_HELPERS = ['fusermount3', 'fusermount'] as const;

const DEVICE_REFUSALS: Readonly<Record<string, string>> = {
  ENOENT: 'is missing: load the fuse module (modprobe fuse), or give the container --device /dev/fuse',
  EACCES: 'is closed to this user: as root, run chmod 666 /dev/fuse, as distributions do',
  EPERM: 'may not be opened in this container: start it with --device /dev/fuse',
  EMFILE: 'cannot be opened (EMFILE)',
};

/** Why /dev/fuse cannot be used, with the way out; undefined where it can. Opening it mounts nothing. */
export async function whyNoDevice(device = FUSE_DEVICE): Promise<string | undefined> {
  try {
    const handle = await open(device, 'r+');
    const isDevice = (await handle.stat()).isCharacterDevice();
    await handle.close();
    return isDevice ? undefined : `${device} is not a device: remove it, then load the fuse module`;
  } catch (error) {
    const code = systemCodeOf(error) ?? String(error);
    const refusal =
      DEVICE_REFUSALS[code] ?? `cannot be opened (${code}): load the fuse module (modprobe fuse)`;
    return `${device} ${refusal}`;
  }
}

/** The first of these programs that is on the PATH. */
export async function findHelper(helpers: readonly string[] = MOUNT_HELPERS): Promise<string | undefined> {
  for (const helper of helpers) if (await runs(helper)) return helper;
  return undefined;
}

/** Where a folder of the PATH may not be searched, and the program is in no other, the system says EACCES. */
function runs(command: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, ['--version'], (error) =>
      resolve(error?.code !== 'ENOENT' && error?.code !== 'EACCES'),
    );
  });
}

/** What fuse.conf says of ordinary users who want to let others in. `unfinished`: fusermount3 passes over a last line that has no newline. */
export type OthersRule = 'allowed' | 'not allowed' | 'unfinished' | 'unreadable';

export async function othersRule(settingsFile = FUSE_SETTINGS): Promise<OthersRule> {
  let settings: string;
  try {
    settings = await readFile(settingsFile, 'utf8');
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' ? 'not allowed' : 'unreadable';
  }
  const lines = settings.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const last = lines.pop();
  if (lines.includes('user_allow_other')) return 'allowed';
  return last === 'user_allow_other' ? 'unfinished' : 'not allowed';
}

export interface HostNeeds extends Pick<MountOptions, 'allowOther'> {
  /** The programs of which one has to be there, and whether root needs it, too. */
  readonly helpers: readonly string[];
  readonly rootNeedsHelper: boolean;
}

/** @throws UserError where this machine cannot mount at all, or not with these options */
export async function checkHost({ allowOther, helpers, rootNeedsHelper }: HostNeeds): Promise<void> {
  const noDevice = await whyNoDevice();
  if (noDevice !== undefined) throw new UserError(noDevice, EXIT.cannotMount);
  const isRoot = process.getuid?.() === 0;
  if ((rootNeedsHelper || !isRoot) && (await findHelper(helpers)) === undefined) {
    throw new UserError(await whyNoHelper(helpers), EXIT.cannotMount);
  }
  if (!allowOther || isRoot) return;
  const rule = await othersRule();
  // fusermount3 may read what this user may not.
  if (rule === 'allowed' || rule === 'unreadable') return;
  throw new UserError(
    rule === 'unfinished'
      ? 'to let other users in, the line user_allow_other of /etc/fuse.conf needs a newline behind it; root has to write it'
      : 'to let other users in, /etc/fuse.conf needs a line user_allow_other; root has to write it',
    EXIT.cannotMount,
  );
}

/** Why none of these programs can be run, with the way out. */
export async function whyNoHelper(helpers: readonly string[] = MOUNT_HELPERS): Promise<string> {
  const missing = `${helpers[0]} is missing, which mounts for programs like this: apt-get install fuse3 (or the package of that name)`;
  return (await whyClosed(helpers)) ?? missing;
}

/** Says of a program that is on the PATH, and that this user may not run, how it is closed; undefined where there is none. */
export async function whyClosed(helpers: readonly string[] = MOUNT_HELPERS): Promise<string | undefined> {
  const file = await findFile(helpers);
  const info = file === '' ? undefined : await stat(file).catch(() => undefined);
  if (info === undefined) return undefined;
  const mode = (info.mode & PERMISSION_BITS).toString(8).padStart(4, '0');
  return `${file} is closed to this user (mode ${mode}, group ${info.gid}): as root, add the user to that group, or chmod o+rx ${file}`;
}

/** `command -v` passes over what may not be run. */
const FIND_FILE =
  'IFS=:; for name; do for folder in $PATH; do [ -f "$folder/$name" ] && printf %s "$folder/$name" && exit; done; done';

/** The first file of these names on the PATH, whoever may run it; empty where there is none. */
function findFile(names: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', FIND_FILE, 'sh', ...names], (_error, found) => resolve(found));
  });
}
