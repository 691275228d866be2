import type { EdgeContribution } from '../graph/contribution.ts';
import type { Store } from '../store/store.ts';

/** What one rule has read in one document. */
export interface RuleReading {
  readonly edge_type: string;
  readonly rule: string;
  /** The confidence that the rule has by itself. */
  readonly confidence: number;
  /** `file:line`. */
  readonly places: readonly string[];
}

/**
 * The rules that have read the edges from one node to another, by document. The places of a document are those of all rules that have read the same
 * in it. Edges that no rule has read are left out, such as those of a document that another program has made.
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
