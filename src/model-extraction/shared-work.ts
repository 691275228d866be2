import { randomUUID } from 'node:crypto';
import type { ExtractionKey, ExtractionStore } from '../store/extractions.ts';

export type ClaimKeeper = Pick<ExtractionStore, 'claim' | 'renewClaims' | 'release'>;

/** How long others wait for a process that was killed, or is suspended. */
const CLAIM_MS = 30_000;
const RENEWED_EVERY_MS = 8_000;

/** Lets several processes ask about the same documents, so that only one of them asks about each at a time. */
export class SharedWork {
  readonly #owner = randomUUID();
  readonly #keeper: ClaimKeeper;
  readonly #nowMs: () => number;
  readonly #renewing: NodeJS.Timeout;
  readonly #held = new Map<string, ExtractionKey>();

  /** @param renewEveryMs for tests */
  constructor(keeper: ClaimKeeper, nowMs: () => number, renewEveryMs = RENEWED_EVERY_MS) {
    this.#keeper = keeper;
    this.#nowMs = nowMs;
    this.#renewing = setInterval(() => this.#renew(), renewEveryMs);
    this.#renewing.unref();
  }

  /** If the disk refuses this, it will refuse the next answer, too, and that error is reported. A lost claim means that a document may be paid for twice. */
  #renew(): void {
    if (this.#held.size === 0) return;
    try {
      this.#keeper.renewClaims({ owner: this.#owner, untilMs: this.#nowMs() + CLAIM_MS });
    } catch {
      // See above: an error in a timer would end the build.
    }
  }

  /** @returns whether this process is the one to ask now */
  begin(key: ExtractionKey): boolean {
    const nowMs = this.#nowMs();
    const isOurs = this.#keeper.claim(key, { owner: this.#owner, untilMs: nowMs + CLAIM_MS }, nowMs);
    if (isOurs) this.#held.set(key.sha256, key);
    return isOurs;
  }

  end(key: ExtractionKey): void {
    this.#keeper.release(key, this.#owner);
    this.#held.delete(key.sha256);
  }

  /** Gives up the claims of everything that is not asked about any more. */
  close(): void {
    clearInterval(this.#renewing);
    for (const key of [...this.#held.values()]) this.end(key);
  }
}
