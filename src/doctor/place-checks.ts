import { PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { shellWord } from '../text/shell-word.ts';
import { type Check, ok } from './check.ts';
import type { Facts } from './facts.ts';

/** The limit per user of Linux before it depended on memory. Each folder of the docs takes one watch. */
const FEW_WATCHES = 8192;

/** What is mounted, and where files are kept. */
export function placeChecks(facts: Facts): Check[] {
  return [
    mounts(facts),
    ...docs(facts),
    stateFolder(facts),
    watches(facts),
    vectors(facts),
    git(facts),
    modules(facts),
  ];
}

function mounts({ mounts }: Facts): Check {
  const check = 'mounts';
  const points = (health: string) => mounts.filter((one) => one.health === health).map(({ point }) => point);
  const [dead, silent] = [points('dead'), points('silent')];
  if (dead.length > 0 || silent.length > 0) {
    const told = <T>(points: readonly string[], text: T): T[] => (points.length > 0 ? [text] : []);
    return {
      check,
      state: 'warning',
      finding: [
        ...told(dead, `dead: ${dead.join(', ')}`),
        ...told(silent, `no answer: ${silent.join(', ')}`),
      ].join('; '),
      meaning: [
        ...told(dead, 'the daemon was killed; programs get "Transport endpoint is not connected" there'),
        ...told(silent, 'the daemon hangs'),
      ].join('; '),
      remedy: [
        ...dead.map((point) => `kgraphfs unmount ${shellWord(point)}`),
        ...silent.map((point) => `kgraphfs unmount --force ${shellWord(point)}`),
      ].join('; '),
    };
  }
  const [alive, others] = [points('alive'), points('private')];
  const found = [
    ...(alive.length > 0 ? [`alive: ${alive.join(', ')}`] : []),
    ...(others.length > 0 ? [`another user's: ${others.join(', ')}`] : []),
  ];
  return ok(check, found.length === 0 ? 'none' : found.join('; '));
}

/** If the docs are not known, neither is the state folder, and that check says so. */
function docs({ docs }: Facts): Check[] {
  const check = 'docs';
  if (docs === undefined) return [];
  const { folders, documents } = docs;
  if (documents > 0) return [ok(check, `${documents} markdown files in ${folders.join(', ')}`)];
  return [
    {
      check,
      state: 'warning',
      finding: `no markdown in ${folders.join(', ')}`,
      meaning: 'a mount shows what is there, and its graph is empty',
      remedy: 'name the folder that has the docs with --docs, or kgraphfs init, which looks for it',
    },
  ];
}

function stateFolder({ state }: Facts): Check {
  const check = 'state folder';
  switch (state.kind) {
    case 'unknown':
      return {
        check,
        state: 'failure',
        finding: state.problem,
        meaning: 'it is not known what to mount',
        remedy: 'name the docs with --docs, the config file with --config',
      };
    case 'unusable':
      return {
        check,
        state: 'failure',
        finding: `${state.path}: ${state.problem}`,
        meaning: 'index, memory and history have no place',
        remedy: 'choose another one with --state',
      };
    case 'full':
      return {
        check,
        state: state.stopsMount ? 'failure' : 'warning',
        finding: `${state.path}: its disk has ${leftOn(state)}`,
        meaning: state.stopsMount
          ? 'a mount finds no room for what it makes at its start, or keeps nothing'
          : 'what is written to memory, history and scratchpad is refused when nothing is left',
        remedy: 'free some space, or choose a folder on another disk with --state',
      };
    case 'refused':
      return {
        check,
        state: state.stopsMount ? 'failure' : 'warning',
        finding: `${state.path}: ${state.problem}`,
        meaning: state.stopsMount
          ? 'a mount ends at once, or keeps nothing'
          : 'what is kept in it cannot be brought up to date',
        remedy: state.remedy,
      };
    case 'missing':
      return ok(check, `${state.path} will be made`);
    case 'there':
      if (state.mode === PRIVATE_FOLDER_MODE) return ok(check, `${state.path}, closed to other users`);
      return {
        check,
        state: 'warning',
        finding: `${state.path} has mode ${state.mode.toString(8)}`,
        meaning: 'other users may read memory and history in it; the next mount closes it',
        remedy: `chmod 700 ${shellWord(state.path)}`,
      };
  }
}

function leftOn({ freeBytes, freeInodes }: { freeBytes: number; freeInodes: number }): string {
  if (freeBytes === 0 || freeInodes === 0) return 'nothing left';
  const megabytes = `${(freeBytes / 1e6).toFixed(freeBytes < 1e7 ? 1 : 0)} MB`;
  return Number.isFinite(freeInodes) ? `${megabytes} and ${freeInodes} inodes left` : `${megabytes} left`;
}

function watches({ inotify }: Facts): Check {
  const check = 'inotify';
  const { maxWatches, maxInstances, problem } = inotify;
  const limits = `${maxWatches ?? '?'} watches and ${maxInstances ?? '?'} instances for each user`;
  if (problem === undefined && (maxWatches === undefined || maxWatches >= FEW_WATCHES))
    return ok(check, limits);
  const setting =
    problem === 'EMFILE'
      ? `max_user_instances=${raised(maxInstances, 1024)}`
      : `max_user_watches=${raised(maxWatches, 524_288)}`;
  return {
    check,
    state: 'warning',
    finding: problem === undefined ? limits : `none is left (${problem}) of ${limits}`,
    meaning:
      'each folder of the docs takes a watch; what has none is looked at from time to time, so changes show later',
    remedy: `as root: sysctl fs.inotify.${setting} (to keep it: a line in /etc/sysctl.d/kgraphfs.conf)`,
  };
}

/** A higher limit to suggest. If the present limit, which is used up, already is the usual higher one, that would be used up again. */
function raised(now: number | undefined, usual: number): number {
  return now === undefined || now < usual ? usual : 2 * now;
}

function git({ hasGit }: Facts): Check {
  const check = 'git';
  if (hasGit) return ok(check, 'is there');
  return {
    check,
    state: 'warning',
    finding: 'is not on the PATH',
    meaning: 'sync, graph log and diff, hooks, graph/at and the module git do not work; all else does',
    remedy: 'as root: apt-get install git',
  };
}

function modules({ modules }: Facts): Check {
  const check = 'modules';
  const names = modules.map(({ name }) => name).join(', ');
  const problems = modules.flatMap(({ problem }) => problem ?? []);
  if (problems.length === 0) return ok(check, names === '' ? 'none are configured' : `can run: ${names}`);
  return {
    check,
    state: 'warning',
    finding: problems.join('; '),
    meaning: 'what these show is not there; all else is',
    remedy:
      'fix the config or the code that is named; what a project asks for is allowed with kgraphfs trust',
  };
}

function vectors({ vectorsProblem }: Facts): Check {
  const check = 'sqlite-vec';
  if (vectorsProblem === undefined) return ok(check, 'can be loaded');
  return {
    check,
    state: 'warning',
    finding: vectorsProblem,
    meaning:
      'search by meaning (--embeddings-model) does not work; all else does, search by words and graph among it',
    remedy: 'npm install, on this machine, in the folder of kgraphfs, with its optional dependencies',
  };
}
