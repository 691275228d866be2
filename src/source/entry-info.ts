import { systemCodeOf } from '../core/errors.ts';
import { fileInfo, folderInfo, linkInfo } from '../core/node-info.ts';
import type { NodeInfo } from '../core/resolver.ts';
import { type ContentStatus, contentStatusOf } from '../system/file-status.ts';
import { closeNow } from '../system/files.ts';
import { quickVersionOf, readContent, versionOf } from './docs-file.ts';
import { MAX_LOOKS, type ShownEntry, type ShownTree } from './shown-tree.ts';
import { kindOfMode, type VisibleFolder } from './visible-tree.ts';

/** Errors of opening a name that is gone (also from a network disk), or is a link or a socket. */
const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ESTALE', 'ELOOP', 'ENXIO']);

export interface OpenedFile {
  readonly descriptor: number;
  readonly status: ContentStatus;
}

/**
 * What is known of a name in a folder. A file always has a version, unless that must be derived from its bytes and they cannot be read.
 * @returns undefined if nothing of that name is shown
 * @throws the disk's own errors
 */
export function infoAt(tree: ShownTree, folder: VisibleFolder, name: string): NodeInfo | undefined {
  for (let looks = 1; looks <= MAX_LOOKS; looks += 1) {
    const entry = tree.look(folder, name);
    const info = entry && infoOf(folder, entry);
    if (info !== 'no file by now') return info;
  }
  return undefined;
}

function infoOf(folder: VisibleFolder, entry: ShownEntry): NodeInfo | 'no file by now' {
  const { kind, status, linkText } = entry;
  switch (kind) {
    case 'directory':
      return folderInfo(status.modifiedNs);
    case 'link':
      // The text is part of the version, since the times of two links that are made one after the other may be equal.
      return linkInfo(linkText ?? '', status.modifiedNs, linkText ?? '');
    case 'file': {
      const version = quickVersionOf(status);
      return version === undefined
        ? infoByBytes(folder, entry)
        : fileInfo(status.sizeBytes, status.modifiedNs, version);
    }
  }
}

/** The same for a file that changed a moment ago: its version is derived from its bytes. */
function infoByBytes(folder: VisibleFolder, { name, status }: ShownEntry): NodeInfo | 'no file by now' {
  let opened: OpenedFile | undefined;
  try {
    opened = openFile(folder, name);
    if (opened === undefined) return 'no file by now';
    const content = readContent(opened.descriptor, opened.status);
    return fileInfo(content.bytes.byteLength, content.status.modifiedNs, versionOf(content));
  } catch (error) {
    const errno = systemCodeOf(error);
    if (errno === undefined) throw error;
    return NO_FILE.has(errno) ? 'no file by now' : fileInfo(status.sizeBytes, status.modifiedNs);
  } finally {
    if (opened !== undefined) closeNow(opened.descriptor);
  }
}

/** @returns undefined if it is no file by now. @throws the disk's own errors */
export function openFile(folder: VisibleFolder, name: string): OpenedFile | undefined {
  const descriptor = folder.disk.openFile(name);
  let isFile = false;
  try {
    const status = contentStatusOf(descriptor);
    isFile = kindOfMode(status.mode) === 'file';
    return isFile ? { descriptor, status } : undefined;
  } finally {
    if (!isFile) closeNow(descriptor);
  }
}
