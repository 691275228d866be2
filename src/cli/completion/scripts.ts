import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import type { Row } from './table.ts';
import { zshScript } from './zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Readonly<Record<Shell, (rows: readonly Row[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export function completionScript(shell: Shell, rows: readonly Row[]): string {
  return SCRIPTS[shell](rows);
}
