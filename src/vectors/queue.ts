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
  /** What the model needs before each text. Default: nothing. */
  readonly textPrefix?: string;
  readonly nowMs: () => number;
  /** This process. */
  readonly process: Pick<Holder, 'pid' | 'startTicks'>;
  readonly isAlive: HoldOptions['isAlive'];
  /** Called after each batch. */
  readonly onProgress?: () => void;
}

/** `done`: each text has a vector, except for those that the API refuses. `elsewhere`: another process works on them. */
export type PassOutcome = 'done' | 'elsewhere';

/** How many passages are examined at a time. */
const PASSAGES_OF_A_LOOK = 500;
const ATTEMPTS = 5;
/** Longer than all attempts at a batch take together. */
const HOLD_MS = 10 * 60_000;
/** The number of attempts for a part of a batch, after the whole was attempted often enough. */
const ATTEMPTS_OF_PART = 1;
/**
 * The status of servers that fail because of a text, for example if its vector contains something that is not a number. If an API is away, it is 502
 * to 504.
 */
const STATUS_OF_BREAKING = 500;
/** If this many texts fail in a row, without a success in between, it is not because of the texts. */
const IN_VAIN_IN_A_ROW = 5;
/** How many vectors are kept that no text needs: a share of those that are needed, and at least so many. */
const SPARE_SHARE = 0.2;
const MIN_SPARE_VECTORS = 1000;

/** Requests the vectors that are missing, batch by batch. Each is stored as soon as it arrives, so that nothing is requested twice. */
export class EmbeddingQueue {
  readonly #options: QueueOptions;
  readonly #holder: Holder;
  /** Texts that needed a vector in the last pass. */
  #wanted: ReadonlySet<string> = new Set();
  /** Texts that the API refuses individually. They are not requested again before the next start. */
  readonly #refused = new Set<string>();
  #inVainInARow = 0;
  /** Notes that this process does not use the vectors any more; undefined if it never did. */
  #leave: (() => void) | undefined;
  #hasRemovedOthers = false;
  /** The error of a text because of which the API has failed. All other texts are requested before it is reported. */
  #broke: ModelError | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#holder = { id: randomUUID(), ...options.process };
  }

  /** Goes through all passages once. @throws ModelError if the API fails; vectors that arrived before are stored */
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
      // If the disk refuses the note: it will not count anyway when this process has ended.
    }
    this.#leave = undefined;
  }

  /** @param wanted all texts are added to this @returns passages with the texts that have no vector, each text once */
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

  /** Another process may have stored some since they were examined, and since the last batch. */
  *#lackingOf(missing: readonly Missing[]): Generator<Missing> {
    const { store, figures } = this.#options;
    for (const one of missing) {
      if (store.has(one.textHash)) figures.done += 1;
      else yield one;
    }
  }

  /** If the API refuses a text or fails because of it, the others of its batch only need another request. */
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

  /** @throws ModelError if it is not about this text */
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

  /** Removes vectors of earlier models when this one has all, but not those of a model that somebody begins to use later. */
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

/** The model now gives vectors of another length, and the existing ones cannot be used with it. */
class BegunAnew extends Error {}

/** Another process has taken over, since this one was held up for longer than anybody waits for it. */
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

/** Texts that were changed since they were examined are left out. The next pass finds them as they are. */
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
