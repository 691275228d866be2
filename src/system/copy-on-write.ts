import { ioctl, lastErrno, systemError } from './libc.ts';

/** An ioctl, from `linux/fs.h`. */
const FS_IOC_GETFLAGS = 0x80086601;
const FS_IOC_SETFLAGS = 0x40086602;
const FS_NOCOW_FL = 0x00800000;
const FLAGS_BYTES = 8;

/**
 * Has a copy-on-write disk, such as btrfs, write to this file in place from now on, as `chattr +C` does. The file must be empty.
 * @throws Error with a `code` if the disk has no such attribute
 */
export function switchOffCopyOnWrite(descriptor: number): void {
  const flags = Buffer.alloc(FLAGS_BYTES);
  if (ioctl(descriptor, FS_IOC_GETFLAGS, flags) < 0) throw systemError(lastErrno(), 'ioctl');
  flags.writeUInt32LE((flags.readUInt32LE() | FS_NOCOW_FL) >>> 0);
  if (ioctl(descriptor, FS_IOC_SETFLAGS, flags) < 0) throw systemError(lastErrno(), 'ioctl');
}
