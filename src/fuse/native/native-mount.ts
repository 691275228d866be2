import { setTimeout as delay } from 'node:timers/promises';
import { after } from '../../core/awaitable.ts';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';
import { MOUNT_TYPE } from '../../core/mount-type.ts';
import { childOf, ROOT, type VfsPath } from '../../core/paths.ts';
import type { Awaitable } from '../../core/resolver.ts';
import { CapturedFailure, capturingErrors } from '../../system/captured-errors.ts';
import { noteServedDisk } from '../../system/found-place.ts';
import { withoutSignals } from '../../system/signals.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { MountEnd, Mounted, MountFigures, MountOptions } from '../driver.ts';
import type { BugReporter } from '../errno.ts';
import { wayOut } from '../helper-refusals.ts';
import { clearAfterEnd, unmountOwn } from '../mount-point.ts';
import { inodesInUse } from '../mount-users.ts';
import { listedNow, mountedPoints, mountOf, type OwnMount } from '../mounted-points.ts';
import { unmountPoint } from '../unmount.ts';
import { serveAttributeChanges } from './attribute-operations.ts';
import type { Binding, Operation } from './binding.ts';
import { deviceSince, fuseDevices, isClosedWithin, isFuseDevice, messagesTo } from './device.ts';
import { type ServedFiles, serveOpens, serveUnseenOpens } from './file-operations.ts';
import { Guard } from './guard.ts';
import { HiddenFiles } from './hidden-files.ts';
import { KernelView, topNameOf } from './kernel-view.ts';
import { serveNameChanges } from './name-operations.ts';
import { Notifier } from './notifier.ts';
import { OpenFiles } from './open-files.ts';
import { type Serve, type Served, serveAttributes, serveTree } from './operations.ts';
import { mountArgument } from './options.ts';

const FIRST_REQUEST_WITHIN_MS = 10_000;
const WATCH_EVERY_MS = 1000;
const CLOSED_WITHIN_MS = 1000;

/**
 * The memory that libfuse's threads work in: one piece for a mount, and one for each thread. Nothing tells when they are done with it, and a thread that writes
 * to freed memory ends the process, so it is kept for as long as the process lives.
 */
const keptForever: Buffer[] = [];

/** A live mount: the memory of the binding, the descriptor of /dev/fuse, and the entry in the kernel's table of mounts. */
interface Connection {
  readonly binding: Binding;
  readonly memory: Buffer;
  readonly descriptor: number;
  /** The mount as it was when it was made. */
  readonly mount: OwnMount;
  readonly notifier: Notifier;
  readonly endServing: () => void;
}

export class NativeMount implements Mounted {
  readonly point: string;
  readonly ended: Promise<MountEnd>;
  readonly #options: MountOptions;
  readonly #vfs: Vfs;
  readonly #guard: Guard;
  readonly #view = new KernelView();
  #files: ServedFiles | undefined;
  /** Carries out the removal that still waits, see hidden-files.ts. */
  #settle: () => Awaitable<void> = () => undefined;
  #threads = 0;
  #connection: Connection | undefined;
  #watch: NodeJS.Timeout | undefined;
  #unmounting: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #resolveEnded: (end: MountEnd) => void = () => {};

  /** @param point a path that can be mounted at, without symbolic links on the way */
  constructor(vfs: Vfs, point: string, options: MountOptions, report: BugReporter) {
    this.point = point;
    this.#vfs = vfs;
    this.#options = options;
    this.#guard = new Guard(options.deadlineMs, report);
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** @throws UserError if the system refuses */
  async start(binding: Binding): Promise<void> {
    const memory = Buffer.alloc(binding.mountBytes);
    keptForever.push(memory);
    const before = fuseDevices();
    const asked = this.#mount(binding, memory);
    const device = deviceSince(before);
    const made = await this.#made(device).catch(async (error: unknown) => {
      await this.#takeAway(device).catch((failure: unknown) => this.#guard.report(failure, 'mounting'));
      binding.forget(this.point, memory);
      throw error;
    });
    if (made?.mount.type !== MOUNT_TYPE)
      throw new UserError(`the mount at ${this.point} was gone at once`, EXIT.cannotMount);
    this.#connection = {
      binding,
      memory,
      ...made,
      notifier: this.#notifier(made.descriptor),
      endServing: noteServedDisk(made.mount.device),
    };
    this.#watch = setInterval(() => void this.#look(), WATCH_EVERY_MS).unref();
    if (!(await isSettledWithin(asked, FIRST_REQUEST_WITHIN_MS))) {
      await this.unmount();
      throw new UserError(`the kernel sent no request to the mount at ${this.point}`, EXIT.cannotMount);
    }
  }

  /** What was just mounted. @param descriptor the descriptor that was opened for it. @returns undefined if it is gone */
  async #made(descriptor: number | undefined): Promise<Pick<Connection, 'descriptor' | 'mount'> | undefined> {
    const mount = descriptor === undefined ? undefined : await mountOf(descriptor, this.point);
    return descriptor === undefined || mount === undefined ? undefined : { descriptor, mount };
  }

  /** Unmounts what was mounted and cannot be followed. @param device as in {@link #made} */
  async #takeAway(device: number | undefined): Promise<void> {
    await unmountPoint(this.point, { whenBusy: 'detach' });
    if (device !== undefined) await isClosedWithin(device, CLOSED_WITHIN_MS);
  }

  /** @returns a promise that resolves with the kernel's first request */
  #mount(binding: Binding, memory: Buffer): Promise<void> {
    const handlers = new Map<Operation, unknown>();
    const serve: Serve = (operation, service) => {
      handlers.set(operation, this.#guard.handler(operation, binding.signals[operation], service));
    };
    const allocate = (sizeBytes: number): Buffer => {
      const thread = Buffer.alloc(sizeBytes);
      keptForever.push(thread);
      this.#threads += 1;
      return thread;
    };
    const asked = new Promise<void>((resolve) => {
      serve<'init', void>('init', { run: () => resolve(), encode: () => [0], blank: () => [] });
    });
    this.#serve(serve);
    try {
      // libfuse ends its threads in the middle of what they do. A thread that had just received the end of a child for us was ended while it held libuv's lock
      // for signals. Then no end of a child was seen any more, and unmounting waited for its fusermount3 for good.
      withoutSignals(() =>
        capturingErrors(() =>
          binding.mount(this.point, mountArgument(this.#options), memory, allocate, handlers),
        ),
      );
    } catch (error) {
      throw refused(this.point, error);
    }
    return asked;
  }

  #serve(serve: Serve): void {
    const files = new OpenFiles();
    const hidden = new HiddenFiles(this.#vfs, files, (error) => this.#guard.report(error, 'unlink'));
    this.#settle = () => hidden.settle();
    const served: Served = {
      vfs: this.#vfs,
      view: this.#view,
      files,
      hidden,
      readOnly: this.#options.readOnly,
      lookedUp: (path) => {
        this.#view.lookUp(path);
        this.#connection?.notifier.lookedUp(path.slice(1));
      },
      invalidateNow: (path) => this.#connection?.notifier.invalidateNow(topNameOf(path)),
      report: (error, activity) => this.#guard.report(error, activity),
    };
    /** Serves requests that look at names: a removal that still waits is carried out first, or the rename that it was part of. */
    const serveNames: Serve = (operation, service) => {
      serve(operation, {
        ...service,
        run: (context, ...request) =>
          hidden.isWaiting
            ? after(hidden.before(String(request[0])), () => service.run(context, ...request))
            : service.run(context, ...request),
      });
    };
    serveTree(serveNames, served);
    serveAttributes(serveNames, served);
    serveNameChanges(serve, serveNames, served);
    serveAttributeChanges(serveNames, served);
    this.#files = this.#options.seeOpens
      ? serveOpens(serve, serveNames, served)
      : serveUnseenOpens(serve, served);
  }

  #notifier(descriptor: number): Notifier {
    const files = this.#files;
    return new Notifier({
      ...messagesTo(descriptor),
      lastLookUpMs: (name) => this.#view.lastLookUpMs(name),
      nowMs: () => performance.now(),
      dropOfNodes: this.#options.seeOpens ? 'attributes' : 'attributes and pages',
      isAnswering: () => this.#guard.figures().pending > 0,
      settled: () => this.#guard.settled(),
      readsSettled: () => this.#guard.readsSettled(),
      nodesInUse: async (names) => {
        if (!files?.mayBeInUse(names.map((name) => childOf(ROOT, name)))) return [];
        const mount = this.#connection?.mount;
        const now = mount && listedNow(await mountedPoints(), mount);
        return inodesInUse(names.map((name) => `${now?.point ?? this.point}/${name}`));
      },
      report: (error) => this.#guard.report(error, 'invalidate'),
    });
  }

  invalidate(paths: readonly VfsPath[]): Promise<void> {
    if (!this.#connection || paths.length === 0) return Promise.resolve();
    this.#view.change(paths);
    this.#files?.change(paths);
    // If opens are not seen, the kernel may know more than what it was seen to look up.
    const known = this.#options.seeOpens ? paths.filter((path) => this.#view.mayKnow(path)) : paths;
    if (known.length === 0) return Promise.resolve();
    const told = this.#connection.notifier.invalidate(this.#view.topNamesOf(known));
    this.#view.dropped(known);
    return told;
  }

  figures(): MountFigures {
    return { ...this.#guard.figures(), threads: this.#threads };
  }

  async unmount(options: { readonly whenBusy: 'detach' | 'refuse' } = { whenBusy: 'detach' }): Promise<void> {
    this.#unmounting ??= this.#unmount(options.whenBusy).finally(() => {
      this.#unmounting = undefined;
    });
    await this.#unmounting;
  }

  async #unmount(whenBusy: 'detach' | 'refuse'): Promise<void> {
    await this.#looking; // If two calls removed the mount at the same time, the mount below it would go, too.
    const connection = this.#connection;
    if (!connection) return;
    const mounts = await mountedPoints();
    if (!isFuseDevice(connection.descriptor)) await clearAfterEnd(connection.mount);
    else await unmountOwn(mounts, connection.mount, { whenBusy });
    await isClosedWithin(connection.descriptor, CLOSED_WITHIN_MS);
    await this.#settle();
    this.#end('unmounted');
  }

  /** Checks whether the mount is still there: nobody tells a daemon that somebody else has unmounted it. An aborted connection leaves a dead mount behind. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const connection = this.#connection;
    if (!connection || this.#unmounting !== undefined) return;
    try {
      const isListed = listedNow(await mountedPoints(), connection.mount) !== undefined;
      if (isFuseDevice(connection.descriptor) && isListed) return;
      if (!isFuseDevice(connection.descriptor)) await clearAfterEnd(connection.mount);
      await this.#settle();
    } catch (error) {
      this.#guard.report(error, 'watching the mount');
      return;
    }
    this.#end('unmounted by another');
  }

  #end(end: MountEnd): void {
    const connection = this.#connection;
    if (!connection) return;
    this.#connection = undefined;
    clearInterval(this.#watch);
    connection.endServing();
    connection.notifier.close();
    connection.binding.forget(this.point, connection.memory);
    this.#resolveEnded(end);
  }
}

/** The error for a mount that failed. libfuse writes its reason to standard error alone. */
function refused(point: string, error: unknown): UserError {
  const errors = error instanceof CapturedFailure ? error.errors : '';
  const cause = error instanceof CapturedFailure ? error.cause : error;
  const help = wayOut(errors);
  const reason = `${errors === '' ? reasonOf(cause) : errors}${help === undefined ? '' : `; ${help}`}`;
  return new UserError(`cannot mount at ${point}: ${reason}`, EXIT.cannotMount, { cause });
}

async function isSettledWithin(promise: Promise<void>, limitMs: number): Promise<boolean> {
  const waiting = new AbortController();
  const late = delay(limitMs, false, { signal: waiting.signal }).catch(() => false);
  const isSettled = await Promise.race([promise.then(() => true), late]);
  waiting.abort();
  return isSettled;
}
