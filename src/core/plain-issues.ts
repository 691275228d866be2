import { either } from '../text/either.ts';
/** What zod finds wrong, as far as it is told: schemas of other versions say less. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
  readonly expected?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: unknown;
  readonly values?: readonly unknown[] | undefined;
  readonly keys?: readonly string[] | undefined;
  /** Of each choice that there was. */
  readonly errors?: readonly (readonly SchemaIssue[])[] | undefined;
}

/** What is wrong at a place of a config, in words for whoever wrote it. */
export interface PlainIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly isUnknownKey: boolean;
}

/** One for each place. Words that a schema has of its own stay. */
export function plainIssues(issues: readonly SchemaIssue[]): PlainIssue[] {
  const byPlace = new Map<string, PlainIssue>();
  for (const plain of issues.flatMap((issue) => plainIssue(issue, undefined))) {
    const place = JSON.stringify(plain.path.map(String));
    if (!byPlace.has(place)) byPlace.set(place, plain);
  }
  return [...byPlace.values()];
}

/** @param above what is said of the whole that this is a part of */
function plainIssue(issue: SchemaIssue, above: string | undefined): PlainIssue[] {
  const { path, code, keys = [], errors = [] } = issue;
  if (code === 'unrecognized_keys')
    return keys.map((key) => ({
      path: [...path, key],
      message: 'there is no such key',
      isUnknownKey: true,
    }));
  const said = isStandard(issue.message) ? undefined : issue.message;
  if (code === 'invalid_union') {
    // The choice that what was written comes nearest to: it is of the right kind, and something in it is wrong.
    const nearest = errors.find((choice) => choice.length > 0 && choice.every(({ path }) => path.length > 0));
    if (nearest !== undefined)
      return nearest.flatMap((inner) =>
        plainIssue({ ...inner, path: [...path, ...inner.path] }, said ?? above),
      );
    return [{ path, message: said ?? above ?? 'it cannot be this', isUnknownKey: false }];
  }
  return [{ path, message: said ?? standardWords(issue), isUnknownKey: false }];
}

/** Whether zod chose the words. */
function isStandard(message: string): boolean {
  return /^(?:Invalid (?:input|option|URL|key)|Too (?:small|big))\b/.test(message);
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text in quotation marks',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object in braces',
  record: 'an object in braces',
  array: 'a list in brackets',
};

function standardWords({ code, message, expected, values, ...limits }: SchemaIssue): string {
  switch (code) {
    case 'invalid_type': {
      const wanted = KINDS[String(expected)] ?? String(expected);
      return message.endsWith('received undefined')
        ? `it is missing, and has to be ${wanted}`
        : `it has to be ${wanted}`;
    }
    case 'invalid_value':
      return `it has to be ${either((values ?? []).map((value) => JSON.stringify(value)))}`;
    case 'invalid_format':
      return 'it has to be a URL, such as "https://api.example.org"';
    case 'too_small':
    case 'too_big':
      return limitWords(code, limits);
    default:
      return message;
  }
}

function limitWords(
  code: 'too_small' | 'too_big',
  { origin, minimum, maximum, inclusive }: Pick<SchemaIssue, 'origin' | 'minimum' | 'maximum' | 'inclusive'>,
): string {
  const isSmall = code === 'too_small';
  const limit = String(isSmall ? minimum : maximum);
  const isText = origin === 'string';
  if (isText || origin === 'array') {
    if (isSmall && limit === '1') return 'it must not be empty';
    return `it has to have at ${isSmall ? 'least' : 'most'} ${limit} ${isText ? 'characters' : 'entries'}`;
  }
  if (inclusive === false) return `it has to be ${isSmall ? 'more' : 'less'} than ${limit}`;
  return `it has to be at ${isSmall ? 'least' : 'most'} ${limit}`;
}
