import { clearTimeout, setTimeout } from 'node:timers';
import type { Clock } from '../core/clock.ts';
import { msToNs } from '../core/node-info.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { StatusText } from '../resolvers/status.ts';

type Text = string | Uint8Array;

/** Changes come in bursts, and linting many documents takes seconds of another thread. */
const QUIET_MS = 250;

/**
 * What `.kgraphfs/lint.jsonl` shows: made when it is first looked at, and from then on again after each change of docs or graph. Until the new text
 * is there the old one is shown, so that nobody who only asks for sizes waits.
 */
export class LintFile {
  readonly #make: () => Awaitable<Text>;
  readonly #clock: Clock;
  readonly #tell: () => void;
  #text: Awaitable<Text> | undefined;
  #version = 0;
  #modifiedNs: bigint;
  #timer: NodeJS.Timeout | undefined;
  /** How long the last text took to make: docs that keep changing are not linted all the time. */
  #tookMs = 0;
  #renewal: Promise<void> | undefined;

  /** @param tell called when the text is another */
  constructor(make: () => Awaitable<Text>, clock: Clock, tell: () => void) {
    this.#make = make;
    this.#clock = clock;
    this.#tell = tell;
    this.#modifiedNs = msToNs(clock.nowMs());
  }

  shown(): StatusText {
    const text = () => {
      this.#text ??= this.#make();
      return this.#text;
    };
    return { text, version: String(this.#version), modifiedNs: this.#modifiedNs };
  }

  /** Docs or graph changed. */
  changed(): void {
    if (this.#text === undefined) return;
    clearTimeout(this.#timer);
    const afterMs = Math.max(QUIET_MS, this.#tookMs);
    this.#timer = setTimeout(() => {
      // One at a time: what changed meanwhile is for the one after.
      if (this.#renewal !== undefined) this.changed();
      else this.#renewal = this.#renew().finally(() => (this.#renewal = undefined));
    }, afterMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #renew(): Promise<void> {
    const before = this.#text;
    const startMs = performance.now();
    try {
      const [old, now] = [await before, await this.#make()];
      this.#tookMs = performance.now() - startMs;
      if (old !== undefined && areEqual(old, now)) return;
      this.#text = now;
    } catch {
      // The thread has ended: whoever asks next starts it anew, and is told what is wrong.
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
