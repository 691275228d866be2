import { ioctl, lastErrno } from './libc.ts';

/** Files of a disk that the kernel itself reads for a FUSE mount: FUSE_DEV_IOC_BACKING_… of fuse_kernel.h, Linux 6.9 and later. */

/** `_IOW(229, 1, struct fuse_backing_map)` and `_IOW(229, 2, uint32_t)`. */
const BACKING_OPEN = 0x4010e501;
const BACKING_CLOSE = 0x4004e502;

/**
 * @param device a descriptor of /dev/fuse
 * @param descriptor of the file; it may be closed afterwards
 * @returns the number to give in the answer to OPEN, or the negative errno: EPERM without CAP_SYS_ADMIN
 */
export function openBacking(device: number, descriptor: number): number {
  const map = Buffer.alloc(16);
  map.writeInt32LE(descriptor, 0);
  const id = ioctl(device, BACKING_OPEN, map);
  return id < 0 ? -lastErrno() : id;
}

/** Frees the number. Programs that have the file open keep it. */
export function closeBacking(device: number, id: number): void {
  const number = Buffer.alloc(4);
  number.writeUInt32LE(id, 0);
  ioctl(device, BACKING_CLOSE, number);
}
