import { join } from 'node:path';
import { ErrorLog } from '../../src/core/error-log.ts';
import type { HistoryEvent } from '../../src/core/history-event.ts';
import { parsePath, type VfsPath } from '../../src/core/paths.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { searchResolver } from '../../src/resolvers/search.ts';
import { Pins } from '../../src/search-tree/pins.ts';
import { type ContextStore, openContextStore } from '../../src/store/context-store.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { FakeEngine } from './fake-engine.ts';

type Cleaned = Parameters<typeof temporaryFolder>[0];

/** When the tree of the tests began. */
export const STARTED_MS = Date.UTC(2026, 5, 1);

/** A tree with `search/` over an engine that the test fills. */
export class SearchTree {
  readonly engine = new FakeEngine();
  readonly store: ContextStore;
  readonly events: HistoryEvent[] = [];
  readonly told: string[] = [];
  readonly errors: ErrorLog;
  readonly pins: Pins;
  readonly fs: SystemFs;
  nowMs = STARTED_MS;
  #contentChanged: () => void = () => {};

  constructor(t: Cleaned, { file = join(temporaryFolder(t), 'context.sqlite'), maxPins = 1000 } = {}) {
    const clock = { nowMs: () => this.nowMs };
    this.store = openContextStore(file);
    t.teardown(() => this.store.close());
    this.errors = new ErrorLog(clock);
    const record = (event: HistoryEvent) => void this.events.push(event);
    this.pins = new Pins({ store: this.store, record, clock, maxPins });
    const resolver = searchResolver({
      engine: this.engine,
      pins: this.pins,
      similar: (text) => (text.startsWith('char') ? [{ name: 'Charge' }] : []),
      readSoFar: () => undefined,
      subscribe: (listener) => {
        this.#contentChanged = listener;
        return () => {};
      },
      record,
      errors: this.errors,
      clock,
      startedMs: STARTED_MS,
    });
    this.fs = new SystemFs(
      [
        { point: parsePath('/'), resolver: fixedResolver('root', {}, 0n) },
        { point: parsePath('/search'), resolver },
      ],
      (error) => {
        throw error;
      },
    );
    this.fs.onChange((paths) => this.told.push(...paths));
  }

  /** Changes a text, or removes it, and tells of it. */
  put(path: string, text: string | undefined): void {
    this.engine.put(path, text);
    this.#contentChanged();
  }

  async read(path: string): Promise<string> {
    const file = await this.fs.open(pathOf(path), {});
    const bytes = Buffer.alloc(file.sizeBytes);
    await file.read(bytes, 0);
    return String(bytes);
  }

  async list(path: string): Promise<string[]> {
    return (await this.fs.list(pathOf(path), {})).map(({ name }) => name);
  }

  async pin(name: string): Promise<void> {
    await this.fs.makeFolder(parsePath(`/search/pinned/${name}`), 0o755, {});
  }
}

export function pathOf(path: string): VfsPath {
  return parsePath(`/search/${path}`);
}
