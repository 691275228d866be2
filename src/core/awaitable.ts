import type { Awaitable } from './resolver.ts';

export function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** What follows on a value: at once where the value is there at once. */
export function after<T, U>(value: Awaitable<T>, next: (value: T) => U): Awaitable<U> {
  return isPromiseLike(value) ? Promise.resolve(value).then(next) : next(value);
}
