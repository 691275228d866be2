import { existsSync } from 'node:fs';
import type { LlmFlags } from '../../config/llm.ts';
import { docsText } from '../../core/docs-selection.ts';
import { EXIT } from '../../core/errors.ts';
import { counted } from '../../text/counted.ts';
import { printable, printableText } from '../../text/printable.ts';
import type { EmbeddingView } from '../../vectors/figures.ts';
import { defineCommand } from '../command.ts';
import { EMBEDDING_OPTIONS } from '../embeddings.ts';
import { type Io, writeJson } from '../io.ts';
import { MODEL_OPTIONS } from '../language-model.ts';
import { bringUpToDate, findPlace, type Place } from '../project.ts';
import { type Provenance, provenanceOf } from '../provenance.ts';
import type { ModelReading, ReadingFlags } from '../read-with-model.ts';
import { emptyGraphLine } from '../text/empty-graph.ts';
import { seconds } from '../text/printable.ts';
import type { UpdateResult } from '../update-index.ts';
import { usageError } from '../usage-error.ts';

export const build = defineCommand({
  verb: 'build',
  summary: 'bring the index up to date with the docs folder',
  details:
    'Reads what is new or changed since the last time, and takes back what is gone. Other commands do the same by themselves if no\n' +
    'daemon runs; this one reports what it did.\n' +
    '\n' +
    'With --llm a language model is asked about each document that it has not been asked about in this form. What it finds is added if\n' +
    'the text supports it. Answers are kept by content, so building again costs nothing, and a stop loses none. If the model fails on a\n' +
    'document, only the rules read it. Every indexing uses the answers, until --no-llm says not to.',
  positionals: {},
  options: {
    llm: {
      type: 'boolean',
      summary: 'let a language model read the docs, too; --no-llm indexes without its earlier answers',
    },
    ...MODEL_OPTIONS,
    concurrency: {
      type: 'count',
      value: 'N',
      min: 1,
      default: 4,
      summary: 'how many requests to the model may run at the same time',
    },
    maxCost: { type: 'text', value: 'USD', summary: 'send nothing to the model that could cost more in all' },
    maxTokens: {
      type: 'count',
      value: 'N',
      min: 1,
      summary: 'send nothing to the model that could take more tokens in all',
    },
    price: {
      type: 'text',
      value: 'IN/OUT',
      summary: 'US dollars for a million tokens of input and output, such as 3/15 (default: your own config)',
    },
    embed: { type: 'boolean', summary: 'embed all texts now, for search by meaning' },
    ...EMBEDDING_OPTIONS,
  },
  example: 'kgraphfs build --docs docs/sample',
  async run(args, io) {
    const startMs = performance.now();
    const provenance = provenanceOf('build', args);
    const place = await findPlace(args, io);
    const built = await indexed(place, args, io);
    const durationMs = performance.now() - startMs;
    // Whoever interrupts the reading with a model does not want the embedding either.
    const embed = args.embed && built.model?.status !== EXIT.interrupted;
    const embedding = async (): Promise<EmbeddingView | undefined> =>
      embed ? (await import('../embed-all.ts')).embedAll(place, args, io) : undefined;
    if (args.json) await tellAsJson(built, () => provenance(built.revision), embedding, io);
    else {
      tellBuilt(built, durationMs, place, io);
      const embedded = await embedding();
      if (embedded !== undefined) tellEmbedded(embedded, io);
    }
    return built.model?.status ?? 0;
  },
});

async function tellAsJson(
  { documents, added, changed, removed, nodes, edges, problems, model }: Indexed,
  provenance: () => Provenance,
  embedding: () => Promise<EmbeddingView | undefined>,
  io: Io,
): Promise<void> {
  let embedded: EmbeddingView | undefined;
  try {
    embedded = await embedding();
  } finally {
    // Even if embedding fails, the user is told what was done and paid for by then.
    writeJson(io.out, {
      documents,
      added,
      changed,
      removed,
      nodes,
      edges,
      problems,
      ...(model === undefined ? {} : { llm: model.view }),
      ...(embedded === undefined ? {} : { embeddings: embedded }),
      ...provenance(),
    });
    if (model?.stop !== undefined) io.err.write(model.stop);
  }
}

function tellBuilt(built: Indexed, durationMs: number, { settings }: Place, { out, err }: Io): void {
  const { documents, added, changed, removed, nodes, edges, problems, unusedPatterns, model } = built;
  out.write(
    `built ${counted(documents, 'document')} (${added} added, ${changed} changed, ${removed} removed), ` +
      `${counted(nodes, 'node')}, ${counted(edges, 'edge')} in ${seconds(durationMs)}\n`,
  );
  if (model !== undefined) out.write(model.text);
  if (model?.stop !== undefined) err.write(model.stop);
  for (const message of unusedPatterns) err.write(`${err.style('yellow', printable(message))}\n`);
  if (problems > unusedPatterns.length) {
    const where = 'kgraphfs vfs read /.kgraphfs/errors.jsonl';
    err.write(`${err.style('yellow', counted(problems, 'problem'))} in the docs: ${where}\n`);
  }
  if (documents === 0 && problems === 0)
    err.write(printableText(emptyGraphLine(docsText(settings.selection))));
}

function tellEmbedded({ done, total, model, cache_hits, last_error }: EmbeddingView, { out, err }: Io): void {
  out.write(
    `embedded ${done} of ${counted(total, 'text')} with ${printable(model)}, ${cache_hits} of them before\n`,
  );
  const lacking = total - done;
  if (lacking > 0 && last_error !== null)
    err.write(
      `${counted(lacking, 'text')} without a vector, found by words alone: ${printable(last_error)}\n`,
    );
}

/** The arguments of `build`. */
type BuildArguments = ReadingFlags & LlmFlags & { readonly llm: boolean | undefined };

/** The updated index, and a model's part in it. */
interface Indexed extends UpdateResult {
  readonly model?: ModelReading;
}

async function indexed(place: Place, args: BuildArguments, io: Io): Promise<Indexed> {
  const { llm, maxCost, maxTokens, price } = args;
  if (llm) return (await import('../read-with-model.ts')).indexWithModel(place, args, io);
  if (maxCost !== undefined || maxTokens !== undefined || price !== undefined)
    throw usageError('--max-cost, --max-tokens and --price are only for --llm', 'build');
  if (llm === false) await indexWithoutModel(place);
  return bringUpToDate(place, io);
}

/** Indexes without a model's answers. If no model was ever asked, there is nothing to do. */
async function indexWithoutModel({ state }: Place): Promise<void> {
  if (!existsSync(state.extractionsFile)) return;
  (await import('../read-with-model.ts')).settleAnswers(state, { areUsed: false });
}
