import type { VfsPath } from '../core/paths.ts';
import type { OpContext, Unsubscribe } from '../core/resolver.ts';
import type { Toolbox } from '../toolkit/tool.ts';

/** A document that is listed as a resource. */
export interface ListedDocument {
  /** In the mount. */
  readonly path: VfsPath;
  readonly title: string;
}

/** One call of a tool, for the history. */
export interface CalledTool {
  readonly tool: string;
  readonly args: unknown;
  readonly durationMs: number;
  /** Code of the refusal, where there was one. */
  readonly error: string | undefined;
  readonly context: OpContext;
}

/** What a server of this protocol serves: one opened project. */
export interface ServedProject {
  readonly box: Toolbox;
  /** In path order. */
  documents(): readonly ListedDocument[];
  /** Enters a call into the history. Never throws. */
  called(call: CalledTool): void;
  /** Notes what is a bug. */
  fault(error: unknown): void;
  /**
   * Tells that something changed: what is served from generated text, too (`everything`), or only what is read from the disk as it is (`files`).
   */
  onChange(listener: (what: 'everything' | 'files') => void): Unsubscribe;
}

/** How far the index is that somebody waits for. */
export interface Opening {
  readonly done: number;
  readonly total: number;
}

/** A project that may still be on its way to be opened, since a client that begins waits for no index. */
export interface ProjectDoor {
  /**
   * Resolves when the project is open.
   * @param onProgress told now and then meanwhile
   * @throws UserError where it cannot be opened: each time it is asked for
   */
  open(onProgress?: (opening: Opening) => void): Promise<ServedProject>;
  /**
   * Calls `work` with the project once it is open, and keeps it open until that is done: one may be opened anew meanwhile for others.
   * @throws UserError as {@link open}, and what `work` throws
   */
  use<T>(work: (project: ServedProject) => Promise<T>, onProgress?: (opening: Opening) => void): Promise<T>;
}
