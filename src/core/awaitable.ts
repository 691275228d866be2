import type { Awaitable } from './resolver.ts';

/** Asked of nearly each value that is answered, whatever it is: `in` takes V8 several times as long as a look at what may not be there. */
export function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<PromiseLike<T>>).then === 'function'
  );
}

/** What follows on a value: at once where the value is there at once. */
export function after<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromiseLike(value) ? Promise.resolve(value).then(next) : next(value);
}

/** A value that is there at once; undefined for one that comes later, or fails then: who asks for it again is told. */
export function atOnce<T>(value: Awaitable<T>): T | undefined {
  if (!isPromiseLike(value)) return value;
  Promise.resolve(value).catch(() => undefined);
  return undefined;
}

/** What takes the place of a failure, thrown at once or later; to fail anyway, `failed` throws. */
export function recover<T, U>(start: () => Awaitable<T>, failed: (error: unknown) => U): Awaitable<T | U> {
  try {
    const value = start();
    return isPromiseLike(value) ? Promise.resolve(value).then(undefined, failed) : value;
  } catch (error) {
    return failed(error);
  }
}
