import { isMainThread } from 'node:worker_threads';
import { EXIT, UserError } from '../../core/errors.ts';
import { type Driver, requireSeenOpens } from '../driver.ts';
import type { BugReporter } from '../errno.ts';
import { checkHost } from '../host.ts';
import { mountAtPoint } from '../mount-point.ts';
import { loadBinding } from './load.ts';
import { NativeMount } from './native-mount.ts';
import { checkPointLength } from './options.ts';
import { NATIVE_HELPERS } from './requirements.ts';

/**
 * The driver over fuse-native's compiled half and libfuse 2. It answers in the main thread.
 * @param report takes bugs: errors that were thrown and are no FsError
 */
export function nativeDriver(report: BugReporter): Driver {
  return {
    name: 'fuse-native',
    async mount(vfs, point, options) {
      if (!isMainThread) throw new UserError('fuse-native answers on the main thread only', EXIT.cannotMount);
      requireSeenOpens(options);
      await checkHost({ ...options, helpers: NATIVE_HELPERS, rootNeedsHelper: false });
      return mountAtPoint(point, async (path) => {
        checkPointLength(path);
        const mount = new NativeMount(vfs, path, options, report);
        await mount.start(loadBinding());
        return mount;
      });
    },
  };
}
