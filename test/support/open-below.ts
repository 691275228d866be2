import { readdirSync, readlinkSync } from 'node:fs';

/** Files and folders below a folder that this process has open. @param folder its real path */
export function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // It was closed meanwhile, as that of the listing itself is.
      return [];
    }
  });
}
