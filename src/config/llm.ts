import {
  DEFAULT_MODEL_TIMEOUT_MS,
  DEFAULT_OPENAI_MODEL,
  DEFAULT_OPENROUTER_MODEL,
  DEFAULT_WINDOW_TOKENS,
  type ModelSettings,
} from '../settings/language-model.ts';
import { ApiKeys, OPENROUTER_URL } from './api-key.ts';
import { settledUrl } from './api-url.ts';
import { layered, type Origins } from './layers.ts';
import type { LlmKey } from './llm-schema.ts';
import { fieldsOf, trustedFields } from './project-ask.ts';
import type { ProjectAsk } from './settings.ts';
import { loadUserConfig } from './user-config.ts';

/** What the command line says about the language model. */
export interface LlmFlags {
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
}

/** The language model to use, or why there is none. */
export interface LlmChoice {
  /** Undefined if there is none: everything works without. */
  readonly settings: ModelSettings | undefined;
  /** The same as `settings`; if only the key is missing, what they would be with one. */
  readonly wanted: ModelSettings | undefined;
  /** Where each setting comes from. */
  readonly origins: Origins<ModelSettings>;
  /** Why there is no model, and how to get one; undefined if there is one. */
  readonly lack: string | undefined;
  /** What files asked for and did not get, each with the reason and a way out. */
  readonly refusals: readonly string[];
}

type LlmFields = Exclude<LlmKey, false>;

const NO_KEY =
  'there is no key: OPENROUTER_API_KEY or OPENAI_API_KEY in the environment or in the .env of your own config folder; a server of your own is named with --base-url';

/**
 * Settles the language model from flags, environment, the project's config if it is trusted, and the user's own, in this order. There is a model if
 * there is a key for its API, or if the address of an API was named, which may need none.
 * @throws UserError if the user's config is wrong, or what the user has asked for makes no sense
 */
export function chooseModel(
  project: ProjectAsk<LlmKey> | undefined,
  flags: LlmFlags,
  variables: NodeJS.ProcessEnv = process.env,
): LlmChoice {
  const ofEnvironment = {
    baseUrl: variables['KGRAPHFS_BASE_URL']?.trim() || undefined,
    model: variables['KGRAPHFS_MODEL']?.trim() || undefined,
  };
  const user = loadUserConfig(variables);
  const refusals = user.problem === undefined ? [] : [user.problem];
  const isTurnedOff = project?.asked === false || (project === undefined && user.config.llm === false);
  if (isTurnedOff && !saysWhich(flags) && !saysWhich(ofEnvironment))
    return {
      settings: undefined,
      wanted: undefined,
      origins: {},
      lack: '"llm" is false in the config: no model is asked',
      refusals,
    };
  const { fields, origins } = layered<LlmFields>([
    { origin: 'user config', fields: fieldsOf(user.config.llm) },
    { origin: 'trusted project config', fields: trustedFields(project, { key: 'llm' }, variables, refusals) },
    { origin: 'environment', fields: ofEnvironment },
    { origin: 'flag', fields: { baseUrl: flags.baseUrl, model: flags.model } },
  ]);
  const keys = new ApiKeys(variables);
  const api = apiOf(fields.baseUrl, origins.baseUrl, keys);
  if (keys.problem !== undefined) refusals.push(keys.problem);
  const wanted = settingsFor(api, fields);
  return {
    settings: api.isUsable ? wanted : undefined,
    wanted,
    origins: api.isOfEnvironment ? { ...origins, baseUrl: 'environment' } : origins,
    lack: api.isUsable ? undefined : NO_KEY,
    refusals,
  };
}

function saysWhich({ baseUrl, model }: LlmFlags): boolean {
  return baseUrl !== undefined || model !== undefined;
}

interface Api {
  readonly baseUrl: string;
  /** Whether there is a key for it, or it was named. */
  readonly isUsable: boolean;
  /** Whether `OPENAI_BASE_URL` names it. */
  readonly isOfEnvironment: boolean;
}

/** The API that was named, else the one that there is a key for. @throws UserError if what was named is not an address */
function apiOf(named: string | undefined, origin: Origins<ModelSettings>['baseUrl'], keys: ApiKeys): Api {
  if (named !== undefined) {
    const purpose = origin === 'environment' ? 'a model (KGRAPHFS_BASE_URL)' : 'a model';
    return { baseUrl: settledUrl(named, purpose), isUsable: true, isOfEnvironment: false };
  }
  const usual = keys.usual();
  return keys.keyFor(usual.url) === undefined
    ? { baseUrl: OPENROUTER_URL, isUsable: false, isOfEnvironment: false }
    : { baseUrl: usual.url, isUsable: true, isOfEnvironment: usual.isNamed };
}

function settingsFor({ baseUrl, isOfEnvironment }: Api, fields: LlmFields): ModelSettings {
  const speaksAsOpenAi = isOfEnvironment || isOpenAi(baseUrl);
  return {
    model: fields.model ?? (speaksAsOpenAi ? DEFAULT_OPENAI_MODEL : DEFAULT_OPENROUTER_MODEL),
    baseUrl,
    timeoutMs: fields.timeoutMs ?? DEFAULT_MODEL_TIMEOUT_MS,
    windowTokens: fields.windowTokens ?? DEFAULT_WINDOW_TOKENS,
    price: fields.price,
  };
}

function isOpenAi(baseUrl: string): boolean {
  return /(?:^|\.)openai\.com$/.test(new URL(baseUrl).hostname);
}
