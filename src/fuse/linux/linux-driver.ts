import { type Driver, requireSeenOpens } from '../driver.ts';
import type { BugReporter } from '../errno.ts';
import { checkHost, MOUNT_HELPERS } from '../host.ts';
import { mountAtPoint } from '../mount-point.ts';
import { openFuseDevice } from './fuse-channel.ts';
import { LinuxMount } from './linux-mount.ts';

/**
 * The driver that speaks the kernel's protocol itself. It answers requests in the thread that mounted.
 * @param report called with bugs: whatever is thrown and is not an FsError
 */
export function linuxDriver(report: BugReporter): Driver {
  return {
    name: 'linux',
    async mount(vfs, point, options) {
      requireSeenOpens(options);
      await checkHost({ ...options, helpers: MOUNT_HELPERS, rootNeedsHelper: true });
      return mountAtPoint(point, async (path) =>
        LinuxMount.begin(vfs, path, await openFuseDevice(path, options), options, report),
      );
    },
  };
}
