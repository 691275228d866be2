import { z } from 'zod';

/** The modules that come with kgraphfs. */
export const BUILT_IN_MODULES = ['git', 'github', 'mcp', 'openapi'] as const;
export type BuiltInName = (typeof BUILT_IN_MODULES)[number];

/** How long the driver waits for an answer, less some time for itself. */
const MAX_TIMEOUT_MS = 14_000;

/** Modules by name. Each is checked on its own, so that a mistake in one does not affect others. */
export const modulesSchema = z.record(z.string(), z.unknown(), {
  error: 'it has to be an object with modules by their names, such as {"git": {"module": "git"}}',
});
export type ModulesKey = z.infer<typeof modulesSchema>;

const WHICH = `it has to be a built-in module (${BUILT_IN_MODULES.join(', ')}), or the path of a file, such as "./team.mjs"`;

/** The keys that all modules have in their config. All other keys are the module's own. */
export const moduleSchema = z.looseObject(
  {
    /** A built-in module by its name, or the path of a file: a path relative to the folder of the config begins with `./` or `../`. */
    module: z.string({ error: WHICH }).min(1, WHICH).max(4000),
    /** Whether its texts are searched like docs. Default false; true for an API description, whose documents are also in the graph. */
    search: z.boolean().optional(),
    /** How long an answer may take, in milliseconds. Default 10,000. */
    timeoutMs: z.int().min(50).max(MAX_TIMEOUT_MS).optional(),
  },
  { error: 'it has to be an object such as {"module": "git"}' },
);

/** A module's name is also that of a folder in the tree. */
export const MODULE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
