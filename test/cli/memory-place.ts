import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../../src/app/app.ts';
import { loadSettings } from '../../src/config/settings.ts';
import type { MemoryPlace } from '../../src/core/memory-entry.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import type { Ran } from './run-cli.ts';
import { runHere } from './run-here.ts';

interface Given {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A project of one document, with a memory of its own. */
export interface ProjectWithMemory {
  readonly folder: string;
  /** Runs a command line in its folder, within this process. */
  run(args: readonly string[], given?: Given): Promise<Ran>;
  /** What a command prints as JSON. @throws Error where it failed */
  json(...args: string[]): Promise<unknown>;
  /** Puts a file into its folder. @returns its path */
  file(name: string, content: string | Uint8Array): string;
  /** Removes an entry, as rm in the mount does. */
  remove(place: MemoryPlace): void;
}

export function memoryPlace(t: Teardown): ProjectWithMemory {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/refunds.md'), '# Refunds\n');
  const run = (args: readonly string[], given: Given = {}): Promise<Ran> =>
    runHere(args, { ...given, cwd: folder });
  return {
    folder,
    run,
    async json(...args) {
      const { status, out, err } = await run([...args, '--json']);
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${err}`);
      return JSON.parse(out);
    },
    file(name, content) {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    remove(place) {
      const app = openApp({ settings: loadSettings({}, folder) });
      try {
        app.memory.remove(place, {});
      } finally {
        app.close();
      }
    },
  };
}
