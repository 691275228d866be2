import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The first Node.js whose headers give better-sqlite3 12 the hooks that make Node.js exit during a garbage collection. */
const FIRST_NODE_WITH_HOOKS = [24, 19] as const;
const HOOK = 'RemoveEnvironmentCleanupHook';

/**
 * Why better-sqlite3, as it was compiled, makes this Node.js exit sooner or later, with the way out; undefined if it does not. In a clone, setup compiles it
 * without the hooks; an installation by npm has them.
 */
export function whyNodeWouldEnd(
  nodeVersion = process.versions.node,
  addon: () => Buffer = readAddon,
): string | undefined {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const [firstMajor, firstMinor] = FIRST_NODE_WITH_HOOKS;
  const hasHooks = major > firstMajor || (major === firstMajor && minor >= firstMinor);
  if (!hasHooks || !addon().includes(HOOK)) return undefined;
  return (
    `better-sqlite3, as npm compiled it, ends Node.js ${nodeVersion} at some moment while it is in use (${HOOK}); ` +
    'run kgraphfs with Node.js 20 or 22, or from a clone, where "make setup" compiles it without that'
  );
}

function readAddon(): Buffer {
  const manifest = createRequire(import.meta.url).resolve('better-sqlite3/package.json');
  try {
    return readFileSync(join(manifest, '../build/Release/better_sqlite3.node'));
  } catch {
    // The file is elsewhere, or missing, which an attempt to load it will tell.
    return Buffer.alloc(0);
  }
}
