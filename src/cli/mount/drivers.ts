import type { DriverName } from '../../config/schema.ts';
import type { Driver } from '../../fuse/driver.ts';
import type { BugReporter } from '../../fuse/errno.ts';
import { chooseDriver } from './choose-driver.ts';

type DriverFactory = (report: BugReporter) => Driver & { readonly name: DriverName };

interface DriverEntry {
  /** Loads the driver. The process loads what it needs only then. */
  load(): Promise<DriverFactory>;
  /** What the driver lacks here, with the way out; undefined if it can run. */
  whyNot(): Promise<string | undefined>;
}

/** The drivers under the names that `--driver` takes. */
const DRIVERS: Readonly<Record<DriverName, DriverEntry>> = {
  linux: {
    async load() {
      const { linuxDriver } = await import('../../fuse/linux/linux-driver.ts');
      return (report) => ({ ...linuxDriver(report), name: 'linux' });
    },
    async whyNot() {
      const { whyLinuxCannotRun } = await import('../../fuse/linux/requirements.ts');
      return whyLinuxCannotRun();
    },
  },
  'fuse-native': {
    async load() {
      const { nativeDriver } = await import('../../fuse/native/native-driver.ts');
      return (report) => ({ ...nativeDriver(report), name: 'fuse-native' });
    },
    async whyNot() {
      const { whyNativeCannotRun } = await import('../../fuse/native/requirements.ts');
      return whyNativeCannotRun();
    },
  },
};

/** The drivers that are tried, in this order, if none was asked for. */
export const DRIVER_ORDER: readonly DriverName[] = ['linux', 'fuse-native'];

/**
 * The driver that would mount here.
 * @param asked the driver that a flag or config names; then no other is tried
 * @throws UserError if none was asked for and none can run
 */
export function usableDriver(asked: DriverName | undefined): Promise<DriverName> {
  return chooseDriver(asked, DRIVER_ORDER, (name) => DRIVERS[name].whyNot());
}

/** Loads that driver. @throws UserError as `usableDriver` */
export async function loadDriver(asked: DriverName | undefined): Promise<DriverFactory> {
  return DRIVERS[await usableDriver(asked)].load();
}
