import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ConfigChange,
  enterServer,
  type ServerEntry,
  takeOutServer,
} from '../../client-config/change.ts';
import { clientFile } from '../../client-config/client-files.ts';
import { readClientConfig, removeClientConfig, writeClientConfig } from '../../client-config/files.ts';
import { CLIENT_NAMES } from '../../config/client-names.ts';
import { isFolder, whyNoFolder } from '../../config/docs-roots.ts';
import { homeFolder } from '../../config/home-folder.ts';
import { InstallNotes } from '../../config/install-notes.ts';
import { wayOf } from '../../core/docs-selection.ts';
import { EXIT, UserError } from '../../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../../core/file-modes.ts';
import { programFile } from '../../core/program-file.ts';
import { either } from '../../text/either.ts';
import type { CommonArguments } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { findPlace } from '../project.ts';
import type { ClientArguments } from './client-options.ts';

/** Others may read a project's file. The user's own file may hold keys of other servers. */
const PROJECT_MODE = 0o644;

/** Adds the server to a client's config. @throws UserError if the project or the client's file cannot be used; then nothing is changed */
export async function install(
  args: ClientArguments & { readonly command: string | undefined; readonly force: boolean | undefined },
  io: Io,
): Promise<number> {
  const target = targetOf(args, io);
  const noted = target.notes.of(target.client.file);
  const entry = await entryOf(args, target.project, io);
  const change = enterServer(target.client, readClientConfig(target.client.file), entry, {
    noted,
    force: args.force ?? false,
  });
  if (!args.dryRun && change.kind !== 'none') enter(change, target);
  report(change, args, io);
  return 0;
}

/** Removes the server from a client's config. @throws UserError if the client's file cannot be used; then nothing is changed */
export function uninstall(args: ClientArguments & { readonly force: boolean | undefined }, io: Io): number {
  const { client, notes } = targetOf(args, io);
  const noted = notes.of(client.file);
  const change = takeOutServer(client, readClientConfig(client.file), {
    noted,
    force: args.force ?? false,
  });
  if (!args.dryRun) {
    if (change.kind === 'none') notes.forget(client.file);
    else takeOut(change, noted?.madeFolder, notes);
  }
  report(change, args, io);
  return 0;
}

interface Target {
  readonly project: string;
  readonly client: ReturnType<typeof clientFile>;
  readonly notes: InstallNotes;
}

function targetOf({ client, user = false, project = '.' }: ClientArguments, io: Io): Target {
  if (client === undefined)
    throw new UserError(`--client is needed: ${either(CLIENT_NAMES)}`, EXIT.wrongUsage);
  const folder = resolve(io.workingFolder(), project);
  if (!isFolder(folder)) throw new UserError(`${folder}: ${whyNoFolder(folder)} (--project)`);
  const { variables } = io.environment;
  const places = { project: folder, home: homeFolder(), variables, platform: process.platform };
  return { project: folder, client: clientFile(client, user, places), notes: new InstallNotes(variables) };
}

/** The entry with absolute paths: a client starts the server in a folder, and with a PATH, of its own choice. */
async function entryOf(
  args: CommonArguments & { readonly command: string | undefined },
  project: string,
  io: Io,
): Promise<ServerEntry> {
  const from = (path: string) => resolve(io.workingFolder(), path);
  const { settings } = await findPlace(
    args,
    args.docs.length > 0 ? io : { ...io, workingFolder: () => project },
  );
  const { configFile } = settings;
  const docs =
    args.docs.length > 0
      ? args.docs.map(from)
      : configFile === undefined
        ? settings.selection.folders.map(wayOf)
        : [];
  const options = [
    ...(configFile === undefined ? [] : ['--config', configFile]),
    ...docs.flatMap((folder) => ['--docs', folder]),
    ...(args.state === undefined && configFile !== undefined ? [] : ['--state', settings.state]),
  ];
  const [command, ...first] =
    args.command === undefined
      ? [process.execPath, fileURLToPath(programFile('cli/main.js'))]
      : [args.command];
  return { command, args: [...first, 'mcp', ...options] };
}

/** Changes the client's file. The note of the change is written first: a note of something that was not done does no harm. */
function enter({ file, after, note }: ConfigChange, { notes, client }: Target): void {
  if (after === undefined || note === undefined) throw new Error(`${file}: nothing is to be entered`);
  notes.put(note);
  const madeFolder = writeClientConfig(file, after, client.isOfUser ? PRIVATE_FILE_MODE : PROJECT_MODE);
  if (madeFolder !== undefined) notes.put({ ...note, madeFolder });
}

function takeOut({ file, after }: ConfigChange, madeFolder: string | undefined, notes: InstallNotes): void {
  if (after === undefined) removeClientConfig(file, madeFolder);
  else writeClientConfig(file, after, PROJECT_MODE);
  notes.forget(file);
}

const DONE: Readonly<Record<ConfigChange['kind'], string>> = {
  add: 'added to',
  update: 'updated in',
  remove: 'removed from',
  none: 'nothing to do in',
};

function report({ file, kind, diff }: ConfigChange, { json, dryRun = false }: ClientArguments, io: Io): void {
  if (json) {
    writeJson(io.out, { file, action: kind, dry_run: dryRun, diff });
    return;
  }
  io.out.write(diff);
  io.err.write(`${dryRun && kind !== 'none' ? 'would be ' : ''}${DONE[kind]} ${file}\n`);
}
