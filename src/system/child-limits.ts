import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { unchecked } from './libc.ts';

const prctl = unchecked<[option: number, value: number, third: number, fourth: number, fifth: number]>(
  'int prctl(int option, unsigned long value, unsigned long third, unsigned long fourth, unsigned long fifth)',
);
const setLimit = unchecked<[resource: number, limit: Uint8Array]>(
  'int setrlimit(int resource, const uint8_t* limit)',
);

/** `PR_SET_PDEATHSIG` of linux/prctl.h. */
const PARENT_DEATH_SIGNAL = 1;
/** `RLIMIT_CORE` of asm-generic/resource.h. */
const CORE_SIZE = 4;
/**
 * A `struct rlimit` of two 64-bit numbers, now and at most. With 0, a program that the kernel hands core files to is given one all the same, core(5);
 * with 1 neither that nor a file is begun, `do_coredump()` of fs/coredump.c.
 */
const NO_CORE = new Uint8Array(new BigUint64Array([1n, 1n]).buffer);
const SCORE_FILE = '/proc/self/oom_score_adj';
/** Of 1000, proc_pid_oom_score_adj(5): more than anybody has who was not meant to go first. */
const SCORE_AHEAD = 500;

/**
 * For a process that is to harm nobody, whatever it does: it is killed when its parent ends, even in a loop without end; writes no core file, which
 * would have its memory in it, with keys; and is the one that the kernel ends where memory runs out. On another system than Linux nothing of it.
 */
export function limitThisChild(): void {
  if (process.platform !== 'linux') return;
  prctl(PARENT_DEATH_SIGNAL, constants.signals.SIGKILL, 0, 0, 0);
  setLimit(CORE_SIZE, NO_CORE);
  try {
    const score = Number(readFileSync(SCORE_FILE, 'utf8'));
    writeFileSync(SCORE_FILE, String(Math.min(1000, score + SCORE_AHEAD)));
  } catch {
    // Without a /proc that takes it the kernel chooses among all, as it does for others.
  }
}
