/** Shorter values, such as `true` or `4`, are not secrets, and may occur in any text. */
const MIN_SECRET_LENGTH = 6;

/** The parts of a module's config that may contain keys, and the secrets that it was given. */
export interface SecretHolder {
  readonly env?: unknown;
  readonly headers?: unknown;
  readonly secrets?: unknown;
}

/**
 * Returns a function that removes from a text the keys of a module and the values of its `env` and `headers`: what a module says is shown in the
 * status and in `errors.jsonl`.
 */
export function hidingSecrets(given: SecretHolder): (text: string) => string {
  const { env, headers, secrets } = given;
  const named = Object.entries({ env, headers, secrets }).flatMap(([field, values]) =>
    Object.entries(typeof values === 'object' && values !== null ? values : {}).flatMap(
      ([name, value]: [string, unknown]) =>
        partsOf(value).map((part) => ({ part, told: `[${field}.${name}]` })),
    ),
  );
  // The longest first, since one may be a part of another.
  named.sort((a, b) => b.part.length - a.part.length);
  return (text) => named.reduce((hidden, { part, told }) => hidden.replaceAll(part, told), text);
}

/** The value as a whole, and its words: of `Bearer x`, the `x` may occur alone. */
function partsOf(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return [...new Set([value, ...value.split(/\s+/)])].filter((part) => part.length >= MIN_SECRET_LENGTH);
}
