import { closeSync, readSync } from 'node:fs';
import { mkdtemp, realpath, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../core/errors.ts';
import { unmountPoint } from '../fuse/unmount.ts';

/** The result of a mount for a moment. */
export type Trial =
  /** The kernel has told the version of its protocol. */
  | { readonly kind: 'mounted'; readonly major: number; readonly minor: number }
  | { readonly kind: 'refused'; readonly reason: string }
  /** There was no place to try it, which says nothing about mounting elsewhere. */
  | { readonly kind: 'untried'; readonly reason: string };

/** In the first request, `struct fuse_in_header` comes first and then the version, see linux/fuse.h. */
const HEADER_BYTES = 40;
const REQUEST_BYTES = 1 << 14;
const OPCODE_AT_BYTE = 4;
const FUSE_INIT = 26;

/**
 * Mounts as the Linux driver does, in an empty folder of its own, reads the kernel's first request and unmounts. Nothing shows more reliably whether this user
 * can mount.
 */
export async function tryMount(): Promise<Trial> {
  let folder: string;
  try {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'kgraphfs-doctor-')));
  } catch (error) {
    const why = `the folder for temporary files, ${tmpdir()}, cannot be written: ${reasonOf(error)}`;
    return { kind: 'untried', reason: `${why}; have TMPDIR name one that can be, such as TMPDIR=/tmp` };
  }
  try {
    return await mountOnce(folder);
  } catch (error) {
    return { kind: 'refused', reason: reasonOf(error) };
  } finally {
    await rmdir(folder);
  }
}

async function mountOnce(folder: string): Promise<Trial> {
  const { openFuseDevice } = await import('../fuse/linux/fuse-channel.ts');
  const options = { fsName: 'kgraphfs-doctor', allowOther: false, readOnly: true };
  const descriptor = await openFuseDevice(folder, options);
  try {
    return firstRequest(descriptor);
  } finally {
    // This releases any process that has run into the mount meanwhile.
    closeSync(descriptor);
    await unmountPoint(folder, { whenBusy: 'detach' });
  }
}

function firstRequest(descriptor: number): Trial {
  const request = Buffer.alloc(REQUEST_BYTES);
  const sizeBytes = readSync(descriptor, request);
  if (sizeBytes < HEADER_BYTES + 8 || request.readUInt32LE(OPCODE_AT_BYTE) !== FUSE_INIT) {
    return { kind: 'refused', reason: 'the kernel began with another request than INIT' };
  }
  const [major, minor] = [request.readUInt32LE(HEADER_BYTES), request.readUInt32LE(HEADER_BYTES + 4)];
  return { kind: 'mounted', major, minor };
}
