import t, { type Test } from 'tap';
import type { DriverName } from '../../src/config/schema.ts';
import { DRIVERS } from './drivers.ts';

/** Registers a test once for each driver, with its name in the title. */
export function onEachDriver(
  title: string,
  options: { readonly skip: string | false; readonly timeout?: number },
  run: (t: Test, driver: DriverName) => Promise<void>,
): void {
  for (const driver of DRIVERS) t.test(`${title} (${driver})`, options, (t) => run(t, driver));
}
