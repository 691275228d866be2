import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { programFile } from '../core/program-file.ts';
import { startThread } from '../core/program-thread.ts';
import type { DocsFolders } from '../source/docs-folders.ts';
import { memoryOfProcessBytes } from '../system/memory-limit.ts';
import type { KeptAnswers } from './model-facts/kept-answers.ts';
import type { ReadOutcome, ReadRequest } from './read-document.ts';
import type { ReaderMessage, ReaderTask, ReadReply } from './reader-worker.ts';

/** Reads documents, in this thread or in others. The outcomes are in the order of the requests. */
export interface Readers {
  read(requests: readonly ReadRequest[]): Promise<readonly ReadOutcome[]>;
  close(): Promise<void>;
}

/** Fewer documents than this are read faster than a thread starts. */
const MIN_DOCUMENTS_FOR_THREADS = 300;
/** How many documents a thread gets at a time. */
const PIECE_DOCUMENTS = 32;
const MAX_THREADS = 4;
/** A reader takes some 60 MiB, and a daemon and its writer some 150, so less than one of these has no room for any. Where a limit is passed, the kernel ends the daemon. */
const MEMORY_PER_THREAD_BYTES = 256 * 2 ** 20;

/** Readers that suit the amount of work: separate threads for many documents, this thread for few. */
export function readersFor(
  count: number,
  folders: DocsFolders,
  kept: KeptAnswers,
  task: ReaderTask,
): Readers {
  if (count < MIN_DOCUMENTS_FOR_THREADS) return inlineReaders(folders, kept, task);
  // The thread that writes the index waits for these threads about half of the time, so it shares their cores.
  const threads = threadsFor(availableParallelism(), memoryOfProcessBytes());
  return threads === 0 ? inlineReaders(folders, kept, task) : threadedReaders(threads, task);
}

/** How many threads read, on so many cores and with so much memory for the whole process. With little memory none does: the thread that writes reads as well. */
export function threadsFor(cores: number, memoryBytes: number): number {
  return Math.min(MAX_THREADS, cores, Math.floor(memoryBytes / MEMORY_PER_THREAD_BYTES));
}

function inlineReaders(folders: DocsFolders, kept: KeptAnswers, { docs, maxBytes }: ReaderTask): Readers {
  return {
    async read(requests) {
      // The parsers take longer to load than everything else together, and mostly there is nothing to read.
      const { readAllOnceLetGo } = await import('./read-document.ts');
      return readAllOnceLetGo(folders, docs, requests, maxBytes, kept);
    },
    close: async () => {},
  };
}

function threadedReaders(count: number, task: ReaderTask): Readers {
  const threads = Array.from({ length: count }, () => new ReaderThread(task));
  return {
    async read(requests) {
      const pieces = Array.from({ length: Math.ceil(requests.length / PIECE_DOCUMENTS) }, (_, index) =>
        requests.slice(index * PIECE_DOCUMENTS, (index + 1) * PIECE_DOCUMENTS),
      );
      const outcomes = await Promise.all(
        pieces.map((piece) => threads.reduce((a, b) => (b.waiting < a.waiting ? b : a)).read(piece)),
      );
      return outcomes.flat();
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

interface Pending {
  readonly resolve: (outcomes: readonly ReadOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

class ReaderThread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;

  constructor(task: ReaderTask) {
    this.#worker = startThread(programFile('ingest/reader-worker.js'), { workerData: task });
    this.#worker.on('message', ({ id, outcomes }: ReadReply) => {
      this.#pending.get(id)?.resolve(outcomes);
      this.#pending.delete(id);
    });
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.on('error', (error) => {
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
    });
  }

  get waiting(): number {
    return this.#pending.size;
  }

  read(requests: readonly ReadRequest[]): Promise<readonly ReadOutcome[]> {
    const id = this.#nextId;
    this.#nextId += 1;
    const message: ReaderMessage = { id, requests };
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  /** Nobody waits for what it was asked to read and has not read yet. */
  async close(): Promise<void> {
    const end: ReaderMessage = 'end';
    if (this.waiting === 0) this.#worker.postMessage(end);
    else void this.#worker.terminate();
    await this.#ended;
  }
}
