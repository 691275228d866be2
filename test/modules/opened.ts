import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Test } from 'tap';
import { chooseModules } from '../../src/config/modules.ts';
import type { DocsSelection } from '../../src/core/docs-selection.ts';
import { parsePath } from '../../src/core/paths.ts';
import { Modules } from '../../src/modules/modules.ts';
import { modulesResolver } from '../../src/resolvers/modules.ts';
import { wholeOf } from '../../src/vfs/read-file.ts';
import { replaceFile } from '../../src/vfs/replace-file.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import { temporaryFolder } from '../support/temporary.ts';

export interface Reported {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

export interface OpenedModules {
  readonly modules: Modules;
  readonly reported: readonly Reported[];
  read(path: string): Promise<string>;
  ls(path: string): Promise<string[]>;
  write(path: string, text: string): Promise<number>;
  readonly fs: SystemFs;
  readonly folder: string;
}

export interface ModulesToOpen {
  /** As in the user's own config, whose folder this is about. */
  readonly modules: Readonly<Record<string, unknown>>;
  /** Files of the user's config folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly docs?: string;
  readonly variables?: NodeJS.ProcessEnv;
  /** Default: a folder of its own. */
  readonly home?: string;
}

/** Modules as the user's own config names them, in a tree of their own. */
export function openModules(
  t: Test,
  { modules, files = {}, docs, variables, home }: ModulesToOpen,
): OpenedModules {
  const own = join(home ?? realpathSync(temporaryFolder(t)), 'kgraphfs');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  for (const [path, text] of Object.entries({ ...files, 'config.json': JSON.stringify({ modules }) })) {
    mkdirSync(dirname(join(own, path)), { recursive: true });
    writeFileSync(join(own, path), text, { mode: 0o600 });
  }
  const reported: Reported[] = [];
  const selection: DocsSelection = { folders: [{ name: '', folder: docs ?? own }], include: [], exclude: [] };
  const opened = new Modules({
    choices: chooseModules(undefined, { ...variables, XDG_CONFIG_HOME: dirname(own) }),
    docs: selection,
    stateFolder: join(own, 'state'),
    report: (code, path, message) => reported.push({ code, path, message }),
  });
  t.teardown(() => opened.close());
  const fs = new SystemFs(
    [{ point: parsePath('/'), resolver: modulesResolver(() => opened, 0n) }],
    (error) => {
      throw error;
    },
  );
  return {
    modules: opened,
    reported,
    fs,
    folder: own,
    async read(path) {
      const info = await fs.stat(parsePath(path), {});
      const bytes = await wholeOf(await fs.open(parsePath(path), {}));
      t.equal(info.sizeBytes, bytes.length, `${path}: the size is exact`);
      return bytes.toString('utf8');
    },
    ls: async (path) => (await fs.list(parsePath(path), {})).map(({ name }) => name),
    write: (path, text) => replaceFile(fs, parsePath(path), [Buffer.from(text)], {}),
  };
}

/** A module rests for a moment after it failed. */
export async function untilAnswered(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch {
      await pause(50);
    }
  }
}
