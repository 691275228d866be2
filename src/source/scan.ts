import { FsError, systemCodeOf } from '../core/errors.ts';
import { DEFAULT_MAX_DOCUMENT_BYTES } from '../settings/limits.ts';
import { lastingInode } from '../system/inode.ts';
import { diskReasonOf, isDiskFailure, isOutOfFiles } from './disk-error.ts';
import type { DocsRoot } from './docs-root.ts';
import { type ContentKind, contentKindOf } from './file-kind.ts';
import type { ShownTree } from './shown-tree.ts';
import {
  isNotUtf8,
  isTooLong,
  kindOfMode,
  pathIn,
  type VisibleEntry,
  type VisibleFolder,
} from './visible-tree.ts';

/** A file of the docs root as the disk describes it. Its content has not been looked at. */
export interface ScannedFile {
  /** Relative to the docs root. */
  readonly path: string;
  /** The kind by the ending; `oversize` for markdown or text that is too large to be read. */
  readonly kind: ContentKind | 'oversize';
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
  /** When content or metadata last changed (`ctime`), which no program can set. */
  readonly changedNs: bigint;
  readonly inode: bigint;
}

export interface ScanOptions {
  /** Larger markdown and text is shown in docs/ but not read. Default: 8 MiB. */
  readonly maxBytes?: number;
  /** Restricts the scan to a file, or to everything below a folder. Default: the whole root. */
  readonly at?: string;
  /** Called for each folder that is shown, before its entries are read. */
  readonly onFolder?: (path: string) => void;
  /** Called for each file or folder that the disk failed to show: it is not known what lies there. */
  readonly onFailure?: (path: string) => void;
}

/**
 * Finds every regular file that is shown. The entries of a folder are sorted by code unit, with folders in their place among them. Links are not followed, so
 * no file comes twice. What cannot be read is reported and left out, and the scan goes on.
 *
 * It holds a descriptor for each folder on the way down, so run it to its end or leave `for … of` by `break`.
 */
export function* scan(root: DocsRoot, options: ScanOptions = {}): Generator<ScannedFile, void, undefined> {
  const { maxBytes = DEFAULT_MAX_DOCUMENT_BYTES, at = '', onFolder, onFailure } = options;
  const walk: Walk = { tree: root.tree, onFolder, onFailure };
  const { tree } = walk;
  const levels: Level[] = at === '' ? [levelOf(walk, tree.visible.root())] : levelsTo(walk, at);
  try {
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const entry = level.rest.pop();
      if (entry === undefined) {
        tree.visible.leave(level.folder);
        levels.pop();
      } else if (entry.kind === 'directory') {
        const child = attempt(walk, level.folder, entry.name, () =>
          tree.visible.enter(level.folder, entry.name),
        );
        if (child !== undefined) levels.push(levelOf(walk, child));
      } else if (entry.kind === 'file') {
        const file = attempt(walk, level.folder, entry.name, () =>
          scanFile(tree, level.folder, entry.name, maxBytes),
        );
        if (file !== undefined) yield file;
      }
    }
  } finally {
    for (const { folder } of levels) tree.visible.leave(folder);
  }
}

interface Walk {
  readonly tree: ShownTree;
  readonly onFolder: ScanOptions['onFolder'] | undefined;
  readonly onFailure: ScanOptions['onFailure'] | undefined;
}

/** A folder on the way down, with the entries that are still to be visited, the next one last. */
interface Level {
  readonly folder: VisibleFolder;
  readonly rest: Omit<VisibleEntry, 'status'>[];
}

/** The folders on the way to a path. Only the path itself is left to be visited in them. */
function levelsTo(walk: Walk, path: string): Level[] {
  const { tree } = walk;
  const names = path.split('/');
  const last = names.pop() ?? '';
  const levels: Level[] = [{ folder: tree.visible.root(), rest: [] }];
  for (const name of names) {
    const folder = levels.at(-1)?.folder;
    const child = folder && attempt(walk, folder, name, () => tree.visible.enter(folder, name));
    if (child === undefined) return levels;
    levels.push({ folder: child, rest: [] });
  }
  const end = levels.at(-1);
  // A name that no path can stand for is only found by listing its folder, which reports it.
  if (end !== undefined && !isNameable(path)) attempt(walk, end.folder, last, () => tree.entries(end.folder));
  const entry = end && attempt(walk, end.folder, last, () => tree.visible.look(end.folder, last));
  if (typeof entry === 'object') end?.rest.push(entry);
  return levels;
}

function isNameable(path: string): boolean {
  return !isNotUtf8(path) && !isTooLong(path);
}

function levelOf(walk: Walk, folder: VisibleFolder): Level {
  walk.onFolder?.(folder.path);
  try {
    return { folder, rest: walk.tree.entries(folder).reverse() };
  } catch (error) {
    reportUnreadable(walk, folder.path, error);
    return { folder, rest: [] };
  }
}

function scanFile(
  tree: ShownTree,
  folder: VisibleFolder,
  name: string,
  maxBytes: number,
): ScannedFile | undefined {
  const status = folder.disk.statusOf(name);
  if (status === undefined || kindOfMode(status.mode) !== 'file') return undefined;
  const path = pathIn(folder, name);
  const sizeBytes = status.sizeBytes;
  const contentKind = contentKindOf(name);
  const isOversize = contentKind !== 'binary' && sizeBytes > maxBytes;
  if (isOversize) {
    tree.visible.tell(
      path,
      'oversize',
      `this file has ${sizeBytes} bytes; files of more than ${maxBytes} bytes are shown, but not read or searched`,
    );
  }
  return {
    path,
    kind: isOversize ? 'oversize' : contentKind,
    sizeBytes,
    modifiedNs: status.modifiedNs,
    changedNs: status.changedNs,
    inode: lastingInode(status.inode),
  };
}

/** Runs an action. If the disk fails, reports that and returns undefined. */
function attempt<T>(walk: Walk, folder: VisibleFolder, name: string, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    reportUnreadable(walk, pathIn(folder, name), error);
    return undefined;
  }
}

function reportUnreadable({ tree, onFailure }: Walk, path: string, error: unknown): void {
  const hasFailed = isDiskFailure(error);
  if ((systemCodeOf(error) === undefined && !hasFailed) || isOutOfFiles(error)) throw error;
  if (hasFailed) onFailure?.(path);
  // An ignore file that cannot be read closes its folder, so it is the one to be named.
  tree.visible.tell(error instanceof FsError ? error.path : path, 'unreadable', diskReasonOf(error));
}
