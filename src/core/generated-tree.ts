import { LRUCache } from 'lru-cache';
import { FsError } from './errors.ts';
import { fileInfo, folderInfo, linkInfo } from './node-info.ts';
import { fileOfBytes } from './open-file.ts';
import type { SubPath } from './paths.ts';
import type { DirEntry, FileKind, NodeInfo, Resolver } from './resolver.ts';

/** A generated file at a path. */
export interface Page {
  readonly kind: 'file';
  readonly modifiedNs: bigint;
  /** Stands for the bytes: the same key always means the same text, whatever path led to it. */
  readonly pageKey: string;
  readonly render: () => string;
  readonly attributes?: () => ReadonlyMap<string, string>;
  /** Whether only the owner may read it. Default false. */
  readonly isPrivate?: boolean;
}

/** What stands at a path of a generated tree. */
export type Place =
  | Page
  | {
      readonly kind: 'directory';
      readonly modifiedNs: bigint;
      readonly list: () => readonly DirEntry[];
      /** Whether only the owner may list it and go into it. Default false. */
      readonly isPrivate?: boolean;
    }
  | { readonly kind: 'link'; readonly modifiedNs: bigint; readonly target: string };

/** Rendered pages are kept up to this; one that was dropped is rendered again, to the same bytes. */
const PAGE_CACHE_BYTES = 32 << 20;
/** Sizes outlive the pages: `ls -l` of a large folder needs no text a second time. */
const MAX_SIZES = 100_000;
const OWNER_ONLY = 0o700;
/** What a cached page costs besides its bytes, roughly. */
const PAGE_OVERHEAD_BYTES = 200;

/**
 * The reading half of a resolver over a tree that is computed: `placeAt` says what stands at a path, and a page is
 * rendered once for its size and its content, so that both always agree.
 * @param placeAt undefined where nothing stands; may throw FsError
 */
export function generatedTree(
  name: string,
  placeAt: (path: SubPath) => Place | undefined,
): Pick<Resolver, 'name' | 'stat' | 'list' | 'open' | 'readLink' | 'attributes'> {
  const pages = new LRUCache<string, Buffer>({
    maxSize: PAGE_CACHE_BYTES,
    sizeCalculation: (page) => page.length + PAGE_OVERHEAD_BYTES,
  });

  const sizes = new Map<string, number>();

  function bytesOf(page: Page): Buffer {
    let bytes = pages.get(page.pageKey);
    if (bytes === undefined) {
      bytes = Buffer.from(page.render());
      pages.set(page.pageKey, bytes);
      if (sizes.size >= MAX_SIZES) sizes.clear();
      sizes.set(page.pageKey, bytes.length);
    }
    return bytes;
  }

  function sizeOf(page: Page): number {
    return sizes.get(page.pageKey) ?? bytesOf(page).length;
  }

  function find(path: SubPath): Place {
    const place = placeAt(path);
    if (place === undefined) throw new FsError('ENOENT', path, `there is nothing of this name in ${name}/`);
    return place;
  }

  return {
    name,
    stat(path): NodeInfo {
      const place = find(path);
      if (place.kind === 'link') return linkInfo(place.target, place.modifiedNs);
      const info =
        place.kind === 'directory' ? folderInfo(place.modifiedNs) : fileInfo(sizeOf(place), place.modifiedNs);
      return place.isPrivate ? { ...info, mode: info.mode & OWNER_ONLY } : info;
    },
    list(path) {
      const place = find(path);
      if (place.kind !== 'directory') throw new FsError('ENOTDIR', path, 'this is no folder');
      return place.list();
    },
    open(path) {
      const place = find(path);
      if (place.kind === 'directory') throw new FsError('EISDIR', path, 'this is a folder');
      if (place.kind === 'link') throw new FsError('ELOOP', path, 'this is a link');
      return fileOfBytes(bytesOf(place));
    },
    readLink(path) {
      const place = find(path);
      if (place.kind !== 'link') throw new FsError('EINVAL', path, 'this is no link');
      return place.target;
    },
    attributes(path) {
      const place = find(path);
      return place.kind === 'file' && place.attributes ? place.attributes() : new Map();
    },
  };
}

/** Entries of one kind, by name in code unit order. */
export function entriesOf(kind: FileKind, names: Iterable<string>): DirEntry[] {
  return [...names].sort(inCodeUnits).map((name) => ({ name, kind }));
}

function inCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** For a path that goes on below a file or link. */
export function notFolder(path: string): never {
  throw new FsError('ENOTDIR', path, 'a part of this path is no folder');
}
