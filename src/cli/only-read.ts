import { existsSync } from 'node:fs';
import { FullDiskError, reasonOf, UserError } from '../core/errors.ts';
import { whatIsFull } from '../disk/disk-remedy.ts';
import { refuseOthersFolder } from '../disk/own-folder.ts';
import type { WhyUnusable } from '../disk/unreadable-file.ts';
import type { ReadingOptions } from '../ingest/index-key.ts';
import { whyFull, whyKeptFromWriting } from '../store/disk-state.ts';
import { counted } from '../text/counted.ts';
import { printable } from '../text/printable.ts';
import type { CommonArguments } from './command.ts';
import type { Io } from './io.ts';
import type { Place } from './project.ts';

/**
 * Whether the index of a place has to stay as it is, since its state folder can only be read. Standard error then says what the index lacks.
 * @throws UserError if there is no index, and if it cannot be read
 */
export async function staysAsItIs(place: Place, how: ReadingOptions, io: Io): Promise<boolean> {
  const { path, indexFile } = place.state;
  const why = whyKeptFromWriting(indexFile);
  if (why === undefined) return false;
  refuseOthersFolder(path);
  if (!existsSync(indexFile))
    throw new UserError(
      `${path}: there is no index in this state folder, which can only be read (${why.reason}); ${why.remedy}`,
    );
  await tellWhatIsLacking(place, how, why, io);
  return true;
}

/**
 * Called if there was no room to bring the index up to date. The index answers as it is, and standard error says what it lacks.
 * @throws the error, if it is about something else or there is no index
 */
export async function staysWithoutRoom(
  error: unknown,
  place: Place,
  how: ReadingOptions,
  io: Io,
): Promise<void> {
  if (!(error instanceof FullDiskError)) throw error;
  try {
    await tellWhatIsLacking(place, how, whatIsFull(error.noRoom, place.state.path), io);
  } catch (unread) {
    // To build it, which is the way out for one that is unmade or older, takes room, too.
    throw unread instanceof UserError ? error : unread;
  }
}

async function tellWhatIsLacking(place: Place, how: ReadingOptions, why: WhyUnusable, io: Io): Promise<void> {
  const lack = await whatIsLacking(place, how);
  if (lack !== undefined)
    io.err.write(`${onlyRead(place, why, io)}: ${lack}; answered from the index as it is\n`);
}

async function whatIsLacking(place: Place, how: ReadingOptions): Promise<string | undefined> {
  const [{ docsBehind }, { openStore }, { openSearchReader }, { awayDocs }] = await Promise.all([
    import('../ingest/docs-behind.ts'),
    import('../store/store.ts'),
    import('../store/search-reader.ts'),
    import('./away-docs.ts'),
  ]);
  const away = awayDocs(place);
  if (away.length > 0) return `the docs are not there (${away.map(printable).join(', ')})`;
  const { state } = place;
  const store = openStore(state.indexFile, { readOnly: true });
  try {
    const search = openSearchReader(state.searchFile);
    try {
      const { added, changed, removed } = docsBehind({ ...how, store, search, paths: [''], walk: undefined });
      if (added + changed + removed === 0) return undefined;
      return `the index is behind the docs (${counted(added, 'file')} added, ${changed} changed, ${removed} removed)`;
    } finally {
      search.close();
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `whether the index is behind the docs cannot be told (${reasonOf(error)})`;
  } finally {
    store.close();
  }
}

/** Says if nothing is entered in the history, since the state folder can only be read or its disk is full. */
export function tellOfLostHistory(place: Place, io: Io): void {
  const { contextFile } = place.state;
  const why = whyKeptFromWriting(contextFile) ?? whyFull(contextFile);
  if (why !== undefined)
    io.err.write(`${onlyRead(place, why, io)}: what was asked is not entered in the history\n`);
}

/** Says if hooks record no commits, since the state folder can only be read. @returns whether that is so */
export function tellOfUnrecordedCommits(place: Place, io: Io): boolean {
  const why = whyKeptFromWriting(place.state.commitsFile);
  if (why === undefined) return false;
  io.err.write(
    `${onlyRead(place, why, io)}: the hooks look at what is committed, and record nothing until it can be written to; ${why.remedy}\n`,
  );
  return true;
}

function onlyRead({ state }: Place, { reason }: WhyUnusable, { err }: Io): string {
  return `${err.style('yellow', 'the state folder can only be read')} (${reason}: ${printable(state.path)})`;
}

/**
 * Finds a place with the given function. The docs may be missing if there is an index of them that can only be read.
 * @throws UserError as that function
 */
export async function orWithoutDocs<A extends CommonArguments>(
  find: (args: A & { readonly mayMissDocs?: boolean }, io: Io) => Promise<Place>,
  args: A,
  io: Io,
): Promise<Place> {
  try {
    return await find(args, io);
  } catch (error) {
    // If the second attempt fails as well, the first error says why.
    const place = await find({ ...args, mayMissDocs: true }, io).catch(() => undefined);
    const indexFile = place?.state.indexFile;
    if (place === undefined || indexFile === undefined || !existsSync(indexFile)) throw error;
    if (whyKeptFromWriting(indexFile) === undefined) throw error;
    return place;
  }
}
