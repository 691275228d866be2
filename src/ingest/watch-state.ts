/** How well changes are followed. */
export type WatchState =
  /** All folders are watched. */
  | { readonly kind: 'watching' }
  /** Some folders cannot be watched, or are changed by others whom the kernel does not see: changes in them are not told. */
  | { readonly kind: 'limited'; readonly reason: string }
  /** The docs root is not there. */
  | { readonly kind: 'missing'; readonly reason: string };

/** What goes wrong with one root goes wrong with the docs; a root that is missing counts more than one that is not watched whole. */
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
