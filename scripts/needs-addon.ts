import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const ADDON = 'better-sqlite3';
/** Modules of tests that have to do with the built program, which is whole only when better-sqlite3 is there. */
const USES_PROGRAM = /KGRAPHFS_TEST_PROGRAM|\bdist\b|\bnpm\b/;

interface Module {
  readonly needsIt: boolean;
  /** Modules that it imports, and programs of ours that it names. */
  readonly leadsTo: readonly string[];
}

const modules = new Map<string, Module>();

/**
 * Whether a test needs better-sqlite3 or the built program, itself or by what it imports or begins. As the sources name them: of one that puts the name
 * of a program together this cannot tell.
 * @param file its source
 */
export function needsAddon(file: string): boolean {
  const seen = new Set([resolve(file)]);
  // A set goes on to what is added while it is walked.
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
