import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { settledUrl } from './api-url.ts';
import { ownConfigFolder, readOwnFile } from './own-file.ts';

export const OPENROUTER_URL = 'https://openrouter.ai/api/v1';
const OPENAI_URL = 'https://api.openai.com/v1';

const OPENROUTER_KEY = 'OPENROUTER_API_KEY';
const OPENAI_KEY = 'OPENAI_API_KEY';
/** The address of a proxy that everything with the key of OpenAI goes through: OpenAI's own programs follow this variable. */
const OPENAI_BASE_URL = 'OPENAI_BASE_URL';

/** The file of keys in the user's own config folder. */
export const KEYS_FILE_NAME = '.env';

/** Where a key comes from, without the key itself. */
export interface KeyPlace {
  readonly variable: string;
  readonly from: 'environment' | '.env';
}

/** Keys by the names of their variables. They are taken from the environment, else from `.env` in the user's own config folder. */
export class ApiKeys {
  readonly #variables: NodeJS.ProcessEnv;
  #file: NodeJS.Dict<string> | undefined;
  #problem: string | undefined;

  constructor(variables: NodeJS.ProcessEnv = process.env) {
    this.#variables = variables;
  }

  /**
   * The API to use if none is named, depending on which keys there are, and whether `OPENAI_BASE_URL` names it.
   * @throws UserError if that is not an address
   */
  usual(): { readonly url: string; readonly isNamed: boolean } {
    if (this.#get(OPENROUTER_KEY) !== undefined) return { url: OPENROUTER_URL, isNamed: false };
    const named = this.#get(OPENAI_KEY) && this.#get(OPENAI_BASE_URL);
    if (named === undefined) return { url: OPENAI_URL, isNamed: false };
    return { url: settledUrl(named.key, `a model (${OPENAI_BASE_URL})`), isNamed: true };
  }

  /**
   * The key to send to an API; undefined if there is none. OpenRouter and OpenAI get their own key and no other. Another API, which the user has
   * named, gets that of OpenAI, whose protocol it uses, else that of OpenRouter.
   */
  keyFor(baseUrl: string): string | undefined {
    return this.#placed(baseUrl)?.key;
  }

  /** Where that key comes from; undefined if there is none. */
  placeFor(baseUrl: string): KeyPlace | undefined {
    const placed = this.#placed(baseUrl);
    return placed && { variable: placed.variable, from: placed.from };
  }

  /** The variables that may contain a key for an API. */
  variablesFor(baseUrl: string): readonly string[] {
    const { hostname } = new URL(baseUrl);
    if (isOf(hostname, 'openrouter.ai')) return [OPENROUTER_KEY];
    if (isOf(hostname, 'openai.com')) return [OPENAI_KEY];
    return [OPENAI_KEY, OPENROUTER_KEY];
  }

  /** Why `.env` is not used, and how to mend that; undefined as long as nobody had to look into it. */
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
