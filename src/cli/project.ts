import type { App, AppOptions } from '../app/app.ts';
import type { BrokenMap } from '../app/schema-settings.ts';
import { asksForEmbeddings, type EmbeddingFlags } from '../config/embeddings-asked.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Flags, Settings } from '../config/settings.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { DaemonRecord } from '../state/daemons.ts';
import type { FolderLook, StateFolder } from '../state/state-folder.ts';
import type { Store } from '../store/store.ts';
import { callerContext } from './caller.ts';
import type { CommonArguments } from './command.ts';
import { embeddingsOf } from './embeddings.ts';
import type { Io } from './io.ts';
import { refuseStrangers } from './refuse-strangers.ts';
import type { UpdateResult } from './update-index.ts';

/** The project that a command is about, and the folder with its state. */
export interface Place {
  readonly settings: Settings;
  readonly state: StateFolder;
}

/**
 * @param brokenMap what to do if the schema map is wrong; if another one is used instead, standard error says so
 * @throws UserError if a config file, the docs root, state folder or schema map cannot be used, or a docs root does not answer
 */
export async function findPlace(
  args: CommonArguments & Pick<Flags, 'mayMissDocs'> & FolderLook,
  io: Io,
  brokenMap: BrokenMap = {},
): Promise<Place> {
  const [
    { hasConfigFile },
    { settleAnswering },
    { stateFolderAt },
    { refuseForeignFolder },
    { refuseInMount },
  ] = await Promise.all([
    import('../config/config-file.ts'),
    import('../app/settle-answering.ts'),
    import('../state/state-folder.ts'),
    import('../state/whose-folder.ts'),
    import('./refuse-in-mount.ts'),
  ]);
  const folder = io.workingFolder();
  const { refuseWrongOwnConfig, withModuleTexts } = await import('./module-texts.ts');
  await refuseWrongOwnConfig(io.environment.variables);
  const loaded: LoadedConfig = hasConfigFile(folder, args.config)
    ? (await import('../config/load.ts')).loadConfig(folder, args.config)
    : { file: undefined, config: {} };
  const read = await settleAnswering(args, folder, loaded);
  const state = stateFolderAt(read.state);
  await refuseInMount(state.path);
  refuseForeignFolder(state, args);
  const settled = await withModuleTexts(read, io.environment.variables);
  if (settled.schemaMap === undefined) return { settings: settled, state };
  const { withSchema } = await import('../app/schema-settings.ts');
  const onBroken = (reason: string) =>
    io.err.write(`${reason}\nthe schema map is wrong: the one before stays in use\n`);
  const settings = withSchema(settled, { onBroken, ...brokenMap });
  return { settings, state };
}

interface ServedPlaceOptions {
  readonly brokenMap?: BrokenMap;
  /** Whether docs may only be missing while a daemon runs. */
  readonly needsDaemon?: boolean;
}

/**
 * As `findPlace`, but while a daemon runs, or a dead mount is left, docs roots may be missing: the daemon goes on with the others.
 * @throws UserError as `findPlace`
 */
export async function findServedPlace(
  args: CommonArguments,
  io: Io,
  { brokenMap, needsDaemon = false }: ServedPlaceOptions = {},
): Promise<Place> {
  try {
    return await findPlace(args, io, brokenMap);
  } catch (error) {
    const { leftMountpoints, liveDaemons } = await import('../state/daemons.ts');
    const place = await findPlace({ ...args, mayMissDocs: true }, io, brokenMap);
    if (liveDaemons(place.state).length > 0) return place;
    if (!needsDaemon && leftMountpoints(place.state).length > 0) return place;
    throw error;
  }
}

/**
 * Opens the project for reading and closes it afterwards. If a daemon runs, it keeps the index up to date, and docs may be missing; otherwise the
 * index is brought up to date first. Search also works by meaning, if that is configured.
 * @throws UserError as `findServedPlace`, and if the index cannot be used
 */
export async function withProject<T>(
  args: CommonArguments & EmbeddingFlags,
  io: Io,
  use: (app: App) => Promise<T>,
): Promise<T> {
  const { orWithoutDocs } = await import('./only-read.ts');
  return inProject(await orWithoutDocs(findServedPlace, args, io), args, io, use);
}

/** As {@link withProject}, for a place that is already known. */
export async function inProject<T>(
  place: Place,
  args: EmbeddingFlags,
  io: Io,
  use: (app: App) => Promise<T>,
): Promise<T> {
  const mayMissDocs = !(await keepUpToDate(place, io));
  const app = await openProject(place, args, io, { mayMissDocs });
  const { showingTakingIn } = await import('./search/taking-in.ts');
  try {
    return await showingTakingIn(io.err, app, () => use(app));
  } finally {
    const lack = app.vectors?.lack();
    if (lack !== undefined) io.err.write(`searched without embeddings: ${lack}\n`);
    const isLeftOut = app.workspace.leftOut();
    app.close();
    if (isLeftOut) (await import('./only-read.ts')).tellOfLostHistory(place, io);
  }
}

/**
 * Opens a project as it is, with its configuration. The caller has brought it up to date before, and has to close it.
 * @param how options for a session other than the command's, or for work in threads
 * @throws UserError if the index cannot be used
 */
export async function openProject(
  { settings }: Place,
  args: EmbeddingFlags,
  io: Io,
  how: Pick<AppOptions, 'session' | 'slowInThread' | 'mayMissDocs'> = {},
): Promise<App> {
  const [{ openApp }, { modulesOpener }] = await Promise.all([
    import('../app/app.ts'),
    import('./module-texts.ts'),
  ]);
  const { caller } = callerContext(io);
  const { variables } = io.environment;
  return openApp({
    settings,
    session: { kind: 'command', id: caller?.session },
    actor: caller?.name,
    embeddings: asksForEmbeddings(settings, args, variables)
      ? () => embeddingsOf(settings, args, io)
      : undefined,
    openModules: await modulesOpener(settings, variables),
    ...how,
  });
}

/** The graph of the docs, without memory and history. */
export interface OpenGraph {
  readonly place: Place;
  readonly store: Store;
  readonly graph: GraphQueries;
}

/**
 * Opens the graph of the docs alone, in a fraction of the time that `withProject` takes.
 * @throws UserError as `withProject`
 */
export async function withGraph<T>(
  args: CommonArguments,
  io: Io,
  use: (opened: OpenGraph) => Promise<T>,
): Promise<T> {
  const opening = Promise.all([import('../store/store.ts'), import('../graph/queries.ts')]);
  const { orWithoutDocs } = await import('./only-read.ts');
  const place = await orWithoutDocs(findServedPlace, args, io);
  await keepUpToDate(place, io);
  const [{ openStore }, { graphQueries }] = await opening;
  const store = openStore(place.state.indexFile, { readOnly: true });
  try {
    return await use({ place, store, graph: graphQueries(store) });
  } finally {
    store.close();
  }
}

/** The daemons that keep this index up to date. @throws UserError if they do so for other docs */
export async function daemonsOf(place: Place, io: Io): Promise<DaemonRecord[]> {
  const { liveDaemons } = await import('../state/daemons.ts');
  const daemons = liveDaemons(place.state);
  await refuseStrangers(place, daemons);
  const { tellOfOldChoice } = await import('./old-choice.ts');
  await tellOfOldChoice(place, daemons, io);
  return daemons;
}

/**
 * Brings the index up to date, whether a daemon does so too or not.
 * @throws UserError if docs, state folder or index cannot be used
 */
export async function bringUpToDate(place: Place, io: Io): Promise<UpdateResult> {
  await daemonsOf(place, io);
  const { keepModuleTexts } = await import('./module-texts.ts');
  await keepModuleTexts(place.settings, io, 'all');
  return (await import('./update-index.ts')).updateIndexOf(place, await howToRead(place), io);
}

/**
 * Brings the index up to date unless it is already, or a daemon does so.
 * @returns false if it stays behind, since the state folder can only be read, its disk is full, or the docs are away: standard error says so
 * @throws UserError as {@link bringUpToDate}
 */
export async function keepUpToDate(place: Place, io: Io): Promise<boolean> {
  const [daemon] = await daemonsOf(place, io);
  if (daemon !== undefined) return !(await import('./away-docs.ts')).tellOfAwayDocs(place, daemon, io);
  const [{ isUpToDate }, { keepModuleTexts }] = await Promise.all([
    import('./up-to-date.ts'),
    import('./module-texts.ts'),
  ]);
  await keepModuleTexts(place.settings, io, 'due');
  const how = await howToRead(place);
  if (await isUpToDate(place.state, how)) return true;
  const { staysAsItIs, staysWithoutRoom } = await import('./only-read.ts');
  if (await staysAsItIs(place, how, io)) return false;
  const { updateIndexOf } = await import('./update-index.ts');
  try {
    await updateIndexOf(place, how, io);
    return true;
  } catch (error) {
    await staysWithoutRoom(error, place, how, io);
    return false;
  }
}

/** Which docs of a project are read, and how. */
export async function howToRead({ settings, state }: Place) {
  const { systemClock } = await import('../core/clock.ts');
  return {
    docs: settings.selection,
    excluded: [settings.state],
    maxBytes: settings.maxDocumentBytes,
    extractionsFile: state.extractionsFile,
    clock: systemClock,
    rulesFile: settings.learning.rules ? state.learningFile : undefined,
  };
}

export type HowToRead = Awaited<ReturnType<typeof howToRead>>;
