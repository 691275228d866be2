import type { DriverName } from '../../src/config/schema.ts';
import type { Driver } from '../../src/fuse/driver.ts';
import type { BugReporter } from '../../src/fuse/errno.ts';
import { linuxDriver } from '../../src/fuse/linux/linux-driver.ts';
import { nativeDriver } from '../../src/fuse/native/native-driver.ts';

/** What the tests expect of a driver where drivers differ, and may. docs/fuse-native.md has the causes. */
interface DriverFacts {
  readonly make: (report: BugReporter) => Driver;
}

export const DRIVER_FACTS: Readonly<Record<DriverName, DriverFacts>> = {
  linux: { make: linuxDriver },
  'fuse-native': { make: nativeDriver },
};

/** All that are tested. The first one is taken where a test says nothing about drivers. */
const TESTED: readonly [DriverName, ...DriverName[]] = ['linux', 'fuse-native'];

/** KGRAPHFS_TEST_DRIVER=linux runs the tests of mounts on that one alone. */
const asked = process.env['KGRAPHFS_TEST_DRIVER'];
const [first, ...others] = TESTED.filter((name) => asked === undefined || name === asked);
if (first === undefined) throw new Error(`KGRAPHFS_TEST_DRIVER is one of ${TESTED.join(', ')}`);

export const DEFAULT_DRIVER: DriverName = first;
export const DRIVERS: readonly DriverName[] = [first, ...others];
