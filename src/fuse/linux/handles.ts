import { isPromiseLike } from '../../core/awaitable.ts';
import type { DescribableFile, WritableFile, WriteOptions } from '../../core/changes.ts';
import { FsError, reasonOf } from '../../core/errors.ts';
import { isWritable } from '../../core/open-file.ts';
import type { Awaitable, OpenFile } from '../../core/resolver.ts';
import { isDescribable } from '../described-file.ts';
import { Stale } from './handler.ts';
import type { Node } from './node-table.ts';

/** How a file was opened: `another version` is read past the cache, and is another than the one that the node stands for. */
export type Opened = 'to read' | 'to write' | 'another version';

/** An open file, shared by those who opened it through `/proc/self/fd` after its name was gone. */
export class OpenedFile {
  readonly node: Node;
  readonly file: OpenFile;
  /** Undefined where it was opened to be read. */
  readonly writable: WritableFile | undefined;
  handles = 0;
  /** Whether it is another version than the one that the node stands for, of which no cache may keep anything. */
  readonly isOther: boolean;
  /** Whether somebody may have written by it, whom the kernel knows of. */
  readonly isWriter: boolean;
  /** Handles, and uses under way. */
  #users = 0;

  constructor(node: Node, file: OpenFile, how: Opened = 'to read') {
    this.node = node;
    this.file = file;
    this.isOther = how === 'another version';
    this.isWriter = how === 'to write';
    // A file of the scratchpad that was opened to be read has the methods of one that can be written.
    this.writable = this.isWriter && isWritable(file) ? file : undefined;
  }

  /** What may be changed of it apart from its bytes, however it was opened. */
  get describable(): DescribableFile | undefined {
    return isDescribable(this.file) ? this.file : undefined;
  }

  /** The same file, opened once more to be written, whatever became of its name; undefined where that cannot be. */
  toWrite(options: Pick<WriteOptions, 'append'>): WritableFile | undefined {
    return this.describable?.openAgain?.(options);
  }

  /** The file stays open until what is done with it has ended. */
  during<T>(use: () => Awaitable<T>): Awaitable<T> {
    const value = use();
    if (!isPromiseLike(value)) return value;
    this.take();
    return Promise.resolve(value).finally(() => this.give());
  }

  take(): void {
    this.#users += 1;
  }

  give(): void {
    this.#users -= 1;
    if (this.#users === 0) this.file.close();
  }
}

/** The files that the kernel has open, by the number that it was given. Folders it opens by itself. */
export class Handles {
  readonly #files = new Map<number, OpenedFile>();
  #last = 0;

  get size(): number {
    return this.#files.size;
  }

  addFile(opened: OpenedFile): number {
    opened.take();
    opened.handles += 1;
    opened.node.openings += 1;
    if (opened.isWriter) opened.node.hadWriter = true;
    this.#last += 1;
    this.#files.set(this.#last, opened);
    return this.#last;
  }

  /** @throws FsError EBADF */
  file(handle: number): OpenedFile {
    const opened = this.#files.get(handle);
    if (opened === undefined) throw new FsError('EBADF', '', 'this file is not open');
    return opened;
  }

  /** One of the open files of a node, to be written to where there is one. Mostly asked of nodes that nobody has open; of others, all is looked through. */
  anyOf(node: Node): OpenedFile | undefined {
    if (node.openings === 0) return undefined;
    const opened = [...this.#files.values()].filter((file) => file.node === node && !file.isOther);
    return opened.find(({ writable }) => writable !== undefined) ?? opened[0];
  }

  /** The file that was opened last to be written to. */
  lastWriterOf(node: Node): WritableFile | undefined {
    if (node.openings === 0) return undefined;
    return [...this.#files.values()].findLast((file) => file.node === node && file.isWriter)?.writable;
  }

  /** An open file that another version than the node's was opened as. */
  otherOf(node: Node): OpenedFile | undefined {
    if (node.openings === 0) return undefined;
    return [...this.#files.values()].find((file) => file.node === node && file.isOther);
  }

  releaseFile(handle: number): void {
    const opened = this.#files.get(handle);
    if (opened === undefined) return;
    this.#files.delete(handle);
    opened.node.openings -= 1;
    opened.handles -= 1;
    opened.give();
  }

  /** Closes all, when the kernel will not. @returns why some failed to close, each reason once */
  releaseAll(): readonly unknown[] {
    const failures = new Map<string, unknown>();
    for (const handle of [...this.#files.keys()]) {
      try {
        this.releaseFile(handle);
      } catch (error) {
        failures.set(reasonOf(error), error);
      }
    }
    return [...failures.values()];
  }
}

/**
 * Refuses to change what has no name any more, and has no way of its own to be changed: it is a document, or a text that was generated.
 * @throws Stale where nobody has it open: the kernel looks its name up anew; else FsError EROFS, since whoever has it open has nothing to look up
 */
export function refuseNameless(opened: OpenedFile | undefined): never {
  if (opened === undefined) throw new Stale();
  throw new FsError('EROFS', '', 'documents and generated texts are only read');
}
