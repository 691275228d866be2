import type { DocsSelection } from '../core/docs-selection.ts';
import type { Awaitable } from '../core/resolver.ts';

/** A name of a folder that is listed: of a file, of a folder where it ends in `/`, or with what it is. */
export type ModuleName = string | { readonly name: string; readonly kind: 'file' | 'directory' | 'link' };

/** Milliseconds since 1970, or a Date. Absent: when the content was first seen as it is. */
export type ModuleTime = number | Date;

type Content = string | Uint8Array;

/** A file at a path of a module. */
export interface ModuleFile {
  readonly file: Content | (() => Awaitable<Content>);
  readonly modified?: ModuleTime;
  /** Known without the content, in bytes; then `version` has to be, too. */
  readonly sizeBytes?: number;
  /** Stands for the content: where it is the same, so are the bytes. Default: a hash of them. */
  readonly version?: string;
  /** Whether `write` of the module takes content for it. Default false. */
  readonly writable?: boolean;
}

/** What stands at a path of a module. */
export type ModulePlace =
  | ModuleFile
  | {
      readonly folder: Iterable<ModuleName> | (() => Awaitable<Iterable<ModuleName>>);
      readonly modified?: ModuleTime;
    }
  /** The target, relative and within the module. */
  | { readonly link: string; readonly modified?: ModuleTime };

export interface ModuleContext {
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** What a module shows below `modules/<name>/`. */
export interface ModuleResolver {
  /**
   * What stands at a path; undefined where nothing does. Names that are listed have to be there, others may be.
   * An error whose `code` is one of errno(3), such as EACCES, is answered with that; any other one with EIO.
   * @param path the names on the way, none for the module's own folder
   */
  at(path: readonly string[], context: ModuleContext): Awaitable<ModulePlace | undefined>;
  /** Takes the whole new content of a file that is `writable`. Absent: nothing can be written. */
  write?(path: readonly string[], content: Uint8Array, context: ModuleContext): Awaitable<void>;
  /**
   * Stays the same as long as nothing that it lists changes, and is quick to say: where its text is searched, all of it is read again when this is
   * another. Absent: it is read again every five minutes.
   */
  revision?(context: ModuleContext): Awaitable<string>;
  close?(): Awaitable<void>;
}

/** What a module is given of the program that runs it. */
export interface ModuleHost {
  /** As the config names it. */
  readonly name: string;
  /** Where the config file is that names it: what paths in it are relative to. */
  readonly folder: string;
  readonly docs: DocsSelection;
  /** A folder of its own in the state folder, for what can be asked for again: `kgraphfs wipe` removes it. */
  readonly stateFolder: string;
  /** Keys that it may use, by the names of their variables. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Tells that what is at these paths changed: all, unless they are given. What was answered is asked for again after 2 seconds in any case. */
  changed(paths?: readonly string[]): void;
  /** Writes a line to `.kgraphfs/errors.jsonl`. */
  note(message: string): void;
  /** Has a process that the module started be ended with it. */
  started(pid: number): void;
}

/** What a zod schema does, whoever's zod it is of. */
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
