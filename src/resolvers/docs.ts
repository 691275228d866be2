import { isoTime } from '../core/iso-time.ts';
import type { SubPath } from '../core/paths.ts';
import type {
  Awaitable,
  ChangeListener,
  DirEntry,
  Hit,
  KnownVersion,
  NodeInfo,
  OpenFile,
  Query,
  Resolver,
  Unsubscribe,
} from '../core/resolver.ts';
import { whenLetGo } from '../disk/held-file.ts';

/** The files of the subtree, as `openDocsRoot` returns them. */
interface DocsFiles {
  /** @throws FsError ENOENT, ENOTDIR, EACCES */
  stat(path: string): NodeInfo;
  /** As for a resolver. @throws FsError ENOENT, ENOTDIR, EACCES */
  find(path: string): NodeInfo | undefined;
  /** As for a resolver. @throws FsError ENOENT, ENOTDIR, EACCES */
  statNames(folder: string, names: readonly string[]): readonly (NodeInfo | undefined)[];
  /** @throws FsError ENOENT, ENOTDIR, EACCES */
  listInTurns(path: string): Awaitable<readonly DirEntry[]>;
  /** @param known as for a resolver. @throws FsError ENOENT, ENOTDIR, EISDIR, ELOOP, EACCES, EBUSY if another program holds it */
  open(path: string, known?: KnownVersion): OpenFile;
  /** As `open`, but only for that version. @throws FsError as `open` */
  openStill(path: string, known: KnownVersion): OpenFile | undefined;
  /** @throws FsError ENOENT, ENOTDIR, EINVAL */
  readLink(path: string): string;
}

/** The version of a document that was read into the graph. */
export interface IndexedVersion {
  readonly indexedAtMs: number;
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
}

export interface DocsResolverParts {
  readonly files: DocsFiles;
  /** What the graph knows of a path; undefined if it is not a document, or was not read yet. */
  readonly indexedVersionOf: (path: SubPath) => IndexedVersion | undefined;
  /** Finds text in the files. Paths are relative to the docs root. */
  readonly search: (query: Query) => Awaitable<readonly Hit[]>;
  /** Calls the listener with paths of the docs root that have changed on disk. */
  readonly subscribe: (listener: ChangeListener) => Unsubscribe;
}

/**
 * The `docs/` subtree: the docs root as it is on disk. A document that was read into the graph has the attributes `user.kgraphfs.type`, `.source`,
 * `.indexed_at` (ISO 8601, UTC) and `.stale` (`true` if the file has changed since). Other files have none.
 */
export function docsResolver({ files, indexedVersionOf, search, subscribe }: DocsResolverParts): Resolver {
  return {
    name: 'docs',
    stat: (path, context) => whenLetGo(() => files.stat(path), context),
    find: (path, context) => whenLetGo(() => files.find(path), context),
    list: (path, context) => whenLetGo(() => files.listInTurns(path), context),
    statNames: (folder, names) => files.statNames(folder, names),
    open: (path, context, known) => whenLetGo(() => files.open(path, known), context),
    // The bytes are only useful to the kernel, for a file that it has looked up.
    openAhead: (path, known) => known && files.openStill(path, known),
    readLink: (path) => files.readLink(path),
    attributes(path) {
      const info = files.stat(path);
      const indexed = info.kind === 'file' ? indexedVersionOf(path) : undefined;
      return indexed === undefined ? new Map() : documentAttributes(path, info, indexed);
    },
    search: (query) => search(query),
    // Other programs write to the docs, and a new file may show later. For files that tools look for in each folder (`.gitignore`, `.ignore`), that
    // may take a moment.
    tellsOfNew: (path) => path.startsWith('.', path.lastIndexOf('/') + 1),
    onChange: subscribe,
  };
}

function documentAttributes(path: SubPath, info: NodeInfo, indexed: IndexedVersion): Map<string, string> {
  const isStale = info.modifiedNs !== indexed.modifiedNs || info.sizeBytes !== indexed.sizeBytes;
  return new Map([
    ['user.kgraphfs.type', 'Document'],
    ['user.kgraphfs.source', path],
    ['user.kgraphfs.indexed_at', isoTime(indexed.indexedAtMs)],
    ['user.kgraphfs.stale', String(isStale)],
  ]);
}
