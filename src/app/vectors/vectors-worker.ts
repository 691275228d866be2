import { setTimeout as pause } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../core/errors.ts';
import { ModelError } from '../../core/model-error.ts';
import type { NearAnswer } from '../../core/vector-search.ts';
import { writtenFiles } from '../../state/state-folder.ts';
import { Looks } from '../../system/looks.ts';
import { standBack } from '../../system/priority.ts';
import type { EmbeddingView } from '../../vectors/figures.ts';
import { type OpenVectors, openVectors, type VectorsTask } from './open-vectors.ts';

/** A message to the thread. */
export type VectorsRequest =
  | { readonly type: 'nearest'; readonly id: number; readonly question: string; readonly limit: number }
  /** Nobody waits for that answer any more. */
  | { readonly type: 'stop'; readonly id: number }
  /** The docs roots are there now, as in `docsAsFound`. */
  | { readonly type: 'docs-at'; readonly found: ReadonlyMap<string, string> }
  | { readonly type: 'end' };

/** A message of the thread: an answer, or news. */
export type VectorsReply =
  | { readonly type: 'near'; readonly id: number; readonly answer: NearAnswer }
  | { readonly type: 'figures'; readonly figures: EmbeddingView; readonly revision: string }
  /** There can be no vectors here. */
  | { readonly type: 'failed'; readonly reason: string };

/** How long to wait for further changed texts, so that they are embedded together. */
const GATHER_MS = 1000;
const ELSEWHERE_PAUSE_MS = 5000;
const FIRST_REST_MS = 5000;
const LONGEST_REST_MS = 5 * 60_000;
/** How long an API may ask to be left alone. */
const LONGEST_ASKED_REST_MS = 60 * 60_000;

/** Waits until somebody says that there may be something to do. */
class Rest {
  #wake = (): void => {};

  readonly wake = (): void => this.#wake();

  ended(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

async function run(port: MessagePort, task: VectorsTask): Promise<void> {
  const tell = (reply: VectorsReply) => port.postMessage(reply);
  const ending = new AbortController();
  const asked = new Map<number, AbortController>();
  const rest = new Rest();
  let open: OpenVectors;
  const tellFigures = () =>
    tell({ type: 'figures', figures: open.figures.view(), revision: open.vectors.revision() });
  try {
    open = await openVectors(task, () => tellFigures());
  } catch (error) {
    tell({ type: 'failed', reason: reasonOf(error) });
    port.close();
    return;
  }

  async function answer({ id, question, limit }: VectorsRequest & { type: 'nearest' }): Promise<void> {
    const stopping = new AbortController();
    asked.set(id, stopping);
    const signal = AbortSignal.any([stopping.signal, ending.signal]);
    tell({ type: 'near', id, answer: await open.vectors.nearest(question, limit, signal) });
    asked.delete(id);
    tellFigures();
  }

  port.on('message', (request: VectorsRequest) => {
    if (request.type === 'nearest') void answer(request);
    else if (request.type === 'stop') asked.get(request.id)?.abort();
    else if (request.type === 'docs-at') {
      open.docsAt(request.found);
      rest.wake();
    } else ending.abort();
  });
  tellFigures();
  await follow(
    open,
    writtenFiles([task.searchFile, task.contextFile, task.memorySearchFile]),
    rest,
    ending.signal,
    tellFigures,
  );
  open.close();
  port.close();
}

/** Embeds every text, until the signal. After each failure in a row the pause is longer. */
async function follow(
  open: OpenVectors,
  files: readonly string[],
  rest: Rest,
  signal: AbortSignal,
  tellFigures: () => void,
): Promise<void> {
  let seen: string | undefined;
  let restMs = FIRST_REST_MS;
  const looks = new Looks({
    files: () => files,
    look: () => {
      rest.wake();
      return undefined;
    },
  });
  signal.addEventListener('abort', () => {
    looks.close();
    rest.wake();
  });
  while (!signal.aborted) {
    const version = open.version();
    if (version === seen) {
      await rest.ended();
      continue;
    }
    let pauseMs = GATHER_MS;
    try {
      if ((await open.queue.pass(signal)) === 'done') seen = version;
      else pauseMs = ELSEWHERE_PAUSE_MS;
      restMs = FIRST_REST_MS;
    } catch (error) {
      if (signal.aborted) return;
      open.figures.failed(reasonOf(error));
      const askedMs = error instanceof ModelError ? (error.retryAfterMs ?? 0) : 0;
      pauseMs = Math.max(restMs, Math.min(askedMs, LONGEST_ASKED_REST_MS));
      restMs = Math.min(2 * restMs, LONGEST_REST_MS);
    }
    tellFigures();
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

if (parentPort !== null) {
  standBack();
  void run(parentPort, workerData);
}
