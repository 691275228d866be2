import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../../src/core/errors.ts';
import {
  attributeNames,
  attributeOf,
  removeAttributeOf,
  setAttributeOf,
} from '../../src/system/extended-attributes.ts';
import { allocate, copyRange, seek, withoutAppending } from '../../src/system/file-data.ts';
import { NO_FOLDER, O_PATH, openAt, renameAt } from '../../src/system/files.ts';
import { type Command, shownAttributes } from './commands.ts';

/** Of renameat2(2). */
const RENAME_FLAGS = { replace: 0, keep: 1, exchange: 2 };
/** Of setxattr(2). */
const ATTRIBUTE_FLAGS = { either: 0, create: 1, replace: 2 };

/** Does to a plain folder what a command says, by the system calls themselves. */
export class PlainFolder {
  readonly #folder: string;
  readonly #open = new Map<number, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns the answer, or the errno it failed with */
  run(command: Command): unknown {
    const umask = process.umask(0);
    try {
      return this.#run(command);
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === undefined) throw error;
      return code;
    } finally {
      process.umask(umask);
    }
  }

  /** Whether the kernel would follow a link on the way, which a tree below it never sees. */
  leadsThroughLink(path: string): boolean {
    const parts = path.split('/').slice(0, -1);
    return parts.some((_, index) => this.isLink(parts.slice(0, index + 1).join('/')));
  }

  isLink(path: string): boolean {
    try {
      return lstatSync(join(this.#folder, path)).isSymbolicLink();
    } catch {
      return false;
    }
  }

  close(): void {
    for (const descriptor of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }

  #run(command: Command): unknown {
    const path = (name: string): string => join(this.#folder, name);
    switch (command.do) {
      case 'create': {
        const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
        const extra =
          (command.exclusive ? constants.O_EXCL : 0) |
          (command.append ? constants.O_APPEND : 0) |
          (command.truncate ? constants.O_TRUNC : 0);
        return this.#keep(command.slot, openSync(path(command.path), flags | extra, command.mode));
      }
      case 'open':
        // Without O_DIRECTORY a folder would be opened.
        if (lstatSync(path(command.path)).isDirectory()) return 'EISDIR';
        return this.#keep(
          command.slot,
          openSync(path(command.path), constants.O_RDONLY | constants.O_NOFOLLOW),
        );
      case 'open to write': {
        const flags = constants.O_RDWR | constants.O_NOFOLLOW;
        const extra = (command.append ? constants.O_APPEND : 0) | (command.truncate ? constants.O_TRUNC : 0);
        return this.#keep(command.slot, openSync(path(command.path), flags | extra));
      }
      case 'write':
        return this.#use(command.slot, (file) =>
          writeSync(file, Buffer.from(command.text), 0, Buffer.byteLength(command.text), command.position),
        );
      case 'read':
        return this.#use(command.slot, (file) => {
          const bytes = Buffer.alloc(64);
          return bytes.toString('latin1', 0, readSync(file, bytes, 0, 64, command.position));
        });
      case 'seek':
        return this.#use(command.slot, (file) => seek(file, command.position, command.to));
      case 'allocate':
        return this.#use(command.slot, (file) => {
          allocate(file, command.mode, command.position, command.sizeBytes);
        });
      case 'copy':
        return this.#use(command.slot, (file) =>
          this.#use(command.from, (from) => {
            const { sourcePosition, position, sizeBytes } = command;
            // The kernel asks a mount only where the file does not append, or no longer does.
            return withoutAppending(file, () => copyRange(from, sourcePosition, file, position, sizeBytes));
          }),
        );
      case 'truncate open':
        return this.#use(command.slot, (file) => ftruncateSync(file, command.sizeBytes));
      case 'status of open':
        return this.#use(command.slot, (file) => summaryOf(fstatSync(file)));
      case 'close':
        return this.#use(command.slot, (file) => {
          closeSync(file);
          this.#open.delete(command.slot);
        });
      case 'truncate': {
        if (lstatSync(path(command.path)).isDirectory()) return 'EISDIR';
        const file = openSync(path(command.path), constants.O_WRONLY | constants.O_NOFOLLOW);
        try {
          return ftruncateSync(file, command.sizeBytes);
        } finally {
          closeSync(file);
        }
      }
      case 'status':
        return summaryOf(lstatSync(path(command.path)));
      case 'list':
        // A tree below the kernel never follows a link.
        if (this.isLink(command.path)) return 'ENOTDIR';
        return readdirSync(path(command.path)).sort();
      case 'read link':
        return readlinkSync(path(command.path));
      case 'make folder':
        mkdirSync(path(command.path), { mode: command.mode });
        return undefined;
      case 'remove folder':
        return rmdirSync(path(command.path));
      case 'remove':
        return unlinkSync(path(command.path));
      case 'rename':
        renameAt(NO_FOLDER, path(command.path), NO_FOLDER, path(command.to), RENAME_FLAGS[command.use]);
        return undefined;
      case 'link':
        return linkSync(path(command.path), path(command.to));
      case 'symlink':
        return symlinkSync(command.target, path(command.path));
      case 'change mode':
        return chmodSync(path(command.path), command.mode);
      case 'attributes':
        return this.#withoutFollowing(path(command.path), (place) => {
          const named = attributeNames(place).filter((name) => name.startsWith('user.'));
          return shownAttributes(new Map(named.map((name) => [name, attributeOf(place, name) ?? ''])));
        });
      case 'set attribute':
        return this.#withoutFollowing(path(command.path), (place) =>
          setAttributeOf(place, command.name, Buffer.from(command.value), ATTRIBUTE_FLAGS[command.use]),
        );
      case 'remove attribute':
        return this.#withoutFollowing(path(command.path), (place) => {
          removeAttributeOf(place, command.name);
        });
      case 'change times':
        return lutimesSync(path(command.path), command.accessedMs / 1000, command.modifiedMs / 1000);
    }
  }

  /** @param action given a path that leads to what is there, a link itself included */
  #withoutFollowing<T>(path: string, action: (place: string) => T): T {
    const descriptor = openAt(NO_FOLDER, path, O_PATH | constants.O_NOFOLLOW);
    try {
      return action(`/proc/self/fd/${descriptor}`);
    } finally {
      closeSync(descriptor);
    }
  }

  #keep(slot: number, descriptor: number): void {
    const before = this.#open.get(slot);
    if (before !== undefined) closeSync(before);
    this.#open.set(slot, descriptor);
  }

  #use<T>(slot: number, action: (descriptor: number) => T): T | 'not open' {
    const descriptor = this.#open.get(slot);
    return descriptor === undefined ? 'not open' : action(descriptor);
  }
}

function summaryOf(status: Stats): unknown {
  return {
    mode: status.mode & 0o7777,
    links: status.nlink,
    // How large a folder is differs with what was once in it.
    sizeBytes: status.isDirectory() ? 'folder' : status.size,
  };
}
