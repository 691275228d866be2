/** What the segments of a path tell about a thing. */
import type { Endpoint } from './endpoint-text.ts';
import { foldName, isVerb } from './names.ts';
import { actionOf, isFetch } from './title.ts';

/**
 * Whether a path of the endpoints has the thing as a segment: `POST /v1/payment_methods` and a payment method. A word that may be
 * an action is a thing if it is a plural or has an id behind it: `/orders`, `/order/{id}`, but not `/partners/ban`.
 */
export function isSegment(name: string, endpoints: readonly Pick<Endpoint, 'label'>[]): boolean {
  const folded = foldName(name);
  return endpoints.some(({ label }) => {
    const segments = label.split('/');
    return segments.some((segment, index) => {
      const bare = segment.replace(/^_|\.\w+$/g, '');
      if (foldName(bare) !== folded) return false;
      return !isVerb(bare) || /^[{:<[$]/.test(segments[index + 1] ?? '');
    });
  });
}

/** Files that are downloaded to be used, unlike `/orders.json`. */
const FETCHED_FILE =
  /\.(?:sh|ps1|py|gz|tgz|xz|bz2|zip|tar|deb|rpm|dmg|exe|bin|jar|whl|iso|asc|gpg|pem|crt|key|ya?ml|txt|md|html?|png|jpe?g|svg)$/i;
const CREATES = /^(?:add|create|make|post|register|send|submit|upload)$/;

/**
 * Whether a heading names the operation of a call below it: `## List pots` above `curl https://host/pots`. The path has to have a segment for the thing. If the
 * call names no method, the heading's verb has to fit the implied one. A file that is downloaded is no endpoint.
 */
export function isHeadedCall(title: string, { label }: Endpoint, explicit: boolean): boolean {
  const action = actionOf(title);
  if (action === undefined || !isSegment(action.object, [{ label }])) return false;
  if (FETCHED_FILE.test(label)) return false;
  return explicit || (label.startsWith('GET ') ? isFetch(action) : CREATES.test(action.verb));
}
