import { MAKE_MOUNT_TABLE, MOUNT_TABLE } from '../fuse/host.ts';
import { type Check, ok } from './check.ts';
import type { DriverName } from './diagnose.ts';
import type { Facts } from './facts.ts';

/** The oldest version, from `engines` in package.json. */
const OLDEST_NODE = [20, 19] as const;

/** Machines on which the packages with compiled parts were tried. */
const TRIED = new Set(['x64', 'arm64']);

/**
 * Node, the system, and what mounting needs of them.
 * @param driver the driver that can run. If there is one, what another driver lacks is no problem
 */
export function machineChecks(facts: Facts, driver: DriverName | undefined): Check[] {
  const lack = driver === undefined ? 'failure' : 'warning';
  return [
    node(facts),
    system(facts),
    koffi(facts),
    database(facts),
    device(facts),
    helper(facts, lack),
    ...mountTable(facts),
    privileges(facts, lack),
  ];
}

function node({ nodeVersion }: Facts): Check {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const finding = `Node.js ${nodeVersion}`;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return ok('node', finding);
  return {
    check: 'node',
    state: 'failure',
    finding,
    meaning: 'kgraphfs is written for newer ones, and parts of it cannot be loaded',
    remedy: `install Node.js ${OLDEST_NODE.join('.')} or newer`,
  };
}

function system({ platform, architecture, isLittleEndian, kernel }: Facts): Check {
  const finding = `${platform} ${kernel} on ${architecture}`;
  if (platform !== 'linux' || !isLittleEndian) {
    return {
      check: 'system',
      state: 'failure',
      finding,
      meaning: 'kgraphfs mounts on Linux, on machines that begin numbers with their lowest byte',
      remedy: 'use a Linux machine, a virtual one will do; commands other than mount may work here',
    };
  }
  if (TRIED.has(architecture)) return ok('system', finding);
  return {
    check: 'system',
    state: 'warning',
    finding,
    meaning: 'kgraphfs has not been tried on such a machine; packages may have to be compiled here',
    remedy: 'npm rebuild',
  };
}

function koffi({ koffiProblem }: Facts): Check {
  if (koffiProblem === undefined) return ok('koffi', 'can be loaded');
  return {
    check: 'koffi',
    state: 'failure',
    finding: `cannot be loaded: ${koffiProblem}`,
    meaning: 'system calls that Node has no function for go through this package: nothing works without it',
    remedy: 'npm install, on this machine, in the folder of kgraphfs (npm rebuild koffi compiles it)',
  };
}

function database({ databaseProblem }: Facts): Check {
  if (databaseProblem === undefined) return ok('better-sqlite3', 'can be loaded');
  const [finding = databaseProblem, remedy] = databaseProblem.split(/(?:: (?=run ")|; (?=run kgraphfs))/);
  return {
    check: 'better-sqlite3',
    state: 'failure',
    finding,
    meaning: 'the index and memory are kept with this package: nothing works without it',
    remedy: remedy ?? 'npm rebuild better-sqlite3, in the folder of kgraphfs',
  };
}

function device({ deviceProblem }: Facts): Check {
  if (deviceProblem === undefined) return ok('/dev/fuse', 'is there and open to this user');
  const [finding = deviceProblem, remedy] = deviceProblem.split(': ');
  return {
    check: '/dev/fuse',
    state: 'failure',
    finding,
    meaning: 'nothing can be mounted without this device',
    ...(remedy === undefined ? {} : { remedy }),
  };
}

function helper({ helper, helperProblem, isRoot }: Facts, lack: Check['state']): Check {
  const check = 'fusermount3';
  if (helper === undefined) {
    const [closed, remedy] = helperProblem?.split(': ') ?? [];
    return {
      check,
      state: lack,
      finding: closed ?? 'is not on the PATH',
      meaning: 'this program mounts and unmounts for ordinary users, and for the Linux driver',
      remedy: remedy ?? 'apt-get install fuse3',
    };
  }
  if (isRoot || helper.isSetuidRoot) return ok(check, helper.path);
  return {
    check,
    state: lack,
    finding: `${helper.path} is not setuid root`,
    meaning: 'an ordinary user cannot mount without that',
    remedy: `as root: chown root ${helper.path} && chmod u+s ${helper.path}`,
  };
}

/** Reported only if it is a problem for this user. */
function mountTable({ isRoot, hasMountTable }: Facts): Check[] {
  if (isRoot || hasMountTable) return [];
  return [
    {
      check: MOUNT_TABLE,
      state: 'failure',
      finding: 'is missing',
      meaning: 'fusermount3 unmounts nothing for an ordinary user without it: what is mounted stays, dead',
      remedy: `as root: ${MAKE_MOUNT_TABLE}`,
    },
  ];
}

/** Why neither this process nor a program that it starts can mount. The checks say how to mend that. */
export function privilegeProblem({ isRoot, mayMount, noNewPrivileges, helper }: Facts): string | undefined {
  if (!mayMount) return 'mounting is not allowed here';
  if (isRoot || (helper?.isSetuidRoot && !noNewPrivileges)) return undefined;
  return 'nothing mounts for an ordinary user here';
}

function privileges({ isRoot, mayMount, noNewPrivileges }: Facts, lack: Check['state']): Check {
  const check = 'privileges';
  if (!mayMount) {
    return {
      check,
      state: lack,
      finding: 'the right to mount (CAP_SYS_ADMIN) is taken away from all that runs here',
      meaning: 'containers do that unless they are told otherwise',
      remedy: 'start the container with --cap-add SYS_ADMIN --device /dev/fuse',
    };
  }
  if (isRoot || !noNewPrivileges) return ok(check, 'mounting is allowed here');
  return {
    check,
    state: lack,
    finding: 'setuid programs gain no rights here (no_new_privs)',
    meaning: 'fusermount3 cannot mount for an ordinary user',
    remedy: 'start the container without no-new-privileges; for a service of systemd, NoNewPrivileges=no',
  };
}
