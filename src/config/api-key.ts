import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ownConfigFolder, readOwnFile } from './own-file.ts';

const OPENROUTER_URL = 'https://openrouter.ai/api/v1';
const OPENAI_URL = 'https://api.openai.com/v1';

const OPENROUTER_KEY = 'OPENROUTER_API_KEY';
const OPENAI_KEY = 'OPENAI_API_KEY';

/** Keys by the names of their variables: of the environment, else of `.env` in the user's own config folder. */
export class ApiKeys {
  readonly #variables: NodeJS.ProcessEnv;
  #file: NodeJS.Dict<string> | undefined;

  constructor(variables: NodeJS.ProcessEnv = process.env) {
    this.#variables = variables;
  }

  /** The API that these keys are for, where nobody names one. */
  usualUrl(): string {
    return this.#get(OPENROUTER_KEY) === undefined ? OPENAI_URL : OPENROUTER_URL;
  }

  /**
   * The key that goes to an API; undefined where there is none. OpenRouter and OpenAI get their own and no other; another API, which the user named, gets
   * that of OpenAI, whose protocol it speaks, else that of OpenRouter.
   */
  keyFor(baseUrl: string): string | undefined {
    const { hostname } = new URL(baseUrl);
    if (isOf(hostname, 'openrouter.ai')) return this.#get(OPENROUTER_KEY);
    if (isOf(hostname, 'openai.com')) return this.#get(OPENAI_KEY);
    return this.#get(OPENAI_KEY) ?? this.#get(OPENROUTER_KEY);
  }

  #get(name: string): string | undefined {
    const given = this.#variables[name]?.trim();
    if (given) return given;
    this.#file ??= parseEnv(readOwnFile(join(ownConfigFolder(this.#variables), '.env')).text ?? '');
    return this.#file[name]?.trim() || undefined;
  }
}

function isOf(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
