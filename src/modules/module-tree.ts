import { after } from '../core/awaitable.ts';
import type { WriteOptions } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import { OWNER_BITS, PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { Listeners } from '../core/listeners.ts';
import { fileInfo, folderInfo, linkInfo, msToNs } from '../core/node-info.ts';
import { fileOfBytes } from '../core/open-file.ts';
import type { SubPath } from '../core/paths.ts';
import type { Awaitable, NodeInfo, OpenFile } from '../core/resolver.ts';
import type { MountedTree } from '../resolvers/modules.ts';
import { type AskedModule, type FailureReport, ModuleAnswers, type Place } from './module-answers.ts';
import { WrittenFile } from './written-file.ts';

export interface ModuleTree extends MountedTree {
  /** Has these paths asked for again, and tells listeners that they have changed. Default: all paths. */
  forget(paths?: readonly string[]): void;
  /** Has everything asked for again without telling anybody: it need not have changed. */
  askAnew(): void;
}

type Appending = Pick<WriteOptions, 'append'>;

type FilePlace = Extract<Place, { readonly kind: 'file' }>;

/** What belongs to one module that is shown. */
interface Shown {
  readonly answers: ModuleAnswers;
  readonly listeners: Listeners<[paths: readonly SubPath[]]>;
  /** Files that were truncated by path, and not opened since. */
  readonly emptied: Set<SubPath>;
}

/**
 * The subtree of one module, made of its answers. Only the owner may read it, since it may have been fetched with the owner's keys. Answers are asked
 * for again after 2 seconds. The kernel is not told of that, and has to ask each time.
 */
export function moduleTree(name: string, module: AskedModule, report: FailureReport): ModuleTree {
  const answers = new ModuleAnswers(name, module, report);
  const listeners: Shown['listeners'] = new Listeners();
  const emptied = new Set<SubPath>();
  const shown: Shown = { answers, listeners, emptied };
  return {
    name: `modules/${name}`,
    stat: (path) => after(answers.place(path), (place) => infoOf(emptied, path, place)),
    list: (path) =>
      after(answers.place(path), (place) => {
        if (place.kind !== 'directory') throw new FsError('ENOTDIR', path, 'this is not a folder');
        return place.entries;
      }),
    open: (path) =>
      after<Place, OpenFile>(answers.place(path), (place) => {
        requireFile(place, path);
        if (place.isWritable) return openWritable(shown, path, { append: false });
        return after(answers.content(path), ({ bytes, version }) => fileOfBytes(bytes, version));
      }),
    readLink: (path) =>
      after(answers.place(path), (place) => {
        if (place.kind !== 'link') throw new FsError('EINVAL', path, 'this is not a link');
        return place.target;
      }),
    openToWrite: (path, options) =>
      after(answers.place(path), (place) => {
        requireWritable(place, path);
        return options.truncate
          ? written(shown, path, undefined, options)
          : openWritable(shown, path, options);
      }),
    // truncate(2): the next one who opens the file finds it empty.
    truncate: (path, sizeBytes) =>
      after(answers.place(path), (place) => {
        requireWritable(place, path);
        if (sizeBytes === 0) emptied.add(path);
      }),
    changeTimes: (path) => after(answers.place(path), (place) => requireWritable(place, path)),
    tellsOfNew: () => false,
    onChange: (listener) => listeners.add(listener),
    forget(paths = ['']) {
      for (const path of paths) answers.forget(path);
      listeners.tell(paths.map((path) => path as SubPath));
    },
    askAnew: () => answers.forget(''),
  };
}

function infoOf(emptied: ReadonlySet<SubPath>, path: SubPath, place: Place): NodeInfo {
  const { modifiedNs } = place;
  if (place.kind === 'directory') {
    const info = folderInfo(modifiedNs);
    return { ...info, mode: info.mode & OWNER_BITS, changesUntold: true };
  }
  if (place.kind === 'link') return { ...linkInfo(place.target, modifiedNs), changesUntold: true };
  if (place.isWritable)
    return fileInfo(emptied.has(path) ? 0 : place.sizeBytes, modifiedNs, undefined, PRIVATE_FILE_MODE);
  return { ...fileInfo(place.sizeBytes, modifiedNs, place.version, PRIVATE_FILE_MODE), changesUntold: true };
}

function openWritable(shown: Shown, path: SubPath, options: Appending): Awaitable<WrittenFile> {
  if (shown.emptied.has(path)) return written(shown, path, undefined, options);
  return after(shown.answers.content(path), ({ bytes }) => written(shown, path, bytes, options));
}

/** @param bytes the present content; undefined if the file is emptied */
function written(
  { answers, listeners, emptied }: Shown,
  path: SubPath,
  bytes: Uint8Array | undefined,
  { append }: Appending,
): WrittenFile {
  emptied.delete(path);
  const infoOfSize = (sizeBytes: number) =>
    fileInfo(sizeBytes, msToNs(Date.now()), undefined, PRIVATE_FILE_MODE);
  return new WrittenFile(bytes, append, infoOfSize, async (content) => {
    try {
      await answers.write(path, content);
    } finally {
      // A write to this file may have changed others.
      answers.forget('');
      listeners.tell([path]);
    }
  });
}

function requireFile(place: Place, path: SubPath): asserts place is FilePlace {
  if (place.kind === 'directory') throw new FsError('EISDIR', path, 'this is a folder');
  if (place.kind === 'link') throw new FsError('ELOOP', path, 'this is a link');
}

function requireWritable(place: Place, path: SubPath): void {
  requireFile(place, path);
  if (!place.isWritable) throw new FsError('EROFS', path, 'the module does not accept what is written here');
}
