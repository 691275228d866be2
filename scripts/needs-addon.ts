import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const ADDON = 'better-sqlite3';
/** Test modules that use the built program, which is only complete when better-sqlite3 is there. */
const USES_PROGRAM = /KGRAPHFS_TEST_PROGRAM|\bdist\b|\bnpm\b/;

interface Module {
  readonly needsIt: boolean;
  /** Modules that it imports, and programs of ours that it names. */
  readonly leadsTo: readonly string[];
}

const modules = new Map<string, Module>();

/**
 * Whether a test needs better-sqlite3 or the built program, directly or through what it imports or starts. Names are looked for in the sources, so a
 * program whose name a test puts together is missed.
 * @param file the test's source
 */
export function needsAddon(file: string): boolean {
  const seen = new Set([resolve(file)]);
  // A walk over a set includes what is added meanwhile.
  for (const path of seen) {
    const { needsIt, leadsTo } = moduleOf(path);
    if (needsIt) return true;
    for (const next of leadsTo) seen.add(next);
  }
  return false;
}

function moduleOf(path: string): Module {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8');
  const quoted = [...text.matchAll(/(['"`])([^'"`\n]+)\1/g)].map(([, , word = '']) => word);
  const module: Module = {
    needsIt: quoted.includes(ADDON) || (/\/test\//.test(path) && USES_PROGRAM.test(text)),
    leadsTo: quoted
      .filter((word) => /\.[jt]s$/.test(word))
      .map((word) => resolve(dirname(path), word.replace(/\.js$/, '.ts')))
      .filter((target) => existsSync(target)),
  };
  modules.set(path, module);
  return module;
}
