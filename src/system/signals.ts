import { unchecked } from './libc.ts';

const changeMask = unchecked<[how: number, signals: Uint8Array, before: Uint8Array]>(
  'int pthread_sigmask(int how, const uint8_t* signals, uint8_t* before)',
);
/** From signal.h, on Linux. */
const SIG_BLOCK = 0;
const SIG_SETMASK = 2;
/** The size of `sigset_t` in the C library; the kernel uses a part of it. */
const SIGNALS_BYTES = 128;

/** Runs an action while this thread takes no signals. Threads that are started meanwhile never take any. */
export function withoutSignals<T>(action: () => T): T {
  const before = Buffer.alloc(SIGNALS_BYTES);
  changeMask(SIG_BLOCK, Buffer.alloc(SIGNALS_BYTES, 0xff), before);
  try {
    return action();
  } finally {
    changeMask(SIG_SETMASK, before, Buffer.alloc(SIGNALS_BYTES));
  }
}
