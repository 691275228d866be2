/** What the segments of a path say of a thing. */
import type { Endpoint } from './endpoint-text.ts';
import { foldName, isVerb } from './names.ts';
import { actionOf, isFetch } from './title.ts';

/**
 * Whether a path of the endpoints has the thing as a segment: `POST /v1/payment_methods` and a payment method. What may
 * be an action is a thing in the plural or with an id behind it: `/orders`, `/order/{id}`, not `/partners/ban`.
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

/** Files that are fetched to be used, unlike `/orders.json`. */
const FETCHED_FILE =
  /\.(?:sh|ps1|py|gz|tgz|xz|bz2|zip|tar|deb|rpm|dmg|exe|bin|jar|whl|iso|asc|gpg|pem|crt|key|ya?ml|txt|md|html?|png|jpe?g|svg)$/i;
const CREATES = /^(?:add|create|make|post|register|send|submit|upload)$/;

/**
 * `## List pots` above `curl https://host/pots`: a heading with an operation is about the call, where the path has a segment for the thing. What it does is
 * the method of a call that names none. No file that is fetched is an endpoint.
 */
export function isHeadedCall(title: string, { label }: Endpoint, explicit: boolean): boolean {
  const action = actionOf(title);
  if (action === undefined || !isSegment(action.object, [{ label }])) return false;
  if (FETCHED_FILE.test(label)) return false;
  return explicit || (label.startsWith('GET ') ? isFetch(action) : CREATES.test(action.verb));
}
