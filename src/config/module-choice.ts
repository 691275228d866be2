/**
 * The modules that `chooseModules` has settled on. Apart from it, so that code that only needs to know which are searched does not load what reads a
 * config.
 */
import { hash } from 'node:crypto';
import type { BuiltInName } from './modules-schema.ts';

/** Where the code of a module is: in kgraphfs, or in a file. If hashes are given, by absolute path, the file and its imports must have these. */
export type ModuleCode =
  | { readonly kind: 'built-in'; readonly module: BuiltInName }
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly trusted: Readonly<Record<string, string>> | undefined;
    };

/** A module that may run. */
export interface ModuleChoice {
  readonly name: string;
  readonly code: ModuleCode;
  /** The part of the config that only this module reads. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Whether its texts are searched, if the config says so. */
  readonly search: boolean | undefined;
  readonly timeoutMs: number;
  /** The config that names it, to say where a mistake is. */
  readonly from: ConfigText;
  /** Keys that it may use, by the names of their variables. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A config file as it was read. */
export interface ConfigText {
  /** The absolute path of the file. */
  readonly file: string;
  readonly text: string;
}

/** A module that does not run, with the reason and a way out. */
export interface RefusedModule {
  readonly name: string;
  readonly reason: string;
}

export interface ModuleChoices {
  readonly modules: readonly ModuleChoice[];
  readonly refused: readonly RefusedModule[];
  /** Why the user's own config is not used; undefined if it is, or there is none. */
  readonly problem: string | undefined;
}

/** A text that stands for what configs say about modules, and for what of it is trusted: if it is the same, so are the modules. Empty if there are none. */
export function modulesMark({ modules, refused, problem }: ModuleChoices): string {
  if (modules.length + refused.length === 0 && problem === undefined) return '';
  const asked = modules.map(({ name, code, config, search, timeoutMs, from }) => [
    name,
    code,
    config,
    search,
    timeoutMs,
    from.file,
  ]);
  return hash('sha256', JSON.stringify([asked, refused.map(({ name }) => name), problem]));
}

/** Whether its texts are read like docs: if the config says so, and by default for those that describe an API. */
export function isSearched({ code, search }: ModuleChoice): boolean {
  return search ?? joinsGraph(code);
}

/** Whether its documents are also read into the graph. */
export function joinsGraph(code: ModuleCode): boolean {
  return code.kind === 'built-in' && code.module === 'openapi';
}
