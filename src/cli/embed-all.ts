import { setTimeout as pause } from 'node:timers/promises';
import { vectorsTask } from '../app/vectors/app-vectors.ts';
import { openVectors } from '../app/vectors/open-vectors.ts';
import type { EmbeddingFlags } from '../config/embeddings-asked.ts';
import { EXIT, type ExitStatus, UserError } from '../core/errors.ts';
import { ModelError } from '../core/model-error.ts';
import type { EmbeddingView } from '../vectors/figures.ts';
import { embeddingsOf } from './embeddings.ts';
import { interruptible } from './interrupt.ts';
import type { Io } from './io.ts';
import { progressBar } from './progress.ts';
import type { Place } from './project.ts';

/** How often to look how far another process has come that does the same work. */
const ELSEWHERE_MS = 500;

const SETTINGS = '"kgraphfs env" shows which are in force';
const WAYS_OUT = {
  busy: 'try again later',
  refused: 'try a smaller "batchSize", or another --embeddings-model',
  barred: `look at key, --embeddings-model and --embeddings-url (${SETTINGS})`,
  malformed: `try another --embeddings-model, or other "dimensions" (${SETTINGS})`,
  stopped: 'try again',
} as const;

/**
 * Embeds all texts that are not embedded yet, or waits for the daemon that does so.
 * @throws UserError if no embeddings are configured, the API fails, or a signal stops it; what was embedded before that is kept
 */
export async function embedAll(
  { settings, state }: Place,
  flags: EmbeddingFlags,
  io: Io,
): Promise<EmbeddingView> {
  const embeddings = await embeddingsOf(settings, flags, io);
  if (embeddings === undefined)
    throw new UserError(
      'no embeddings are configured: name a model with --embeddings-model, and an API with --embeddings-url, or in your own config file',
      EXIT.wrongUsage,
    );
  const bar = progressBar(io.err, 'embedding');
  const open = await openVectors(
    vectorsTask(embeddings, { state, settings, excluded: [settings.state] }),
    () => bar.update(open.figures),
  );
  const ended = (why: string, status?: ExitStatus): UserError => {
    const { done, total } = open.figures;
    return new UserError(`${why}; ${done} of ${total} texts are embedded, and kept`, status);
  };
  try {
    return await interruptible(async (signal) => {
      try {
        while ((await open.queue.pass(signal)) !== 'done') {
          bar.update(open.figures);
          await pause(ELSEWHERE_MS, undefined, { signal });
        }
        return open.figures.view();
      } catch (error) {
        if (signal.aborted) throw ended('stopped', EXIT.interrupted);
        throw error instanceof ModelError ? ended(`${error.message}; ${WAYS_OUT[error.failure]}`) : error;
      }
    });
  } finally {
    bar.end();
    open.close();
  }
}
