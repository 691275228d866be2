/** How well changes are followed. */
export type WatchState =
  /** All folders are watched. */
  | { readonly kind: 'watching' }
  /** Some folders cannot be watched, or are changed by others without this kernel's notice. Changes in them are not reported. */
  | { readonly kind: 'limited'; readonly reason: string }
  /** The docs root does not exist. */
  | { readonly kind: 'missing'; readonly reason: string };

/** The state of all docs. A problem of one root is a problem of the docs; a root that is missing matters more than one that is only watched in part. */
export function stateOfAll(states: readonly WatchState[]): WatchState {
  const kind = (['missing', 'limited'] as const).find((kind) => states.some((state) => state.kind === kind));
  if (kind === undefined) return { kind: 'watching' };
  const reasons = states.filter((state) => state.kind === kind).flatMap((state) => reasonOf(state) ?? []);
  return { kind, reason: [...new Set(reasons)].join('; ') };
}

function reasonOf(state: WatchState): string | undefined {
  return state.kind === 'watching' ? undefined : state.reason;
}

export function isSameState(one: WatchState, other: WatchState): boolean {
  return one.kind === other.kind && reasonOf(one) === reasonOf(other);
}
