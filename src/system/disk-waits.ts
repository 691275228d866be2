/** What has the pool ask disks that may never answer, and whether it does so now. */
const askers: (() => boolean)[] = [];

/** @param isAsking told by whoever has threads of libuv's pool ask for what may never be answered */
export function noteAsker(isAsking: () => boolean): void {
  askers.push(isAsking);
}

/** Whether any of them does so now. */
export function isAskingDisks(): boolean {
  return askers.some((isAsking) => isAsking());
}
