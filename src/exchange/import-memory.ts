import { type FsError, isFsError } from '../core/errors.ts';
import { batchesOf } from '../core/group.ts';
import { type MemoryLink, placeText } from '../core/memory-entry.ts';
import type { OpContext } from '../core/resolver.ts';
import type { Memory, NewMemory } from '../memory/memory.ts';
import {
  type ImportPlan,
  type ImportSource,
  importLinesOf,
  isToItself,
  type LineProblem,
} from './import-check.ts';

/** The result of an import. */
export interface ImportReport {
  readonly added: number;
  readonly replaced: number;
  /** Entries that existed already and were the same. */
  readonly same: number;
  /** Relations that are new, or have another weight. */
  readonly related: number;
  /** Lines that memory has refused although they were correct by themselves. The other lines were imported. */
  readonly problems: readonly LineProblem[];
  /** Where the import ended before the last line. Everything before that line was imported. */
  readonly stopped?: LineProblem;
}

export interface ImportOptions {
  /** Whether to report lines that memory refuses, and to go on with the others. */
  readonly keepGoing: boolean;
  /** @param entries how many of the plan's are done */
  readonly onProgress: (entries: number) => void;
}

/** The number of entries that `Memory.addAll` takes in one transaction. */
const BATCH_ENTRIES = 1000;

interface Numbered {
  readonly entry: NewMemory;
  readonly line: number;
}

/** Carries out the plan of the same file. A second call changes nothing. */
export function importMemory(
  source: ImportSource,
  plan: ImportPlan,
  memory: Memory,
  options: ImportOptions,
  context: OpContext,
): ImportReport {
  const run = new ImportRun(memory, options, context);
  run.addEntries(batchesOf(entriesOf(source, plan), BATCH_ENTRIES));
  if (plan.relationLines.size > 0) run.relate(linksOf(source, plan));
  return run.report();
}

function* entriesOf(source: ImportSource, { entryLines, statements }: ImportPlan): Generator<Numbered> {
  for (const { number, line } of importLinesOf(source)) {
    if (line.kind !== 'entry' || entryLines.get(placeText(line.entry)) !== number) continue;
    const more = statements.get(placeText(line.entry));
    yield { line: number, entry: more === undefined ? line.entry : withLines(line.entry, more) };
  }
}

function withLines(entry: NewMemory, lines: readonly string[]): NewMemory {
  return {
    ...entry,
    content: Buffer.concat([entry.content, Buffer.from(lines.map((line) => `${line}\n`).join(''))]),
  };
}

function* linksOf(source: ImportSource, { relationLines }: ImportPlan) {
  for (const { number, line } of importLinesOf(source)) {
    if (line.kind !== 'relation' || !relationLines.has(number)) continue;
    // "Ana knows Ana" becomes a line of the content. A relation of an entry with itself would add nothing.
    if (isToItself(line.link)) continue;
    yield { line: number, link: line.link };
  }
}

class ImportRun {
  readonly #memory: Memory;
  readonly #options: ImportOptions;
  readonly #context: OpContext;
  readonly #counts = { added: 0, replaced: 0, same: 0 };
  readonly #problems: LineProblem[] = [];
  #related = 0;
  #done = 0;
  #stopped: LineProblem | undefined;

  constructor(memory: Memory, options: ImportOptions, context: OpContext) {
    this.#memory = memory;
    this.#options = options;
    this.#context = context;
  }

  report(): ImportReport {
    const stopped = this.#stopped === undefined ? {} : { stopped: this.#stopped };
    return { ...this.#counts, related: this.#related, problems: this.#problems, ...stopped };
  }

  addEntries(batches: Iterable<readonly Numbered[]>): void {
    for (const batch of batches) {
      // One by one only if one of them is refused, to find out which.
      if (!this.#add(batch)) for (const one of batch) if (!this.#stopped) this.#add([one]);
      if (this.#stopped) return;
      this.#done += batch.length;
      this.#options.onProgress(this.#done);
    }
  }

  relate(links: Iterable<{ readonly line: number; readonly link: MemoryLink }>): void {
    if (this.#stopped) return;
    const weights = new Map(this.#memory.links().map((link) => [linkText(link), link.weight]));
    for (const { line, link } of links) {
      if (weights.get(linkText(link)) === link.weight) continue;
      weights.set(linkText(link), link.weight);
      const { from, relation, to, weight } = link;
      this.#attempt(line, () => {
        this.#memory.relate(from, relation, to, weight, this.#context);
        this.#related += 1;
      });
      if (this.#stopped) return;
    }
  }

  /** @returns false if a batch of several has to be tried one by one */
  #add(batch: readonly Numbered[]): boolean {
    const add = () => {
      const entries = batch.map(({ entry }) => entry);
      const { added, replaced, same } = this.#memory.addAll(entries, this.#context);
      this.#counts.added += added;
      this.#counts.replaced += replaced;
      this.#counts.same += same;
    };
    const [first, second] = batch;
    if (first !== undefined && second === undefined) {
      this.#attempt(first.line, add);
      return true;
    }
    try {
      add();
      return true;
    } catch (error) {
      if (isFsError(error)) return false;
      throw error;
    }
  }

  #attempt(line: number, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!isFsError(error)) throw error;
      const problem = { line, why: error.message };
      if (this.#options.keepGoing && !isOfDisk(error)) this.#problems.push(problem);
      else this.#stopped = problem;
    }
  }
}

/** Whether the next line would be refused as well. */
function isOfDisk(error: FsError): boolean {
  return isFsError(error, 'EBUSY', 'EDQUOT', 'EIO', 'ENOSPC', 'EROFS');
}

function linkText({ from, relation, to }: MemoryLink): string {
  return `${placeText(from)}\0${relation}\0${placeText(to)}`;
}
