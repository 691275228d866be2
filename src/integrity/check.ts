import { basename } from 'node:path';
import { UnreadableFileError } from '../disk/unreadable-file.ts';
import { liveDaemons } from '../state/daemons.ts';
import { checkContext, NOTHING } from './check-context.ts';
import { checkIndex, type IndexCheckOptions } from './check-index.ts';
import { checkLost } from './check-lost.ts';
import { checkSearchFiles } from './check-search.ts';
import { checkCommits, checkExtractions, checkRights, checkState, foundOnlyRead } from './check-state.ts';
import { type CheckedPart, type Finding, finding } from './finding.ts';

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly memories: number;
  readonly versions: number;
  readonly historyEntries: number;
  /** Why the checks after these findings were not made, such as docs that cannot be read or a file of a newer version; undefined if all were made. */
  readonly stopped: { readonly error: unknown } | undefined;
}

/** Checks everything that a state folder holds against the docs and for consistency. */
export async function checkProject(options: Omit<IndexCheckOptions, 'isInUse'>): Promise<CheckResult> {
  const { state, repair, clock } = options;
  const onlyRead = foundOnlyRead(state);
  if (onlyRead !== undefined) return { ...NOTHING, findings: [onlyRead], stopped: undefined };
  const ofState = checkState(state, repair);
  // Asked just before something is replaced: reading all docs takes long, and a daemon may have begun meanwhile.
  const isInUse = () => liveDaemons(state).length > 0;
  const unreadable: Finding[] = [];
  let stopped: CheckResult['stopped'];
  const look = async <T>(part: CheckedPart, otherwise: T, check: () => T | Promise<T>): Promise<T> => {
    if (stopped !== undefined) return otherwise;
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) {
        stopped = { error };
        return otherwise;
      }
      const found = unreadableFinding(part, error);
      if (!unreadable.some(({ items }) => items[0] === error.file)) unreadable.push(found);
      return otherwise;
    }
  };
  const nowMs = clock.nowMs();
  const ofLost = checkLost(state, repair);
  // A lost file has no content to check, and must not be made by opening it.
  const context =
    ofLost.length > 0
      ? NOTHING
      : await look('memory', NOTHING, () => checkContext({ state, repair, isInUse, nowMs }));
  const ofCommits = await look('commits', [], () => checkCommits(state, repair, isInUse));
  const ofSearch = await look('search', [], () => checkSearchFiles(state, repair, isInUse));
  const ofAnswers = await look('index', undefined, () => checkExtractions(state, repair, nowMs));
  // The index also depends on the answers of models. If they are unknown, the index cannot be compared with a new one.
  const canCompare = ofAnswers?.every((one) => one.mended) ?? false;
  const ofIndex = canCompare ? await look('index', [], () => checkIndex({ ...options, isInUse })) : [];
  const ofFiles = [...ofCommits, ...ofSearch, ...(ofAnswers ?? []), ...ofIndex];
  // This check comes last: while a file is examined, SQLite makes files beside it that get the same permissions, so they are found here as well.
  const ofRights = checkRights(state);
  const findings = [...ofLost, ...ofState, ...ofRights, ...context.findings, ...ofFiles, ...unreadable];
  return { ...context, findings, stopped };
}

function unreadableFinding(part: CheckedPart, { file, why, cannot }: UnreadableFileError): Finding {
  const message = `${basename(file)} cannot ${cannot}, and is left as it is: ${why.reason}`;
  return finding(part, 'file-unreadable', message, [file], why.remedy);
}
