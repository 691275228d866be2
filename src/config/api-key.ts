import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { settledUrl } from './api-url.ts';
import { ownConfigFolder, readOwnFile } from './own-file.ts';

export const OPENROUTER_URL = 'https://openrouter.ai/api/v1';
const OPENAI_URL = 'https://api.openai.com/v1';

const OPENROUTER_KEY = 'OPENROUTER_API_KEY';
const OPENAI_KEY = 'OPENAI_API_KEY';
/** Of whom goes through a proxy with that key: OpenAI's own programs follow it. */
const OPENAI_BASE_URL = 'OPENAI_BASE_URL';

/** In the user's own config folder. */
export const KEYS_FILE_NAME = '.env';

/** Where a key is from, without the key. */
export interface KeyPlace {
  readonly variable: string;
  readonly from: 'environment' | '.env';
}

/** Keys by the names of their variables: of the environment, else of `.env` in the user's own config folder. */
export class ApiKeys {
  readonly #variables: NodeJS.ProcessEnv;
  #file: NodeJS.Dict<string> | undefined;
  #problem: string | undefined;

  constructor(variables: NodeJS.ProcessEnv = process.env) {
    this.#variables = variables;
  }

  /**
   * The API that these keys are for, where nobody names one, and whether `OPENAI_BASE_URL` says so.
   * @throws UserError where it is no address
   */
  usual(): { readonly url: string; readonly isNamed: boolean } {
    if (this.#get(OPENROUTER_KEY) !== undefined) return { url: OPENROUTER_URL, isNamed: false };
    const named = this.#get(OPENAI_KEY) && this.#get(OPENAI_BASE_URL);
    if (named === undefined) return { url: OPENAI_URL, isNamed: false };
    return { url: settledUrl(named.key, `a model (${OPENAI_BASE_URL})`), isNamed: true };
  }

  /**
   * The key that goes to an API; undefined where there is none. OpenRouter and OpenAI get their own and no other; another API, which the user named, gets
   * that of OpenAI, whose protocol it speaks, else that of OpenRouter.
   */
  keyFor(baseUrl: string): string | undefined {
    return this.#placed(baseUrl)?.key;
  }

  /** Where that key is from; undefined where there is none. */
  placeFor(baseUrl: string): KeyPlace | undefined {
    const placed = this.#placed(baseUrl);
    return placed && { variable: placed.variable, from: placed.from };
  }

  /** The variables that a key for an API may be in. */
  variablesFor(baseUrl: string): readonly string[] {
    const { hostname } = new URL(baseUrl);
    if (isOf(hostname, 'openrouter.ai')) return [OPENROUTER_KEY];
    if (isOf(hostname, 'openai.com')) return [OPENAI_KEY];
    return [OPENAI_KEY, OPENROUTER_KEY];
  }

  /** Why `.env` is not used, with the way out; undefined while nobody had to look into it. */
  get problem(): string | undefined {
    return this.#problem;
  }

  #placed(baseUrl: string): (KeyPlace & { readonly key: string }) | undefined {
    for (const variable of this.variablesFor(baseUrl)) {
      const placed = this.#get(variable);
      if (placed !== undefined) return { variable, ...placed };
    }
    return undefined;
  }

  #get(name: string): { readonly key: string; readonly from: KeyPlace['from'] } | undefined {
    const given = this.#variables[name]?.trim();
    if (given) return { key: given, from: 'environment' };
    this.#file ??= this.#readFile();
    const kept = this.#file[name]?.trim();
    return kept ? { key: kept, from: '.env' } : undefined;
  }

  #readFile(): NodeJS.Dict<string> {
    const { text = '', problem } = readOwnFile(join(ownConfigFolder(this.#variables), KEYS_FILE_NAME));
    this.#problem = problem;
    return parseEnv(text);
  }
}

function isOf(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
