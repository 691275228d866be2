import type { Awaitable } from './resolver.ts';

export function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** What follows on a value: at once where the value is there at once. */
export function after<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromiseLike(value) ? Promise.resolve(value).then(next) : next(value);
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
