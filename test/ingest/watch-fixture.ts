import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DocsWatch, type WatchOptions } from '../../src/ingest/watch.ts';
import type { WatchState } from '../../src/ingest/watch-state.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** Against what hangs; a machine that is busy may take its time. */
const LIMIT_MS = 120_000;

/** A watched docs folder, and what was told of it. */
export interface Watching {
  readonly docs: string;
  readonly watch: DocsWatch;
  /** All paths that were told as changed, or as watched from then on. */
  readonly told: Set<string>;
  readonly states: WatchState[];
  /** What is told from now on covers a path: itself, or a folder that it lies in. */
  tells(path: string): Promise<void>;
  /** Waits until all that happened so far is told, and forgets it. */
  settled(): Promise<void>;
  /** Waits until all folders are watched. */
  isWatching(): Promise<void>;
}

export async function watching(
  t: Teardown,
  options: Partial<Pick<WatchOptions, 'inotify' | 'excluded' | 'isForeign'>> & {
    readonly docs?: string;
  } = {},
): Promise<Watching> {
  const docs = options.docs ?? join(temporaryFolder(t), 'docs');
  mkdirSync(docs, { recursive: true });
  let markers = 0;
  const told = new Set<string>();
  const states: WatchState[] = [];
  const watch = new DocsWatch({
    excluded: [],
    ...options,
    selection: oneFolder(docs),
    docs: { name: '', folder: docs },
    onChange: (paths) => {
      for (const path of paths) told.add(path);
    },
    onWatched: (path) => told.add(path),
    onState: (state) => states.push(state),
  });
  t.teardown(() => watch.close());
  await until('the first state', () => states.length > 0);
  told.clear();
  return {
    docs,
    watch,
    told,
    states,
    tells: (path) =>
      until(`a change at ${path}, told were ${[...told].join(', ')}`, () => covers(told, path)),
    async settled() {
      markers += 1;
      const marker = `marker-${markers}`;
      writeFileSync(join(docs, marker), '');
      await until(`${marker} to be told`, () => told.has(marker));
      unlinkSync(join(docs, marker));
      told.delete(marker);
      await until(`the end of ${marker} to be told`, () => told.has(marker));
      told.clear();
    },
    isWatching: () => until('all folders to be watched', () => states.at(-1)?.kind === 'watching'),
  };
}

function covers(told: ReadonlySet<string>, path: string): boolean {
  return [...told].some((place) => place === '' || path === place || path.startsWith(`${place}/`));
}

export async function until(what: string, isTrue: () => boolean): Promise<void> {
  const startMs = performance.now();
  while (!isTrue()) {
    if (performance.now() - startMs > LIMIT_MS) throw new Error(`waited in vain for ${what}`);
    await delay(2);
  }
}
