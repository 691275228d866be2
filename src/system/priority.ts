import { arch, getPriority } from 'node:os';
import { unchecked } from './libc.ts';

const setPriority = unchecked<[which: number, who: number, nice: number]>(
  'int setpriority(int which, uint32_t who, int nice)',
);
const setIoPriority = unchecked<[call: number, which: number, who: number, priority: number]>(
  'int64_t syscall(int64_t call, int64_t which, int64_t who, int64_t priority)',
);

/** With this, Linux takes a thread id for a process id, and 0 for the calling thread. */
const PRIO_PROCESS = 0;
const IOPRIO_WHO_PROCESS = 1;
const THIS_THREAD = 0;
const NICE = 10;
/** `IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 7)`: served last, but served; the idle class might wait for ever. */
const LAST_BEST_EFFORT = (2 << 13) | 7;
/** ioprio_set(2) has no function in the C library. */
const SYS_IOPRIO_SET: Partial<Record<string, number>> = { x64: 251, arm64: 30 };

/**
 * Lets every other thread and process that wants processor or disk go before this thread (not before its whole process): nice 10, or as nice as the process if
 * that is more, and the lowest best-effort priority of input and output. On an idle machine the thread is as fast as before. If the kernel refuses, nothing
 * changes.
 */
export function standBack(): void {
  setPriority(PRIO_PROCESS, THIS_THREAD, Math.max(NICE, getPriority()));
  const call = SYS_IOPRIO_SET[arch()];
  if (call !== undefined) setIoPriority(call, IOPRIO_WHO_PROCESS, THIS_THREAD, LAST_BEST_EFFORT);
}
