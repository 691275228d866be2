import { join } from 'node:path';
import type { HistoryEvent } from '../../src/core/history-event.ts';
import { parsePath } from '../../src/core/paths.ts';
import type { Caller } from '../../src/core/resolver.ts';
import { type History, openHistory } from '../../src/history/history.ts';
import { type ContextStore, openContextStore } from '../../src/store/context-store.ts';
import type { HistoryFile } from '../../src/store/history-table.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

export const START_MS = Date.UTC(2026, 10, 21, 6);
export const SESSION = '20261121T060000-7f3a';

/** A clock that stands still unless it is moved. */
export interface HandClock {
  nowMs(): number;
  advance(ms: number): void;
}

export function handClock(startMs = START_MS): HandClock {
  let timeMs = startMs;
  return {
    nowMs: () => timeMs,
    advance(ms) {
      timeMs += ms;
    },
  };
}

/** One process's history. */
export interface Recording {
  readonly store: ContextStore;
  readonly history: History;
  readonly clock: HandClock;
  readonly file: string;
  /** What it could not write. */
  readonly failures: unknown[];
  /** All lines of the store, in the order in which they were entered, parsed. */
  entries(): Record<string, unknown>[];
}

export interface RecordingOptions {
  /** Of another one, to share its store as another process does. */
  readonly file?: string;
  readonly clock?: HandClock;
  /** What stands between the history and its store. */
  readonly wrap?: (store: ContextStore) => ContextStore;
}

export function recording(t: Teardown, options: RecordingOptions = {}): Recording {
  const file = options.file ?? join(temporaryFolder(t), 'context.sqlite');
  const clock = options.clock ?? handClock();
  const store = openContextStore(file);
  const failures: unknown[] = [];
  const history = openHistory({
    store: options.wrap?.(store) ?? store,
    clock,
    actor: 'ana',
    session: SESSION,
    onFailure: (error) => failures.push(error),
  });
  t.teardown(() => {
    history.close();
    store.close();
  });
  return {
    store,
    history,
    clock,
    file,
    failures,
    entries: () =>
      store.history.select({ limit: Number.MAX_SAFE_INTEGER }).map(({ line }) => JSON.parse(line)),
  };
}

export function opened(path: string, caller?: Caller): HistoryEvent {
  return { type: 'read', path: parsePath(path), context: caller ? { caller } : {} };
}

export function written(
  path: string,
  data: Readonly<Record<string, unknown>> = { version: 1 },
): HistoryEvent {
  return { type: 'write', path: parsePath(path), data, context: {} };
}

/** All bytes of a file as a reader with a buffer of this size gets them. */
export function contentOf(store: ContextStore, { id }: HistoryFile, bufferBytes = 4096): Buffer {
  const parts: Buffer[] = [];
  let position = 0;
  for (;;) {
    const target = Buffer.alloc(bufferBytes);
    const count = store.history.read(id, target, position);
    if (count === 0) return Buffer.concat(parts);
    parts.push(target.subarray(0, count));
    position += count;
  }
}

/** Runs one case of a property, and cleans up after it at once. */
export async function withCleanup<T>(body: (t: Teardown) => T | Promise<T>): Promise<T> {
  const actions: (() => unknown)[] = [];
  try {
    return await body({ teardown: (action) => actions.unshift(action) });
  } finally {
    for (const action of actions) action();
  }
}
