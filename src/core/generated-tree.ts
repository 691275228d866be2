import { LRUCache } from 'lru-cache';
import { compareTexts } from '../text/compare-texts.ts';
import { after, isPromiseLike } from './awaitable.ts';
import { FsError } from './errors.ts';
import { OWNER_BITS } from './file-modes.ts';
import { fileInfo, folderInfo, linkInfo } from './node-info.ts';
import { fileOfBytes } from './open-file.ts';
import { ownBytes } from './own-bytes.ts';
import type { SubPath } from './paths.ts';
import type { Awaitable, DirEntry, FileKind, NodeInfo, Resolver } from './resolver.ts';

/** A generated file at a path. */
export interface Page {
  readonly kind: 'file';
  readonly modifiedNs: bigint;
  /** The version of the file. The same key always means the same text, whatever path led to it. */
  readonly pageKey: string;
  /** Makes the text, as a string or in UTF-8. If that takes more than a few milliseconds, it has to be done in another thread and promised. */
  readonly render: () => Awaitable<string | Uint8Array>;
  readonly attributes?: () => Awaitable<ReadonlyMap<string, string>>;
  /** Whether only the owner may read it. Default false. */
  readonly isPrivate?: boolean;
  /** As {@link NodeInfo.changesUntold}. */
  readonly changesUntold?: boolean;
}

/** What stands at a path of a generated tree. */
export type Place =
  | Page
  | {
      readonly kind: 'directory';
      readonly modifiedNs: bigint;
      readonly list: () => Awaitable<readonly DirEntry[]>;
      /** Whether only the owner may list it and go into it. Default false. */
      readonly isPrivate?: boolean;
      /** As {@link NodeInfo.inode}. */
      readonly inode?: number;
    }
  | { readonly kind: 'link'; readonly modifiedNs: bigint; readonly target: string };

/** How much is kept of rendered pages while they are asked for. A page that was dropped is rendered again, to the same bytes. */
const PAGE_CACHE_BYTES = 32 << 20;
/** Pages are dropped once nobody has asked for any for so long: whoever looked at one has opened it by then, and the kernel has what was read. */
const DROP_PAGES_AFTER_MS = 2000;
/** How many sizes are kept. They outlive the pages, so that a second `ls -l` of a large folder renders nothing. */
const MAX_SIZES = 100_000;
/** What a cached page costs besides its bytes, roughly. */
const PAGE_OVERHEAD_BYTES = 200;

/**
 * The reading half of a resolver over a tree that is computed: `placeAt` says what stands at a path, and a page is
 * rendered once for its size and its content, so that both always agree.
 * @param placeAt returns undefined if nothing stands at a path; may throw FsError
 * @param where what error messages call the tree
 */
export function generatedTree(
  name: string,
  placeAt: (path: SubPath) => Awaitable<Place | undefined>,
  where = `${name}/`,
): Pick<Resolver, 'name' | 'stat' | 'list' | 'open' | 'readLink' | 'attributes'> {
  const pages = new Pages();

  function at<T>(path: SubPath, answer: (place: Place) => Awaitable<T>): Awaitable<T> {
    return after(placeAt(path), (place) => {
      if (place === undefined)
        throw new FsError('ENOENT', path, `there is nothing with this name in ${where}`);
      return answer(place);
    });
  }

  function infoOf(place: Place): Awaitable<NodeInfo> {
    switch (place.kind) {
      case 'link':
        return linkInfo(place.target, place.modifiedNs);
      case 'directory':
        return shownTo(place, folderInfo(place.modifiedNs, place.inode));
      case 'file':
        return after(pages.sizeOf(place), (sizeBytes) =>
          told(place, shownTo(place, fileInfo(sizeBytes, place.modifiedNs, place.pageKey))),
        );
    }
  }

  return {
    name,
    stat: (path) => at(path, infoOf),
    list: (path) =>
      at(path, (place) => {
        if (place.kind !== 'directory') throw new FsError('ENOTDIR', path, 'this is not a folder');
        return place.list();
      }),
    open: (path) =>
      at(path, (place) => {
        if (place.kind === 'directory') throw new FsError('EISDIR', path, 'this is a folder');
        if (place.kind === 'link') throw new FsError('ELOOP', path, 'this is a link');
        return after(pages.bytesOf(place), (bytes) => fileOfBytes(bytes, place.pageKey));
      }),
    readLink: (path) =>
      at(path, (place) => {
        if (place.kind !== 'link') throw new FsError('EINVAL', path, 'this is not a link');
        return place.target;
      }),
    attributes: (path) =>
      at<ReadonlyMap<string, string>>(path, (place) =>
        place.kind === 'file' && place.attributes ? place.attributes() : new Map(),
      ),
  };
}

function shownTo({ isPrivate }: { readonly isPrivate?: boolean }, info: NodeInfo): NodeInfo {
  return isPrivate ? { ...info, mode: info.mode & OWNER_BITS } : info;
}

function told({ changesUntold }: Page, info: NodeInfo): NodeInfo {
  return changesUntold ? { ...info, changesUntold } : info;
}

/** The pages that were rendered, kept for as long as somebody goes on asking. */
class Pages {
  readonly #kept = new LRUCache<string, Uint8Array>({
    maxSize: PAGE_CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length + PAGE_OVERHEAD_BYTES,
  });
  /** Pages that are being rendered: all who ask meanwhile wait for the same promise. */
  readonly #promised = new Map<string, Promise<Uint8Array>>();
  readonly #sizes = new Map<string, number>();
  #dropping: NodeJS.Timeout | undefined;
  /** How many pages were asked for since the last time that unused ones were dropped. */
  #asked = 0;

  sizeOf(page: Page): Awaitable<number> {
    return this.#sizes.get(page.pageKey) ?? after(this.bytesOf(page), (bytes) => bytes.length);
  }

  bytesOf(page: Page): Awaitable<Uint8Array> {
    this.#asked += 1;
    const { pageKey } = page;
    const known = this.#kept.get(pageKey) ?? this.#promised.get(pageKey);
    if (known !== undefined) return known;
    const text = page.render();
    if (!isPromiseLike(text)) return this.#keep(pageKey, text);
    const promise = Promise.resolve(text)
      .then((text) => this.#keep(pageKey, text))
      .finally(() => this.#promised.delete(pageKey));
    this.#promised.set(pageKey, promise);
    return promise;
  }

  #keep(pageKey: string, text: string | Uint8Array): Uint8Array {
    const bytes = typeof text === 'string' ? ownBytes(text) : text;
    this.#kept.set(pageKey, bytes);
    if (this.#sizes.size >= MAX_SIZES) this.#sizes.clear();
    this.#sizes.set(pageKey, bytes.length);
    this.#dropping ??= setInterval(() => this.#dropUnused(), DROP_PAGES_AFTER_MS).unref();
    return bytes;
  }

  #dropUnused(): void {
    if (this.#asked === 0) {
      this.#kept.clear();
      clearInterval(this.#dropping);
      this.#dropping = undefined;
    }
    this.#asked = 0;
  }
}

/** Entries of one kind, by name in code unit order. */
export function entriesOf(kind: FileKind, names: Iterable<string>): DirEntry[] {
  return [...names].sort(compareTexts).map((name) => ({ name, kind }));
}

/** Refuses a path that goes on below a file or a link. */
export function notFolder(path: string): never {
  throw new FsError('ENOTDIR', path, 'a part of this path is not a folder');
}
