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

let isToEndWithoutThem = false;

/**
 * Has this process end though disks are asked: the end of a process waits for the threads of libuv's pool otherwise, and so for those disks. What others
 * do at the end is done before.
 * @param exitNow _exit(2), which is given so that who asks no disk need not load what calls it
 */
export function endWithoutDisks(exitNow: (status: number) => void): void {
  if (isToEndWithoutThem) return;
  isToEndWithoutThem = true;
  process.prependOnceListener('exit', (status) => {
    if (!isAskingDisks()) return;
    // This one came first, and is no longer among those that are told.
    process.emit('exit', status);
    exitNow(Number(process.exitCode ?? status));
  });
}
