import { dirname, join } from 'node:path';
import { isSearched, joinsGraph, type ModuleChoice, type ModuleChoices } from '../config/module-choice.ts';
import { placeOf } from '../config/modules.ts';
import type { DocsSelection } from '../core/docs-selection.ts';
import { type ErrnoCode, FsError, reasonOf } from '../core/errors.ts';
import { Listeners } from '../core/listeners.ts';
import type { SubPath } from '../core/paths.ts';
import { makeOwnFolder } from './kept-files.ts';
import { Mirror } from './mirror.ts';
import { moduleRoot, textsFolder } from './module-folders.ts';
import { ModuleProcess } from './module-process.ts';
import { type ModuleTree, moduleTree } from './module-tree.ts';
import { type ModuleView, moduleViews } from './module-view.ts';
import type { ConfigFault } from './wire.ts';

export interface ModulesOptions {
  readonly choices: ModuleChoices;
  readonly docs: DocsSelection;
  /** The folder for all modules, in which each has its own. */
  readonly stateFolder: string;
  /** Called with what went wrong. @param path in the mount, absolute */
  readonly report: (code: ErrnoCode, path: string, message: string) => void;
}

/** Opens the modules of a config. If no module is configured there is no such function, so that this code is not loaded. */
export type OpenModules = (parts: Omit<ModulesOptions, 'choices'>) => Modules;

export interface RunningModule {
  readonly choice: ModuleChoice;
  readonly tree: ModuleTree;
  /** Keeps its texts; undefined if they are not searched. */
  readonly mirror: Mirror | undefined;
  /** Reports what went wrong; the same message at most once a minute. */
  report(message: string): void;
}

/** The same message is not reported again within this time, nor more than {@link MAX_REPORTS} different ones of one module. */
const REPORT_EVERY_MS = 60_000;
const MAX_REPORTS = 20;

/** All modules of a project. None runs before something is asked of it, or `start` is called. */
export class Modules {
  readonly #options: ModulesOptions;
  readonly #processes = new Map<string, ModuleProcess>();
  readonly #running = new Map<string, RunningModule>();
  /** Why modules could not get a folder, and so do not run, by their names. */
  readonly #unplaced = new Map<string, string>();
  readonly #listeners = new Listeners();

  constructor(options: ModulesOptions) {
    this.#options = options;
    const { modules, refused, problem } = options.choices;
    for (const choice of modules) this.#add(choice);
    for (const { name, reason } of refused) options.report('EACCES', moduleRoot(name), reason);
    if (problem !== undefined) options.report('EACCES', '/modules', problem);
  }

  names(): string[] {
    return [...this.#running.keys()];
  }

  get(name: string): RunningModule | undefined {
    return this.#running.get(name);
  }

  /** Why a configured module does not run; undefined if it runs, or is not configured. */
  whyRefused(name: string): string | undefined {
    const { refused } = this.#options.choices;
    return this.#unplaced.get(name) ?? refused.find((one) => one.name === name)?.reason;
  }

  /** Starts all modules, so that errors are known before somebody asks. */
  start(): void {
    for (const one of this.#processes.values()) one.start();
  }

  /** Calls the listener when `view` may have changed. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  view(): ModuleView[] {
    return moduleViews(
      this.#options.choices,
      (name) => this.#processes.get(name)?.state() ?? { state: 'failed', error: this.#unplaced.get(name) },
    );
  }

  /** Starts all modules, waits until each is ready or has failed (a few seconds at most), and returns the same as `view`. */
  async examine(): Promise<ModuleView[]> {
    await Promise.all([...this.#processes.values()].map((one) => one.examine()));
    return this.view();
  }

  /** The modules whose texts are read like the docs. */
  searched(): RunningModule[] {
    return [...this.#running.values()].filter(({ mirror }) => mirror !== undefined);
  }

  /**
   * Brings the stored texts of modules up to date. Never rejects: errors are reported.
   * @param which all modules that are searched, or those whose texts belong to the graph
   * @returns paths of documents that have changed
   */
  async mirror(which: 'all' | 'of the graph' = 'all'): Promise<SubPath[]> {
    const wanted = [...this.#running].filter(([, { choice }]) => which === 'all' || joinsGraph(choice.code));
    const changed = await Promise.all(
      wanted.map(async ([name, { mirror, report }]) => {
        try {
          const paths = (await mirror?.update()) ?? [];
          return paths.map((path) => `${moduleRoot(name)}/${path}` as SubPath);
        } catch (error) {
          // The tree has already reported refusals of a module, and its process has told of failures of the whole module.
          const isTold =
            error instanceof FsError || this.#processes.get(name)?.state().error === reasonOf(error);
          if (!isTold) report(`its texts cannot be read: ${reasonOf(error)}`);
          return [];
        }
      }),
    );
    return changed.flat();
  }

  close(): void {
    for (const one of this.#processes.values()) one.close();
  }

  #add(choice: ModuleChoice): void {
    const { name, code, config, timeoutMs, from, secrets } = choice;
    const { docs } = this.#options;
    const report = reporter(this.#options.report, name);
    const stateFolder = join(this.#options.stateFolder, name);
    try {
      makeOwnFolder(stateFolder);
    } catch (error) {
      const reason = `modules.${name}: its folder for what is kept cannot be used: ${reasonOf(error)}`;
      this.#unplaced.set(name, reason);
      report('EACCES', '', reason);
      return;
    }
    const note = (message: string) => report('EIO', '', message);
    const process = new ModuleProcess({
      task: { name, code, config, folder: dirname(from.file), docs, stateFolder, secrets },
      timeoutMs,
      onChanged: (paths) => tree.forget(paths),
      onNote: note,
      explain: (reason, faults) => explained(choice, reason, faults),
      onState: () => this.#listeners.tell(),
    });
    const tree = moduleTree(name, process, report);
    this.#processes.set(name, process);
    const mirror = isSearched(choice)
      ? new Mirror(
          { tree, revision: () => revisionOf(process), askAnew: () => tree.askAnew(), onLeftOut: note },
          textsFolder(this.#options.stateFolder, name),
        )
      : undefined;
    this.#running.set(name, { choice, tree, mirror, report: note });
  }
}

function explained(choice: ModuleChoice, reason: string, faults: readonly ConfigFault[]): string {
  if (faults.length === 0) return `modules.${choice.name}: ${reason}`;
  return faults
    .map(
      ({ path, message }) =>
        `${placeOf(choice, path)}: modules.${[choice.name, ...path].join('.')}: ${message}`,
    )
    .join('\n');
}

/** Reports for one module, and the same message only once in a while. */
function reporter(
  report: ModulesOptions['report'],
  name: string,
): (code: ErrnoCode, path: string, message: string) => void {
  const reported = new Map<string, number>();
  return (code, path, message) => {
    const nowMs = performance.now();
    for (const [key, atMs] of reported) if (nowMs - atMs > REPORT_EVERY_MS) reported.delete(key);
    const key = `${code} ${path} ${message}`;
    if (reported.has(key) || reported.size >= MAX_REPORTS) return;
    reported.set(key, nowMs);
    report(code, path === '' ? moduleRoot(name) : `${moduleRoot(name)}/${path}`, message);
  };
}

async function revisionOf(process: ModuleProcess): Promise<string | undefined> {
  const seen = await process.ask({ type: 'revision', path: [] });
  return seen?.kind === 'file' ? seen.version : undefined;
}
