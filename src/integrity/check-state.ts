import { chmodSync, existsSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OTHERS_BITS, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { removeFile } from '../disk/remove.ts';
import { type NoPermission, noPermission } from '../disk/unreadable-file.ts';
import { liveDaemons, staleRecords } from '../state/daemons.ts';
import { startTicksOf } from '../state/processes.ts';
import { namedFiles, type StateFolder } from '../state/state-folder.ts';
import { COMMITS_SCHEMA } from '../store/commit-store.ts';
import { whyKeptFromWriting } from '../store/disk-state.ts';
import { EXTRACTION_SCHEMA } from '../store/extractions.ts';
import { fileProblems } from '../store/file-check.ts';
import { shellWord } from '../text/shell-word.ts';
import { SALVAGED_SUFFIX } from './check-context.ts';
import { CHECK_FILE_PREFIX, removeDatabase } from './check-index.ts';
import { type Finding, finding, mended, STOP_AND_REPAIR } from './finding.ts';

const NO_MODES =
  'its disk does not keep file modes: mount it so that only you may look in (umask=077), or choose another with --state';

/** Checks what killed processes have left behind, and whether other users may look in. */
export function checkState(state: StateFolder, repair: boolean): Finding[] {
  const settle = (one: Finding, mend: () => void): Finding => {
    if (!repair) return one;
    mend();
    return mended(one);
  };
  const stale = staleRecords(state);
  const left = leftFiles(state);
  const isOpen = isOpenToOthers(state);
  const found: Finding[] = [];
  if (stale.length > 0) {
    const one = finding('state', 'stale-record', 'records of daemons that are dead', stale);
    if (repair) liveDaemons(state);
    // On a read-only disk they stay.
    const isMended = repair && staleRecords(state).length === 0;
    found.push(isMended ? mended(one) : one);
  }
  if (left.length > 0) {
    const one = finding('state', 'left-file', 'files that a killed process left behind', left);
    found.push(
      settle(one, () => {
        for (const name of left) removeFile(join(state.path, name));
      }),
    );
  }
  if (isOpen) {
    if (repair) chmodSync(state.path, PRIVATE_FOLDER_MODE);
    const message = 'other users may look into the state folder';
    // Disks such as those of exFAT and NTFS accept a mode, but do not keep it.
    const isKept = repair && isOpenToOthers(state);
    const one = finding('state', 'open-folder', message, [state.path], isKept ? NO_MODES : undefined);
    found.push(repair && !isKept ? mended(one) : one);
  }
  return found;
}

function isOpenToOthers({ path }: StateFolder): boolean {
  return (lstatSync(path).mode & OTHERS_BITS) !== 0;
}

/** Reports a folder that cannot be written to; undefined for any other. A check needs to write, since it makes a second index beside the present one. */
export function foundOnlyRead({ path, daemonsLock }: StateFolder): Finding | undefined {
  const why = whyKeptFromWriting(daemonsLock);
  if (why === undefined) return undefined;
  const message = `the state folder can only be read (${why.reason}), and a check has to write there: nothing in it was looked at`;
  const copy = `check a copy: cp -a ${shellWord(path)} COPY, then kgraphfs check --state COPY`;
  return finding('state', 'only-read', message, [path], `${why.remedy}; or ${copy}`);
}

/** Files that this user cannot work with, grouped by what would make them usable. They are not mended here, since that takes other permissions. */
export function checkRights(state: StateFolder): Finding[] {
  const found = new Map<string, NoPermission & { readonly files: string[] }>();
  for (const file of namedFiles(state)) {
    const why = noPermission(file);
    if (why === undefined) continue;
    const { files } = found.get(why.reason) ?? { files: [] };
    found.set(why.reason, { ...why, files: [...files, file] });
  }
  return Array.from(found.values(), ({ reason, remedyFor, files }) =>
    finding('state', 'file-not-yours', `a file that cannot be used: ${reason}`, files, remedyFor(files)),
  );
}

/** The graph at each commit is derived from Git, so a damaged file is of no use. */
export function checkCommits(state: StateFolder, repair: boolean, isInUse: () => boolean): Finding[] {
  const problems = fileProblems(state.commitsFile, COMMITS_SCHEMA);
  if (problems.length === 0) return [];
  const one = finding('commits', 'file-damaged', 'the file of the graph at each commit is damaged', problems);
  if (!repair) return [one];
  if (isInUse()) return [{ ...one, remedy: STOP_AND_REPAIR }];
  removeDatabase(state.commitsFile);
  return [mended(one)];
}

/** The answers of models have cost money, so a damaged file is put aside and never removed. */
export function checkExtractions(state: StateFolder, repair: boolean, nowMs: number): Finding[] {
  const file = state.extractionsFile;
  const problems = existsSync(file) ? fileProblems(file, EXTRACTION_SCHEMA) : [];
  if (problems.length === 0) return [];
  const one = finding('index', 'file-damaged', 'the file of what models answered is damaged', problems);
  if (!repair) return [one];
  const kept = `${file}.damaged-${nowMs}`;
  for (const part of ['-wal', '-shm', '']) {
    if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${kept}${part}`);
  }
  const message = `${one.message}: it is kept as ${kept}, and documents are read by rules alone`;
  return [mended({ ...one, message })];
}

/** Removes the files that this process makes during a check, which it normally removes at the end. */
export function removeUnfinished(state: StateFolder): void {
  for (const name of filesOf(state, (pid) => pid === process.pid)) {
    removeFile(join(state.path, name));
  }
}

function leftFiles(state: StateFolder): string[] {
  return filesOf(state, (pid) => startTicksOf(pid) === undefined);
}

/** The files that processes make during a check, named by their process numbers. */
function filesOf(state: StateFolder, isTheirs: (pid: number) => boolean): string[] {
  const beginnings = [CHECK_FILE_PREFIX, `${basename(state.contextFile)}${SALVAGED_SUFFIX}`];
  return readdirSync(state.path).filter((name) => {
    const beginning = beginnings.find((one) => name.startsWith(one));
    const pid = beginning === undefined ? undefined : /^\d+/.exec(name.slice(beginning.length))?.[0];
    return pid !== undefined && isTheirs(Number(pid));
  });
}
