import type { Driver } from '../fuse/driver.ts';
import { OLDEST_MINOR } from '../fuse/linux/protocol/init.ts';
import type { Check } from './check.ts';
import { driverChecks } from './driver-checks.ts';
import type { Facts } from './facts.ts';
import { machineChecks, privilegeProblem } from './machine-checks.ts';
import { placeChecks } from './place-checks.ts';

export type DriverName = Driver['name'];

/** Why each driver cannot run, with the way out; undefined where it can. */
export type DriverProblems = Readonly<Record<DriverName, string | undefined>>;

/** What all checks together say. */
export interface Diagnosis {
  /** Whether `kgraphfs mount` can work here. */
  readonly canMount: boolean;
  /** The driver that it would take; undefined where none can run. */
  readonly driver: DriverName | undefined;
  readonly checks: readonly Check[];
}

/**
 * What the facts mean for mounting.
 * @param order the drivers that `mount` tries where nobody names one
 */
export function diagnose(facts: Facts, order: readonly DriverName[]): Diagnosis {
  const problems = {
    linux: linuxProblem(facts),
    'fuse-native': facts.nativeProblem ?? privilegeProblem(facts),
  };
  const driver = order.find((name) => problems[name] === undefined);
  const checks = [
    ...machineChecks(facts, driver),
    ...driverChecks(facts, problems, driver),
    ...placeChecks(facts),
  ];
  return { canMount: checks.every(({ state }) => state !== 'failure'), driver, checks };
}

function linuxProblem({ trial }: Facts): string | undefined {
  if (trial.kind === 'refused') return trial.reason;
  if (trial.major > 7 || (trial.major === 7 && trial.minor >= OLDEST_MINOR)) return undefined;
  return `the kernel speaks FUSE ${trial.major}.${trial.minor}, and 7.${OLDEST_MINOR} (Linux 5.1) is needed`;
}
