import { isSearched, type ModuleChoices } from '../config/module-choice.ts';
import type { ModuleState } from './module-process.ts';

/** The state of a module, as `status.json` shows it. */
export type ModuleView = {
  readonly name: string;
  /** The name of a built-in module, `own` for one from a path, null if that is not known. */
  readonly module: string | null;
  /** `idle`: it will be started when something is asked of it. `refused`: the config is not allowed to run it, or cannot. */
  readonly state: ModuleState | 'refused';
  /** Whether its texts are searched. */
  readonly search: boolean;
  /** Why it does not run, or why it failed the last time. */
  readonly error: string | null;
};

/** @param stateOf the state of a module's process. Default: none runs */
export function moduleViews(
  { modules, refused }: ModuleChoices,
  stateOf: (name: string) => { readonly state: ModuleState; readonly error: string | undefined } = () => IDLE,
): ModuleView[] {
  const usable = modules.map((choice): ModuleView => {
    const { name, code } = choice;
    const { state, error = null } = stateOf(name);
    return {
      name,
      module: code.kind === 'built-in' ? code.module : 'own',
      state,
      search: isSearched(choice),
      error,
    };
  });
  const others = refused.map(
    ({ name, reason }): ModuleView => ({
      name,
      module: null,
      state: 'refused',
      search: false,
      error: reason,
    }),
  );
  return [...usable, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const IDLE = { state: 'idle', error: undefined } as const;
