import type { DescribableFile, Owner, Times, WriteOptions, WriteWay } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import type { NodeInfo, OpContext } from '../core/resolver.ts';
import { MEMORY_POINT } from '../core/tree-points.ts';
import type { LiveFile } from './live-file.ts';
import type { MemoryFile } from './memory-files.ts';
import { requireOurs } from './memory-owner.ts';

/** What a handle needs besides its file. */
export interface HandleParts {
  readonly file: LiveFile;
  readonly context: OpContext;
  /** What fstat(2) shows of the file. */
  readonly info: () => NodeInfo;
  /** Works for a file that has lost its name, too. */
  readonly changeMode: (mode: number) => void;
  readonly changeTimes: (times: Times, context: OpContext) => void;
  /** Runs whatever may commit. */
  readonly committing: <T>(act: () => T) => T;
  /** Makes what was committed survive a power cut. */
  readonly syncStore: () => Promise<void>;
  /** Called when the last handle is closed and its content could not be committed: that is lost. */
  readonly lost: (error: FsError) => void;
  readonly closed: () => void;
}

/** One opening of a live file. */
export class ReadingHandle implements DescribableFile {
  protected readonly parts: HandleParts;
  #isOpen: boolean;

  constructor(parts: HandleParts) {
    this.parts = parts;
    this.#isOpen = true;
    parts.file.handles += 1;
  }

  get sizeBytes(): number {
    return this.parts.file.sizeBytes;
  }

  stat(): NodeInfo {
    return this.parts.info();
  }

  read(target: Uint8Array, position: number): number {
    return this.parts.file.read(target, position);
  }

  openAgain(options: Pick<WriteOptions, 'append'>): WritingHandle {
    return new WritingHandle(this.parts, options);
  }

  changeMode(mode: number): void {
    this.parts.changeMode(mode);
  }

  changeOwner(owner: Owner): void {
    requireOurs(owner, MEMORY_POINT);
  }

  changeTimes(times: Times, context: OpContext): void {
    this.parts.changeTimes(times, context);
  }

  async sync(context: OpContext): Promise<void> {
    this.parts.committing(() => this.parts.file.settle(context, this));
    await this.parts.syncStore();
  }

  /** Closes the handle. The last one of a file commits what nobody has flushed. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { file, committing, context, lost, closed } = this.parts;
    file.leave(this);
    if (file.handles > 0) return;
    try {
      committing(() => file.settle(context));
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
      lost(error);
    } finally {
      closed();
    }
  }
}

/** One opening of a live file for writing. */
export class WritingHandle extends ReadingHandle implements MemoryFile {
  readonly #isAppending: boolean;

  constructor(parts: HandleParts, { append }: Pick<WriteOptions, 'append'>) {
    super(parts);
    this.#isAppending = append;
  }

  write(bytes: Uint8Array, position: number, context: OpContext, way: WriteWay = 'as opened'): number {
    const opened = this.#isAppending ? 'at the end' : 'in place';
    const here = way === 'as opened' ? opened : way;
    this.parts.file.write(bytes, position, this, here, context);
    return bytes.byteLength;
  }

  truncate(sizeBytes: number): void {
    this.parts.file.truncate(sizeBytes, this);
  }

  empty(): void {
    this.parts.file.empty(this);
  }

  flush(context: OpContext): void {
    this.parts.committing(() => this.parts.file.flush(context, this));
  }
}
