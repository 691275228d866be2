import { join } from 'node:path';
import { ErrorLog } from '../../src/core/error-log.ts';
import { FsError } from '../../src/core/errors.ts';
import type { HistoryEvent } from '../../src/core/history-event.ts';
import type { MemoryPlace } from '../../src/core/memory-entry.ts';
import type { SubPath } from '../../src/core/paths.ts';
import type { Resolver } from '../../src/core/resolver.ts';
import type { MemoryFiles } from '../../src/memory/memory-files.ts';
import { MemoryPaths } from '../../src/memory/memory-paths.ts';
import { type MemoryOptions, type OpenMemory, openMemory } from '../../src/memory/open-memory.ts';
import { memoryResolver } from '../../src/resolvers/memory.ts';
import { type ContextStore, openContextStore } from '../../src/store/context-store.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

export const CONTEXT = {};
const PLAIN_WRITE = { append: false, truncate: false };
const PLAIN_CREATE = { ...PLAIN_WRITE, exclusive: false, mode: 0o644 };

/** One process's memory, with what it told. Its clock stands still unless it is moved. */
export interface Remembering {
  readonly memory: OpenMemory;
  readonly files: MemoryFiles;
  readonly resolver: Resolver;
  readonly store: ContextStore;
  readonly file: string;
  readonly clock: { nowMs(): number; advance(ms: number): void };
  readonly errors: ErrorLog;
  readonly events: HistoryEvent[];
  /** Paths that were told, and not yet taken. */
  told(): SubPath[];
}

export type FixtureOptions = Partial<Pick<MemoryOptions, 'limits' | 'store' | 'room'>> & {
  readonly session?: string;
  readonly startMs?: number;
};

/** @param file of another one, to share its store as another process does */
export function remembering(t: Teardown, options: FixtureOptions = {}, file?: string): Remembering {
  const path = file ?? join(temporaryFolder(t), 'context.sqlite');
  const store = options.store ?? openContextStore(path);
  let timeMs = options.startMs ?? Date.UTC(2026, 0, 5, 10);
  const clock = {
    nowMs: () => timeMs,
    advance(ms: number) {
      timeMs += ms;
    },
  };
  const errors = new ErrorLog(clock);
  const events: HistoryEvent[] = [];
  const memory = openMemory({
    store,
    record: (event) => events.push(event),
    clock,
    errors,
    limits: { maxEntryBytes: 1000, keepTemporaryMs: 86_400_000, ...options.limits },
    ...(options.room && { room: options.room }),
    actorOf: ({ caller }) => caller?.name ?? 'ana',
    sessionOf: () => options.session ?? 's1',
  });
  const paths: SubPath[] = [];
  memory.files.onChange((changed) => paths.push(...changed));
  t.teardown(() => {
    memory.close();
    if (options.store === undefined) store.close();
  });
  const resolver = memoryResolver({
    files: memory.files,
    paths: new MemoryPaths({ files: memory.files, errors, startedMs: timeMs }),
    search: (query) => memory.search(query),
  });
  return {
    memory,
    files: memory.files,
    resolver,
    store,
    file: path,
    clock,
    errors,
    events,
    told: () => paths.splice(0),
  };
}

/** Two processes that share a store, as far as memory can tell. */
export function two(t: Teardown): [Remembering, Remembering] {
  const a = remembering(t, { session: 's-a' });
  return [a, remembering(t, { session: 's-b' }, a.file)];
}

export function fact(key: string): MemoryPlace {
  return { type: 'fact', key };
}

/** As `printf text > place` does it in a shell: with the flush of dup2(2) before the first write. */
export function write(files: MemoryFiles, place: MemoryPlace, text: string): void {
  const file = exists(files, place)
    ? files.openToWrite(place, { append: false, truncate: true }, CONTEXT)
    : files.create(place, PLAIN_CREATE, CONTEXT);
  file.flush(CONTEXT);
  try {
    if (text !== '') file.write(Buffer.from(text), 0, CONTEXT);
    file.flush(CONTEXT);
  } finally {
    file.close();
  }
}

/** As `printf text >> place` does it. */
export function append(files: MemoryFiles, place: MemoryPlace, text: string): void {
  const file = exists(files, place)
    ? files.openToWrite(place, { append: true, truncate: false }, CONTEXT)
    : files.create(place, { ...PLAIN_CREATE, append: true }, CONTEXT);
  file.write(Buffer.from(text), 0, CONTEXT);
  file.flush(CONTEXT);
  file.close();
}

export function read(files: MemoryFiles, place: MemoryPlace): string {
  const file = files.open(place, CONTEXT);
  try {
    const target = Buffer.alloc(file.sizeBytes);
    return target.subarray(0, Number(file.read(target, 0))).toString();
  } finally {
    file.close();
  }
}

export function exists(files: MemoryFiles, place: MemoryPlace): boolean {
  try {
    files.stat(place);
    return true;
  } catch (error) {
    if (error instanceof FsError) return false;
    throw error;
  }
}

export function names(files: MemoryFiles, place: MemoryPlace = fact('')): string[] {
  return files.list(place).map(({ name }) => name);
}

/** The keys that are memories. */
export function keys(memory: OpenMemory): string[] {
  return memory.list().map(({ key }) => key);
}

/** The text of an entry as it is kept. */
export function kept(memory: OpenMemory, place: MemoryPlace): string | undefined {
  const entry = memory.get(place);
  return entry && Buffer.from(entry.content).toString();
}

export function attribute(files: MemoryFiles, place: MemoryPlace, name: string): string | undefined {
  return files.attributes(place).get(`user.kgraphfs.${name}`);
}

export function set(files: MemoryFiles, place: MemoryPlace, name: string, value: string): void {
  files.setAttribute(place, `user.kgraphfs.${name}`, Buffer.from(value), 'either', CONTEXT);
}

/** The code of the error that an action fails with. */
export function codeOf(action: () => unknown): string {
  try {
    action();
    return 'nothing was thrown';
  } catch (error) {
    if (error instanceof FsError) return error.code;
    throw error;
  }
}
