import { existsSync } from 'node:fs';
import { type CountsByRule, countsOf, countsText } from '../core/rule-counts.ts';
import { UnreadableFileError } from '../disk/unreadable-file.ts';
import { Projection } from '../graph/projection.ts';
import type { IndexOptions } from './indexer.ts';

const NOTHING_JUDGED = '{}';

/**
 * Gives edges the confidence that follows from the present judgements about rules: edges by rules whose judgements have changed are made again, in one
 * transaction. A file that is not one of ours counts as empty, and if the file cannot be read, edges stay as they are.
 */
export async function takeJudgements({ store, clock, rulesFile }: IndexOptions): Promise<void> {
  const before = store.meta('rules') ?? NOTHING_JUDGED;
  const now = rulesFile === undefined ? NOTHING_JUDGED : countsText(await countsIn(rulesFile, before));
  if (now === before) return;
  store.transact(() => {
    store.setMeta('rules', now);
    const projection = new Projection(store);
    const changed = changedRules(countsOf(before), countsOf(now));
    for (const { sourceId, resolvedId } of store.contributions.pairsReadBy(changed)) {
      projection.makeAnew(sourceId, resolvedId);
    }
    projection.projectNext(clock.nowMs());
  });
}

async function countsIn(file: string, before: string): Promise<CountsByRule> {
  // The code that reads the file takes longer to load than most updates, and few projects have such a file.
  if (!existsSync(file)) return {};
  const { ledgerOrNone, ruleCounts } = await import('../state/learning-file.ts');
  try {
    return ruleCounts(ledgerOrNone(file));
  } catch (error) {
    // `learn status` reports this, and the file may become readable again.
    if (error instanceof UnreadableFileError) return countsOf(before);
    throw error;
  }
}

function changedRules(before: CountsByRule, now: CountsByRule): string[] {
  const rules = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...rules].filter(
    (rule) =>
      before[rule]?.confirmed !== now[rule]?.confirmed || before[rule]?.rejected !== now[rule]?.rejected,
  );
}
