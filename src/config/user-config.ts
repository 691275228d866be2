import { z } from 'zod';
import { embeddingsSchema } from './embeddings-schema.ts';
import { llmSchema } from './llm-schema.ts';
import { parseConfig } from './load.ts';
import { modulesSchema } from './modules-schema.ts';
import { readOwnFile, userConfigFile } from './own-file.ts';

/** `config.json` of the user's own config folder: settings for all projects, and those that no project may make for itself. */
const userConfigSchema = z.strictObject({
  llm: llmSchema.optional(),
  /** Whether what models and their clients write to memory counts at once. Default: it waits in review for a person. */
  allowModelWrites: z.boolean().optional(),
  search: z.strictObject({ embeddings: embeddingsSchema.optional() }).optional(),
  /** Modules of all projects. Paths are relative to the folder of this file. */
  modules: modulesSchema.optional(),
});

export interface LoadedUserConfig {
  /** The absolute path, whether the file exists or not. */
  readonly file: string;
  readonly text: string | undefined;
  readonly config: z.infer<typeof userConfigSchema>;
  /** Why the file is not used, and what to do. */
  readonly problem: string | undefined;
}

/** @throws UserError that names the file and the line or key, and what would be right there */
export function loadUserConfig(variables: NodeJS.ProcessEnv): LoadedUserConfig {
  const file = userConfigFile(variables);
  const { text, problem } = readOwnFile(file);
  return { file, text, config: text === undefined ? {} : parseConfig(userConfigSchema, text, file), problem };
}
