import { EXIT, UserError } from '../../core/errors.ts';
import { MOUNT_SUBTYPE } from '../../core/mount-type.ts';
import type { MountOptions } from '../driver.ts';
import { checkSourceName } from '../source-name.ts';

/**
 * How long the kernel trusts a name, its absence and its attributes. Changes are told to the kernel at once; this limits the effect of a message that is lost
 * or overtaken.
 */
export const TRUST_SECONDS = 60;

/** After this time auto_cache would check a file's attributes at an open. Their own timeout does that already. */
const NEVER_SECONDS = 2_000_000_000;

/** fuse-native.c copies the options and the mount point into arrays of 1024 bytes. */
const MAX_TEXT_BYTES = 1023;

/**
 * The argument for libfuse. It is built here and not by fuse-native, which drops zeros and lets a name bring in further options.
 * - `auto_cache` keeps a file's pages over an open unless its time or size has changed. `kernel_cache` would keep them even then; both take the same time
 * (docs/benchmarks.md).
 * - `default_permissions` makes the kernel check modes, as libfuse 2 does not tell the caller's identity here.
 * - `big_writes` makes writes up to 128 KiB instead of 4.
 * @throws UserError for a source name that could bring in further options, or is too long
 */
export function mountArgument(options: MountOptions): string {
  checkSourceName(options.fsName);
  const list = [
    `fsname=${options.fsName}`,
    `subtype=${MOUNT_SUBTYPE}`,
    'default_permissions',
    'big_writes',
    'nosuid',
    'nodev',
    'noatime',
    `entry_timeout=${TRUST_SECONDS}`,
    `attr_timeout=${TRUST_SECONDS}`,
    `negative_timeout=${TRUST_SECONDS}`,
    'auto_cache',
    `ac_attr_timeout=${NEVER_SECONDS}`,
  ];
  if (options.readOnly) list.push('ro');
  if (options.allowOther) list.push('allow_other');
  return `-o${list.join(',')}`;
}

/** @throws UserError if fuse-native would cut the mount point off */
export function checkPointLength(point: string): void {
  if (Buffer.byteLength(point) > MAX_TEXT_BYTES) {
    throw new UserError(
      `fuse-native takes mount points of at most ${MAX_TEXT_BYTES} bytes: ${point}`,
      EXIT.cannotMount,
    );
  }
}
