import { constants } from 'node:fs';
import type { WritableFile } from '../../core/changes.ts';
import type { OpenFile } from '../../core/resolver.ts';
import { opensToWrite } from '../request-values.ts';
import type { Answer } from './handler.ts';
import { type Opened, OpenedFile, refuseNameless } from './handles.ts';
import type { Node } from './node-table.ts';
import { encodeOpen, FOPEN, PAYLOAD } from './protocol/answer.ts';
import type { Served } from './served.ts';

/** The handles of files that the kernel gets, each with what it may cache of the file. */
export class GivenHandles {
  readonly #handles: Served['handles'];
  readonly #backings: Served['backings'];

  constructor({ handles, backings }: Pick<Served, 'handles' | 'backings'>) {
    this.#handles = handles;
    this.#backings = backings;
  }

  /** @param flags a value of {@link FOPEN}. @param how default: to read, and past the cache what is another version than the node's */
  give(
    node: Node,
    file: OpenFile,
    flags: number,
    how: Opened = flags === FOPEN.directIo ? 'another version' : 'to read',
  ): Answer {
    const opened = new OpenedFile(node, file, how);
    return this.#answer(opened, flags, how === 'to write');
  }

  /**
   * Gives out what others have open. A file without a name can be opened by its descriptor in /proc. @throws Stale if nobody has it open; FsError EROFS for
   * opening a read-only file for writing
   */
  giveAgain(node: Node, flags: number): Answer {
    const opened = this.#handles.anyOf(node);
    if (opened !== undefined && (!opensToWrite(flags) || opened.writable !== undefined))
      return this.#answer(opened, FOPEN.keepCache, opensToWrite(flags));
    const again = opened?.toWrite({ append: (flags & constants.O_APPEND) !== 0 });
    if (again === undefined) return refuseNameless(opened);
    return this.give(node, again, FOPEN.keepCache, 'to write');
  }

  hasAnyOf(node: Node): boolean {
    return this.#handles.anyOf(node) !== undefined;
  }

  close(handle: number): void {
    const { node } = this.#handles.file(handle);
    try {
      this.#handles.releaseFile(handle);
    } finally {
      this.#backings.settle(node);
    }
  }

  /** For a file that the kernel reads by itself it has no pages, but requests of a thread that writes to it must still come here. */
  #answer(opened: OpenedFile, flags: number, toWrite: boolean): Answer {
    const { node, file } = opened;
    const handle = this.#handles.addFile(opened);
    const { backing } = node;
    const given = backing === undefined ? flags : FOPEN.passThrough | (toWrite ? FOPEN.directIo : 0);
    return {
      encode: (out) => encodeOpen(out, handle, given | noFlushOf(file), PAYLOAD, backing),
      undo: () => this.close(handle),
    };
  }
}

/** A file that does nothing at close(2) needs no FLUSH, so that nobody waits for one. */
export function noFlushOf(file: OpenFile): number {
  const { flush, needsNoFlush } = file as Partial<WritableFile>;
  return flush !== undefined && needsNoFlush !== true ? 0 : FOPEN.noFlush;
}
