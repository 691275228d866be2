import { EXIT, UserError } from '../core/errors.ts';

/**
 * The address of an API, without a slash at the end.
 * @param purpose what it is for, as an error says it
 * @throws UserError for an address that cannot be one of an API, and for one that contains a secret, since it is shown in the status
 */
export function settledUrl(text: string, purpose: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new UserError(
      `"${text}" is not an address for ${purpose}; one looks like http://localhost:11434/v1`,
      EXIT.wrongUsage,
    );
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UserError(
      `the address for ${purpose} holds a name, password or query; a key belongs in OPENAI_API_KEY or OPENROUTER_API_KEY`,
      EXIT.wrongUsage,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
