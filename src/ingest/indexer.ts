import type { Clock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { outermost } from './docs-paths.ts';
import { lookOnce } from './index-look.ts';
import type { IndexedDocs } from './index-plan.ts';
import { type IndexResult, IndexRun } from './index-run.ts';
import { takeJudgements } from './judged-rules.ts';
import { KeptAnswers } from './model-facts/kept-answers.ts';
import { noteSchema } from './schema-stamps.ts';
import { takeNodes } from './search-nodes.ts';

export interface IndexProgress {
  /** How many of the new or changed documents have been dealt with so far. */
  readonly done: number;
  readonly total: number;
}

export interface IndexOptions extends IndexedDocs {
  /** Absolute paths of folders inside the docs that are no docs, such as the state folder or a mount point. */
  readonly excluded: readonly string[];
  /** The file with answers of models, which are used for documents. Default: documents are read by rules alone. */
  readonly extractionsFile?: string | undefined;
  readonly clock: Clock;
  /** The file with judgements about rules of extraction; undefined if those are not used. */
  readonly rulesFile?: string | undefined;
  /** Once aborted, the update ends after the present batch, and the rest is left for the next time. */
  readonly signal?: AbortSignal;
  /** Called before the first document, and after each batch was committed. */
  readonly onProgress?: (progress: IndexProgress) => void;
}

/** Up to this many paths are looked at one by one. If there are more, everything that was looked at before is looked at again. */
const MAX_PATHS = 1000;
const MAX_LOOKS = 10;

/**
 * Brings the graph up to date with the docs folder: reads what is new or changed since the last time, and removes what is gone. Each batch is one transaction,
 * so a stop at any moment leaves a graph that is consistent, even if it is incomplete. Other processes may do the same meanwhile: no reading replaces a later
 * one.
 * @throws UserError if the docs folder or the store cannot be used, or if others keep changing both
 */
export async function updateIndex(options: IndexOptions): Promise<IndexResult> {
  const { store, search, docs, extractionsFile, paths: asked = [''], signal } = options;
  const kept = new KeptAnswers(extractionsFile, docs.schema);
  try {
    // Asked for first: answers that come while documents are read are left for the next time.
    const extractions = kept.revision();
    await takeJudgements(options);
    const run = new IndexRun(options);
    const progress = { done: 0, total: 0 };
    let again = await lookOnce(options, run, kept, progress);
    for (let looks = 1; again.size > 0 && !signal?.aborted; looks += 1) {
      if (looks === MAX_LOOKS)
        throw new UserError('other programs go on changing the docs while they are read; try again');
      const paths = again.size > MAX_PATHS ? asked : [...again];
      again = await lookOnce({ ...options, paths, walk: undefined }, run, kept, progress);
    }
    if (!signal?.aborted && search !== undefined) takeNodes(store, search);
    if (!signal?.aborted && outermost(asked).includes('')) {
      noteSchema(store, docs);
      if ((store.meta('extractions') ?? '') !== extractions)
        store.transact(() => store.setMeta('extractions', extractions));
    }
    return run.result();
  } finally {
    kept.close();
  }
}
