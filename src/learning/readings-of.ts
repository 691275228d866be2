import type { EdgeContribution } from '../graph/contribution.ts';
import type { Store } from '../store/store.ts';

/** What one rule read in one document. */
export interface RuleReading {
  readonly edge_type: string;
  readonly rule: string;
  /** What the rule says of itself. */
  readonly confidence: number;
  /** `file:line`. */
  readonly places: readonly string[];
}

/**
 * The rules by which the edges from one node to another were read, by document. A document's places are those of all rules that read the same in it.
 * What no rule read, as a document of another program's making, is left out.
 */
export function readingsOf(
  { contributions }: Pick<Store, 'contributions'>,
  from: { readonly id: number },
  to: { readonly id: number },
): RuleReading[] {
  return contributions.statementsOfPair(from.id, to.id).flatMap(({ path, type, body }) => {
    const { confidence, rule, also = {}, lines }: EdgeContribution = JSON.parse(body);
    if (rule === undefined) return [];
    const places = lines.map((line) => `${path}:${line}`);
    const rules: [string, number][] = [[rule, confidence], ...Object.entries(also)];
    return rules.map(([rule, confidence]) => ({ edge_type: type, rule, confidence, places }));
  });
}
