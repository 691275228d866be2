import { hash } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { z } from 'zod';
import { recover } from '../core/awaitable.ts';
import { isFsError } from '../core/errors.ts';
import type { VfsPath } from '../core/paths.ts';
import type { Awaitable, Unsubscribe } from '../core/resolver.ts';
import { followLinks } from '../vfs/follow-links.ts';
import type { SystemFs } from '../vfs/system-fs.ts';
import type { ServedProject } from './project.ts';
import { invalidParams, onRequest } from './requests.ts';
import { pathOf } from './resource-uris.ts';
import { type Listable, listed } from './resources.ts';

/** The maximal number for one client. */
const MAX_SUBSCRIPTIONS = 1000;
/** Changes within this time are handled together. */
const QUIET_MS = 30;
const DOCS = /^\/docs\//;
/** Files that are read from the disk as they are. Everything else is made when it is asked for. */
const FILES = /^\/(docs|context\/(memory|review|scratchpad))(\/|$)/;

const uriSchema = z.object({ uri: z.string().max(16_384) });

/** The parts of a project that are needed to follow its changes. */
export type FollowedProject = Pick<ServedProject, 'fault' | 'onChange'> &
  Listable & { readonly box: Pick<ServedProject['box'], 'fs'> };

/** The parts of a project's door that are needed for that. */
export interface FollowedDoor {
  open(): Promise<FollowedProject>;
  use<T>(work: (project: FollowedProject) => Promise<T>): Promise<T>;
}

interface Subscribed {
  readonly path: VfsPath;
  /** The state that the client knows, or will know when it is told that it has subscribed. */
  state: Awaitable<string>;
}

/** The resources of which one client wants to be notified, and the list of all. */
export class Subscriptions {
  readonly #server: Server;
  readonly #door: FollowedDoor;
  readonly #subscribed = new Map<string, Subscribed>();
  #unsubscribe: Unsubscribe | undefined;
  #listing: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEverything = false;
  #looking = Promise.resolve();
  readonly #closed = new AbortController();

  constructor(server: Server, door: FollowedDoor) {
    this.#server = server;
    this.#door = door;
    onRequest(server, 'resources/subscribe', uriSchema, async ({ uri }) => {
      await this.#subscribe(uri);
      return {};
    });
    onRequest(server, 'resources/unsubscribe', uriSchema, async ({ uri }) => {
      this.#subscribed.delete(uri);
      return {};
    });
  }

  /** Begins to follow the project when it is open. */
  async follow(): Promise<void> {
    const project = await this.#door.open();
    if (this.#closed.signal.aborted) return;
    this.#listing = listingOf(project);
    this.#unsubscribe = project.onChange((what) => {
      this.#isEverything ||= what === 'everything';
      this.#timer ??= setTimeout(() => this.#lookSoon(project), QUIET_MS).unref();
    });
  }

  close(): void {
    this.#closed.abort();
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
    this.#subscribed.clear();
  }

  /** The subscription counts from the request on: a change that happens meanwhile is reported, and one that is cancelled meanwhile does not exist. */
  async #subscribe(uri: string): Promise<void> {
    const path = pathOf(uri);
    const known = this.#subscribed.get(uri);
    if (known === undefined && this.#subscribed.size >= MAX_SUBSCRIPTIONS)
      throw invalidParams(`${MAX_SUBSCRIPTIONS} resources are already subscribed`);
    const subscribed = known ?? { path, state: this.#door.use(({ box }) => stateOf(box.fs, path)) };
    this.#subscribed.set(uri, subscribed);
    try {
      await subscribed.state;
    } catch (error) {
      if (this.#subscribed.get(uri) === subscribed) this.#subscribed.delete(uri);
      throw error;
    }
  }

  #lookSoon({ fault }: FollowedProject): void {
    this.#timer = undefined;
    const isEverything = this.#isEverything;
    this.#isEverything = false;
    this.#looking = this.#looking
      .then(() => this.#door.use((open) => this.#look(open, isEverything)))
      .catch((error: unknown) => fault(error));
  }

  async #look(project: FollowedProject, isEverything: boolean): Promise<void> {
    for (const [uri, subscribed] of this.#subscribed) {
      if (!isEverything && !FILES.test(subscribed.path)) continue;
      const state = await stateOf(project.box.fs, subscribed.path);
      // The subscriber is told of an error.
      const before = await recover(
        () => subscribed.state,
        () => state,
      );
      if (this.#closed.signal.aborted) return;
      if (state === before || this.#subscribed.get(uri) !== subscribed) continue;
      subscribed.state = state;
      await this.#server.sendResourceUpdated({ uri });
    }
    if (!isEverything) return;
    const listing = listingOf(project);
    if (listing === this.#listing || this.#closed.signal.aborted) return;
    this.#listing = listing;
    await this.#server.sendResourceListChanged();
  }
}

/** A text that stands for what a resource shows. */
async function stateOf(fs: SystemFs, path: VfsPath): Promise<string> {
  try {
    const target = await followLinks(fs, path, {});
    const { kind, version, modifiedNs, sizeBytes } = await fs.stat(target, {});
    // The version of a document would also say whether the index has it yet.
    if (kind !== 'directory')
      return (DOCS.test(target) ? undefined : version) ?? `${modifiedNs} ${sizeBytes}`;
    return hash('sha1', (await fs.list(target, {})).map(({ name }) => name).join('/'));
  } catch (error) {
    if (isFsError(error)) return error.code;
    throw error;
  }
}

function listingOf(project: Listable): string {
  return hash(
    'sha1',
    listed(project)
      .map(({ path, title }) => `${path}\0${title}`)
      .join('\0'),
  );
}
