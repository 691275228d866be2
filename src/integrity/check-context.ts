import { constants, copyFileSync, existsSync } from 'node:fs';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import { timeInName } from '../core/iso-time.ts';
import { foldedText } from '../memory/content.ts';
import type { StateFolder } from '../state/state-folder.ts';
import { ContextCheck, type ContextFinding, type ContextProblem } from '../store/context-check.ts';
import { CONTEXT_SCHEMA, openContextStore } from '../store/context-store.ts';
import { copyDatabaseExplained } from '../store/database.ts';
import { explain } from '../store/database-failure.ts';
import { checkReadable, fileProblems } from '../store/file-check.ts';
import type { LostContents } from '../store/lost-contents.ts';
import { isRefusal } from '../store/only-read.ts';
import { isOpenable, makeOpenable, type Salvaged, salvageContext } from '../store/salvage-context.ts';
import { shellWord } from '../text/shell-word.ts';
import { removeDatabase } from './check-index.ts';
import { type Finding, finding, mended, STOP_AND_REPAIR } from './finding.ts';

export interface ContextCheckOptions {
  readonly state: StateFolder;
  readonly repair: boolean;
  /** Whether a daemon has the file open by now. Its memory would then differ from the file. */
  readonly isInUse: () => boolean;
  readonly nowMs: number;
}

export interface ContextCheckResult {
  readonly findings: readonly Finding[];
  readonly memories: number;
  readonly versions: number;
  readonly historyEntries: number;
}

/** The result if nothing was checked. */
export const NOTHING: ContextCheckResult = { findings: [], memories: 0, versions: 0, historyEntries: 0 };
/** The suffix of the file into which data is salvaged; the number of the process follows. */
export const SALVAGED_SUFFIX = '.salvaged-';
/** Others may write while data is salvaged. Then it is begun again, up to this many times. */
const MAX_ROUNDS = 5;
const LET_IT_BE = 'other processes write to it all the time: when they have ended, kgraphfs check --repair';

const MESSAGES: Readonly<Record<ContextProblem, string>> = {
  'content-missing': 'memories whose content is gone',
  'content-differs': 'memories whose content is not the one that was summed up when it was written',
  'text-differs': 'memories that search does not know as they are',
  'version-differs': 'earlier contents that are not what they should be',
  'row-without-entry': 'tables with rows of memories that are not there',
  'history-size': 'files of the history whose size is not that of their lines',
  'history-line': 'entries of the history that cannot be read',
};

/** Checks memory and history for consistency. Before anything is mended, a copy is put beside the file, since what people wrote cannot be made again. */
export async function checkContext(options: ContextCheckOptions): Promise<ContextCheckResult> {
  const { state, repair, isInUse } = options;
  if (!existsSync(state.contextFile)) return NOTHING;
  const problems = fileProblems(state.contextFile, CONTEXT_SCHEMA);
  if (problems.length === 0) return checkRows(options);
  checkReadable(state.contextFile);
  const found = finding('memory', 'file-damaged', 'the file of memory and history is damaged', problems);
  if (!repair) return { ...NOTHING, findings: [found] };
  if (isInUse()) return { ...NOTHING, findings: [{ ...found, remedy: STOP_AND_REPAIR }] };
  const replaced = await replaceDamaged(options);
  if (replaced === undefined) return { ...NOTHING, findings: [{ ...found, remedy: LET_IT_BE }] };
  const { kept, salvaged } = replaced;
  const how =
    salvaged === undefined ? 'another process repaired it' : `${salvaged.rows} rows were taken out of it`;
  const message = `${found.message}: ${how}, and it is kept as ${kept}`;
  const lost = salvaged === undefined ? [] : lostFindings(salvaged);
  const rest = checkRows(options);
  const settled = salvaged?.rows === 0 ? nothingRead(problems, kept) : mended({ ...found, message });
  return { ...rest, findings: [settled, ...lost, ...rest.findings] };
}

function checkRows({ state, repair, nowMs }: ContextCheckOptions): ContextCheckResult {
  // Opening the store brings its tables up to date.
  openContextStore(state.contextFile).close();
  const check = new ContextCheck(state.contextFile);
  try {
    const found = check.findings(foldedText);
    const counts = check.counts();
    const canMend = found.some(({ mend }) => mend !== undefined);
    if (!repair || !canMend) return { ...counts, findings: findingsOf(found, () => false) };
    copyDatabaseExplained(state.contextFile, asideName(state, 'before-repair', nowMs), CONTEXT_SCHEMA);
    check.mend(found);
    const left = check.findings(foldedText);
    const isLeft = (one: ContextFinding) =>
      left.some(({ problem, place }) => problem === one.problem && place === one.place);
    return { ...counts, findings: findingsOf(found, (one) => !isLeft(one)) };
  } catch (error) {
    throw isRefusal(error) ? explain(error, CONTEXT_SCHEMA, state.contextFile) : error;
  } finally {
    check.close();
  }
}

/** One finding for each kind of problem and whether it was mended. */
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

function nothingRead(problems: readonly string[], kept: string): Finding {
  const message = `the file of memory and history is damaged, and NOTHING COULD BE RECOVERED: all memories and the history are lost here, an empty file stands in its place; the damaged one is kept as ${kept}`;
  const remedy = `put a backup in its place, or have sqlite3 try it: sqlite3 ${shellWord(kept)} .recover`;
  return finding('memory', 'nothing-recovered', message, problems, remedy);
}

interface Replaced {
  /** A copy of the damaged file. */
  readonly kept: string;
  /** Undefined if another process has put a sound file in its place. */
  readonly salvaged: Salvaged | undefined;
}

/**
 * Replaces the damaged file by one with what could be salvaged. A copy of the damaged one always stays beside it.
 * @returns undefined if others write to it all the time; then nothing is changed
 */
async function replaceDamaged({ state, nowMs }: ContextCheckOptions): Promise<Replaced | undefined> {
  const { contextFile } = state;
  const canBeOpened = isOpenable(contextFile);
  const kept = asideName(state, 'damaged', nowMs);
  keepCopy(contextFile, kept);
  if (!canBeOpened) makeOpenable(contextFile);
  const made = `${contextFile}${SALVAGED_SUFFIX}${process.pid}`;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (round > 0 && fileProblems(contextFile, CONTEXT_SCHEMA).length === 0)
      return { kept, salvaged: undefined };
    removeDatabase(made);
    try {
      const salvaged = await salvageContext(contextFile, made);
      if (salvaged !== undefined) return { kept, salvaged };
    } finally {
      removeDatabase(made);
    }
  }
  if (canBeOpened) removeDatabase(kept);
  return undefined;
}

/** @throws UserError if there is no room for the copy */
function keepCopy(file: string, kept: string): void {
  try {
    // The log comes first: what is moved from it to the file meanwhile is in both copies then.
    for (const part of ['-wal', '']) {
      if (existsSync(`${file}${part}`))
        copyFileSync(`${file}${part}`, `${kept}${part}`, constants.COPYFILE_EXCL);
    }
  } catch (error) {
    throw new UserError(
      `${file}: it is damaged, and before it is repaired it has to be copied to ${kept}: ${reasonOf(error)}`,
      EXIT.failed,
      { cause: error },
    );
  }
}

const LOST: Readonly<Record<keyof LostContents, string>> = {
  asSearched:
    'memories whose content was lost: the text that search had of it, in lower case, stands in its place',
  asBefore: 'memories whose content was lost: the one before stands in its place',
  gone: 'memories whose content was lost, and nothing else was left of it: they are gone',
};

function lostFindings({ lost }: Salvaged): Finding[] {
  const kinds = ['asSearched', 'asBefore', 'gone'] as const;
  return kinds.flatMap((kind) =>
    lost[kind].length === 0 ? [] : [mended(finding('memory', 'content-missing', LOST[kind], lost[kind]))],
  );
}

/** Such as `context.sqlite.damaged-20261121T115500`. */
function asideName({ contextFile }: StateFolder, why: string, nowMs: number): string {
  const time = timeInName(nowMs);
  let name = `${contextFile}.${why}-${time}`;
  while (existsSync(name)) name += '+';
  return name;
}
