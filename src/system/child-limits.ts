import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { unchecked } from './libc.ts';

const prctl = unchecked<[option: number, value: number, third: number, fourth: number, fifth: number]>(
  'int prctl(int option, unsigned long value, unsigned long third, unsigned long fourth, unsigned long fifth)',
);
const setLimit = unchecked<[resource: number, limit: Uint8Array]>(
  'int setrlimit(int resource, const uint8_t* limit)',
);

/** `PR_SET_PDEATHSIG`, from linux/prctl.h. */
const PARENT_DEATH_SIGNAL = 1;
/** `RLIMIT_CORE`, from asm-generic/resource.h. */
const CORE_SIZE = 4;
/**
 * A `struct rlimit`: the soft and the hard limit, as 64-bit numbers. With a limit of 0, a program that the kernel pipes core files to still gets one, see
 * core(5). With 1, neither that nor a file is begun, see `do_coredump()` in fs/coredump.c.
 */
const NO_CORE = new Uint8Array(new BigUint64Array([1n, 1n]).buffer);
const SCORE_FILE = '/proc/self/oom_score_adj';
/** Out of 1000, see proc_pid_oom_score_adj(5). It is higher than the score of any process that was not meant to go first. */
const SCORE_AHEAD = 500;

/**
 * Restricts the calling process so that it can harm nobody, whatever it does. It is killed when its parent ends, even in an endless loop. It writes no core
 * file, since that would hold its memory, with keys. And it is the process that the kernel kills first when memory runs out. Does nothing on systems other than
 * Linux.
 */
export function limitThisChild(): void {
  if (process.platform !== 'linux') return;
  prctl(PARENT_DEATH_SIGNAL, constants.signals.SIGKILL, 0, 0, 0);
  setLimit(CORE_SIZE, NO_CORE);
  try {
    const score = Number(readFileSync(SCORE_FILE, 'utf8'));
    writeFileSync(SCORE_FILE, String(Math.min(1000, score + SCORE_AHEAD)));
  } catch {
    // If /proc does not take the score, the kernel chooses among all processes, as it does for others.
  }
}
