import type { Driver } from '../fuse/driver.ts';
import { OLDEST_MINOR } from '../fuse/linux/protocol/init.ts';
import type { Check } from './check.ts';
import { driverChecks } from './driver-checks.ts';
import type { Facts } from './facts.ts';
import { machineChecks, privilegeProblem } from './machine-checks.ts';
import { placeChecks } from './place-checks.ts';

export type DriverName = Driver['name'];

/** Why each driver cannot run, with the way out; undefined if it can. */
export type DriverProblems = Readonly<Record<DriverName, string | undefined>>;

/** The result of all checks together. */
export interface Diagnosis {
  /** Whether `kgraphfs mount` can work here. */
  readonly canMount: boolean;
  /** The driver that it would use; undefined if none can run. */
  readonly driver: DriverName | undefined;
  readonly checks: readonly Check[];
}

/**
 * Draws the conclusions for mounting from the facts.
 * @param order the drivers that `mount` tries if none is named
 */
export function diagnose(facts: Facts, order: readonly DriverName[]): Diagnosis {
  const lacks = { linux: facts.linuxProblem, 'fuse-native': facts.nativeProblem };
  const problems = {
    linux: lacks.linux ?? refusalOf(facts),
    'fuse-native': lacks['fuse-native'] ?? privilegeProblem(facts),
  };
  // Mount only looks at what a driver lacks, and does not try another driver after the first one that lacks nothing.
  const taken = order.find((name) => lacks[name] === undefined);
  const driver = taken !== undefined && problems[taken] === undefined ? taken : undefined;
  const checks = [
    ...machineChecks(facts, driver),
    ...driverChecks(facts, problems, driver),
    ...placeChecks(facts),
  ];
  return { canMount: checks.every(({ state }) => state !== 'failure'), driver, checks };
}

function refusalOf({ trial }: Facts): string | undefined {
  if (trial.kind === 'refused') return trial.reason;
  if (trial.kind === 'untried') return undefined;
  if (trial.major > 7 || (trial.major === 7 && trial.minor >= OLDEST_MINOR)) return undefined;
  return `the kernel speaks FUSE ${trial.major}.${trial.minor}, and 7.${OLDEST_MINOR} (Linux 5.1) is needed; mount with --driver fuse-native`;
}
