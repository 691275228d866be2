/** One function for each part of the process that asks disks, which may never answer, in threads of libuv's pool. It tells whether one is asked now. */
const askers: (() => boolean)[] = [];

/** @param isAsking whether the caller has a thread of libuv's pool ask for something that may never be answered */
export function noteAsker(isAsking: () => boolean): void {
  askers.push(isAsking);
}

/** Whether any part of the process is asking a disk now. */
export function isAskingDisks(): boolean {
  return askers.some((isAsking) => isAsking());
}

let isToEndWithoutThem = false;

/**
 * Lets this process end even while disks are asked. Otherwise its end waits for the threads of libuv's pool, and so for those disks. The other listeners for
 * the end of the process run first.
 * @param exitNow _exit(2). It is a parameter so that a process which asks no disk need not load the C library
 */
export function endWithoutDisks(exitNow: (status: number) => void): void {
  if (isToEndWithoutThem) return;
  isToEndWithoutThem = true;
  process.prependOnceListener('exit', (status) => {
    if (!isAskingDisks()) return;
    // This listener was the first and has been removed by now, so this calls the others alone.
    process.emit('exit', status);
    exitNow(Number(process.exitCode ?? status));
  });
}
