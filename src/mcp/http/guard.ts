import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GuardOptions {
  readonly port: number;
  readonly token: string;
  /** Origins of web pages that are allowed, besides those of this server itself. */
  readonly origins: readonly string[];
}

const NAMES = ['127.0.0.1', 'localhost'];

/**
 * Decides by the headers alone, before any body is read. Checks that the host is a name of this machine (a page whose name was bound to 127.0.0.1
 * sends its own name), that the request does not come from somebody else's page, and the token.
 */
export function guardOf({
  port,
  token,
  origins,
}: GuardOptions): (headers: IncomingHttpHeaders) => Refusal | undefined {
  const hosts = new Set(NAMES.map((name) => `${name}:${port}`));
  const known = new Set([...NAMES.map((name) => `http://${name}:${port}`), ...origins]);
  const expected = digest(`Bearer ${token}`);
  return ({ host, origin, authorization = '' }) => {
    if (host === undefined || !hosts.has(host.toLowerCase()))
      return { status: 403, message: 'the header Host has a name that is not one of this server' };
    if (origin !== undefined && !known.has(origin.toLowerCase()))
      return {
        status: 403,
        message: 'web pages of this origin may not send requests; --allow-origin lets them',
      };
    // Both digests have the same length, whatever was sent, and comparing them always takes the same time.
    if (timingSafeEqual(digest(authorization.replace(/^bearer +/i, 'Bearer ')), expected)) return undefined;
    return {
      status: 401,
      message: 'the header Authorization has to be "Bearer" and the token',
      headers: { 'www-authenticate': 'Bearer realm="kgraphfs"' },
    };
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
