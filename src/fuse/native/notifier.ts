import { setTimeout as delay } from 'node:timers/promises';
import { ENTERED_WITHIN_MS } from './kernel-view.ts';
import { invalidateAllNames, invalidateName, invalidateNode, ROOT_NODE } from './messages.ts';

export interface NotifierOptions {
  /** @returns the code of the kernel's error, if there is one */
  readonly send: (message: Uint8Array) => Promise<string | undefined>;
  /** The same without waiting, for messages that need no lock. */
  readonly sendNow: (message: Uint8Array) => string | undefined;
  /** When the kernel last looked up a name of the root, or something below it. `nowMs` is the clock. */
  readonly lastLookUpMs: (name: string) => number;
  readonly nowMs: () => number;
  /** Whether requests are waiting for an answer that may be from before the change. */
  readonly isAnswering: () => boolean;
  /** Resolves when the requests that are waiting now are answered. */
  readonly settled: () => Promise<void>;
  /** Resolves when the reads that are waiting now are answered; undefined if none is waiting. */
  readonly readsSettled: () => Promise<unknown> | undefined;
  /** The node numbers of what is in use below these names of the root. */
  readonly nodesInUse: (names: readonly string[]) => Promise<Iterable<bigint>>;
  /** What to drop of these nodes. If opens are seen, libfuse drops pages at the next open when the attributes have changed. */
  readonly dropOfNodes: 'attributes' | 'attributes and pages';
  readonly report: (error: unknown) => void;
}

/**
 * Tells the kernel what of its caches is no longer valid. The only known node number is that of the root, since libfuse assigns the others and tells nobody.
 * So when something has changed, the name of the root above it is dropped, with every unused name below it, their attributes and pages. What is in use stays;
 * its node number is read from /proc, and its attributes are dropped, too.
 *
 * A look-up that was under way meanwhile can leave a name below a folder that is no longer in the kernel's table. That name is out of reach of messages, and
 * comes back with the folder. If that may have happened, all names are made to be looked up again. A kernel before Linux 6.16 cannot do that, and gets the
 * message again once the folder is back.
 *
 * Messages are sent one at a time, and no request waits for one, since messages wait for locks that requests hold. If answers may have been overtaken, a second
 * round follows the first.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #toldAt = new Map<string, number>();
  readonly #waiting = new Set<string>();
  readonly #settling = new Set<string>();
  readonly #unreachable = new Set<string>();
  readonly #closing = new AbortController();
  #round: Promise<void> = Promise.resolve();
  #settleRound: Promise<void> | undefined;
  #lacksEpochs: boolean | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** @returns a promise that resolves when the kernel was told once */
  invalidate(names: Iterable<string>): Promise<void> {
    for (const name of names) this.#waiting.add(name);
    this.#round = this.#round.then(() => this.#run());
    return this.#round;
  }

  /**
   * Makes the kernel look up every name again before its next use, from now on. It may be called while a request is served, whose answer then comes after it. A
   * kernel before Linux 6.16 is told of the one name of the root as soon as possible.
   */
  invalidateNow(name: string): void {
    if (this.#closing.signal.aborted) return;
    if (this.#lacksEpochs !== true)
      this.#lacksEpochs = this.#options.sendNow(invalidateAllNames()) === 'EINVAL';
    if (this.#lacksEpochs) void this.invalidate([name]);
  }

  /** To be called when the kernel looks up a name of the root. */
  lookedUp(name: string): void {
    if (this.#unreachable.size > 0 && this.#unreachable.delete(name)) this.#settleLater([name]);
  }

  close(): void {
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    const names = [...this.#waiting];
    if (names.length === 0) return;
    this.#waiting.clear();
    const overtaken = names.filter((name) => this.#mayBeOvertaken(name));
    await this.#tell(names);
    if (overtaken.length > 0) this.#settleLater(overtaken);
  }

  /** Whether the kernel may still be about to enter an answer about a name. */
  #mayBeOvertaken(name: string): boolean {
    const { isAnswering, lastLookUpMs, nowMs } = this.#options;
    return isAnswering() || lastLookUpMs(name) > nowMs() - ENTERED_WITHIN_MS;
  }

  #settleLater(names: readonly string[]): void {
    for (const name of names) this.#settling.add(name);
    this.#settleRound ??= this.#settle();
  }

  async #settle(): Promise<void> {
    // The delay rejects when this is closed. Then the names are told at once.
    await delay(ENTERED_WITHIN_MS, undefined, { ref: false, signal: this.#closing.signal }).catch(() => {});
    await this.#options.settled();
    this.#settleRound = undefined;
    const names = [...this.#settling];
    this.#settling.clear();
    this.#round = this.#round.then(() => this.#tell(names));
  }

  /** Never rejects: what the kernel cannot be told, it forgets by itself in time. */
  async #tell(names: readonly string[]): Promise<void> {
    try {
      const missed = [];
      for (const name of names) if (!(await this.#tellName(name))) missed.push(name);
      if (missed.length > 0) await this.#tellAll(missed);
      await this.#send(invalidateNode(ROOT_NODE, 'attributes'));
      for (const node of await this.#options.nodesInUse(names)) {
        await this.#invalidateNode(node);
      }
    } catch (error) {
      this.#options.report(error);
    }
  }

  /**
   * To drop pages, the kernel waits for reads of them, and a thread that waits in the kernel cannot be killed. So slow reads are waited for here. If this
   * process was killed while a thread waited in the kernel, its descriptor of /dev/fuse would stay open for the message, the message would wait for the read,
   * and the read for the descriptor, for good.
   */
  async #invalidateNode(node: bigint): Promise<void> {
    const { dropOfNodes, readsSettled } = this.#options;
    if (dropOfNodes === 'attributes and pages') {
      await this.#send(invalidateNode(node, 'attributes'));
      for (let reads = readsSettled(); reads !== undefined; reads = readsSettled()) await reads;
    }
    await this.#send(invalidateNode(node, dropOfNodes));
  }

  /** @returns whether everything that the kernel knows below the name was in its reach */
  async #tellName(name: string): Promise<boolean> {
    const toldAt = this.#toldAt.get(name) ?? Number.NEGATIVE_INFINITY;
    const wasKnown = (await this.#send(invalidateName(name))) === undefined;
    this.#toldAt.set(name, this.#options.nowMs());
    return wasKnown || this.#options.lastLookUpMs(name) <= toldAt - ENTERED_WITHIN_MS;
  }

  async #tellAll(missed: readonly string[]): Promise<void> {
    if (this.#lacksEpochs !== true) this.#lacksEpochs = (await this.#send(invalidateAllNames())) === 'EINVAL';
    if (this.#lacksEpochs) for (const name of missed) this.#unreachable.add(name);
  }

  async #send(message: Uint8Array): Promise<string | undefined> {
    if (this.#closing.signal.aborted) return undefined;
    return this.#options.send(message);
  }
}
