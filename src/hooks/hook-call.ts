import { resolve } from 'node:path';
import { type HookName, isHookName } from './hook-names.ts';

/** The command line in the script of a hook: `HOOK --folder F [--docs D] [--state S] [--config C] -- ARGUMENTS`. */
export interface HookCall {
  readonly hook: HookName;
  /** The folder in which the command runs, as an absolute path. */
  readonly folder: string;
  readonly flags: { readonly docs?: string[]; readonly state?: string; readonly config?: string };
  /** The arguments that Git gives to the hook. */
  readonly given: readonly string[];
}

/** Undefined if the words make no sense. @param workingFolder the top of the work tree */
export function hookCallOf(words: readonly string[], workingFolder: string): HookCall | undefined {
  const [hook = '', ...rest] = words;
  const end = rest.indexOf('--');
  if (!isHookName(hook) || end === -1) return undefined;
  const values = new Map<string, string[]>();
  for (let at = 0; at < end; at += 2) {
    const name = rest[at] ?? '';
    values.set(name, [...(values.get(name) ?? []), rest[at + 1] ?? '']);
  }
  const folder = resolve(workingFolder, values.get('--folder')?.at(-1) ?? '.');
  const [docs, state, config] = [values.get('--docs'), values.get('--state'), values.get('--config')];
  const flags = {
    ...(docs === undefined ? {} : { docs }),
    ...(state === undefined ? {} : { state: resolve(folder, state.at(-1) ?? '') }),
    ...(config === undefined ? {} : { config: resolve(folder, config.at(-1) ?? '') }),
  };
  return { hook, folder, flags, given: rest.slice(end + 1) };
}
