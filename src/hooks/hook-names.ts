/** The hooks of Git that kgraphfs takes part in: githooks(5). */
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

/** Exit status by which the program of the hooks has a commit refused. Any other, as of a program that broke, lets it through. */
export const REFUSED = 10;
