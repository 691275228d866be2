import { spawn } from 'node:child_process';

const IGNORED_SIGNALS = ['SIGINT', 'SIGQUIT'] as const;

/** The editor of POSIX if the environment names none. */
export const DEFAULT_EDITOR = 'vi';

/**
 * Lets a person edit a file at the terminal.
 * @param command for the shell, as `VISUAL` and `EDITOR` hold it, such as `code --wait`
 * @returns how the editor ended: its exit status, 127 if there is no such command, or the name of a signal
 */
export async function runEditor(command: string, file: string): Promise<number | NodeJS.Signals> {
  // Ctrl-C in an editor is meant for the editor.
  const ignore = () => {};
  for (const signal of IGNORED_SIGNALS) process.on(signal, ignore);
  try {
    return await new Promise((resolve, reject) => {
      const editor = spawn('/bin/sh', ['-c', `${command} "$@"`, command, file], { stdio: 'inherit' });
      editor.once('error', reject);
      editor.once('close', (status, signal) => resolve(signal ?? status ?? 0));
    });
  } finally {
    for (const signal of IGNORED_SIGNALS) process.off(signal, ignore);
  }
}
