import { unchecked } from './libc.ts';

const changeMask = unchecked<[how: number, signals: Uint8Array, before: Uint8Array]>(
  'int pthread_sigmask(int how, const uint8_t* signals, uint8_t* before)',
);
/** Of signal.h, on Linux. */
const SIG_BLOCK = 0;
const SIG_SETMASK = 2;
/** `sigset_t` of the C library, of which the kernel uses a part. */
const SIGNALS_BYTES = 128;

/** Does something while this thread takes no signals. Threads that are started meanwhile never take any. */
export function withoutSignals<T>(action: () => T): T {
  const before = Buffer.alloc(SIGNALS_BYTES);
  changeMask(SIG_BLOCK, Buffer.alloc(SIGNALS_BYTES, 0xff), before);
  try {
    return action();
  } finally {
    changeMask(SIG_SETMASK, before, Buffer.alloc(SIGNALS_BYTES));
  }
}
