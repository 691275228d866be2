import type { DriverName } from '../../config/schema.ts';
import type { Driver } from '../../fuse/driver.ts';
import type { BugReporter } from '../../fuse/errno.ts';

/** The drivers by the names that `--driver` takes. Each is loaded only when used. */
const DRIVERS = {
  'fuse-native': async (report: BugReporter) => {
    const { nativeDriver } = await import('../../fuse/native/native-driver.ts');
    return { ...nativeDriver(report), name: 'fuse-native' as const };
  },
} satisfies Record<DriverName, (report: BugReporter) => Promise<Driver & { readonly name: DriverName }>>;

export const DEFAULT_DRIVER: DriverName = 'fuse-native';

/** @throws UserError where the driver cannot be used here */
export function loadDriver(name: DriverName, report: BugReporter) {
  return DRIVERS[name](report);
}
