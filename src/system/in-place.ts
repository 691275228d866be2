import { ioctl, lastErrno, systemError } from './libc.ts';

/** Of `linux/fs.h`. */
const FS_IOC_GETFLAGS = 0x80086601;
const FS_IOC_SETFLAGS = 0x40086602;
const FS_NOCOW_FL = 0x00800000;
const FLAGS_BYTES = 8;

/**
 * Has a disk that copies what it writes, such as btrfs, write this file in place, as `chattr +C` does. It has to be empty.
 * @throws Error with a `code` where the disk has no such files
 */
export function writeInPlace(descriptor: number): void {
  const flags = Buffer.alloc(FLAGS_BYTES);
  if (ioctl(descriptor, FS_IOC_GETFLAGS, flags) < 0) throw systemError(lastErrno(), 'ioctl');
  flags.writeUInt32LE((flags.readUInt32LE() | FS_NOCOW_FL) >>> 0);
  if (ioctl(descriptor, FS_IOC_SETFLAGS, flags) < 0) throw systemError(lastErrno(), 'ioctl');
}
