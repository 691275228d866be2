import type { DocsSelection } from '../core/docs-selection.ts';
import type { Awaitable } from '../core/resolver.ts';

/** A name in a folder: of a file, of a folder if it ends in `/`, or together with its kind. */
export type ModuleName = string | { readonly name: string; readonly kind: 'file' | 'directory' | 'link' };

/** Milliseconds since 1970, or a Date. Default: when the content was first seen as it is. */
export type ModuleTime = number | Date;

type Content = string | Uint8Array;

/** A file at a path of a module. */
export interface ModuleFile {
  readonly file: Content | (() => Awaitable<Content>);
  readonly modified?: ModuleTime;
  /** The size in bytes, if it is known without the content. It requires a `version`. */
  readonly sizeBytes?: number;
  /** Stands for the content: as long as it is the same, so are the bytes. Default: a hash of them. */
  readonly version?: string;
  /** Whether the `write` of the module accepts content for it. Default false. */
  readonly writable?: boolean;
}

/** What is at a path of a module. */
export type ModulePlace =
  | ModuleFile
  | {
      readonly folder: Iterable<ModuleName> | (() => Awaitable<Iterable<ModuleName>>);
      readonly modified?: ModuleTime;
    }
  /** The target of a link, relative and within the module. */
  | { readonly link: string; readonly modified?: ModuleTime };

export interface ModuleContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** A module, as what it shows below `modules/<name>/`. */
export interface ModuleResolver {
  /**
   * What is at a path; undefined if nothing is. Names that a folder lists have to exist; others may, too. An error whose `code` is one of errno(3),
   * such as EACCES, is passed on with it; any other error becomes EIO.
   * @param path the names on the way; empty for the module's own folder
   */
  at(path: readonly string[], context: ModuleContext): Awaitable<ModulePlace | undefined>;
  /** Takes the whole new content of a file that is `writable`. If it is absent, nothing can be written. */
  write?(path: readonly string[], content: Uint8Array, context: ModuleContext): Awaitable<void>;
  /**
   * Stays the same as long as nothing that is listed changes. It has to answer quickly: if its text is searched, everything is read again each time
   * this changes. If it is absent, everything is read again every five minutes.
   */
  revision?(context: ModuleContext): Awaitable<string>;
  close?(): Awaitable<void>;
}

/** What a module gets from the program that runs it. */
export interface ModuleHost {
  /** Its name in the config. */
  readonly name: string;
  /** The folder of the config file that names it. Paths in its config are relative to this. */
  readonly folder: string;
  readonly docs: DocsSelection;
  /** A folder of its own in the state folder, for data that can be fetched again: `kgraphfs wipe` removes it. */
  readonly stateFolder: string;
  /** Keys that it may use, by the names of their variables. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Tells that these paths have changed. Default: all. Answers are asked for again after 2 seconds in any case. */
  changed(paths?: readonly string[]): void;
  /** Writes a line to `.kgraphfs/errors.jsonl`. */
  note(message: string): void;
  /** Tells of a process that the module has started, which will be ended with it. */
  started(pid: number): void;
}

/** A schema of any version of zod, as far as it is used here. */
export interface ConfigSchema {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: unknown }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}
