import { liveDaemons } from '../state/daemons.ts';
import { checkContext } from './check-context.ts';
import { checkIndex, type IndexCheckOptions } from './check-index.ts';
import { checkSearchFiles } from './check-search.ts';
import { checkCommits, checkExtractions, checkState } from './check-state.ts';
import type { Finding } from './finding.ts';

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
  const context = await checkContext({ state, repair, isInUse, nowMs: clock.nowMs() });
  const ofCommits = checkCommits(state, repair, isInUse);
  const ofSearch = checkSearchFiles(state, repair, isInUse);
  const ofAnswers = checkExtractions(state, repair, clock.nowMs());
  // The index follows from the answers, too: without them there is nothing to hold it against.
  const canCompare = ofAnswers.every((one) => one.mended);
  const ofIndex = canCompare ? await checkIndex({ ...options, isInUse }) : [];
  const findings = [...ofState, ...context.findings, ...ofCommits, ...ofSearch, ...ofAnswers, ...ofIndex];
  return { ...context, findings };
}
