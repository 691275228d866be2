/** Which modules there are, as `chooseModules` has settled it: apart from it, since who only looks which are searched need not load what reads a config. */
import { hash } from 'node:crypto';
import type { BuiltInName } from './modules-schema.ts';

/** Where the code of a module is: with kgraphfs, or in a file. Where hashes are given, by absolute path, it and what it imports have to have these. */
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
  /** What the config says for this module alone. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Whether its texts are searched, where the config says so. */
  readonly search: boolean | undefined;
  readonly timeoutMs: number;
  /** The config that names it, for saying where something is wrong. */
  readonly from: ConfigText;
  /** Keys that it may use, by the names of their variables. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A config file as it was read. */
export interface ConfigText {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/** A module that does not run, and why, with the way out. */
export interface RefusedModule {
  readonly name: string;
  readonly reason: string;
}

export interface ModuleChoices {
  readonly modules: readonly ModuleChoice[];
  readonly refused: readonly RefusedModule[];
  /** Why the user's own config is not used; undefined where it is, or there is none. */
  readonly problem: string | undefined;
}

/** Stands for what configs say of modules, and what of it is trusted: the same, the same modules. Empty where there are none. */
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

/** Whether its texts are read beside the docs: where the config says so, and those of an API unless it says no. */
export function isSearched({ code, search }: ModuleChoice): boolean {
  return search ?? joinsGraph(code);
}

/** Whether its documents are read into the graph, too. */
export function joinsGraph(code: ModuleCode): boolean {
  return code.kind === 'built-in' && code.module === 'openapi';
}
