import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { type Outcome, shell } from './daemon.ts';

const CALLS = 'openat,dup2,write,close,rename,renameat,renameat2,ftruncate,fsync,unlink,unlinkat';

export interface Traced extends Outcome {
  /** The system calls of a program from its first one with this name on, each as strace(1) writes it, without the process id. */
  from(name: string): string[];
}

/** Runs a script of bash in a folder, and notes its system calls that have to do with files. */
export async function traced(t: Teardown, folder: string, script: string): Promise<Traced> {
  const file = join(temporaryFolder(t), 'trace');
  const run = 'cd "$1" && exec strace -f -qq -o "$2" -e trace="$3" bash -c "$4"';
  const outcome = await shell(run, folder, file, CALLS, script);
  const lines = readFileSync(file, 'utf8').split('\n');
  const calls = lines.map((line) => line.replace(/^\d+ +/, '').replace(/ += /, ' = '));
  return {
    ...outcome,
    from(name) {
      const first = calls.findIndex((call) => call.startsWith('openat') && call.includes(`"${name}"`));
      if (first === -1) throw new Error(`${name} was not opened:\n${lines.join('\n')}`);
      return calls.slice(first);
    },
  };
}
