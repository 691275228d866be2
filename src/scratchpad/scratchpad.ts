/** Long because each call has its method here. */
import { closeSync, constants, fchmodSync, fsync } from 'node:fs';
import { promisify } from 'node:util';
import type {
  AttributeUse,
  CreateOptions,
  NewNode,
  Owner,
  RenameUse,
  Space,
  Times,
  WriteOptions,
} from '../core/changes.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { FsError, systemCodeOf } from '../core/errors.ts';
import { PERMISSION_BITS } from '../core/file-modes.ts';
import type { SubPath } from '../core/paths.ts';
import { folderOf } from '../core/paths.ts';
import type { Attributes, DirEntry, NodeInfo, OpContext } from '../core/resolver.ts';
import { DEFAULT_LIMITS } from '../settings/limits.ts';
import { type FileStatus, statusOf } from '../system/file-status.ts';
import { closeNow } from '../system/files.ts';
import { attributesOf, removeAttribute, setAttribute } from './attributes.ts';
import { refusalOf, refusing } from './disk-refusal.ts';
import { infoOf, kindOf, kindOfListed, typeBitsOf } from './disk-status.ts';
import { around, nameOf, within } from './folders.ts';
import type { OpenEntry } from './open-entry.ts';
import { OpenFolder } from './open-folder.ts';
import { modeWithoutSetId, settleNewFile, settleNewNode } from './ownership.ts';
import { noSpaceAt } from './refusals.ts';
import { ScratchpadFile, truncateDescriptor } from './scratchpad-file.ts';
import { FILES_FOLDER, noteUse } from './session-folders.ts';
import { SpaceLedger } from './space-ledger.ts';

const fsyncLater = promisify(fsync);

/** The bits of a new folder that mkdir(2) takes from its mode. The others are inherited from the parent folder. */
const FOLDER_PERMISSIONS = 0o1777;
/** `RENAME_NOREPLACE` and `RENAME_EXCHANGE` of renameat2(2). */
const RENAME_FLAGS: Readonly<Record<RenameUse, number>> = { replace: 0, keep: 1, exchange: 2 };

export interface ScratchpadOptions {
  /** Beyond it, ENOSPC. Default: 1 GiB. */
  readonly quotaBytes?: number;
  readonly clock?: Clock;
}

/**
 * Opens a session's scratchpad. First counts what it contains, which takes a status for each file.
 * @param folder the folder that `prepareScratchpad` returned
 * @throws the system's error if the disk cannot be read
 */
export function openScratchpad(folder: string, options: ScratchpadOptions = {}): Scratchpad {
  const session = OpenFolder.open(folder);
  let top: OpenFolder | undefined;
  try {
    top = session.folderAt(FILES_FOLDER);
    const { quotaBytes = DEFAULT_LIMITS.scratchpadBytes, clock = systemClock } = options;
    return new Scratchpad(top, session, new SpaceLedger(top, quotaBytes, clock));
  } catch (error) {
    top?.close();
    session.close();
    throw error;
  }
}

/**
 * A folder of the disk with everything that a disk can do, limited by a quota. Each method is the system call of its name, is done at once unless it says
 * otherwise, and fails with an {@link FsError} that has that call's error. What is new belongs to the caller, if that is known and this process may change
 * owners.
 *
 * Nothing outside of the folder is touched: links in it are text and never followed, and only files are opened.
 */
export class Scratchpad {
  readonly #top: OpenFolder;
  readonly #session: OpenFolder;
  readonly #ledger: SpaceLedger;
  /** False on a disk that says of every folder that it has no links, so that 0 does not mean that it was removed. */
  readonly #hasNames: boolean;

  /**
   * @param top the folder that is shown; closed by `close`
   * @param session the folder around it; closed by `close`
   */
  constructor(top: OpenFolder, session: OpenFolder, ledger: SpaceLedger) {
    this.#top = top;
    this.#session = session;
    this.#ledger = ledger;
    this.#hasNames = top.status().links > 0;
  }

  /** Whether its folder was removed from the disk, so that nothing can be put there any more. */
  isGone(): boolean {
    try {
      return this.#hasNames && this.#top.status().links === 0;
    } catch (error) {
      // ESTALE is the error of a network disk or one of FUSE. Any other failure is reported by the operation itself.
      return ['ENOENT', 'ESTALE'].includes(systemCodeOf(error) ?? '');
    }
  }

  /** Whether files of it are open. */
  isInUse(): boolean {
    return this.#ledger.hasOpenFiles;
  }

  stat(path: SubPath): NodeInfo {
    const info = this.find(path);
    if (info === undefined) throw missing(path);
    return info;
  }

  /** As `stat`; undefined if there is nothing. */
  find(path: SubPath): NodeInfo | undefined {
    return refusing(path, () => {
      const status = path === '' ? this.#top.status() : this.#top.statusAt(path);
      if (status === undefined) return undefined;
      this.#ledger.see(status);
      return infoOf(status);
    });
  }

  /** The entries, sorted by code unit. Names that are not UTF-8, which cannot be made through this class, are left out. */
  list(path: SubPath): DirEntry[] {
    return refusing(path, () =>
      within(this.#top, path, (folder) =>
        folder
          .entries()
          .filter(({ name }) => !name.includes('\uFFFD'))
          .map((entry) => ({ name: entry.name, kind: kindOfListed(entry) }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      ),
    );
  }

  readLink(path: SubPath): string {
    return refusing(path, () => {
      if (path === '') throw new FsError('EINVAL', path, 'this is not a link');
      return this.#at(path, 'EBUSY', (folder, name) => folder.linkTextOf(name));
    });
  }

  /** @throws FsError ENXIO for a pipe, a socket and a device, which the kernel of a mount opens by itself */
  open(path: SubPath): ScratchpadFile {
    return this.#open(path, constants.O_RDONLY, {});
  }

  openToWrite(path: SubPath, options: WriteOptions, context: OpContext = {}): ScratchpadFile {
    const flags = writeFlags(options) | (options.truncate ? constants.O_TRUNC : 0);
    try {
      return this.#open(path, constants.O_RDWR | flags, context);
    } catch (error) {
      // The owner may write the file but not read it. Whether the caller may write it is checked by the kernel of the mount.
      if (!(error instanceof FsError && error.code === 'EACCES')) throw error;
      return this.#open(path, constants.O_WRONLY | flags, context);
    }
  }

  create(path: SubPath, options: CreateOptions, context: OpContext = {}): ScratchpadFile {
    return refusing(path, () =>
      this.#at(path, 'EISDIR', (folder, name) => {
        this.#requireRoom(folder, name, path);
        const mode = options.mode & PERMISSION_BITS;
        try {
          const descriptor = folder.makeFile(name, writeFlags(options), mode);
          const settle = () => settleNewFile(descriptor, mode, this.#seen(folder), context);
          return this.#opened(descriptor, settle, path, writeFlags(options));
        } catch (error) {
          if (options.exclusive || systemCodeOf(error) !== 'EEXIST') throw error;
          return this.openToWrite(path, options, context);
        }
      }),
    );
  }

  truncate(path: SubPath, sizeBytes: number, context: OpContext = {}): void {
    this.#onEntry(path, (entry) => {
      requireFile(entry.status(), path, 'EINVAL');
      const descriptor = entry.openFile(constants.O_WRONLY);
      try {
        truncateDescriptor(descriptor, sizeBytes, path, this.#ledger);
        this.#settleChanged(descriptor, context);
      } finally {
        closeNow(descriptor);
      }
    });
  }

  makeFolder(path: SubPath, mode: number, context: OpContext = {}): void {
    this.#make(
      path,
      context,
      (folder, name) => folder.makeFolder(name, mode & PERMISSION_BITS),
      mode & FOLDER_PERMISSIONS,
    );
  }

  /** @throws FsError EILSEQ if the target is not valid Unicode */
  symlink(target: string, path: SubPath, context: OpContext = {}): void {
    if (!target.isWellFormed() || target.includes('\uFFFD')) {
      throw new FsError('EILSEQ', path, 'the target of a link is UTF-8 text; these bytes are not');
    }
    if (target.includes('\0')) {
      throw new FsError('EINVAL', path, 'the target of a link cannot hold a NUL character');
    }
    this.#make(path, context, (folder, name) => folder.makeLink(target, name));
  }

  makeNode(path: SubPath, node: NewNode, context: OpContext = {}): void {
    const mode = node.mode & PERMISSION_BITS;
    if (node.kind === 'file') {
      this.create(path, { mode, exclusive: true, append: false, truncate: false }, context).close();
      return;
    }
    const bits = typeBitsOf(node.kind) | mode;
    this.#make(path, context, (folder, name) => folder.makeNode(name, bits, node.device), mode);
  }

  link(existing: SubPath, path: SubPath): void {
    refusing(path, () =>
      this.#at(existing, 'EPERM', (from, name) => {
        if (from.statusOf(name) === undefined) throw missing(existing);
        this.#at(path, 'EEXIST', (to, newName) => {
          from.link(name, to, newName);
          this.#seen(to);
        });
      }),
    );
  }

  rename(from: SubPath, to: SubPath, _context: OpContext = {}, use: RenameUse = 'replace'): void {
    refusing(from, () =>
      this.#at(from, 'EBUSY', (source, name) => {
        if (to !== '' && folderOf(from) === folderOf(to)) {
          this.#rename(source, name, source, nameOf(to), use);
          return;
        }
        this.#at(to, 'EBUSY', (target, newName) => this.#rename(source, name, target, newName, use));
      }),
    );
  }

  remove(path: SubPath): void {
    this.#take(path, (folder, name) => folder.remove(name));
  }

  removeFolder(path: SubPath): void {
    this.#take(path, (folder, name) => folder.removeFolder(name));
  }

  changeMode(path: SubPath, mode: number): void {
    this.#onEntry(path, (entry) => entry.changeMode(mode & PERMISSION_BITS));
  }

  changeOwner(path: SubPath, { user, group }: Owner): void {
    this.#onEntry(path, (entry) => entry.changeOwner(user, group));
  }

  changeTimes(path: SubPath, { accessedNs, modifiedNs }: Times): void {
    if (accessedNs === undefined && modifiedNs === undefined) return;
    this.#onEntry(path, (entry) => entry.changeTimes(accessedNs, modifiedNs));
  }

  attributes(path: SubPath): Attributes {
    return this.#onEntry(path, attributesOf);
  }

  setAttribute(path: SubPath, name: string, value: Uint8Array, use: AttributeUse): void {
    this.#onEntry(path, (entry) => setAttribute({ entry, path, ledger: this.#ledger }, name, value, use));
  }

  removeAttribute(path: SubPath, name: string): void {
    this.#onEntry(path, (entry) => removeAttribute({ entry, path, ledger: this.#ledger }, name));
  }

  async syncFolder(path: SubPath): Promise<void> {
    const descriptor = this.#onEntry(path, (entry) =>
      entry.openFile(constants.O_RDONLY | constants.O_DIRECTORY),
    );
    try {
      await fsyncLater(descriptor);
    } catch (error) {
      throw refusalOf(error, path);
    } finally {
      closeSync(descriptor);
    }
  }

  /** What the quota leaves, or what the disk has if that is less. */
  space(): Space {
    return refusing('', () => {
      const disk = this.#top.space();
      return {
        totalBytes: this.#ledger.quotaBytes,
        freeBytes: Math.min(this.#ledger.freeBytes, disk.freeBytes),
        totalFiles: this.#ledger.maxFiles,
        freeFiles: Math.min(this.#ledger.freeFiles, disk.freeFiles),
      };
    });
  }

  /** Frees the descriptors of folders. No other method may be called after it. Files that are open stay open. */
  close(): void {
    try {
      noteUse(this.#session);
    } catch (error) {
      // The disk has become read-only, or the folder is closed already. The scratchpad then counts as last used when it was opened.
      if (systemCodeOf(error) === undefined) throw error;
    }
    this.#top.close();
    this.#session.close();
  }

  #at<T>(
    path: SubPath,
    code: Parameters<typeof around>[2],
    action: (folder: OpenFolder, name: string) => T,
  ): T {
    return around(this.#top, path, code, action);
  }

  #onEntry<T>(path: SubPath, action: (entry: OpenEntry) => T): T {
    return refusing(path, () => {
      const entry = path === '' ? this.#top.asEntry() : this.#top.entryAt(path);
      try {
        return action(entry);
      } finally {
        entry.close();
      }
    });
  }

  #open(path: SubPath, flags: number, context: OpContext): ScratchpadFile {
    return this.#onEntry(path, (entry) => {
      const status = entry.status();
      requireFile(status, path, 'ENXIO');
      const descriptor = entry.openFile(flags);
      const isCut = (flags & constants.O_TRUNC) !== 0;
      const settle = () => (isCut ? this.#settleChanged(descriptor, context) : status);
      return this.#opened(descriptor, settle, path, flags);
    });
  }

  /** @param descriptor closed if this fails */
  #opened(descriptor: number, settle: () => FileStatus, path: SubPath, flags: number): ScratchpadFile {
    try {
      return new ScratchpadFile(descriptor, settle(), path, this.#ledger, flags);
    } catch (error) {
      closeNow(descriptor);
      throw error;
    }
  }

  #rename(source: OpenFolder, name: string, target: OpenFolder, newName: string, use: RenameUse): void {
    const replaced = use === 'replace' ? target.statusOf(newName) : undefined;
    // If both names are of one file, rename(2) keeps both.
    const isSame = replaced !== undefined && source.statusOf(name)?.inode === replaced.inode;
    source.rename(name, target, newName, RENAME_FLAGS[use]);
    if (replaced && !isSame) this.#ledger.nameGone(replaced);
    this.#seen(source);
    if (target !== source) this.#seen(target);
  }

  /** Room is only required for a name that is new. An existing one is refused by the system call itself. */
  #requireRoom(folder: OpenFolder, name: string, path: SubPath): void {
    if (!this.#ledger.hasRoomForNode() && folder.statusOf(name) === undefined) throw noSpaceAt(path);
  }

  /** @param permissions the permission bits to set; all other bits stay. A link has none */
  #make(
    path: SubPath,
    context: OpContext,
    action: (folder: OpenFolder, name: string) => void,
    permissions?: number,
  ): void {
    refusing(path, () =>
      this.#at(path, 'EEXIST', (folder, name) => {
        this.#requireRoom(folder, name, path);
        action(folder, name);
        const status = folder.statusOf(name);
        if (status === undefined) throw missing(path);
        this.#ledger.see(status);
        const folderStatus = this.#seen(folder);
        settleNewNode({ folder, folderStatus, name, status }, permissions, context);
      }),
    );
  }

  #take(path: SubPath, action: (folder: OpenFolder, name: string) => void): void {
    refusing(path, () =>
      this.#at(path, 'EBUSY', (folder, name) => {
        const before = folder.statusOf(name);
        action(folder, name);
        if (before) this.#ledger.nameGone(before);
        this.#seen(folder);
      }),
    );
  }

  /** To be called after a change of a file's length. */
  #settleChanged(descriptor: number, context: OpContext): FileStatus {
    const status = statusOf(descriptor);
    this.#ledger.see(status);
    const mode = modeWithoutSetId(status, context);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    return status;
  }

  #seen(folder: OpenFolder): FileStatus {
    const status = folder.status();
    this.#ledger.see(status);
    return status;
  }
}

function writeFlags({ append }: WriteOptions): number {
  return append ? constants.O_APPEND : 0;
}

function missing(path: SubPath): FsError {
  return new FsError('ENOENT', path, 'there is no such file in the scratchpad');
}

function requireFile(status: FileStatus, path: SubPath, otherwise: 'EINVAL' | 'ENXIO'): void {
  const kind = kindOf(status);
  if (kind === 'file') return;
  if (kind === 'directory') throw new FsError('EISDIR', path, 'this is a folder');
  if (kind === 'link') throw new FsError('ELOOP', path, 'this is a link; a link is read, not opened');
  throw new FsError(otherwise, path, 'this is not a file');
}
