/** How well changes are followed. */
export type WatchState =
  /** All folders are watched. */
  | { readonly kind: 'watching' }
  /** Some folders cannot be watched, or are changed by others whom the kernel does not see: changes in them are not told. */
  | { readonly kind: 'limited'; readonly reason: string }
  /** The docs root is not there. */
  | { readonly kind: 'missing'; readonly reason: string };

export function reasonIn(state: WatchState | undefined): string | undefined {
  return state === undefined || state.kind === 'watching' ? undefined : state.reason;
}
