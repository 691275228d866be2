import { existsSync, renameSync } from 'node:fs';
import { foldedText } from '../memory/content.ts';
import type { StateFolder } from '../state/state-folder.ts';
import { ContextCheck, type ContextFinding, type ContextProblem } from '../store/context-check.ts';
import { CONTEXT_SCHEMA, openContextStore } from '../store/context-store.ts';
import { copyDatabase, fileProblems } from '../store/file-check.ts';
import { salvage } from '../store/salvage.ts';
import { type Finding, finding, mended } from './finding.ts';

export interface ContextCheckOptions {
  readonly state: StateFolder;
  readonly repair: boolean;
  /** A daemon has the file open: it cannot be replaced. */
  readonly isInUse: boolean;
  readonly nowMs: number;
}

export interface ContextCheckResult {
  readonly findings: readonly Finding[];
  readonly memories: number;
  readonly versions: number;
  readonly historyEntries: number;
}

const NOTHING: ContextCheckResult = { findings: [], memories: 0, versions: 0, historyEntries: 0 };
const STOP_FIRST = 'end the daemons (kgraphfs stop --all), then kgraphfs check --repair';

const MESSAGES: Readonly<Record<ContextProblem, string>> = {
  'content-missing': 'memories whose content is gone',
  'content-differs': 'memories whose content is not the one that was summed up when it was written',
  'text-differs': 'memories that search does not know as they are',
  'version-differs': 'earlier contents that are not what they should be',
  'row-without-entry': 'tables with rows of memories that are not there',
  'history-size': 'files of the history whose size is not that of their lines',
  'history-line': 'entries of the history that cannot be read',
};

/**
 * Holds memory and history against themselves. Before anything is mended a copy is put beside the file: what people wrote cannot be made
 * again.
 */
export function checkContext(options: ContextCheckOptions): ContextCheckResult {
  const { state, repair, isInUse } = options;
  if (!existsSync(state.contextFile)) return NOTHING;
  const problems = fileProblems(state.contextFile, CONTEXT_SCHEMA);
  if (problems.length === 0) return checkRows(options);
  const found = finding('memory', 'file-damaged', 'the file of memory and history is damaged', problems);
  if (!repair) return { ...NOTHING, findings: [found] };
  if (isInUse) return { ...NOTHING, findings: [{ ...found, remedy: STOP_FIRST }] };
  const { kept, rows } = replaceDamaged(options);
  const message = `${found.message}: ${rows} rows were taken out of it, and it is kept as ${kept}`;
  const rest = checkRows(options);
  return { ...rest, findings: [mended({ ...found, message }), ...rest.findings] };
}

function checkRows({ state, repair, nowMs }: ContextCheckOptions): ContextCheckResult {
  // Brings its tables up to date.
  openContextStore(state.contextFile).close();
  const check = new ContextCheck(state.contextFile);
  try {
    const found = check.findings(foldedText);
    const counts = check.counts();
    const canMend = found.some(({ mend }) => mend !== undefined);
    if (!repair || !canMend) return { ...counts, findings: findingsOf(found, () => false) };
    copyDatabase(state.contextFile, asideName(state, 'before-repair', nowMs));
    check.mend(found);
    const left = check.findings(foldedText);
    const isLeft = (one: ContextFinding) =>
      left.some(({ problem, place }) => problem === one.problem && place === one.place);
    return { ...counts, findings: findingsOf(found, (one) => !isLeft(one)) };
  } finally {
    check.close();
  }
}

/** One for each kind of problem, and whether it was mended. */
function findingsOf(found: readonly ContextFinding[], isMended: (one: ContextFinding) => boolean): Finding[] {
  return [true, false].flatMap((wanted) => {
    return Array.from(placesOf(found, isMended, wanted), ([problem, about]) => {
      const part = problem.startsWith('history') ? 'history' : 'memory';
      const canMend = found.some((one) => one.problem === problem && one.mend !== undefined);
      const remedy = canMend ? undefined : 'nothing can be done about it here: look for it in a backup';
      const one = finding(part, problem, MESSAGES[problem], about, remedy);
      return wanted ? mended(one) : one;
    });
  });
}

function placesOf(
  found: readonly ContextFinding[],
  isMended: (one: ContextFinding) => boolean,
  wanted: boolean,
): Map<ContextProblem, string[]> {
  const places = new Map<ContextProblem, string[]>();
  for (const one of found) {
    if (isMended(one) !== wanted) continue;
    places.set(one.problem, [...(places.get(one.problem) ?? []), one.place]);
  }
  return places;
}

/** The damaged file is put aside, never removed. */
function replaceDamaged({ state, nowMs }: ContextCheckOptions): { kept: string; rows: number } {
  const kept = asideName(state, 'damaged', nowMs);
  const made = `${state.contextFile}.salvaged`;
  openContextStore(made).close();
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(`${state.contextFile}${suffix}`))
      renameSync(`${state.contextFile}${suffix}`, `${kept}${suffix}`);
  }
  renameSync(state.contextFile, kept);
  const rows = salvage(kept, made);
  renameSync(made, state.contextFile);
  return { kept, rows };
}

/** `context.sqlite.damaged-20261121T115500`. */
function asideName({ contextFile }: StateFolder, why: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+Z$/g, '');
  let name = `${contextFile}.${why}-${time}`;
  while (existsSync(name)) name += '+';
  return name;
}
