import { closeSync, openSync } from 'node:fs';
import { EXIT, UserError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import { noteServedDisk } from '../../system/found-place.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { MountEnd, Mounted, MountFigures, MountOptions } from '../driver.ts';
import type { BugReporter } from '../errno.ts';
import { clearAfterEnd, unmountOwn } from '../mount-point.ts';
import { listedNow, mountedPoints, mountOf, type OwnMount } from '../mounted-points.ts';
import { unmountPoint } from '../unmount.ts';
import { readFarAhead } from './read-ahead.ts';
import { type Examples, rehearsal } from './rehearsal.ts';
import { openServing, type Serving } from './serving.ts';

const FIRST_REQUEST_WITHIN_MS = 10_000;
/** How long to wait after a mount or unmount anywhere, so that many in a row cost one look. */
const LOOK_AFTER_MS = 1000;
/** How often to look without any sign, in case an earlier look failed. */
const LOOK_EVERY_MS = 60_000;

export class LinuxMount implements Mounted {
  readonly point: string;
  readonly ended: Promise<MountEnd>;
  readonly #descriptor: number;
  /** Becomes readable when anything is mounted or unmounted. */
  readonly #mounts = openSync('/proc/self/mountinfo', 'r');
  readonly #report: BugReporter;
  readonly #serving: Serving;
  readonly #examples: Examples = new Map();
  readonly #rehearse: (makeTree: () => Vfs) => Iterator<unknown>;
  /** The mount as it was made; undefined before that, and once it has ended. */
  #mount: OwnMount | undefined;
  #endServing: () => void = () => {};
  /** Whether the session has ended: the kernel asks nothing more, and another mount may have this one's number. */
  #over: 'over' | undefined;
  #watch: NodeJS.Timeout | undefined;
  #lookTimer: NodeJS.Timeout | undefined;
  #unmounting: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  /** Whether it was taken away before anybody was served. */
  #isGone = false;
  #resolveEnded: (end: MountEnd) => void = () => {};
  #resolveAsked: () => void = () => {};

  /**
   * Begins to serve a mount that has just been made.
   * @param point where it is mounted
   * @param descriptor of /dev/fuse; closed when the mount is gone
   * @throws UserError if the kernel sends no request. Nothing is mounted then
   */
  static async begin(
    vfs: Vfs,
    point: string,
    descriptor: number,
    options: MountOptions,
    report: BugReporter,
  ): Promise<LinuxMount> {
    let mount: LinuxMount | undefined;
    try {
      mount = new LinuxMount(vfs, point, descriptor, options, report);
      await mount.#start();
      return mount;
    } catch (error) {
      if (mount === undefined) closeSync(descriptor);
      // Whatever is mounted there now belongs to somebody else.
      else if (mount.#isGone) throw error;
      await unmountPoint(point, { whenBusy: 'detach' }).catch((failure: unknown) =>
        report(failure, 'mounting'),
      );
      throw error;
    }
  }

  private constructor(
    vfs: Vfs,
    point: string,
    descriptor: number,
    options: MountOptions,
    report: BugReporter,
  ) {
    this.point = point;
    this.#descriptor = descriptor;
    this.#report = report;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#serving = openServing({
      vfs,
      descriptor,
      options,
      report,
      asked: () => this.#resolveAsked(),
      mounts: { descriptor: this.#mounts, changed: () => this.#lookSoon() },
    });
    this.#rehearse = (makeTree) => rehearsal(makeTree, options, report, this.#examples);
  }

  async #start(): Promise<void> {
    const asked = new Promise<void>((resolve) => {
      this.#resolveAsked = resolve;
    });
    let own: OwnMount | undefined;
    try {
      own = await mountOf(this.#descriptor, this.point);
      this.#isGone = own === undefined;
      if (own === undefined)
        throw new UserError(`the mount at ${this.point} was gone at once`, EXIT.cannotMount);
      this.#mount = own;
      // This has to come before the first answer, without which nobody finds anything in the mount.
      this.#endServing = noteServedDisk(own.device);
    } finally {
      // Runs even after a failure: the end of the session closes what is open here.
      void this.#serving.session
        .run()
        .catch((error: unknown) => this.#report(error, 'serving'))
        .then(() => this.#lookAtEnd());
    }
    const late = new Promise<'late'>((resolve) => {
      setTimeout(() => resolve('late'), FIRST_REQUEST_WITHIN_MS).unref();
    });
    if ((await Promise.race([asked, late])) === 'late')
      throw new UserError(`the kernel sent no request to the mount at ${this.point}`, EXIT.cannotMount);
    await readFarAhead(own.device);
    // The mount may have ended by now.
    if (this.#mount !== undefined) this.#watch = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  invalidate(paths: readonly VfsPath[]): Promise<void> {
    if (paths.length === 0) return Promise.resolve();
    this.#serving.recent.change(paths);
    return this.#serving.changes.changed(paths);
  }

  rehearsal(makeTree: () => Vfs): Iterator<unknown> {
    return this.#rehearse(makeTree);
  }

  figures(): MountFigures {
    const { session, nodes, handles, notices } = this.#serving;
    return {
      ...session.figures(),
      threads: 1,
      nodes: nodes.size,
      handles: handles.size,
      notices: notices.sent,
    };
  }

  async unmount(options: { readonly whenBusy: 'detach' | 'refuse' } = { whenBusy: 'detach' }): Promise<void> {
    this.#unmounting ??= this.#unmount(options.whenBusy).finally(() => {
      this.#unmounting = undefined;
      // No look was taken meanwhile. If the unmount was refused, the mount may have ended all the same.
      void this.#look();
    });
    await this.#unmounting;
  }

  async #unmount(whenBusy: 'detach' | 'refuse'): Promise<void> {
    // Two unmounts at once would also take away the mount below this one.
    await this.#looking;
    const own = this.#mount;
    if (own === undefined) return;
    const mounts = await mountedPoints();
    if (this.#over) await clearAfterEnd(own);
    else await unmountOwn(mounts, own, { whenBusy });
    this.#end('unmounted');
  }

  /** Called when the connection is gone, either by an unmount or because it was aborted, which leaves a dead mount behind. */
  async #lookAtEnd(): Promise<void> {
    this.#over = 'over';
    await this.#serving.notices.close();
    this.#serving.releaseAll();
    closeSync(this.#descriptor);
    closeSync(this.#mounts);
    // A look that began before the session was over would not have cleared a dead mount away.
    await this.#looking;
    await this.#look();
  }

  #lookSoon(): void {
    this.#lookTimer ??= setTimeout(() => {
      this.#lookTimer = undefined;
      void this.#look();
    }, LOOK_AFTER_MS).unref();
  }

  /** Finds out whether somebody else detached the mount while it was in use, which nothing else tells. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const own = this.#mount;
    if (own === undefined || this.#unmounting !== undefined) return;
    try {
      if (this.#over) await clearAfterEnd(own);
      else if (listedNow(await mountedPoints(), own) !== undefined) return;
    } catch (error) {
      this.#report(error, 'watching the mount');
      return;
    }
    this.#end('unmounted by another');
  }

  #end(end: MountEnd): void {
    if (this.#mount === undefined) return;
    this.#mount = undefined;
    this.#endServing();
    clearInterval(this.#watch);
    clearTimeout(this.#lookTimer);
    this.#resolveEnded(end);
  }
}
