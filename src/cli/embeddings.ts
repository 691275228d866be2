import { asksForEmbeddings, type EmbeddingFlags } from '../config/embeddings-asked.ts';
import type { Settings } from '../config/settings.ts';
import type { EmbeddingSettings } from '../settings/embeddings.ts';
import { printable } from '../text/printable.ts';
import type { OptionSpecs } from './command.ts';
import type { Io } from './io.ts';

/** Options of the commands that search, or have texts embedded. */
export const EMBEDDING_OPTIONS = {
  embeddingsUrl: {
    type: 'text',
    value: 'URL',
    summary: 'an OpenAI-compatible API for search by meaning, such as http://localhost:11434/v1',
  },
  embeddingsModel: {
    type: 'text',
    value: 'MODEL',
    summary: 'the model that makes vectors of texts; off for none (default: your own config, or none)',
  },
} as const satisfies OptionSpecs;

/**
 * The embeddings that search uses; undefined for none. Tells the user if a config file asks for embeddings that are not used.
 * @throws UserError if the user's settings make no sense
 */
export async function embeddingsOf(
  settings: Settings,
  flags: EmbeddingFlags,
  { environment: { variables }, err }: Io,
): Promise<EmbeddingSettings | undefined> {
  if (!asksForEmbeddings(settings, flags, variables)) return undefined;
  const { chooseEmbeddings } = await import('../config/embeddings.ts');
  const choice = chooseEmbeddings(settings.embeddings, flags, variables);
  for (const refusal of choice.refusals) err.write(`${printable(refusal)}\n`);
  return choice.settings;
}
