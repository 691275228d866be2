import { clearTimeout, setTimeout } from 'node:timers';
import { recover } from '../core/awaitable.ts';
import type { Clock } from '../core/clock.ts';
import { isFsError, UserError } from '../core/errors.ts';
import { msToNs } from '../core/node-info.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { StatusText } from '../resolvers/status.ts';

type Text = string | Uint8Array;

/** Changes come in bursts, and linting many documents takes seconds of another thread. */
const QUIET_MS = 250;

/**
 * The content of `.kgraphfs/lint.jsonl`: made when somebody first looks at it, and then after each change of docs or graph. The old text is shown
 * until the new one is ready, so that a program that only asks for the size need not wait, and as long as none can be made because the docs are away.
 */
export class LintFile {
  readonly #make: () => Awaitable<Text>;
  readonly #clock: Clock;
  readonly #tell: () => void;
  #text: Awaitable<Text> | undefined;
  #version = 0;
  #modifiedNs: bigint;
  #timer: NodeJS.Timeout | undefined;
  /** How long the last text took to make. The next one waits at least as long, so that docs that keep changing are not linted all the time. */
  #tookMs = 0;
  #renewal: Promise<void> | undefined;
  /** Why the last text could not be made. The next look has it tried again: not every cause ends with a change of the docs. */
  #failure: Error | undefined;

  /** @param tell called when the text has changed */
  constructor(make: () => Awaitable<Text>, clock: Clock, tell: () => void) {
    this.#make = make;
    this.#clock = clock;
    this.#tell = tell;
    this.#modifiedNs = msToNs(clock.nowMs());
  }

  shown(): StatusText {
    return {
      text: () => {
        if (this.#failure !== undefined) this.changed();
        this.#failure = undefined;
        this.#text ??= this.#makeFirst();
        return this.#text;
      },
      version: String(this.#version),
      modifiedNs: this.#modifiedNs,
    };
  }

  /** To be called when docs or graph have changed. */
  changed(): void {
    if (this.#text === undefined) return;
    clearTimeout(this.#timer);
    const afterMs = Math.max(QUIET_MS, this.#tookMs);
    this.#timer = setTimeout(() => {
      // One at a time: later changes are for the next text.
      if (this.#renewal !== undefined) this.changed();
      else this.#renewal = this.#renew().finally(() => (this.#renewal = undefined));
    }, afterMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #makeFirst(): Awaitable<Text> {
    let made: Awaitable<Text> | undefined;
    made = recover(this.#make, (error) => {
      // The next caller has it made again: the cause may be gone without a change of docs or graph.
      if (this.#text === made) this.#text = undefined;
      throw error;
    });
    return made;
  }

  async #renew(): Promise<void> {
    this.#failure = undefined;
    const before = this.#text;
    const startMs = performance.now();
    try {
      const [old, now] = [await before, await this.#make()];
      this.#tookMs = performance.now() - startMs;
      if (old !== undefined && areEqual(old, now)) return;
      this.#text = now;
    } catch (error) {
      // As graph and search do, it goes on with what was found before the docs were away.
      if (error instanceof UserError || isFsError(error)) {
        this.#failure = error;
        return;
      }
      // The next caller has the text made again, and gets the error if there still is one.
      this.#text = undefined;
    }
    this.#version += 1;
    this.#modifiedNs = msToNs(this.#clock.nowMs());
    this.#tell();
  }
}

function areEqual(a: Text, b: Text): boolean {
  return Buffer.from(a).equals(Buffer.from(b));
}
