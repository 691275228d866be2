import { EXIT, UserError } from '../core/errors.ts';

const EXAMPLE = 'one looks like http://localhost:11434/v1';
const KEY_PLACES = 'a key belongs in OPENAI_API_KEY or OPENROUTER_API_KEY';

/** Why a text cannot be the address of an API. `secret`: it contains what may be one, and an address is shown in the status. */
type Fault = 'no address' | 'secret';

function faultOf(text: string): Fault | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return 'no address';
  return url.username + url.password + url.search + url.hash === '' ? undefined : 'secret';
}

/** Says why a text of a config file cannot be the address of an API; undefined if it can. */
export function urlFault(text: string): string | undefined {
  switch (faultOf(text)) {
    case 'no address':
      return `it has to be the address of an API; ${EXAMPLE}`;
    case 'secret':
      return `it holds a name, password or query; ${KEY_PLACES}`;
    case undefined:
      return undefined;
  }
}

/**
 * The address of an API, without a slash at the end.
 * @param purpose what it is for, as an error says it
 * @throws UserError for an address that cannot be one of an API, and for one that contains a secret, since it is shown in the status
 */
export function settledUrl(text: string, purpose: string): string {
  const fault = faultOf(text);
  if (fault !== undefined) {
    const why =
      fault === 'secret'
        ? `the address for ${purpose} holds a name, password or query; ${KEY_PLACES}`
        : `"${text}" is not an address for ${purpose}; ${EXAMPLE}`;
    throw new UserError(why, EXIT.wrongUsage);
  }
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
