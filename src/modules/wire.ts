/** What a module's process and its host tell each other. */
import type { ModuleCode } from '../config/module-choice.ts';
import type { DocsSelection } from '../core/docs-selection.ts';
import type { DirEntry } from '../core/resolver.ts';

/** What a module is started with. */
export interface ModuleTask {
  readonly name: string;
  readonly code: ModuleCode;
  readonly config: Readonly<Record<string, unknown>>;
  readonly folder: string;
  readonly docs: DocsSelection;
  readonly stateFolder: string;
  readonly secrets: Readonly<Record<string, string>>;
}

export type ModuleQuestion =
  /** What stands for all that it shows, as the version of a file that is not there; nothing where it cannot tell. */
  | { readonly type: 'revision'; readonly path: readonly string[] }
  /** What stands at a path. */
  | { readonly type: 'look'; readonly path: readonly string[] }
  /** The content of a file. */
  | { readonly type: 'read'; readonly path: readonly string[] }
  | { readonly type: 'write'; readonly path: readonly string[]; readonly content: Uint8Array };

/** Comes before anything else, and not in the command line, which everybody may read: there are keys in it. */
export interface ModuleStart {
  readonly type: 'start';
  /** Of the host: a process that has another parent by then was left behind. */
  readonly hostPid: number;
  readonly task: ModuleTask;
}

export type ModuleRequest =
  | (ModuleQuestion & { readonly id: number })
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'ping' }
  | { readonly type: 'end' };

/** What stands at a path, as data. Times in milliseconds since 1970. */
export type SeenPlace =
  | {
      readonly kind: 'file';
      readonly sizeBytes: number;
      readonly version: string;
      readonly modifiedMs?: number | undefined;
      readonly isWritable: boolean;
      /** Absent where it was not made yet. */
      readonly bytes?: Uint8Array | undefined;
    }
  | {
      readonly kind: 'directory';
      readonly modifiedMs?: number | undefined;
      readonly entries: readonly DirEntry[];
    }
  | { readonly kind: 'link'; readonly modifiedMs?: number | undefined; readonly target: string };

/** A fault in the config of a module. */
export interface ConfigFault {
  /** Of the key, below the module's own. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type ModuleReply =
  | { readonly type: 'ready'; readonly staysUp: boolean }
  /** It cannot be used as it is: to start it again would be of no use. */
  | { readonly type: 'unusable'; readonly faults: readonly ConfigFault[]; readonly reason: string }
  | { readonly type: 'answer'; readonly id: number; readonly place?: SeenPlace | undefined }
  | {
      readonly type: 'failure';
      readonly id: number;
      readonly code?: string | undefined;
      readonly reason: string;
    }
  | { readonly type: 'changed'; readonly paths: readonly string[] }
  | { readonly type: 'note'; readonly message: string }
  | { readonly type: 'started'; readonly pid: number }
  /** The last of all: something threw where nobody caught it. */
  | { readonly type: 'crashed'; readonly reason: string }
  | { readonly type: 'pong' };
