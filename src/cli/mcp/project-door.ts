import { clearInterval, setInterval } from 'node:timers';
import type { App } from '../../app/app.ts';
import { openToolbox } from '../../app/open-toolbox.ts';
import type { EmbeddingFlags } from '../../config/embeddings-asked.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { loadTokenCounter } from '../../context/tokens.ts';
import { mountPathOf } from '../../core/docs-selection.ts';
import { reasonOf } from '../../core/errors.ts';
import { parsePath } from '../../core/paths.ts';
import type { LiveDocs } from '../../ingest/live-docs.ts';
import type { ListedDocument, Opening, ProjectDoor, ServedProject } from '../../mcp/project.ts';
import { liveDaemons } from '../../state/daemons.ts';
import type { CommonArguments } from '../command.ts';
import type { Io } from '../io.ts';
import { daemonsOf, findPlace, openProject, type Place } from '../project.ts';
import { type FollowedProject, followProject } from './follow-project.ts';
import { keeperProgress, keepIndexHere, openOver, startKeeper } from './keep-index.ts';

/** The session of clients of this protocol that name no other. */
const CLIENT_SESSION = 'mcp';

const PROGRESS_EVERY_MS = 300;
const LOOK_FOR_DAEMON_EVERY_MS = 2000;
/** Arguments in the history are for those who look what was done; long texts are elsewhere. */
const MAX_TOLD_ARGUMENT = 500;

export interface DoorArguments extends CommonArguments, EmbeddingFlags {
  /** Whether a daemon is started where none runs. */
  readonly mayStart: boolean;
  /** What clients write to memory counts at once; undefined for what the user's own config says. */
  readonly allowWrites: boolean | undefined;
}

interface Opened {
  readonly place: Place;
  readonly app: App;
  readonly live: LiveDocs | undefined;
  readonly followed: FollowedProject;
  readonly served: ServedProject;
}

/** Opens the project of a command line for the clients of a server, when the first of them needs it. */
export class CommandDoor implements ProjectDoor {
  readonly #args: DoorArguments;
  readonly #io: Io;
  #opening: Promise<Opened> | undefined;
  #place: Place | undefined;
  #lookedMs = 0;

  constructor(args: DoorArguments, io: Io) {
    this.#args = args;
    this.#io = io;
  }

  async open(onProgress?: (opening: Opening) => void): Promise<ServedProject> {
    const timer = onProgress && setInterval(() => this.#tellProgress(onProgress), PROGRESS_EVERY_MS);
    try {
      this.#opening ??= this.#tryOpening();
      const { served, place, live } = await this.#opening;
      if (live === undefined) await this.#keepDaemon(place);
      return served;
    } finally {
      clearInterval(timer);
    }
  }

  /** Lets go of the project; a daemon goes on. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    if (opened === undefined) return;
    opened.followed.close();
    await opened.live?.stop();
    opened.app.close();
  }

  async #tryOpening(): Promise<Opened> {
    try {
      return await this.#begin();
    } catch (error) {
      // Whoever asks again finds what was mended meanwhile.
      this.#opening = undefined;
      throw error;
    }
  }

  async #begin(): Promise<Opened> {
    const [args, io] = [this.#args, this.#io];
    const place = await findPlace(args, io, { keepsLast: true });
    this.#place = place;
    const isKept = (await daemonsOf(place, io)).length > 0;
    if (!isKept && args.mayStart) await startKeeper(args, place, io);
    const crashed = (error: unknown) => io.err.write(`the docs are no longer read: ${reasonOf(error)}\n`);
    const live = isKept || args.mayStart ? undefined : await keepIndexHere(place, io, crashed);
    const app = await openOver(live, () =>
      openProject(place, args, io, {
        session: { kind: 'command', id: io.environment.session ?? CLIENT_SESSION },
        slowInThread: true,
      }),
    );
    const followed = followProject(app, live);
    const served = await this.#serve(app, followed);
    app.warmSearch();
    return { place, app, live, followed, served };
  }

  async #serve(app: App, followed: FollowedProject): Promise<ServedProject> {
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
      fault: (error) => errors.add({ code: 'EIO', path: '/', message: `mcp: ${reasonOf(error)}` }),
      onChange: (listener) => followed.onChange(listener),
    };
  }

  /** A daemon may have been stopped, or have died. */
  async #keepDaemon(place: Place): Promise<void> {
    const nowMs = performance.now();
    if (!this.#args.mayStart || nowMs - this.#lookedMs < LOOK_FOR_DAEMON_EVERY_MS) return;
    this.#lookedMs = nowMs;
    if (liveDaemons(place.state).length === 0) await startKeeper(this.#args, place, this.#io);
  }

  #tellProgress(onProgress: (opening: Opening) => void): void {
    const progress = this.#place && keeperProgress(this.#place);
    if (progress !== undefined) onProgress(progress);
  }
}

function listedDocuments({ store }: App): ListedDocument[] {
  return store.documents.all().map(({ path, title }) => ({ path: parsePath(mountPathOf(path)), title }));
}

function shortened(args: unknown): unknown {
  const text = JSON.stringify(args);
  return text.length <= MAX_TOLD_ARGUMENT ? args : `${text.slice(0, MAX_TOLD_ARGUMENT).toWellFormed()}…`;
}
