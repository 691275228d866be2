import type { DriverName } from '../../config/schema.ts';
import type { Driver } from '../../fuse/driver.ts';
import type { BugReporter } from '../../fuse/errno.ts';
import { chooseDriver } from './choose-driver.ts';

type DriverFactory = (report: BugReporter) => Driver & { readonly name: DriverName };

interface DriverEntry {
  /** Loads it: what it needs comes into the process only then. */
  load(): Promise<DriverFactory>;
  /** What it lacks here, with the way out; undefined where it can run. */
  whyNot(): Promise<string | undefined>;
}

/** The drivers by the names that `--driver` takes. */
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

/** The drivers that are tried, in this order, where nobody asked for one. */
export const DRIVER_ORDER: readonly DriverName[] = ['linux', 'fuse-native'];

/**
 * Which driver would mount here.
 * @param asked by flag or config: there is no other choice then
 * @throws UserError where nobody asked and none can run
 */
export function usableDriver(asked: DriverName | undefined): Promise<DriverName> {
  return chooseDriver(asked, DRIVER_ORDER, (name) => DRIVERS[name].whyNot());
}

/** Loads that one. @throws UserError as `usableDriver` */
export async function loadDriver(asked: DriverName | undefined): Promise<DriverFactory> {
  return DRIVERS[await usableDriver(asked)].load();
}
