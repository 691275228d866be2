/** The messages between the process of a module and its host. */
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
  /** Asks for the revision. The answer is given as the version of a file that does not exist; there is none if the module cannot tell. */
  | { readonly type: 'revision'; readonly path: readonly string[] }
  /** Asks what is at a path. */
  | { readonly type: 'look'; readonly path: readonly string[] }
  /** Asks for the content of a file. */
  | { readonly type: 'read'; readonly path: readonly string[] }
  | { readonly type: 'write'; readonly path: readonly string[]; readonly content: Uint8Array };

/** The first message. It is not given on the command line, which everybody may read, since it contains keys. */
export interface ModuleStart {
  readonly type: 'start';
  /** The pid of the host: a process that has another parent has been left behind. */
  readonly hostPid: number;
  readonly task: ModuleTask;
}

export type ModuleRequest =
  | (ModuleQuestion & { readonly id: number })
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'ping' }
  | { readonly type: 'end' };

/** What is at a path, as plain data. Times are in milliseconds since 1970. */
export type SeenPlace =
  | {
      readonly kind: 'file';
      readonly sizeBytes: number;
      readonly version: string;
      readonly modifiedMs?: number | undefined;
      readonly isWritable: boolean;
      /** Absent if the content was not made yet. */
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
  /** The path of the key, within the module's own config. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type ModuleReply =
  | { readonly type: 'ready'; readonly staysUp: boolean }
  /** The module cannot be used as it is: it would be of no use to start it again. */
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
  /** The last message: something threw and nobody caught it. */
  | { readonly type: 'crashed'; readonly reason: string }
  | { readonly type: 'pong' };
