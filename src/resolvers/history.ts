import { FsError } from '../core/errors.ts';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { fileInfo, folderInfo, msToNs } from '../core/node-info.ts';
import type { SubPath } from '../core/paths.ts';
import type { ChangeListener, NodeInfo, OpenFile, Resolver, Unsubscribe } from '../core/resolver.ts';

/** A file of the history as it is now. */
export interface LogFile {
  readonly id: number;
  readonly date: string;
  readonly session: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** Gives access to the files of the history. */
export interface LogFiles {
  files(): readonly LogFile[];
  newestMs(): number | undefined;
  file(date: string, session: string): LogFile | undefined;
  fileById(id: number): LogFile | undefined;
  /** @returns the number of bytes, 0 after the end */
  read(id: number, target: Uint8Array, position: number): number;
}

const FILE_NAME = /^(\d{4}-\d{2}-\d{2})_([^/]+)\.jsonl$/;

/**
 * The subtree `context/history/`: a file of JSON lines for each session and day, which may grow while it is read, and which nobody can change. Only
 * the owner may read it.
 * @param onGrowth tells which files have grown
 * @param startedMs the folder's time while it is empty, in milliseconds since 1970
 */
export function historyResolver(
  logs: LogFiles,
  onGrowth: (listener: (files: readonly LogFile[]) => void) => Unsubscribe,
  startedMs: number,
): Resolver {
  function named(name: string): LogFile | undefined {
    const [, date, session] = FILE_NAME.exec(name) ?? [];
    return date === undefined || session === undefined ? undefined : logs.file(date, session);
  }

  function fileAt(path: SubPath): LogFile {
    const [name = '', ...rest] = path.split('/');
    const file = named(name);
    if (file && rest.length === 0) return file;
    if (file) throw new FsError('ENOTDIR', path, 'a file has nothing in it');
    throw new FsError('ENOENT', path, 'there is no history with this name');
  }

  return {
    name: 'history',
    stat: (path) => (path === '' ? shownFolder(logs.newestMs() ?? startedMs) : shownFile(fileAt(path))),
    list(path) {
      if (path !== '') {
        fileAt(path);
        throw new FsError('ENOTDIR', path, 'this is a file');
      }
      return logs.files().map((file) => ({ name: fileName(file), kind: 'file' }));
    },
    open(path): OpenFile {
      if (path === '') throw new FsError('EISDIR', path, 'this is a folder');
      const opened = fileAt(path);
      // If a file was removed because of its age, it is empty for callers that still have it open.
      const now = (): LogFile => logs.fileById(opened.id) ?? { ...opened, sizeBytes: 0 };
      return {
        get sizeBytes() {
          return now().sizeBytes;
        },
        stat: () => shownFile(now()),
        read: (target, position) => logs.read(opened.id, target, position),
        close() {},
      };
    },
    onChange(listener: ChangeListener) {
      return onGrowth((files) => listener(files.map((file) => fileName(file) as SubPath)));
    },
  };
}

function fileName({ date, session }: LogFile): string {
  return `${date}_${session}.jsonl`;
}

function shownFile({ sizeBytes, modifiedMs }: LogFile): NodeInfo {
  return fileInfo(sizeBytes, msToNs(modifiedMs), undefined, PRIVATE_FILE_MODE);
}

function shownFolder(modifiedMs: number): NodeInfo {
  return { ...folderInfo(msToNs(modifiedMs)), mode: PRIVATE_FOLDER_MODE };
}
