import { EXIT, UserError } from '../core/errors.ts';
import {
  DEFAULT_EMBEDDING_BATCH,
  DEFAULT_QUESTION_TIMEOUT_MS,
  type EmbeddingSettings,
} from '../settings/embeddings.ts';
import { ApiKeys } from './api-key.ts';
import { settledUrl } from './api-url.ts';
import type { EmbeddingFlags } from './embeddings-asked.ts';
import type { EmbeddingsKey } from './embeddings-schema.ts';
import { layered, type Origins } from './layers.ts';
import { fieldsOf, trustedFields } from './project-ask.ts';
import type { ProjectAsk } from './settings.ts';
import { loadUserConfig } from './user-config.ts';

/** Whether there are embeddings; and if somebody wanted them and there are none, why. */
export interface EmbeddingChoice {
  /** Undefined if search does without. */
  readonly settings: EmbeddingSettings | undefined;
  /** Where each setting comes from. */
  readonly origins: Origins<EmbeddingSettings>;
  /** What files asked for and did not get, each with the reason and a way out. */
  readonly refusals: readonly string[];
}

type EmbeddingsFields = Exclude<EmbeddingsKey, false>;

/** The value with which `--embeddings-model` and its variable turn embeddings off. */
const NO_MODEL = 'off';

/**
 * Settles embeddings from flags, environment, the project's config if it is trusted, and the user's own, in this order. If none of them names a
 * model, there are no embeddings.
 * @throws UserError if the user's config is wrong, or what the user has asked for makes no sense
 */
export function chooseEmbeddings(
  project: ProjectAsk<EmbeddingsKey> | undefined,
  flags: EmbeddingFlags,
  variables: NodeJS.ProcessEnv = process.env,
): EmbeddingChoice {
  const ofEnvironment = {
    baseUrl: variables['KGRAPHFS_EMBEDDINGS_URL'] || undefined,
    model: variables['KGRAPHFS_EMBEDDINGS_MODEL'] || undefined,
  };
  if ((flags.embeddingsModel ?? ofEnvironment.model) === NO_MODEL)
    return { settings: undefined, origins: {}, refusals: [] };
  const user = loadUserConfig(variables);
  const refusals = user.problem === undefined ? [] : [user.problem];
  const ofUser = project?.asked === false ? {} : fieldsOf(user.config.search?.embeddings);
  const asking = { key: 'search.embeddings', without: 'search works without embeddings' };
  const { fields, origins } = layered<EmbeddingsFields>([
    { origin: 'user config', fields: ofUser },
    { origin: 'trusted project config', fields: trustedFields(project, asking, variables, refusals) },
    { origin: 'environment', fields: ofEnvironment },
    { origin: 'flag', fields: { baseUrl: flags.embeddingsUrl, model: flags.embeddingsModel } },
  ]);
  if (fields.model === undefined) {
    if (flags.embeddingsUrl === undefined && ofEnvironment.baseUrl === undefined)
      return { settings: undefined, origins: {}, refusals };
    throw new UserError(
      'embeddings need a model, too: --embeddings-model or KGRAPHFS_EMBEDDINGS_MODEL names it',
      EXIT.wrongUsage,
    );
  }
  const usual = fields.baseUrl === undefined ? new ApiKeys(variables).usual() : undefined;
  return {
    settings: settingsFor(fields.model, usual?.url ?? settledUrl(fields.baseUrl ?? '', 'embeddings'), fields),
    origins: usual?.isNamed ? { ...origins, baseUrl: 'environment' } : origins,
    refusals,
  };
}

function settingsFor(model: string, baseUrl: string, fields: EmbeddingsFields): EmbeddingSettings {
  return {
    model,
    baseUrl,
    dimensions: fields.dimensions,
    batchSize: fields.batchSize ?? DEFAULT_EMBEDDING_BATCH,
    memory: fields.memory ?? true,
    textPrefix: fields.textPrefix,
    questionPrefix: fields.questionPrefix,
    questionTimeoutMs: fields.questionTimeoutMs ?? DEFAULT_QUESTION_TIMEOUT_MS,
  };
}
