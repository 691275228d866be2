import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Embedder } from '../core/embedder.ts';
import { ModelError } from '../core/model-error.ts';
import type { Holder, HoldOptions, TextVector, VectorStore } from '../store/vector-store.ts';
import type { EmbeddingFigures } from './figures.ts';
import { type HashedText, hexOf, type PassageTexts } from './passage-texts.ts';

export interface QueueOptions {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  readonly texts: readonly PassageTexts[];
  readonly figures: EmbeddingFigures;
  readonly batchSize: number;
  /** What the model wants before each text. Default: nothing. */
  readonly textPrefix?: string;
  readonly nowMs: () => number;
  /** The process that this is. */
  readonly process: Pick<Holder, 'pid' | 'startTicks'>;
  readonly isAlive: HoldOptions['isAlive'];
  /** Called after each batch. */
  readonly onProgress?: () => void;
}

/** `done`: each text has a vector, but for those that the API refuses. `elsewhere`: another process is at it. */
export type PassOutcome = 'done' | 'elsewhere';

/** Passages that are looked at in one go. */
const PASSAGES_OF_A_LOOK = 500;
const ATTEMPTS = 5;
/** Longer than all attempts at a batch take together. */
const HOLD_MS = 10 * 60_000;
/** Of a part of a batch that was asked for in vain as often as is worth it. */
const ATTEMPTS_OF_PART = 1;
/** What servers answer that break over a text, as over one whose vector is no number. Of an API that is away they say 502 to 504. */
const STATUS_OF_BREAKING = 500;
/** So many texts in vain one after the other, with none answered between them, are no fault of texts. */
const IN_VAIN_IN_A_ROW = 5;
/** Vectors that are kept though no text has them: a part of those that are wanted, and at least so many. */
const SPARE_SHARE = 0.2;
const MIN_SPARE_VECTORS = 1000;

/** Asks for the vectors that are missing, batch by batch; each is kept as soon as it is there, so that nothing is asked for twice. */
export class EmbeddingQueue {
  readonly #options: QueueOptions;
  readonly #holder: Holder;
  /** Texts that were wanted in the last pass. */
  #wanted: ReadonlySet<string> = new Set();
  /** Texts that the API refuses, each by itself. They are not asked for again before the next start. */
  readonly #refused = new Set<string>();
  #inVainInARow = 0;
  /** Says that this process no longer uses the vectors; undefined where it never did. */
  #leave: (() => void) | undefined;
  #hasRemovedOthers = false;
  /** Of a text over which the API broke: all others are asked for before it is told. */
  #broke: ModelError | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#holder = { id: randomUUID(), ...options.process };
  }

  /** Goes through all passages once. @throws ModelError where the API fails; what came before that is kept */
  async pass(signal: AbortSignal): Promise<PassOutcome> {
    const { store, figures } = this.#options;
    if (this.#leave === undefined) store.use(this.#holder);
    this.#leave ??= () => store.leave(this.#holder);
    const wanted = new Set<string>();
    const lacking = await this.#look(wanted);
    const missing = lacking.filter(({ key }) => !this.#refused.has(key));
    figures.total = wanted.size;
    figures.done = wanted.size - lacking.length;
    if (missing.length > 0) {
      if (!this.#hold()) return 'elsewhere';
      try {
        await this.#fill(missing, signal);
      } catch (error) {
        if (error instanceof HeldElsewhere) return 'elsewhere';
        if (!(error instanceof BegunAnew)) throw error;
        return this.pass(signal);
      } finally {
        store.release(this.#holder);
      }
    }
    this.#clearAway(wanted);
    return 'done';
  }

  /** Lets others remove what it has used. */
  close(): void {
    try {
      this.#leave?.();
    } catch {
      // A disk that refuses to note it: once this process has ended, its note counts for nothing.
    }
    this.#leave = undefined;
  }

  /** @param wanted takes up all texts there are @returns passages with the texts that have no vector, each text once */
  async #look(wanted: Set<string>): Promise<Missing[]> {
    const { texts, store, figures } = this.#options;
    const missing: Missing[] = [];
    for (const one of texts) {
      for (const passages of passagesOf(one)) {
        for (const passage of passages) {
          const key = hexOf(passage.textHash);
          if (wanted.has(key)) continue;
          wanted.add(key);
          if (!store.has(passage.textHash)) missing.push({ ...passage, key, texts: one });
          else if (!this.#wanted.has(key)) figures.hits += 1;
        }
        // Questions come first.
        await turn();
      }
    }
    this.#wanted = wanted;
    return missing;
  }

  #hold(): boolean {
    const { store, nowMs, isAlive } = this.#options;
    return store.hold(this.#holder, { nowMs: nowMs(), forMs: HOLD_MS, isAlive });
  }

  async #fill(missing: readonly Missing[], signal: AbortSignal): Promise<void> {
    const { batchSize } = this.#options;
    this.#broke = undefined;
    let batch: ReadText[] = [];
    for (const read of textsOf(this.#lackingOf(missing))) {
      batch.push(read);
      if (batch.length < batchSize) continue;
      await this.#ask(batch, signal);
      batch = [];
    }
    if (batch.length > 0) await this.#ask(batch, signal);
    if (this.#broke !== undefined) throw this.#broke;
  }

  /** Another process may have been at it since they were looked at, and since the last batch. */
  *#lackingOf(missing: readonly Missing[]): Generator<Missing> {
    const { store, figures } = this.#options;
    for (const one of missing) {
      if (store.has(one.textHash)) figures.done += 1;
      else yield one;
    }
  }

  /** A text that is refused, or that the API breaks over, costs the others of its batch nothing but another request. */
  async #ask(batch: readonly ReadText[], signal: AbortSignal, attempts = ATTEMPTS): Promise<void> {
    const { embedder, store, figures, textPrefix = '', onProgress } = this.#options;
    try {
      const asked = batch.map(({ text }) => `${textPrefix}${text}`);
      const vectors = await embedder.embed(asked, { attempts, signal });
      const isAnew = store.put(batch.flatMap(({ textHash }, index) => vectorOf(textHash, vectors[index])));
      if (isAnew) store.use(this.#holder);
      const isHeld = this.#hold();
      figures.done += batch.length;
      figures.misses += batch.length;
      figures.succeeded();
      this.#inVainInARow = 0;
      onProgress?.();
      if (!isHeld) throw new HeldElsewhere();
      if (isAnew) throw new BegunAnew();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const hasBroken = error.status === STATUS_OF_BREAKING;
      if (error.failure !== 'refused' && !hasBroken) throw error;
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) {
        this.#inVain(only, error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      const attemptsOfPart = hasBroken ? ATTEMPTS_OF_PART : attempts;
      await this.#ask(batch.slice(0, half), signal, attemptsOfPart);
      await this.#ask(batch.slice(half), signal, attemptsOfPart);
    }
  }

  /** @throws ModelError where it is not about this text */
  #inVain({ key }: ReadText, error: ModelError): void {
    const isRefused = error.failure === 'refused';
    if (isRefused) {
      this.#options.figures.failed(error.message);
      this.#refused.add(key);
    } else this.#broke = error;
    this.#inVainInARow += 1;
    if (this.#inVainInARow < IN_VAIN_IN_A_ROW) return;
    this.#inVainInARow = 0;
    this.#refused.clear();
    throw isRefused ? new ModelError('barred', error.message) : error;
  }

  /** The models before are let go of once this one has all, and not those that somebody begins later. */
  #clearAway(wanted: ReadonlySet<string>): void {
    const { store, figures, isAlive } = this.#options;
    if (figures.done + this.#refused.size < figures.total) return;
    if (figures.done > 0 && !this.#hasRemovedOthers) {
      store.removeOtherModels(isAlive);
      this.#hasRemovedOthers = true;
    }
    if (store.count() === figures.done) return;
    const kept = Math.max(MIN_SPARE_VECTORS, Math.floor(wanted.size * SPARE_SHARE));
    store.removeUnused((textHash) => wanted.has(hexOf(textHash)), kept);
  }
}

/** The model gives vectors of another length by now: those that were there are of no use with it. */
class BegunAnew extends Error {}

/** Another process is at it by now: this one was held up for longer than anybody waits for it. */
class HeldElsewhere extends Error {}

interface Missing extends HashedText {
  readonly key: string;
  readonly texts: PassageTexts;
}

interface ReadText extends Missing {
  readonly text: string;
}

function* passagesOf(texts: PassageTexts): Generator<readonly HashedText[]> {
  let lastId = 0;
  for (;;) {
    const passages = texts.passagesAfter(lastId, PASSAGES_OF_A_LOOK);
    yield passages;
    const last = passages.at(-1);
    if (last === undefined) return;
    lastId = last.id;
  }
}

/** What was changed since it was looked at is left out; the next pass finds it as it is. */
function* textsOf(missing: Iterable<Missing>): Generator<ReadText> {
  let read: { readonly of: Missing; readonly texts: ReadonlyMap<string, string> } | undefined;
  for (const one of missing) {
    if (read?.of.texts !== one.texts || read.of.sourceId !== one.sourceId)
      read = { of: one, texts: one.texts.textsOf(one.sourceId) };
    const text = read.texts.get(one.key)?.trim();
    if (text) yield { ...one, text };
  }
}

function vectorOf(textHash: Uint8Array, vector: Float32Array | undefined): TextVector[] {
  return vector === undefined ? [] : [{ textHash, vector }];
}
