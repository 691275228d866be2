import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ErrnoCode, FsError } from '../core/errors.ts';
import { msToNs } from '../core/node-info.ts';
import { partsOf, type SubPath } from '../core/paths.ts';
import type { Awaitable } from '../core/resolver.ts';
import { ModuleFailure } from './module-failure.ts';
import type { ModuleQuestion, SeenPlace } from './wire.ts';

/** Who answers for a module. */
export interface AskedModule {
  /** @throws ModuleFailure */
  ask(question: ModuleQuestion, signal?: AbortSignal): Promise<SeenPlace | undefined>;
}

/** Is told of each failure that is no plain refusal. */
export type FailureReport = (code: ErrnoCode, path: SubPath, message: string) => void;

/** What a module answered of a path, with the time that is shown for it. */
export type Place = SeenPlace & { readonly modifiedNs: bigint };

/** A question that is not answered yet. */
interface Asked {
  readonly path: SubPath;
  readonly seen: Promise<SeenPlace | undefined>;
  /** What it is about changed since it was asked: the answer is for who waits for it, and nobody else. */
  isForgotten: boolean;
}

interface Content {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** So long an answer is good for. */
const FRESH_MS = 2000;
const KEPT_BYTES = 16 << 20;
/** What an answer costs besides its bytes, roughly; a name of a folder as well. */
const PLACE_BYTES = 300;
const NAME_BYTES = 100;
const MAX_DATED = 50_000;

/** What a module answers, each answer kept for 2 seconds. Whoever asks for the same at a time waits for the same answer. */
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

  /** @throws FsError ENOENT, and as the module fails */
  place(path: SubPath): Awaitable<Place> {
    const known = this.#kept.get(path);
    if (known !== undefined) return known;
    const asked = this.#ask('look', path);
    return asked.seen.then((seen) => this.#keep(asked, seen));
  }

  /** @throws FsError ENOENT where there is no file any more, and as the module fails */
  async content(path: SubPath): Promise<Content> {
    const known = await this.place(path);
    if (known.kind === 'file' && known.bytes !== undefined)
      return { bytes: known.bytes, version: known.version };
    const asked = this.#ask('read', path);
    const seen = await asked.seen;
    if (seen?.kind !== 'file' || seen.bytes === undefined)
      throw new FsError('ENOENT', path, 'it is no file any more');
    this.#keep(asked, seen);
    return { bytes: seen.bytes, version: seen.version };
  }

  /** Hands over what is written to a file; what was answered before stays, whether or not it is so still. @throws FsError as the module fails */
  async write(path: SubPath, content: Uint8Array): Promise<void> {
    try {
      await this.#module.ask({ type: 'write', path: partsOf(path), content });
    } catch (error) {
      this.#failed(error, path);
    }
  }

  /** What was answered of a path, and of all below it, is asked for again, also where the answer is still to come. @param path `` for all */
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
    // The folder of a module is there, whatever the module finds missing.
    const code = path === '' && error.code === 'ENOENT' ? 'EIO' : error.code;
    if (code !== 'ENOENT') this.#report(code, path, error.message);
    throw new FsError(code, path, error.message, { cause: error });
  }

  #keep({ path, isForgotten }: Asked, seen: SeenPlace | undefined): Place {
    if (seen === undefined)
      throw new FsError('ENOENT', path, `there is nothing of this name in modules/${this.#name}/`);
    const place = { ...seen, modifiedNs: msToNs(seen.modifiedMs ?? this.#changeTimes.of(path, seen)) };
    if (!isForgotten) this.#kept.set(path, place);
    return place;
  }
}

/** Times for what a module gives none of. */
class ChangeTimes {
  readonly #dated = new LRUCache<SubPath, { readonly stands: string; readonly modifiedMs: number }>({
    max: MAX_DATED,
  });

  /** When it was first seen as it is; never twice the same for what differs, since the kernel knows a listing by its time. */
  of(path: SubPath, seen: SeenPlace): number {
    const stands = standsFor(seen);
    const before = this.#dated.get(path);
    if (before?.stands === stands) return before.modifiedMs;
    const modifiedMs = Math.max(Date.now(), (before?.modifiedMs ?? 0) + 1);
    this.#dated.set(path, { stands, modifiedMs });
    return modifiedMs;
  }
}

/** What an answer stands for: where it is the same, nothing changed. */
function standsFor(place: SeenPlace): string {
  if (place.kind === 'file') return place.version;
  if (place.kind === 'link') return place.target;
  return hash('sha1', JSON.stringify(place.entries));
}

function costOf(place: Place): number {
  if (place.kind === 'directory') return PLACE_BYTES + NAME_BYTES * place.entries.length;
  return PLACE_BYTES + (place.kind === 'file' ? (place.bytes?.length ?? 0) : 0);
}
