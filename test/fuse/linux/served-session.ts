import { closeSync } from 'node:fs';
import { Callers } from '../../../src/fuse/linux/callers.ts';
import type { Answer, Handlers } from '../../../src/fuse/linux/handler.ts';
import { encodeCount } from '../../../src/fuse/linux/protocol/answer.ts';
import { Session, type SessionOptions } from '../../../src/fuse/linux/session.ts';
import { SlowLocks } from '../../../src/fuse/linux/slow-locks.ts';
import type { Teardown } from '../../support/temporary.ts';
import { MessagePair } from './message-pair.ts';

export interface Serving {
  readonly session: Session;
  readonly kernel: MessagePair;
  readonly bugs: string[];
  readonly ended: Promise<void>;
}

export function serve(
  t: Teardown,
  handlers: Handlers,
  deadlineMs = 10_000,
  more: Partial<Pick<SessionOptions, 'callers' | 'cores' | 'locks' | 'prefetch'>> = {},
): Serving {
  const kernel = new MessagePair(t);
  const bugs: string[] = [];
  const session = new Session({
    descriptor: kernel.served,
    handlers,
    callers: new Callers(),
    locks: new SlowLocks(),
    deadlineMs,
    report: (error, operation) => bugs.push(`${operation}: ${error}`),
    ...more,
  });
  const ended = session.run();
  t.teardown(async () => {
    kernel.unmount();
    await ended;
    closeSync(kernel.served);
  });
  return { session, kernel, bugs, ended };
}

/** A number that the caller recognises. */
export function counted(count: number, undo?: () => void): Answer {
  return { encode: (out) => encodeCount(out, count), ...(undo ? { undo } : {}) };
}

/** What no operation may answer. */
export function nonsense<T>(json: string): T {
  return JSON.parse(json);
}

export function promised<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
