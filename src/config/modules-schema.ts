import { z } from 'zod';

/** The modules that come with kgraphfs. */
export const BUILT_IN_MODULES = ['git', 'github', 'mcp', 'openapi'] as const;
export type BuiltInName = (typeof BUILT_IN_MODULES)[number];

/** What the driver waits for an answer, less some time for itself. */
const MAX_TIMEOUT_MS = 14_000;

/** By name. Each is looked at on its own, so that one that is wrong harms no other. */
export const modulesSchema = z.record(z.string(), z.unknown(), {
  error: 'it has to be an object with modules by their names, such as {"git": {"module": "git"}}',
});
export type ModulesKey = z.infer<typeof modulesSchema>;

const WHICH = `it has to be a built-in module (${BUILT_IN_MODULES.join(', ')}), or the path of a file, such as "./team.mjs"`;

/** What all modules have in their config; the rest is a module's own. */
export const moduleSchema = z.looseObject(
  {
    /** A built-in one by its name, or the path of a file: relative to the config's folder it begins with `./` or `../`. */
    module: z.string({ error: WHICH }).min(1, WHICH).max(4000),
    /** Whether its texts are searched as docs are. Default false; true for an API, whose documents join the graph. */
    search: z.boolean().optional(),
    /** How long an answer may take. Default 10 s. */
    timeoutMs: z.int().min(50).max(MAX_TIMEOUT_MS).optional(),
  },
  { error: 'it has to be an object such as {"module": "git"}' },
);

/** A folder of the tree is called so. */
export const MODULE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
