import { isMap, LineCounter, parseDocument } from 'yaml';
import { UserError } from '../core/errors.ts';
import { EDGE_TYPES } from '../core/graph-model.ts';
import type { SchemaRule, SchemaRules } from '../core/schema-rules.ts';
import { mapFormat, type SchemaMap } from './map-format.ts';

/** Exit status for a map that cannot be used, as for a configuration. */
const USAGE = 2;
const MAX_TEXT = 1_000_000;

/**
 * Reads a schema map in YAML or JSON.
 * @param file how errors name it
 * @throws UserError with a line `file:line:column: what is wrong` for each thing that is
 */
export function parseSchemaMap(text: string, file: string): SchemaRules {
  if (text.length > MAX_TEXT) throw new UserError(`${file}:1:1: a schema map has at most 1 MB`, USAGE);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  const at = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}: ${message}`;
  };
  if (document.errors.length > 0) {
    const found = document.errors.map(({ pos, message }) => at(pos[0], message.split('\n', 1)[0] ?? message));
    throw new UserError(found.join('\n'), USAGE);
  }
  const offsetOf = (path: readonly PropertyKey[], key?: string): number => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (key !== undefined && length === path.length && isMap(node)) {
        const pair = node.items.find((item) => String(item.key) === key);
        const range = rangeOf(pair?.key);
        if (range !== undefined) return range;
      }
      const start = rangeOf(node);
      if (start !== undefined) return start;
    }
    return 0;
  };
  const value: unknown = document.toJS({ maxAliasCount: 50 }) ?? {};
  const result = mapFormat.safeParse(value);
  if (!result.success) {
    const found = result.error.issues.flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') {
        return [at(offsetOf(issue.path), `${keyOf(issue.path)}${issue.message}`)];
      }
      return issue.keys.map((key) =>
        at(offsetOf(issue.path, key), `unknown key ${keyOf([...issue.path, key]).replace(/: $/, '')}`),
      );
    });
    throw new UserError(found.join('\n'), USAGE);
  }
  const rules = rulesOf(result.data);
  refuseAmbiguous(rules, (type) => at(Math.max(0, text.indexOf(type)), ambiguity(type)));
  return { rules };
}

/** Checked maps as rules, in the order in which they are carried out. */
export function rulesOf({
  documents = [],
  frontMatter = [],
  headings = [],
  phrases = [],
}: SchemaMap): SchemaRule[] {
  return [
    ...documents.map(({ paths = [], type }): SchemaRule => ({ kind: 'document', paths, type })),
    ...frontMatter.map(
      ({ paths = [], reverse = false, key, types, property, edge }): SchemaRule => ({
        kind: 'field',
        paths,
        key,
        isReverse: reverse,
        ...(types ? { types } : {}),
        ...(property ? { property } : {}),
        ...(edge ? { edge } : {}),
      }),
    ),
    ...headings.map(
      ({ paths = [], reverse = false, heading, level, type, edge, items, property }): SchemaRule => ({
        kind: 'heading',
        paths,
        heading,
        isReverse: reverse,
        ...(level ? { level } : {}),
        ...(type ? { type } : {}),
        ...(edge ? { edge } : {}),
        ...(items ? { items } : {}),
        ...(property ? { property } : {}),
      }),
    ),
    ...phrases.map(
      ({ paths = [], reverse = false, phrase, edge }): SchemaRule => ({
        kind: 'phrase',
        paths,
        phrase,
        edge,
        isReverse: reverse,
      }),
    ),
  ];
}

/** `near/<node>/` has a folder `<type>_of` for incoming edges, which must not be another type. */
function refuseAmbiguous(rules: readonly SchemaRule[], describe: (type: string) => string): void {
  const types = new Set<string>(EDGE_TYPES);
  for (const rule of rules) if (rule.kind !== 'document' && rule.edge !== undefined) types.add(rule.edge);
  for (const type of types) if (types.has(`${type}_of`)) throw new UserError(describe(`${type}_of`), USAGE);
}

function ambiguity(type: string): string {
  return `"${type}" is the name of the folder for incoming edges of "${type.slice(0, -'_of'.length)}"; call one of them otherwise`;
}

function keyOf(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text === '' ? '' : `${text.replace(/^\./, '')}: `;
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined;
}
