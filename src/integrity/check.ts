import { basename } from 'node:path';
import { UnreadableFileError } from '../core/unreadable-file.ts';
import { liveDaemons } from '../state/daemons.ts';
import { checkContext, NOTHING } from './check-context.ts';
import { checkIndex, type IndexCheckOptions } from './check-index.ts';
import { checkLost } from './check-lost.ts';
import { checkSearchFiles } from './check-search.ts';
import { checkCommits, checkExtractions, checkState } from './check-state.ts';
import { type CheckedPart, type Finding, finding } from './finding.ts';

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly memories: number;
  readonly versions: number;
  readonly historyEntries: number;
}

/**
 * Holds all that a state folder keeps against the docs and against itself.
 * @throws UserError where the docs cannot be read, or a file is of a newer version
 */
export async function checkProject(options: Omit<IndexCheckOptions, 'isInUse'>): Promise<CheckResult> {
  const { state, repair, clock } = options;
  const ofState = checkState(state, repair);
  const isInUse = liveDaemons(state).length > 0;
  const unreadable: Finding[] = [];
  const look = async <T>(part: CheckedPart, otherwise: T, check: () => T | Promise<T>): Promise<T> => {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      const found = unreadableFinding(part, error);
      if (!unreadable.some(({ items }) => items[0] === error.file)) unreadable.push(found);
      return otherwise;
    }
  };
  const nowMs = clock.nowMs();
  const ofLost = checkLost(state, repair);
  // There is nothing to be held against itself, and none is to be made.
  const context =
    ofLost.length > 0
      ? NOTHING
      : await look('memory', NOTHING, () => checkContext({ state, repair, isInUse, nowMs }));
  const ofCommits = await look('commits', [], () => checkCommits(state, repair, isInUse));
  const ofSearch = await look('search', [], () => checkSearchFiles(state, repair, isInUse));
  const ofAnswers = await look('index', undefined, () => checkExtractions(state, repair, nowMs));
  // The index follows from the answers, too: without them there is nothing to hold it against.
  const canCompare = ofAnswers?.every((one) => one.mended) ?? false;
  const ofIndex = canCompare ? await look('index', [], () => checkIndex({ ...options, isInUse })) : [];
  const ofFiles = [...ofCommits, ...ofSearch, ...(ofAnswers ?? []), ...ofIndex];
  return { ...context, findings: [...ofLost, ...ofState, ...context.findings, ...ofFiles, ...unreadable] };
}

function unreadableFinding(part: CheckedPart, { file, why }: UnreadableFileError): Finding {
  const message = `${basename(file)} cannot be looked at, and is left as it is: ${why.reason}`;
  return finding(part, 'file-unreadable', message, [file], why.remedy);
}
