import { clearInterval, setInterval } from 'node:timers';
import type { App } from '../../app/app.ts';
import { openToolbox } from '../../app/open-toolbox.ts';
import type { EmbeddingFlags } from '../../config/embeddings-asked.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { loadTokenCounter } from '../../context/tokens.ts';
import { mountPathOf } from '../../core/docs-selection.ts';
import { codeOfFailure, FullDiskError, reasonOf, UserError } from '../../core/errors.ts';
import { Listeners } from '../../core/listeners.ts';
import { parsePath } from '../../core/paths.ts';
import { forgetUnmoving, whyMoved } from '../../disk/unmoving-files.ts';
import type { LiveDocs } from '../../ingest/live-docs.ts';
import type { ListedDocument, Opening, ProjectDoor, ServedProject } from '../../mcp/project.ts';
import { liveDaemons } from '../../state/daemons.ts';
import { isUnwritable, whyKeptFromWriting, whyNoRoom } from '../../store/disk-state.ts';
import { cutText } from '../../text/cut-text.ts';
import { tellOfAwayDocs } from '../away-docs.ts';
import type { CommonArguments } from '../command.ts';
import type { Io } from '../io.ts';
import { orWithoutDocs, staysAsItIs, staysWithoutRoom } from '../only-read.ts';
import { daemonsOf, type HowToRead, howToRead, openProject, type Place } from '../project.ts';
import { type ChangeHeard, type FollowedProject, followProject } from './follow-project.ts';
import { hasEnded } from './has-ended.ts';
import { findPlaceToServe, keeperProgress, keepIndexHere, openOver, startKeeper } from './keep-index.ts';

/** The session of MCP clients that name no other. */
const CLIENT_SESSION = 'mcp';

const PROGRESS_EVERY_MS = 300;
const LOOK_FOR_DAEMON_EVERY_MS = 2000;
/** How much of the arguments the history shows to those who look at what was done. Long texts are stored elsewhere. */
const MAX_ARGUMENTS_LENGTH = 500;

export interface DoorArguments extends CommonArguments, EmbeddingFlags {
  /** Whether to start a daemon if none runs. */
  readonly mayStart: boolean;
  /** Whether what clients write to memory counts at once; undefined to follow the user's own config. */
  readonly allowWrites: boolean | undefined;
}

interface Opened {
  readonly place: Place;
  readonly app: App;
  readonly live: LiveDocs | undefined;
  /** Whether the state folder can only be read, or its disk is full: then nothing keeps the index, and nothing reports changes. */
  readonly isOnlyRead: boolean;
  readonly followed: FollowedProject;
  readonly served: ServedProject;
  /** The number of requests that use it right now. */
  users: number;
  /** Whether another one was opened in its place. Then the last user closes this one. */
  isRetired: boolean;
}

/** Opens the project of a command line for the clients of a server, as soon as the first of them needs it. */
export class CommandDoor implements ProjectDoor {
  readonly #args: DoorArguments;
  readonly #io: Io;
  #opening: Promise<Opened> | undefined;
  #place: Place | undefined;
  #lookedMs = 0;
  readonly #closing = new AbortController();
  /** Why no daemon could be started. After that none is tried again, and this process keeps the index. */
  #noDaemon: UserError | undefined;
  /** The listeners; they follow whichever project is open. */
  readonly #listeners = new Listeners<Parameters<ChangeHeard>>();

  constructor(args: DoorArguments, io: Io) {
    this.#args = args;
    this.#io = io;
  }

  async open(onProgress?: (opening: Opening) => void): Promise<ServedProject> {
    return this.use(async (project) => project, onProgress);
  }

  async use<T>(
    work: (project: ServedProject) => Promise<T>,
    onProgress?: (opening: Opening) => void,
  ): Promise<T> {
    const timer = onProgress && setInterval(() => this.#tellProgress(onProgress), PROGRESS_EVERY_MS);
    let opened: Opened;
    try {
      opened = await this.#held();
    } finally {
      clearInterval(timer);
    }
    try {
      return await work(opened.served);
    } finally {
      opened.users -= 1;
      if (opened.isRetired && opened.users === 0) await closeProject(opened);
    }
  }

  /**
   * The open project, with the caller counted as a user. If it is out of date it is reopened once only: while another program goes on writing, an answer may
   * fall behind.
   */
  async #held(): Promise<Opened> {
    let mayOpenAnew = true;
    if (this.#closing.signal.aborted) throw hasEnded();
    for (;;) {
      this.#opening ??= this.#tryOpening();
      const opened = await this.#opening;
      const isToOpenAnew = mayOpenAnew && (isOutOfDate(opened) || (await this.#isLeftAlone(opened)));
      // The server has been closed meanwhile. What was opened is being closed too, and nobody would close another one.
      if (this.#closing.signal.aborted) throw hasEnded();
      // Another request has reopened it.
      if (opened.isRetired) continue;
      if (isToOpenAnew) {
        mayOpenAnew = false;
        this.#openAnew(opened);
        continue;
      }
      opened.users += 1;
      return opened;
    }
  }

  #openAnew(opened: Opened): void {
    // A file that is gone by now, or is read in another way, is not noted a second time, so its old note would stay.
    forgetUnmoving();
    opened.isRetired = true;
    this.#opening = this.#tryOpening(opened.users === 0 ? closeProject(opened) : undefined);
  }

  /** Closes the project; a daemon goes on. Called once. */
  async close(): Promise<void> {
    this.#closing.abort();
    const opened = await this.#opening?.catch(() => undefined);
    if (opened !== undefined) await closeProject(opened);
    // Whoever asked has been answered.
    forgetUnmoving();
  }

  /** @param closing the closing of the previous project, which is waited for */
  async #tryOpening(closing?: Promise<void>): Promise<Opened> {
    try {
      await closing;
      return await this.#begin();
    } catch (error) {
      // The next request tries again, and finds what was repaired meanwhile.
      this.#opening = undefined;
      throw error;
    }
  }

  async #begin(): Promise<Opened> {
    const [args, io] = [this.#args, this.#io];
    const place = await orWithoutDocs(findPlaceToServe, args, io);
    this.#place = place;
    const [daemon] = await daemonsOf(place, io);
    const isServed = daemon !== undefined;
    const lacksDocs = isServed && tellOfAwayDocs(place, daemon, io);
    const how = await howToRead(place);
    const isClosed = !isServed && (await staysAsItIs(place, how, io));
    const isKept = isServed || isClosed || (await this.#hasStarted(place));
    const live = isKept ? undefined : await this.#keepIfRoom(place, how);
    const isOnlyRead = isClosed || (!isKept && live === undefined);
    const app = await openOver(live, () =>
      openProject(place, args, io, {
        session: { kind: 'command', id: io.environment.session ?? CLIENT_SESSION },
        slowInThread: true,
        mayMissDocs: isOnlyRead || lacksDocs,
      }),
    );
    let followed: FollowedProject | undefined;
    try {
      followed = followProject(app, live);
      followed.onChange((what) => this.#listeners.tell(what));
      const served = await this.#serve(app);
      // Those who followed the previous project have not heard how this one differs.
      this.#listeners.tell('everything');
      app.warmSearch();
      return { place, app, live, isOnlyRead, followed, served, users: 0, isRetired: false };
    } catch (error) {
      // The next request opens another one.
      await closeProject({ followed, live, app });
      throw error;
    }
  }

  async #serve(app: App): Promise<ServedProject> {
    const { settings, store, workspace, errors } = app;
    const counter = await loadTokenCounter(settings.context.tokenizer);
    const { allowWrites } = this.#args;
    const writesCountAtOnce =
      allowWrites ?? loadUserConfig(this.#io.environment.variables).config.allowModelWrites ?? false;
    let documents: { readonly revision: number; readonly all: readonly ListedDocument[] } | undefined;
    return {
      box: openToolbox(app, { countTokens: (text) => counter.count(text), writesCountAtOnce }),
      documents() {
        const revision = store.revision();
        if (documents?.revision !== revision) documents = { revision, all: listedDocuments(app) };
        return documents.all;
      },
      called({ tool, args, durationMs, error, context }) {
        const data = { tool, args: shortened(args), duration_ms: durationMs, ...(error ? { error } : {}) };
        workspace.record({ type: 'tool', data, context });
      },
      fault: (error) =>
        errors.add({ code: codeOfFailure(error), path: '/', message: `mcp: ${reasonOf(error)}` }),
      onChange: (listener) => this.#listeners.add(listener),
    };
  }

  /** Whether the daemon that kept the index was stopped, or died, and no other was started in its place. */
  async #isLeftAlone({ place, live, isOnlyRead }: Opened): Promise<boolean> {
    if (live !== undefined || isOnlyRead) return false;
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs < LOOK_FOR_DAEMON_EVERY_MS) return false;
    this.#lookedMs = nowMs;
    return liveDaemons(place.state).length === 0 && !(await this.#hasStarted(place));
  }

  /** Starts a daemon, if that is wanted and did not fail before. */
  async #hasStarted(place: Place): Promise<boolean> {
    if (!this.#args.mayStart || this.#noDaemon !== undefined) return false;
    try {
      await startKeeper(this.#args, place, this.#io);
      return true;
    } catch (error) {
      if (!(error instanceof UserError) || this.#closing.signal.aborted) throw error;
      this.#noDaemon = error;
      return false;
    }
  }

  /** As {@link #keepHere}. Undefined if the disk has no room for that: then the index answers as it is, and standard error says what it lacks. */
  async #keepIfRoom(place: Place, how: HowToRead): Promise<LiveDocs | undefined> {
    try {
      return await this.#keepHere(place);
    } catch (error) {
      await staysWithoutRoom(error, place, how, this.#io);
      return undefined;
    }
  }

  /** Keeps the index in this process. @throws UserError if that is not possible either: then the daemon's reason */
  async #keepHere(place: Place): Promise<LiveDocs> {
    const { err } = this.#io;
    const refusal = this.#noDaemon;
    try {
      const live = await keepIndexHere(place, this.#io, (error) =>
        err.write(`the docs are no longer read: ${reasonOf(error)}\n`),
      );
      if (refusal !== undefined)
        err.write(`no daemon can be started, so this process keeps the index: ${refusal.message}\n`);
      return live;
    } catch (error) {
      // The next attempt tries a daemon once more.
      this.#noDaemon = undefined;
      throw error instanceof FullDiskError ? error : (refusal ?? error);
    }
  }

  #tellProgress(onProgress: (opening: Opening) => void): void {
    const progress = this.#place && keeperProgress(this.#place);
    if (progress !== undefined) onProgress(progress);
  }
}

/**
 * Whether a project has to be reopened. Either its state folder could only be read, or its disk was full, and by now it can be written to, is served or was
 * moved; or it was served, is no longer, and can only be read here, so that no daemon can be started for it.
 */
function isOutOfDate({ place: { state }, app, live, isOnlyRead }: Opened): boolean {
  // The file of memory and history was opened while the disk was full, and a daemon, or this process, keeps the index all the same.
  const isUnkept = !isOnlyRead && app.workspace.store.isOnlyRead;
  if (isUnkept && !isUnwritable(state.contextFile) && whyNoRoom(state.contextFile) === undefined) return true;
  if (live !== undefined) return false;
  const isKeptFromWriting = whyKeptFromWriting(state.indexFile) !== undefined;
  if (!isOnlyRead) return isKeptFromWriting && liveDaemons(state).length === 0;
  if (whyMoved() !== undefined || liveDaemons(state).length > 0) return true;
  return !isKeptFromWriting && whyNoRoom(state.indexFile) === undefined;
}

async function closeProject({
  followed,
  live,
  app,
}: Pick<Opened, 'live' | 'app'> & { readonly followed: FollowedProject | undefined }): Promise<void> {
  followed?.close();
  await live?.stop();
  app.close();
}

function listedDocuments({ store }: App): ListedDocument[] {
  return store.documents.all().map(({ path, title }) => ({ path: parsePath(mountPathOf(path)), title }));
}

function shortened(args: unknown): unknown {
  const text = JSON.stringify(args);
  return text.length <= MAX_ARGUMENTS_LENGTH ? args : cutText(text, MAX_ARGUMENTS_LENGTH);
}
