import type { VfsPath } from '../core/paths.ts';
import type { OpContext, Unsubscribe } from '../core/resolver.ts';
import type { Toolbox } from '../toolkit/tool.ts';

/** A document that is listed as a resource. */
export interface ListedDocument {
  /** The path in the mount. */
  readonly path: VfsPath;
  readonly title: string;
}

/** A call of a tool, for the history. */
export interface CalledTool {
  readonly tool: string;
  readonly args: unknown;
  readonly durationMs: number;
  /** The code of the refusal, if it was refused. */
  readonly error: string | undefined;
  readonly context: OpContext;
}

/** What an MCP server serves: one open project. */
export interface ServedProject {
  readonly box: Toolbox;
  /** In the order of their paths. */
  documents(): readonly ListedDocument[];
  /** Records a call in the history. Never throws. */
  called(call: CalledTool): void;
  /** Logs a bug. */
  fault(error: unknown): void;
  /** Tells that something has changed: `everything` includes generated text, `files` is only what is read from the disk as it is. */
  onChange(listener: (what: 'everything' | 'files') => void): Unsubscribe;
}

/** The progress of the index that a caller waits for. */
export interface Opening {
  readonly done: number;
  readonly total: number;
}

/** A project that may still be opening, since a client that starts does not wait for an index. */
export interface ProjectDoor {
  /**
   * Resolves when the project is open.
   * @param onProgress called now and then meanwhile
   * @throws UserError if it cannot be opened, on each call
   */
  open(onProgress?: (opening: Opening) => void): Promise<ServedProject>;
  /**
   * Calls `work` with the project when it is open, and keeps it open until that is done, even if the project is opened anew for others meanwhile.
   * @throws UserError as {@link open}, and what `work` throws
   */
  use<T>(work: (project: ServedProject) => Promise<T>, onProgress?: (opening: Opening) => void): Promise<T>;
}
