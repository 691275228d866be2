/** What is shorter, such as `true` or `4`, is no secret, and may be in any text. */
const MIN_SECRET_LENGTH = 6;

/** The parts of a module's config, and what it got besides, that hold keys. */
export interface SecretHolder {
  readonly env?: unknown;
  readonly headers?: unknown;
  readonly secrets?: unknown;
}

/** Takes out of a text the values that a module was given in `env` and `headers`, and its keys: what it says is shown in status and in `errors.jsonl`. */
export function hidingSecrets(given: SecretHolder): (text: string) => string {
  const { env, headers, secrets } = given;
  const named = Object.entries({ env, headers, secrets }).flatMap(([field, values]) =>
    Object.entries(typeof values === 'object' && values !== null ? values : {}).flatMap(
      ([name, value]: [string, unknown]) =>
        partsOf(value).map((part) => ({ part, told: `[${field}.${name}]` })),
    ),
  );
  // One may be a part of another.
  named.sort((a, b) => b.part.length - a.part.length);
  return (text) => named.reduce((hidden, { part, told }) => hidden.replaceAll(part, told), text);
}

/** All of it, and its words: of `Bearer x`, x may be told alone. */
function partsOf(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return [...new Set([value, ...value.split(/\s+/)])].filter((part) => part.length >= MIN_SECRET_LENGTH);
}
