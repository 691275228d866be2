import { closeSync, openSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import { folderInfo } from '../../core/node-info.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { MountEnd, Mounted, MountFigures, MountOptions } from '../driver.ts';
import type { BugReporter } from '../errno.ts';
import { mountAt, mountedPoints } from '../mounted-points.ts';
import { RecentFiles } from '../recent-files.ts';
import { unmountPoint } from '../unmount.ts';
import { BackingFiles } from './backing-files.ts';
import { Callers } from './callers.ts';
import { Handles } from './handles.ts';
import { KernelNotices } from './kernel-notices.ts';
import { NodeTable } from './node-table.ts';
import { readFarAhead } from './read-ahead.ts';
import { SentBack } from './sent-back.ts';
import { serveAttributes } from './serve-attributes.ts';
import { serveChanges } from './serve-changes.ts';
import { serveFiles } from './serve-files.ts';
import { serveFolders } from './serve-folders.ts';
import { serveInit } from './serve-init.ts';
import { serveNames } from './serve-names.ts';
import { serveOpens } from './serve-opens.ts';
import { serveUnseenOpens } from './serve-unseen-opens.ts';
import type { Served } from './served.ts';
import { Session } from './session.ts';
import { SlowLocks } from './slow-locks.ts';
import { TreeChanges } from './tree-changes.ts';

const FIRST_REQUEST_WITHIN_MS = 10_000;
/** Where others mount and unmount all the time, one look is for all that did so. */
const LOOK_AFTER_MS = 1000;
/** Where a look failed. */
const LOOK_EVERY_MS = 60_000;

export class LinuxMount implements Mounted {
  readonly point: string;
  readonly ended: Promise<MountEnd>;
  readonly #descriptor: number;
  /** Tells when something is mounted or unmounted. */
  readonly #mounts = openSync('/proc/self/mountinfo', 'r');
  readonly #report: BugReporter;
  readonly #nodes: NodeTable;
  readonly #handles = new Handles();
  readonly #notices: KernelNotices;
  readonly #changes: TreeChanges;
  readonly #recent: RecentFiles;
  readonly #session: Session;
  #mountId: number | undefined;
  #watch: NodeJS.Timeout | undefined;
  #lookTimer: NodeJS.Timeout | undefined;
  #unmounting: Promise<void> | undefined;
  #resolveEnded: (end: MountEnd) => void = () => {};
  #resolveAsked: () => void = () => {};

  /**
   * @param point mounted already
   * @param descriptor of /dev/fuse; closed when the mount is gone
   */
  constructor(vfs: Vfs, point: string, descriptor: number, options: MountOptions, report: BugReporter) {
    this.point = point;
    this.#descriptor = descriptor;
    this.#report = report;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    const locks = new SlowLocks();
    this.#nodes = new NodeTable(folderInfo(0n));
    this.#notices = new KernelNotices(descriptor, locks, report);
    this.#changes = new TreeChanges(vfs, this.#nodes, this.#notices, report);
    this.#recent = new RecentFiles((path, context) => vfs.open(path, context));
    const backings = new BackingFiles(descriptor);
    const served: Served = {
      vfs,
      nodes: this.#nodes,
      handles: this.#handles,
      options,
      kernel: this.#notices,
      sentBack: new SentBack(),
      backings,
      output: () => this.#session.output,
      keepOutput: () => this.#session.keepOutput(),
      generation: () => this.#changes.generation,
    };
    this.#session = new Session({
      descriptor,
      callers: new Callers(),
      locks,
      deadlineMs: options.deadlineMs,
      report,
      mounts: { descriptor: this.#mounts, changed: () => this.#lookSoon() },
      handlers: {
        ...serveInit(options, ({ passesThrough }) => {
          if (passesThrough) backings.turnOn();
          this.#resolveAsked();
        }),
        ...serveNames(served),
        ...serveAttributes(served),
        ...serveFolders(served, report),
        ...serveFiles(served),
        ...serveChanges(served),
        ...serveOpens(served),
        ...(options.seeOpens ? {} : serveUnseenOpens(served, this.#recent)),
      },
    });
  }

  /** @throws UserError where the kernel does not begin to ask */
  async start(): Promise<void> {
    const asked = new Promise<void>((resolve) => {
      this.#resolveAsked = resolve;
    });
    void this.#session
      .run()
      .catch((error: unknown) => this.#report(error, 'serving'))
      .then(() => this.#lookAtEnd());
    const mounted = await mountAt(this.point);
    this.#mountId = mounted?.id;
    const late = new Promise<'late'>((resolve) => {
      setTimeout(() => resolve('late'), FIRST_REQUEST_WITHIN_MS).unref();
    });
    if ((await Promise.race([asked, late])) === 'late') {
      await this.unmount();
      throw new UserError(`the kernel sent no request to the mount at ${this.point}`, 3);
    }
    if (mounted) await readFarAhead(mounted.device);
    this.#watch = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  invalidate(paths: readonly VfsPath[]): Promise<void> {
    if (paths.length === 0) return Promise.resolve();
    this.#recent.change(paths);
    return this.#changes.changed(paths);
  }

  figures(): MountFigures {
    return {
      ...this.#session.figures(),
      threads: 1,
      nodes: this.#nodes.size,
      handles: this.#handles.size,
      notices: this.#notices.sent,
    };
  }

  async unmount(options: { readonly whenBusy: 'detach' | 'refuse' } = { whenBusy: 'detach' }): Promise<void> {
    this.#unmounting ??= this.#unmount(options.whenBusy).finally(() => {
      this.#unmounting = undefined;
    });
    await this.#unmounting;
  }

  async #unmount(whenBusy: 'detach' | 'refuse'): Promise<void> {
    if (this.#mountId === undefined) return;
    const visible = await mountAt(this.point);
    if (visible?.id === this.#mountId) await unmountPoint(this.point, { whenBusy });
    else if (visible !== undefined && (await this.#isMounted())) {
      throw new UserError(`cannot unmount ${this.point}: ${visible.source} is mounted over it`, 3);
    }
    this.#end('unmounted');
  }

  /** The connection is gone: by an unmount, or it was aborted and leaves a dead mount behind. */
  async #lookAtEnd(): Promise<void> {
    await this.#notices.close();
    this.#handles.releaseAll();
    closeSync(this.#descriptor);
    closeSync(this.#mounts);
    if (this.#unmounting === undefined) await this.#look(true);
  }

  #lookSoon(): void {
    this.#lookTimer ??= setTimeout(() => {
      this.#lookTimer = undefined;
      void this.#look();
    }, LOOK_AFTER_MS).unref();
  }

  /** Nobody tells a daemon that somebody else detached the mount while it was in use. */
  async #look(isOver = false): Promise<void> {
    if (this.#mountId === undefined || this.#unmounting !== undefined) return;
    try {
      const isMounted = await this.#isMounted();
      if (isMounted && !isOver) return;
      if (isMounted && (await mountAt(this.point))?.id === this.#mountId) {
        await unmountPoint(this.point, { whenBusy: 'detach' });
      }
    } catch (error) {
      this.#report(error, 'watching the mount');
      return;
    }
    this.#end('unmounted by another');
  }

  async #isMounted(): Promise<boolean> {
    return (await mountedPoints()).some(({ id, point }) => id === this.#mountId && point === this.point);
  }

  #end(end: MountEnd): void {
    if (this.#mountId === undefined) return;
    this.#mountId = undefined;
    clearInterval(this.#watch);
    clearTimeout(this.#lookTimer);
    this.#resolveEnded(end);
  }
}
