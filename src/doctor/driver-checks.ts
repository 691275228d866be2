import { type Check, ok } from './check.ts';
import type { DriverName, DriverProblems } from './diagnose.ts';
import type { Facts } from './facts.ts';

/** Checks of each driver, and of what only some mounts need. */
export function driverChecks(
  facts: Facts,
  problems: DriverProblems,
  driver: DriverName | undefined,
): Check[] {
  const lack = driver === undefined ? 'failure' : 'warning';
  return [linux(facts, problems, lack), native(problems, lack), otherUsers(facts)];
}

function linux({ trial }: Facts, problems: DriverProblems, lack: Check['state']): Check {
  const check = 'driver linux';
  if (problems.linux === undefined && trial.kind === 'mounted') {
    return ok(
      check,
      `mounted and unmounted for a trial; the kernel speaks FUSE ${trial.major}.${trial.minor}`,
    );
  }
  if (problems.linux === undefined && trial.kind === 'untried') {
    const [finding, remedy] = splitRemedy(trial.reason);
    return {
      check,
      state: 'warning',
      finding,
      meaning: 'no trial was mounted, so it is not known whether the driver can',
      remedy: remedy ?? 'fix what else is found here',
    };
  }
  const [finding = '', remedy] = splitRemedy(problems.linux ?? '');
  return {
    check,
    state: lack,
    finding,
    meaning: 'the fast driver cannot run',
    remedy: remedy ?? 'fix what else is found here',
  };
}

function native(problems: DriverProblems, lack: Check['state']): Check {
  const check = 'driver fuse-native';
  const problem = problems['fuse-native'];
  if (problem === undefined) return ok(check, 'can be loaded, libfuse 2 with it');
  const [finding = '', remedy] = splitRemedy(problem);
  return {
    check,
    state: lack,
    finding,
    meaning: 'the other driver cannot run (--driver fuse-native)',
    remedy: remedy ?? 'fix what else is found here',
  };
}

/** Splits a reason of ours, which ends with the way out. */
function splitRemedy(problem: string): [string, string?] {
  const at = problem.lastIndexOf('; ');
  return at === -1 ? [problem] : [problem.slice(0, at), problem.slice(at + 2)];
}

function otherUsers({ others, isRoot }: Facts): Check {
  const check = 'other users';
  if (isRoot) return ok(check, 'root may let them in (--allow-other)');
  if (others === 'allowed') return ok(check, 'may be let in (--allow-other)');
  if (others === 'unreadable') {
    return {
      check,
      state: 'warning',
      finding: '/etc/fuse.conf cannot be read by this user',
      meaning: 'it is not known whether mount --allow-other is refused; mounts for yourself work',
      remedy: 'as root: chmod a+r /etc/fuse.conf',
    };
  }
  return {
    check,
    state: 'warning',
    finding:
      others === 'unfinished'
        ? '/etc/fuse.conf ends with user_allow_other, but not with a newline: fusermount3 ignores that line'
        : '/etc/fuse.conf has no line user_allow_other',
    meaning: 'mount --allow-other is refused; mounts for yourself work',
    // The last line of the file may lack a newline.
    remedy: "as root: printf '\\nuser_allow_other\\n' >> /etc/fuse.conf",
  };
}
