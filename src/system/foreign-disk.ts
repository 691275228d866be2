import { statfsSync } from 'node:fs';

/** Magic numbers, from `linux/magic.h` and the headers of modules, of file systems that another machine or program can change without this kernel's notice. */
const FOREIGN: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // smbfs
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE, virtiofs among it
  0x01021997, // 9p
  0x00c36400, // Ceph
  0x5346414f, // AFS of OpenAFS
  0x6b414653, // AFS of the kernel
  0x73757245, // Coda
  0x564c, // NCP
  0x7461636f, // OCFS2
  0x01161970, // GFS2
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x786f4256, // shared folders of VirtualBox
  0xbacbacbc, // shared folders of VMware
]);

/**
 * Whether a folder is on a disk that others can change without this kernel's notice, so that inotify tells nothing of it.
 * @throws the system's error if there is no such folder
 */
export function isOnForeignDisk(folder: string): boolean {
  return FOREIGN.has(statfsSync(folder).type >>> 0);
}
