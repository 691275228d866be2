import type { DriverName } from '../../config/schema.ts';
import type { Driver } from '../../fuse/driver.ts';
import type { BugReporter } from '../../fuse/errno.ts';

type DriverFactory = (report: BugReporter) => Driver & { readonly name: DriverName };

/** The drivers by the names that `--driver` takes. Each is loaded only when used. */
const DRIVERS: Readonly<Record<DriverName, () => Promise<DriverFactory>>> = {
  'fuse-native': async () => {
    const { nativeDriver } = await import('../../fuse/native/native-driver.ts');
    return (report) => ({ ...nativeDriver(report), name: 'fuse-native' });
  },
};

export const DEFAULT_DRIVER: DriverName = 'fuse-native';

export function loadDriver(name: DriverName): Promise<DriverFactory> {
  return DRIVERS[name]();
}
