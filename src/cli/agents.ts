import { relative, resolve } from 'node:path';
import { homeFolder } from '../config/home-folder.ts';
import type { BlockText, Change, ChosenFiles } from '../instructions/change.ts';
import { printable } from '../text/printable.ts';
import type { AnyArguments, CommonArguments, OptionSpecs } from './command.ts';
import { type Io, writeJson } from './io.ts';
import { findPlace } from './project.ts';

export const PROJECT_OPTIONS = {
  project: { type: 'text', value: 'DIR', summary: 'the project (default: the current folder)' },
  file: {
    type: 'texts',
    value: 'FILE',
    summary: 'this file instead, from the current folder; may be repeated',
  },
} as const satisfies OptionSpecs;

export const MOUNT_OPTION = {
  mount: {
    type: 'text',
    value: 'DIR',
    summary: 'where the mount is or will be (default: where it is now, or ~/ctx)',
  },
} as const satisfies OptionSpecs;

export const CHANGE_OPTIONS = {
  force: { type: 'boolean', summary: 'even if somebody edited the block' },
  dryRun: { type: 'boolean', summary: 'show the diff and change nothing' },
} as const satisfies OptionSpecs;

type ProjectArguments = CommonArguments & {
  readonly project: string | undefined;
  readonly file: readonly string[];
};

/** The agent files that the arguments mean. @throws UserError if the project is no folder */
export async function meantFiles(args: ProjectArguments, io: Io): Promise<ChosenFiles> {
  const { projectFolder } = await import('../instructions/change.ts');
  const folder = io.workingFolder();
  return {
    project: projectFolder(args.project ?? '.', folder),
    named: args.file.map((file) => resolve(folder, file)),
  };
}

/**
 * The text of the block. It names the mount that is there, or that --mount names, or else ~/ctx.
 * @throws UserError if the config file of the project is wrong
 */
export async function blockText(
  args: ProjectArguments & { readonly mount: string | undefined },
  { project }: ChosenFiles,
  io: Io,
): Promise<BlockText> {
  const { mountGuide } = await import('../instructions/mount-guide.ts');
  const from = (path: string) => resolve(io.workingFolder(), path);
  const given = {
    docs: args.docs.map(from),
    state: optional(args.state, from),
    config: optional(args.config, from),
  };
  const known =
    args.mount === undefined
      ? await mountOf({ ...given, json: args.json }, project, io)
      : from(args.mount.replace(/^~(?=\/|$)/, homeFolder()));
  const options = [
    ...given.docs.map((path) => ['docs', path] as const),
    ...(given.state === undefined ? [] : [['state', given.state] as const]),
    ...(given.config === undefined ? [] : [['config', given.config] as const]),
  ];
  const mountpoint = known ?? resolve(homeFolder(), 'ctx');
  const text = mountGuide({ mountpoint, project, home: homeFolder(), options });
  return { text, isGuess: known === undefined };
}

function optional(path: string | undefined, from: (path: string) => string): string | undefined {
  return path === undefined ? undefined : from(path);
}

async function mountOf(args: CommonArguments, project: string, io: Io): Promise<string | undefined> {
  const [{ liveDaemons }, { isElsewhere }] = await Promise.all([
    import('../state/daemons.ts'),
    import('../state/processes.ts'),
  ]);
  const { state } = await findPlace({ ...args, mayMissDocs: true }, { ...io, workingFolder: () => project });
  const points = liveDaemons(state).flatMap((daemon) =>
    isElsewhere(daemon) ? [] : (daemon.mountpoint ?? []),
  );
  const [first, ...others] = points.sort();
  if (others.length > 0)
    io.err.write(
      `mounted at ${points.join(', ')}; agents are told of the first, and --mount names another\n`,
    );
  return first;
}

const DONE: Readonly<Record<Change['kind'], string>> = {
  add: 'added to',
  update: 'updated',
  remove: 'removed from',
  none: 'nothing to do in',
  left: 'left as it is:',
};
const WOULD: Readonly<Record<Change['kind'], string>> = {
  ...DONE,
  add: 'would add to',
  update: 'would update',
  remove: 'would remove from',
};

/**
 * Makes the planned changes, or only shows them.
 * @returns the exit status: 1 if a file is left as it is
 * @throws UserError if a file cannot be written; then none is
 */
export async function finish(changes: readonly Change[], args: AnyArguments, io: Io): Promise<number> {
  const { carryOut } = await import('../instructions/change.ts');
  const isDry = args['dryRun'] === true;
  if (!isDry) carryOut(changes);
  if (args['json'] === true) writeJson(io.out, changes.map(view));
  else for (const change of changes) writeChange(change, isDry, io);
  return changes.some(({ kind }) => kind === 'left') ? 1 : 0;
}

function writeChange(change: Change, isDry: boolean, io: Io): void {
  const { kind, reason, diff } = change;
  const names = namesOf(change, io);
  if (kind === 'left') io.err.write(`${DONE.left} ${names}: ${reason}\n`);
  else if (isDry && diff !== '') io.out.write(diff);
  else io.out.write(`${(isDry ? WOULD : DONE)[kind]} ${names}\n`);
}

/** All names of a file, as one would type them in the current folder. */
export function namesOf({ file, also }: Pick<Change, 'file' | 'also'>, io: Io): string {
  const folder = io.workingFolder();
  const shown = [file, ...also].map((path) => {
    const short = relative(folder, path);
    return printable(short.startsWith('../') ? path : short);
  });
  return shown.join(', ');
}

function view({ file, also, kind, reason, diff }: Change) {
  return { file, also, action: kind, ...(reason === undefined ? {} : { reason }), diff };
}
