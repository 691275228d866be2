import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownConfigFolder } from './own-file.ts';
import type { Settings } from './settings.ts';

/** What the command line says about embeddings. */
export interface EmbeddingFlags {
  readonly embeddingsUrl?: string | undefined;
  readonly embeddingsModel?: string | undefined;
}

/** Whether anything asks for embeddings. If not, the code that settles them, which takes as long as a quick command, need not be loaded. */
export function asksForEmbeddings(
  { embeddings }: Pick<Settings, 'embeddings'>,
  { embeddingsUrl, embeddingsModel }: EmbeddingFlags,
  variables: NodeJS.ProcessEnv = process.env,
): boolean {
  return (
    embeddings !== undefined ||
    [embeddingsUrl, embeddingsModel].some((flag) => flag !== undefined) ||
    ['KGRAPHFS_EMBEDDINGS_URL', 'KGRAPHFS_EMBEDDINGS_MODEL'].some((name) => Boolean(variables[name])) ||
    existsSync(join(ownConfigFolder(variables), 'config.json'))
  );
}
