/** The hooks of Git that kgraphfs takes part in, see githooks(5). */
export const HOOK_NAMES = [
  'pre-commit',
  'post-commit',
  'post-checkout',
  'post-merge',
  'post-rewrite',
] as const;
export type HookName = (typeof HOOK_NAMES)[number];

export function isHookName(name: string): name is HookName {
  return HOOK_NAMES.some((one) => one === name);
}

/** The exit status by which the program of the hooks makes a commit fail. Any other, such as that of a program that crashed, lets it through. */
export const REFUSED = 10;
