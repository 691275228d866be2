import { ApiKeys, type KeyPlace } from '../../config/api-key.ts';
import { chooseEmbeddings } from '../../config/embeddings.ts';
import type { EmbeddingFlags } from '../../config/embeddings-asked.ts';
import type { Origins } from '../../config/layers.ts';
import { chooseModel, type LlmFlags } from '../../config/llm.ts';
import type { Settings } from '../../config/settings.ts';
import { reasonOf, UserError } from '../../core/errors.ts';
import { type Setting, settingOf } from './setting.ts';

/** Whether there is a key for an API, and where; never the key itself. */
export interface KeyView {
  readonly is_there: boolean;
  readonly variable: string | null;
  readonly from: KeyPlace['from'] | null;
  /** The variables in which a key is looked for. */
  readonly looked_for: readonly string[];
}

/** A model, and how it is asked. The settings are filled in if a model is named, even if it cannot be used. */
export interface ModelView {
  readonly in_use: boolean;
  /** Why the model cannot be used, with the way out. */
  readonly why_not: string | null;
  readonly settings: Readonly<Record<string, Setting<unknown>>>;
  /** Null if there is no API that needs a key. */
  readonly key: KeyView | null;
}

interface FoundModel {
  readonly view: ModelView;
  /** Settings that are not followed, or are wrong, each with the way out. */
  readonly problems: readonly string[];
}

/** The language model. Never throws because of a wrong setting. */
export function languageModelView(
  project: Settings['llm'],
  flags: LlmFlags,
  variables: NodeJS.ProcessEnv,
): FoundModel {
  return orWrong(() => {
    const { settings, wanted, origins, lack = null, refusals } = chooseModel(project, flags, variables);
    const view = {
      in_use: settings !== undefined,
      why_not: lack,
      settings: wanted === undefined ? {} : settingsOf(wanted, origins, SHOWN_OF_MODEL),
      key: wanted === undefined ? null : keyView(wanted.baseUrl, variables),
    };
    return { view, problems: refusals };
  });
}

/** The embeddings of search. Never throws because of a wrong setting. */
export function embeddingsView(
  project: Settings['embeddings'],
  flags: EmbeddingFlags,
  variables: NodeJS.ProcessEnv,
): FoundModel {
  return orWrong(() => {
    const { settings, origins, refusals } = chooseEmbeddings(project, flags, variables);
    const view = {
      in_use: settings !== undefined,
      why_not: settings === undefined ? NO_EMBEDDINGS : null,
      settings: settings === undefined ? {} : settingsOf(settings, origins, SHOWN_OF_EMBEDDINGS),
      key: settings === undefined ? null : keyView(settings.baseUrl, variables),
    };
    return { view, problems: refusals };
  });
}

const NO_EMBEDDINGS =
  'no model is named: search works without. --embeddings-model, KGRAPHFS_EMBEDDINGS_MODEL or "search.embeddings" of a config names one';

const SHOWN_OF_MODEL = {
  model: 'model',
  endpoint: 'baseUrl',
  window_tokens: 'windowTokens',
  timeout_ms: 'timeoutMs',
  price_per_million_tokens: 'price',
} as const;

const SHOWN_OF_EMBEDDINGS = {
  model: 'model',
  endpoint: 'baseUrl',
  dimensions: 'dimensions',
  batch_size: 'batchSize',
  memory: 'memory',
  question_timeout_ms: 'questionTimeoutMs',
} as const;

function settingsOf<Fields>(
  fields: Fields,
  origins: Origins<Fields>,
  shown: Readonly<Record<string, keyof Fields>>,
): ModelView['settings'] {
  const entries = Object.entries(shown).map(([title, name]): [string, Setting<unknown>] => {
    const { value, from } = settingOf(fields, origins, name);
    return [title, { value: value ?? null, from }];
  });
  return Object.fromEntries(entries);
}

function keyView(baseUrl: string, variables: NodeJS.ProcessEnv): KeyView {
  const keys = new ApiKeys(variables);
  const place = keys.placeFor(baseUrl);
  return {
    is_there: place !== undefined,
    variable: place?.variable ?? null,
    from: place?.from ?? null,
    looked_for: keys.variablesFor(baseUrl),
  };
}

function orWrong(find: () => FoundModel): FoundModel {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const why = reasonOf(error);
    return { view: { in_use: false, why_not: why, settings: {}, key: null }, problems: [why] };
  }
}
