import type { LlmFlags } from '../config/llm.ts';
import { systemClock } from '../core/clock.ts';
import { EXIT, FsError, UserError } from '../core/errors.ts';
import type { ModelFigures } from '../ingest/model-facts/merge-answers.ts';
import { type AskReport, askDocuments } from '../model-extraction/ask-documents.ts';
import type { BudgetLimits } from '../model-extraction/budget.ts';
import { mapTypesOf } from '../model-extraction/map-types.ts';
import type { ModelPrice, ModelSettings } from '../settings/language-model.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import { readDocument } from '../source/document-text.ts';
import { prepareStateFolder, type StateFolder } from '../state/state-folder.ts';
import { openExtractionStore } from '../store/extractions.ts';
import { openStore } from '../store/store.ts';
import { counted } from '../text/counted.ts';
import { printable } from '../text/printable.ts';
import { interruptible } from './interrupt.ts';
import type { Io } from './io.ts';
import { chosenModel, openModel } from './language-model.ts';
import { bringUpToDate, howToRead, type Place } from './project.ts';
import { reportText, reportView, spentText, statusOf, stopText } from './text/ask-report.ts';
import type { UpdateResult } from './update-index.ts';
import { usageError } from './usage-error.ts';

/** The options for reading with a model. */
export interface ReadingFlags {
  readonly concurrency: number;
  readonly maxCost: string | undefined;
  readonly maxTokens: number | undefined;
  readonly price: string | undefined;
}

/** How often a line reports the progress if no terminal shows it all the time. */
const TOLD_EVERY_MS = 5000;
const SHOWN_EVERY_MS = 100;
const PROBLEM = 'no-model-answer';

/** The limits of the reading. @throws UserError of status 2 if limits make no sense, or cost is limited and the price of a token is unknown */
function readingLimits(flags: ReadingFlags, settings: ModelSettings): BudgetLimits {
  const price = flags.price === undefined ? settings.price : priceIn(flags.price);
  const maxCostUsd = flags.maxCost === undefined ? undefined : dollarsIn(flags.maxCost);
  if (maxCostUsd !== undefined && price === undefined)
    throw new UserError(
      `--max-cost needs to know what ${settings.model} costs, before anything is sent: say --price 3/15 for $3 and $15 a million tokens of input and ` +
        'output, or "llm": {"price": {"input": 3, "output": 15}} in your own config; or limit it by --max-tokens',
      EXIT.wrongUsage,
    );
  return { maxCostUsd, maxTokens: flags.maxTokens, price };
}

function priceIn(text: string): ModelPrice {
  const [, input, output] = /^\$?(\d+(?:\.\d+)?)[/,]\$?(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  if (input === undefined || output === undefined)
    throw usageError(
      `--price takes US dollars per million tokens as INPUT/OUTPUT, such as 3/15, not "${text}"`,
      'build',
    );
  return { input: Number(input), output: Number(output) };
}

function dollarsIn(text: string): number {
  const dollars = /^\$?\d+(?:\.\d+)?$/.test(text) ? Number(text.replace('$', '')) : Number.NaN;
  if (dollars >= 0) return dollars;
  throw usageError(`--max-cost takes US dollars, such as 0.50, not "${text}"`, 'build');
}

/** The result of asking a model about the docs. */
export interface ModelReading {
  /** The result as JSON shows it. */
  readonly view: ReturnType<typeof reportView>;
  readonly text: string;
  /** Why not all documents were asked about; undefined if they were. */
  readonly stop: string | undefined;
  /** Exit status. */
  readonly status: number;
}

/**
 * Brings the index up to date with the docs, asks the model, and takes in its answers.
 * @throws UserError if there is no model, limits make no sense, or the docs or the index cannot be used; never because of the API
 */
export async function indexWithModel(
  place: Place,
  flags: ReadingFlags & LlmFlags,
  io: Io,
): Promise<UpdateResult & { readonly model: ModelReading }> {
  const { settings, lack } = await chosenModel(place.settings, flags, io);
  if (settings === undefined)
    throw new UserError(`build --llm needs a language model: ${lack}`, EXIT.wrongUsage);
  const limits = readingLimits(flags, settings);
  settleAnswers(place.state, { areUsed: true });
  const before = await bringUpToDate(place, io);
  const report = await askModel(place, settings, limits, flags.concurrency, io);
  const { nodes, edges, revision, problems, modelFacts } = await bringUpToDate(place, io);
  const facts = sumOf(before.modelFacts, modelFacts);
  const model: ModelReading = {
    view: reportView(settings.model, report, facts),
    text: reportText(settings.model, report, facts),
    stop: stopText(report),
    status: statusOf(report),
  };
  return { ...before, nodes, edges, revision, problems, modelFacts: facts, model };
}

function sumOf(a: ModelFigures, b: ModelFigures): ModelFigures {
  return { found: a.found + b.found, confirmed: a.confirmed + b.confirmed, dropped: a.dropped + b.dropped };
}

/** Makes all later indexing use the stored answers of models, or not use them. The answers are kept either way. */
export function settleAnswers(state: StateFolder, { areUsed }: { readonly areUsed: boolean }): void {
  prepareStateFolder(state);
  const kept = openExtractionStore(state.extractionsFile);
  try {
    kept.use(areUsed);
  } finally {
    kept.close();
  }
}

/**
 * Asks about all documents of the index about whose present text this model was not asked. Answers are stored at once, for whoever indexes the documents next.
 * The report says what is wrong with the API.
 */
async function askModel(
  place: Place,
  settings: ModelSettings,
  limits: BudgetLimits,
  concurrency: number,
  io: Io,
): Promise<AskReport> {
  const { docs, excluded, maxBytes } = await howToRead(place);
  const model = await openModel(settings, io, { attempts: 1 });
  const folders = new DocsFolders(docs, { excluded, report: () => {} });
  const keeper = openExtractionStore(place.state.extractionsFile);
  const progress = new AskProgress(settings.model, io);
  try {
    const report = await interruptible((signal) =>
      askDocuments({
        documents: documentsOf(place),
        textOf: ({ path, sha256 }) => textIn(folders, path, sha256, maxBytes),
        model,
        keeper,
        types: mapTypesOf(docs.schema),
        limits,
        concurrency,
        signal,
        nowMs: () => systemClock.nowMs(),
        onProgress: (now) => progress.update(now),
      }),
    );
    noteFailures(place, settings.model, report);
    return report;
  } finally {
    progress.end();
    keeper.close();
    folders.close();
  }
}

function documentsOf({ state }: Place) {
  const store = openStore(state.indexFile, { readOnly: true });
  try {
    return store.documents.all().map(({ path, sha256 }) => ({ path, sha256 }));
  } finally {
    store.close();
  }
}

/** The text of a document; undefined if it is another version by now, or cannot be read: whoever indexes it says why. */
function textIn(folders: DocsFolders, path: string, sha256: string, maxBytes: number): string | undefined {
  try {
    const document = readDocument(folders, path, maxBytes);
    return document.sha256 === sha256 && !document.isBinary ? document.text : undefined;
  } catch (error) {
    if (!(error instanceof FsError)) throw error;
    return undefined;
  }
}

/** Stores the failures, which are reported along with other problems of documents until the documents are read with an answer. */
function noteFailures({ state }: Place, model: string, { failures }: AskReport): void {
  const store = openStore(state.indexFile);
  try {
    store.transact(() =>
      store.problems.replaceOfModel(
        failures.map(({ path, reason }) => {
          return {
            path,
            line: 0,
            code: PROBLEM,
            message: `${model} gave no answer: ${reason}; rules alone read it`,
          };
        }),
      ),
    );
  } finally {
    store.close();
  }
}

/** Shows the progress in one line: on a terminal it is rewritten in place, elsewhere it is written from time to time. */
class AskProgress {
  readonly #model: string;
  readonly #output: Io['err'];
  #toldMs = performance.now();
  #shown = 0;

  constructor(model: string, { err }: Io) {
    this.#model = printable(model);
    this.#output = err;
  }

  update(report: AskReport): void {
    const { isTerminal } = this.#output;
    const nowMs = performance.now();
    if (nowMs - this.#toldMs < (isTerminal ? SHOWN_EVERY_MS : TOLD_EVERY_MS)) return;
    this.#toldMs = nowMs;
    if (isTerminal) this.#shown += 1;
    const done = report.total - report.left;
    const failed = report.failed > 0 ? `, ${report.failed} failed` : '';
    const line = `asking ${this.#model}: ${done} of ${counted(report.total, 'document')}${failed}; ${spentText(report)}`;
    this.#output.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  }

  end(): void {
    if (this.#shown > 0) this.#output.write('\r\u001b[K');
  }
}
