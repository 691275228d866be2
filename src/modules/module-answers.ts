import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ErrnoCode, FsError } from '../core/errors.ts';
import { msToNs } from '../core/node-info.ts';
import { partsOf, type SubPath } from '../core/paths.ts';
import type { Awaitable } from '../core/resolver.ts';
import { ModuleFailure } from './module-failure.ts';
import type { ModuleQuestion, SeenPlace } from './wire.ts';

/** What answers questions for a module. */
export interface AskedModule {
  /** @throws ModuleFailure */
  ask(question: ModuleQuestion, signal?: AbortSignal): Promise<SeenPlace | undefined>;
}

/** Is told of each failure other than a plain refusal. */
export type FailureReport = (code: ErrnoCode, path: SubPath, message: string) => void;

/** A module's answer for a path, with the modification time that is shown for it. */
export type Place = SeenPlace & { readonly modifiedNs: bigint };

/** A question that is not answered yet. */
interface Asked {
  readonly path: SubPath;
  readonly seen: Promise<SeenPlace | undefined>;
  /** Whether the answer may be outdated, since something changed after the question. Those who wait for it get it, but nobody else. */
  isForgotten: boolean;
}

interface Content {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** How long an answer is used. */
const FRESH_MS = 2000;
const KEPT_BYTES = 16 << 20;
/** Roughly what an answer takes besides its content, and what each name in a folder takes. */
const PLACE_BYTES = 300;
const NAME_BYTES = 100;
const MAX_DATED = 50_000;

/** The answers of a module. Each is used for 2 seconds, and callers who ask for the same thing at the same time wait for the same answer. */
export class ModuleAnswers {
  readonly #name: string;
  readonly #module: AskedModule;
  readonly #report: FailureReport;
  readonly #kept = new LRUCache<SubPath, Place>({
    maxSize: KEPT_BYTES,
    ttl: FRESH_MS,
    sizeCalculation: costOf,
  });
  readonly #asked = new Map<string, Asked>();
  readonly #changeTimes = new ChangeTimes();

  constructor(name: string, module: AskedModule, report: FailureReport) {
    this.#name = name;
    this.#module = module;
    this.#report = report;
  }

  /** @throws FsError ENOENT, and any failure of the module */
  place(path: SubPath): Awaitable<Place> {
    const known = this.#kept.get(path);
    if (known !== undefined) return known;
    const asked = this.#ask('look', path);
    return asked.seen.then((seen) => this.#keep(asked, seen));
  }

  /** @throws FsError ENOENT if the file is gone, and any failure of the module */
  async content(path: SubPath): Promise<Content> {
    const known = await this.place(path);
    if (known.kind === 'file' && known.bytes !== undefined)
      return { bytes: known.bytes, version: known.version };
    const asked = this.#ask('read', path);
    const seen = await asked.seen;
    if (seen?.kind !== 'file' || seen.bytes === undefined)
      throw new FsError('ENOENT', path, 'it is not a file any more');
    this.#keep(asked, seen);
    return { bytes: seen.bytes, version: seen.version };
  }

  /** Hands over what is written to a file. Earlier answers are kept, even if they may be wrong now. @throws FsError any failure of the module */
  async write(path: SubPath, content: Uint8Array): Promise<void> {
    try {
      await this.#module.ask({ type: 'write', path: partsOf(path), content });
    } catch (error) {
      this.#failed(error, path);
    }
  }

  /** Has a path, and everything below it, asked for again, even if an answer is still under way. @param path '' for everything */
  forget(path: string): void {
    const isOfIt = (known: string) => path === '' || known === path || known.startsWith(`${path}/`);
    for (const known of this.#kept.keys()) if (isOfIt(known)) this.#kept.delete(known);
    for (const [key, asked] of this.#asked) {
      if (!isOfIt(asked.path)) continue;
      asked.isForgotten = true;
      this.#asked.delete(key);
    }
  }

  #ask(type: 'look' | 'read', path: SubPath): Asked {
    const key = `${type} ${path}`;
    const running = this.#asked.get(key);
    if (running !== undefined) return running;
    const seen = this.#module
      .ask({ type, path: partsOf(path) })
      .catch((error: unknown) => this.#failed(error, path))
      .finally(() => {
        if (!asked.isForgotten) this.#asked.delete(key);
      });
    const asked: Asked = { path, seen, isForgotten: false };
    this.#asked.set(key, asked);
    return asked;
  }

  #failed(error: unknown, path: SubPath): never {
    if (!(error instanceof ModuleFailure)) throw error;
    // The top folder of a module exists, even if the module says that it does not.
    const code = path === '' && error.code === 'ENOENT' ? 'EIO' : error.code;
    if (code !== 'ENOENT') this.#report(code, path, error.message);
    throw new FsError(code, path, error.message, { cause: error });
  }

  #keep({ path, isForgotten }: Asked, seen: SeenPlace | undefined): Place {
    if (seen === undefined)
      throw new FsError('ENOENT', path, `there is nothing with this name in modules/${this.#name}/`);
    const place = { ...seen, modifiedNs: msToNs(seen.modifiedMs ?? this.#changeTimes.of(path, seen)) };
    if (!isForgotten) this.#kept.set(path, place);
    return place;
  }
}

/** Modification times for places that the module gives none for. */
class ChangeTimes {
  readonly #dated = new LRUCache<SubPath, { readonly stands: string; readonly modifiedMs: number }>({
    max: MAX_DATED,
  });

  /** When the place was first seen as it is. Different states never have the same time, since the kernel recognizes a listing by its time. */
  of(path: SubPath, seen: SeenPlace): number {
    const stands = standsFor(seen);
    const before = this.#dated.get(path);
    if (before?.stands === stands) return before.modifiedMs;
    const modifiedMs = Math.max(Date.now(), (before?.modifiedMs ?? 0) + 1);
    this.#dated.set(path, { stands, modifiedMs });
    return modifiedMs;
  }
}

/** A text that stands for an answer: if it is the same, nothing has changed. */
function standsFor(place: SeenPlace): string {
  if (place.kind === 'file') return place.version;
  if (place.kind === 'link') return place.target;
  return hash('sha1', JSON.stringify(place.entries));
}

function costOf(place: Place): number {
  if (place.kind === 'directory') return PLACE_BYTES + NAME_BYTES * place.entries.length;
  return PLACE_BYTES + (place.kind === 'file' ? (place.bytes?.length ?? 0) : 0);
}
