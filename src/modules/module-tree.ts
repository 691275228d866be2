import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { after } from '../core/awaitable.ts';
import { type ErrnoCode, FsError } from '../core/errors.ts';
import { fileInfo, folderInfo, linkInfo, msToNs } from '../core/node-info.ts';
import { fileOfBytes } from '../core/open-file.ts';
import { partsOf, type SubPath } from '../core/paths.ts';
import type { Awaitable, ChangeListener, NodeInfo, OpenFile } from '../core/resolver.ts';
import type { MountedTree } from '../resolvers/modules.ts';
import { ModuleFailure } from './module-failure.ts';
import type { ModuleQuestion, SeenPlace } from './wire.ts';
import { WrittenFile } from './written-file.ts';

/** Who answers for a module. */
export interface AskedModule {
  /** @throws ModuleFailure */
  ask(question: ModuleQuestion, signal?: AbortSignal): Promise<SeenPlace | undefined>;
}

export interface ModuleTree extends MountedTree {
  /** What was answered for these paths is asked for again: for all, unless they are given. */
  forget(paths?: readonly string[]): void;
}

/** So long an answer is good for. */
const FRESH_MS = 2000;
const KEPT_BYTES = 16 << 20;
/** What an answer costs besides its bytes, roughly; a name of a folder as well. */
const PLACE_BYTES = 300;
const NAME_BYTES = 100;
const MAX_DATED = 50_000;
const OWNER_ONLY = 0o700;
const FILE_MODE = 0o600;

/** An answer, with the time that is shown for it. */
type Kept = SeenPlace & { readonly modifiedNs: bigint };
type KeptFile = Extract<SeenPlace, { readonly kind: 'file' }> & { readonly modifiedNs: bigint };

/**
 * The subtree of one module, over whoever answers for it. It is its owner's alone: what it shows may have been got with the owner's keys. What it answers
 * is asked for again after 2 seconds; the kernel is told nothing, and asks each time.
 * @param report is told of each failure that is no plain refusal
 */
export function moduleTree(
  name: string,
  module: AskedModule,
  report: (code: ErrnoCode, path: SubPath, message: string) => void,
): ModuleTree {
  const kept = new LRUCache<SubPath, Kept>({
    maxSize: KEPT_BYTES,
    ttl: FRESH_MS,
    sizeCalculation: costOf,
  });
  const listeners = new Set<ChangeListener>();
  /** Files that were emptied by their path, and not opened since. */
  const emptied = new Set<SubPath>();
  const asked = new Map<string, Promise<SeenPlace | undefined>>();
  const dated = new LRUCache<SubPath, { readonly stands: string; readonly modifiedMs: number }>({
    max: MAX_DATED,
  });

  function failed(error: unknown, path: SubPath): never {
    if (!(error instanceof ModuleFailure)) throw error;
    // The folder of a module is there, whatever the module finds missing.
    const code = path === '' && error.code === 'ENOENT' ? 'EIO' : error.code;
    if (code !== 'ENOENT') report(code, path, error.message);
    throw new FsError(code, path, error.message, { cause: error });
  }

  /** Who asks for the same waits for the same. */
  function ask(type: 'look' | 'read', path: SubPath): Promise<SeenPlace | undefined> {
    const key = `${type} ${path}`;
    const running = asked.get(key);
    if (running !== undefined) return running;
    const answer = module
      .ask({ type, path: partsOf(path) })
      .catch((error: unknown) => failed(error, path))
      .finally(() => asked.delete(key));
    asked.set(key, answer);
    return answer;
  }

  function place(path: SubPath): Awaitable<Kept> {
    return kept.get(path) ?? ask('look', path).then((seen) => keep(path, seen));
  }

  function keep(path: SubPath, seen: SeenPlace | undefined): Kept {
    if (seen === undefined)
      throw new FsError('ENOENT', path, `there is nothing of this name in modules/${name}/`);
    const place = { ...seen, modifiedNs: msToNs(seen.modifiedMs ?? seenMs(path, seen)) };
    kept.set(path, place);
    return place;
  }

  /** When it was first seen as it is; never twice the same for what differs, since the kernel knows a listing by its time. */
  function seenMs(path: SubPath, seen: SeenPlace): number {
    const stands = standsFor(seen);
    const before = dated.get(path);
    if (before?.stands === stands) return before.modifiedMs;
    const modifiedMs = Math.max(Date.now(), (before?.modifiedMs ?? 0) + 1);
    dated.set(path, { stands, modifiedMs });
    return modifiedMs;
  }

  async function content(path: SubPath): Promise<{ readonly bytes: Uint8Array; readonly version: string }> {
    const known = await place(path);
    const seen = known.kind === 'file' && known.bytes !== undefined ? known : await ask('read', path);
    if (seen?.kind !== 'file' || seen.bytes === undefined)
      throw new FsError('ENOENT', path, 'it is no file any more');
    if (seen !== known) keep(path, seen);
    return { bytes: seen.bytes, version: seen.version };
  }

  function forget(paths: readonly string[] = ['']): void {
    for (const path of paths) {
      if (path === '') kept.clear();
      for (const known of kept.keys()) if (known === path || known.startsWith(`${path}/`)) kept.delete(known);
    }
    for (const listener of listeners) listener(paths.map((path) => path as SubPath));
  }

  function written(path: SubPath, bytes: Uint8Array | undefined, append: boolean): WrittenFile {
    emptied.delete(path);
    const infoOfSize = (sizeBytes: number) => fileInfo(sizeBytes, msToNs(Date.now()), undefined, FILE_MODE);
    return new WrittenFile(bytes, append, infoOfSize, async (content) => {
      try {
        await module.ask({ type: 'write', path: partsOf(path), content });
      } catch (error) {
        failed(error, path);
      } finally {
        kept.clear();
        forget([path]);
      }
    });
  }

  function openWritable(path: SubPath, append: boolean): Awaitable<WrittenFile> {
    if (emptied.has(path)) return written(path, undefined, append);
    return after(content(path), ({ bytes }) => written(path, bytes, append));
  }

  function infoOf(path: SubPath, place: Kept): NodeInfo {
    const { modifiedNs } = place;
    if (place.kind === 'directory') {
      const info = folderInfo(modifiedNs);
      return { ...info, mode: info.mode & OWNER_ONLY, changesUntold: true };
    }
    if (place.kind === 'link') return { ...linkInfo(place.target, modifiedNs), changesUntold: true };
    if (place.isWritable)
      return fileInfo(emptied.has(path) ? 0 : place.sizeBytes, modifiedNs, undefined, FILE_MODE);
    return { ...fileInfo(place.sizeBytes, modifiedNs, place.version, FILE_MODE), changesUntold: true };
  }

  return {
    name: `modules/${name}`,
    stat: (path) => after(place(path), (place) => infoOf(path, place)),
    list: (path) =>
      after(place(path), (place) => {
        if (place.kind !== 'directory') throw new FsError('ENOTDIR', path, 'this is no folder');
        return place.entries;
      }),
    open: (path) =>
      after<Kept, OpenFile>(place(path), (place) => {
        requireFile(place, path);
        if (place.isWritable) return openWritable(path, false);
        return after(content(path), ({ bytes, version }) => fileOfBytes(bytes, version));
      }),
    readLink: (path) =>
      after(place(path), (place) => {
        if (place.kind !== 'link') throw new FsError('EINVAL', path, 'this is no link');
        return place.target;
      }),
    openToWrite: (path, { truncate, append }) =>
      after(place(path), (place) => {
        requireWritable(place, path);
        return truncate ? written(path, undefined, append) : openWritable(path, append);
      }),
    // truncate(2): what is opened next is empty.
    truncate: (path, sizeBytes) =>
      after(place(path), (place) => {
        requireWritable(place, path);
        if (sizeBytes === 0) emptied.add(path);
      }),
    changeTimes: (path) => after(place(path), (place) => requireWritable(place, path)),
    tellsOfNew: () => false,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    forget,
  };
}

function requireFile(place: Kept, path: SubPath): asserts place is KeptFile {
  if (place.kind === 'directory') throw new FsError('EISDIR', path, 'this is a folder');
  if (place.kind === 'link') throw new FsError('ELOOP', path, 'this is a link');
}

function requireWritable(place: Kept, path: SubPath): void {
  requireFile(place, path);
  if (!place.isWritable) throw new FsError('EROFS', path, 'the module takes nothing that is written here');
}

/** What an answer stands for: where it is the same, nothing changed. */
function standsFor(place: SeenPlace): string {
  if (place.kind === 'file') return place.version;
  if (place.kind === 'link') return place.target;
  return hash('sha1', JSON.stringify(place.entries));
}

function costOf(place: Kept): number {
  if (place.kind === 'directory') return PLACE_BYTES + NAME_BYTES * place.entries.length;
  return PLACE_BYTES + (place.kind === 'file' ? (place.bytes?.length ?? 0) : 0);
}
