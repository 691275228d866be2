import { type BigIntStats, closeSync, constants, fchmodSync, fstatSync, fsync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CreateOptions, NewNode, Owner, Space, Times, WriteOptions } from '../core/changes.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import type { DiskEntry } from '../core/disk-entry.ts';
import { DiskFolder } from '../core/disk-folder.ts';
import { FsError, systemCodeOf } from '../core/errors.ts';
import { DEFAULT_SCRATCHPAD_QUOTA_BYTES } from '../core/limits.ts';
import type { SubPath } from '../core/paths.ts';
import type { Awaitable, DirEntry, NodeInfo } from '../core/resolver.ts';
import { GIVEN, runOnDescriptor } from './disk-program.ts';
import { refusalOf, refusing } from './disk-refusal.ts';
import { infoOf, kindOf } from './disk-status.ts';
import { Folders } from './folders.ts';
import { noSpaceAt, ScratchpadFile, truncateDescriptor } from './scratchpad-file.ts';
import { FILES_FOLDER, noteUse } from './session-folders.ts';
import { SpaceLedger } from './space-ledger.ts';
import { isSpecial, makeSpecial } from './special-nodes.ts';

const fsyncLater = promisify(fsync);

const PERMISSIONS = 0o7777;
/** The bits of a new folder that mkdir(2) takes from its mode; the others come from the folder around it. */
const FOLDER_PERMISSIONS = 0o777;

export interface ScratchpadOptions {
  /** Past it, ENOSPC. 1 GiB unless given. */
  readonly quotaBytes?: number;
  readonly clock?: Clock;
}

/**
 * Opens a session's scratchpad. All that is there is counted first: a status for each file.
 * @param folder what `prepareScratchpad` gave
 * @throws the system's error where the disk cannot be read
 */
export function openScratchpad(folder: string, options: ScratchpadOptions = {}): Scratchpad {
  const spare = DiskFolder.open(folder);
  const top = DiskFolder.open(join(folder, FILES_FOLDER));
  const { quotaBytes = DEFAULT_SCRATCHPAD_QUOTA_BYTES, clock = systemClock } = options;
  return new Scratchpad(top, spare, new SpaceLedger(top, quotaBytes, clock));
}

/**
 * A folder of the disk as it is, with all that a disk can do, held to a quota. Each method is the system call of its name, at
 * once unless it says otherwise, and fails with an {@link FsError} with that call's error.
 *
 * Nothing outside of the folder is touched: links in it are text and never followed, and what is no file is not opened.
 * Long because each call has its method here.
 */
export class Scratchpad {
  readonly #folders: Folders;
  readonly #spare: DiskFolder;
  readonly #ledger: SpaceLedger;

  /**
   * @param top what is shown; `close` closes it
   * @param spare another folder of the same disk, for what is not to be seen; `close` closes it
   */
  constructor(top: DiskFolder, spare: DiskFolder, ledger: SpaceLedger) {
    this.#folders = new Folders(top);
    this.#spare = spare;
    this.#ledger = ledger;
  }

  stat(path: SubPath): NodeInfo {
    return refusing(path, () => {
      if (path === '') return infoOf(this.#folders.top.status());
      return this.#at(path, 'EBUSY', (folder, name) => infoOf(this.#statusOf(folder, name, path)));
    });
  }

  /** By code unit. Names that are no UTF-8, which nobody can have made through here, are left out. */
  list(path: SubPath): DirEntry[] {
    return refusing(path, () =>
      this.#folders.within(path, (folder) =>
        folder
          .entries()
          .filter(({ name }) => !name.includes('\uFFFD'))
          .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      ),
    );
  }

  readLink(path: SubPath): string {
    return refusing(path, () => {
      if (path === '') throw new FsError('EINVAL', path, 'this is no link');
      return this.#at(path, 'EBUSY', (folder, name) => folder.linkTextOf(name));
    });
  }

  /** @throws FsError ENXIO for a pipe, a socket and a device, which the kernel of a mount opens by itself */
  open(path: SubPath): ScratchpadFile {
    return this.#open(path, constants.O_RDONLY);
  }

  openToWrite(path: SubPath, options: WriteOptions): ScratchpadFile {
    const flags = writeFlags(options) | (options.truncate ? constants.O_TRUNC : 0);
    try {
      return this.#open(path, constants.O_RDWR | flags);
    } catch (error) {
      // A file that its owner may write and not read; whether the caller may is known to the kernel of the mount.
      if (!(error instanceof FsError && error.code === 'EACCES')) throw error;
      return this.#open(path, constants.O_WRONLY | flags);
    }
  }

  create(path: SubPath, options: CreateOptions): ScratchpadFile {
    return refusing(path, () =>
      this.#at(path, 'EISDIR', (folder, name) => {
        this.#requireRoom(folder, name, path);
        const mode = options.mode & PERMISSIONS;
        try {
          const descriptor = folder.makeFile(name, writeFlags(options), mode);
          this.#ledger.see(folder.status());
          return this.#created(descriptor, mode, path, options);
        } catch (error) {
          if (options.exclusive || systemCodeOf(error) !== 'EEXIST') throw error;
          return this.openToWrite(path, options);
        }
      }),
    );
  }

  truncate(path: SubPath, sizeBytes: number): void {
    this.#onEntry(path, (entry) => {
      requireFile(entry.status(), path, 'EINVAL');
      const descriptor = entry.openFile(constants.O_WRONLY);
      try {
        truncateDescriptor(descriptor, sizeBytes, path);
      } finally {
        closeSync(descriptor);
      }
      this.#ledger.see(entry.status());
    });
  }

  makeFolder(path: SubPath, mode: number): void {
    this.#make(
      path,
      (folder, name) => folder.makeFolder(name, mode & PERMISSIONS),
      mode & FOLDER_PERMISSIONS,
    );
  }

  /** @throws FsError EILSEQ for a target that is not Unicode */
  symlink(target: string, path: SubPath): void {
    if (!target.isWellFormed() || target.includes('\uFFFD')) {
      throw new FsError('EILSEQ', path, 'the target of a link is UTF-8 text; these bytes are not');
    }
    this.#make(path, (folder, name) => folder.makeLink(target, name));
  }

  /** A pipe, a device or a socket is made by another program, and so later. */
  makeNode(path: SubPath, node: NewNode): Awaitable<void> {
    if (isSpecial(node)) {
      return this.#makeLater(path, node.mode, (folder, name) =>
        makeSpecial(folder, name, node, this.#spare, path),
      );
    }
    this.create(path, { mode: node.mode, exclusive: true, append: false, truncate: false }).close();
  }

  link(existing: SubPath, path: SubPath): void {
    refusing(path, () =>
      this.#at(existing, 'EPERM', (from, name) => {
        this.#statusOf(from, name, existing);
        this.#at(path, 'EEXIST', (to, newName) => {
          from.link(name, to, newName);
          this.#ledger.see(to.status());
        });
      }),
    );
  }

  rename(from: SubPath, to: SubPath): void {
    refusing(from, () =>
      this.#at(from, 'EBUSY', (source, name) =>
        this.#at(to, 'EBUSY', (target, newName) => {
          const replaced = target.statusOf(newName);
          // Two names of one file stay both.
          const isSame = replaced !== undefined && source.statusOf(name)?.ino === replaced.ino;
          source.rename(name, target, newName);
          if (replaced && !isSame) this.#ledger.nameGone(replaced);
          this.#ledger.see(source.status());
          this.#ledger.see(target.status());
        }),
      ),
    );
  }

  remove(path: SubPath): void {
    this.#take(path, (folder, name) => folder.remove(name));
  }

  removeFolder(path: SubPath): void {
    this.#take(path, (folder, name) => folder.removeFolder(name));
  }

  changeMode(path: SubPath, mode: number): void {
    this.#onEntry(path, (entry) => entry.changeMode(mode & PERMISSIONS));
  }

  changeOwner(path: SubPath, { user, group }: Owner): void {
    this.#onEntry(path, (entry) => entry.changeOwner(user, group));
  }

  /**
   * To the microsecond, rounded down. One time alone is set by another program, and so later, to the nanosecond: Node cannot leave
   * the other as it is.
   */
  changeTimes(path: SubPath, { accessedNs, modifiedNs }: Times): Awaitable<void> {
    if (accessedNs !== undefined && modifiedNs !== undefined) {
      return this.#onEntry(path, (entry) => entry.changeTimes(accessedNs, modifiedNs));
    }
    if (accessedNs !== undefined) return this.#changeTime(path, '-a', accessedNs);
    if (modifiedNs !== undefined) return this.#changeTime(path, '-m', modifiedNs);
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

  /** What the quota leaves, or the disk where that is less. */
  space(): Space {
    return refusing('', () => {
      const disk = this.#folders.top.space();
      return {
        totalBytes: this.#ledger.quotaBytes,
        freeBytes: Math.min(this.#ledger.freeBytes, disk.freeBytes),
        totalFiles: this.#ledger.maxFiles,
        freeFiles: Math.min(this.#ledger.freeFiles, disk.freeFiles),
      };
    });
  }

  /** Frees the folders' descriptors; no other method may be called after it. Files that are open stay so. */
  close(): void {
    try {
      noteUse(this.#spare);
    } catch (error) {
      // A disk that became read-only, or that it is closed already: then it counts as used when it was opened.
      if (systemCodeOf(error) === undefined) throw error;
    }
    this.#folders.close();
    this.#spare.close();
  }

  #at<T>(
    path: SubPath,
    code: Parameters<Folders['around']>[1],
    action: (folder: DiskFolder, name: string) => T,
  ): T {
    return this.#folders.around(path, code, action);
  }

  #statusOf(folder: DiskFolder, name: string, path: SubPath): BigIntStats {
    const status = folder.statusOf(name);
    if (status === undefined) throw new FsError('ENOENT', path, 'there is no such file in the scratchpad');
    this.#ledger.see(status);
    return status;
  }

  #onEntry<T>(path: SubPath, action: (entry: DiskEntry) => T): T {
    return refusing(path, () => {
      const entry = this.#entryAt(path);
      try {
        return action(entry);
      } finally {
        entry.close();
      }
    });
  }

  #entryAt(path: SubPath): DiskEntry {
    if (path === '') return this.#folders.top.asEntry();
    return this.#at(path, 'EBUSY', (folder, name) => folder.entryOf(name));
  }

  #open(path: SubPath, flags: number): ScratchpadFile {
    return this.#onEntry(path, (entry) => {
      requireFile(entry.status(), path, 'ENXIO');
      const descriptor = entry.openFile(flags);
      const appends = (flags & constants.O_APPEND) !== 0;
      return new ScratchpadFile(descriptor, fileStatus(descriptor), path, this.#ledger, appends);
    });
  }

  #created(descriptor: number, mode: number, path: SubPath, options: WriteOptions): ScratchpadFile {
    const status = fileStatus(descriptor);
    // The caller's umask is taken off already; this process has another.
    if ((Number(status.mode) & PERMISSIONS) !== mode) fchmodSync(descriptor, mode);
    return new ScratchpadFile(descriptor, status, path, this.#ledger, options.append);
  }

  /** What is there already is for the system call to refuse, so room is needed only for what is new. */
  #requireRoom(folder: DiskFolder, name: string, path: SubPath): void {
    if (!this.#ledger.hasRoomForNode() && folder.statusOf(name) === undefined) throw noSpaceAt(path);
  }

  #make(path: SubPath, action: (folder: DiskFolder, name: string) => void, permissions?: number): void {
    refusing(path, () =>
      this.#at(path, 'EEXIST', (folder, name) => {
        this.#requireRoom(folder, name, path);
        action(folder, name);
        this.#settleNew(folder, name, path, permissions);
      }),
    );
  }

  async #makeLater(
    path: SubPath,
    mode: number,
    action: (folder: DiskFolder, name: string) => Promise<void>,
  ): Promise<void> {
    try {
      const [folder, name] = this.#at(path, 'EEXIST', (folder, name) => [folder.reopen(), name] as const);
      try {
        this.#requireRoom(folder, name, path);
        await action(folder, name);
        this.#settleNew(folder, name, path, mode & PERMISSIONS);
      } finally {
        folder.close();
      }
    } catch (error) {
      throw refusalOf(error, path);
    }
  }

  /** @param permissions the bits that it is to have; all others stay */
  #settleNew(folder: DiskFolder, name: string, path: SubPath, permissions: number | undefined): void {
    const mode = Number(this.#statusOf(folder, name, path).mode) & PERMISSIONS;
    this.#ledger.see(folder.status());
    if (permissions === undefined || (mode & FOLDER_PERMISSIONS) === permissions) return;
    const entry = folder.entryOf(name);
    try {
      entry.changeMode((mode & ~FOLDER_PERMISSIONS) | permissions);
    } finally {
      entry.close();
    }
  }

  #take(path: SubPath, action: (folder: DiskFolder, name: string) => void): void {
    refusing(path, () =>
      this.#at(path, 'EBUSY', (folder, name) => {
        const before = folder.statusOf(name);
        action(folder, name);
        if (before) this.#ledger.nameGone(before);
        this.#ledger.see(folder.status());
      }),
    );
  }

  async #changeTime(path: SubPath, option: '-a' | '-m', timeNs: bigint): Promise<void> {
    const entry = refusing(path, () => this.#entryAt(path));
    try {
      await runOnDescriptor(
        'touch',
        ['-c', option, '-d', `@${secondsText(timeNs)}`, GIVEN],
        entry.descriptor,
        path,
      );
    } finally {
      entry.close();
    }
  }
}

function fileStatus(descriptor: number): BigIntStats {
  return fstatSync(descriptor, { bigint: true });
}

function writeFlags({ append }: WriteOptions): number {
  return append ? constants.O_APPEND : 0;
}

function requireFile(status: BigIntStats, path: SubPath, otherwise: 'EINVAL' | 'ENXIO'): void {
  if (status.isFile()) return;
  if (status.isDirectory()) throw new FsError('EISDIR', path, 'this is a folder');
  if (status.isSymbolicLink()) throw new FsError('ELOOP', path, 'this is a link; a link is read, not opened');
  throw new FsError(otherwise, path, 'this is no file');
}

/** A decimal number of seconds, exact. */
function secondsText(ns: bigint): string {
  const digits = String(ns < 0n ? -ns : ns).padStart(10, '0');
  return `${ns < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}
