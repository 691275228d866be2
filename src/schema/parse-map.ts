import { type Document, isMap, Lexer, LineCounter, Parser, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { EDGE_TYPES } from '../core/graph-model.ts';
import { knownKeysClause } from '../core/known-keys.ts';
import type { SchemaRule, SchemaRules } from '../core/schema-rules.ts';
import { isTooDeepYaml, TOO_DEEP_YAML } from '../core/yaml-depth.ts';
import { type MapFault, SchemaMapError } from './map-error.ts';
import { mapFormat, type SchemaMap } from './map-format.ts';

const MAX_TEXT_LENGTH = 1_000_000;

/**
 * Parses a schema map in YAML or JSON.
 * @param file the name of the file in errors
 * @throws SchemaMapError with a line `file:line:column: what is wrong` for each fault
 */
export function parseSchemaMap(text: string, file: string): SchemaRules {
  const tooMuch = whyTooMuch(text);
  if (tooMuch !== undefined) throw new SchemaMapError(file, [{ line: 1, column: 1, message: tooMuch }]);
  const map = new MapText(text);
  const value = map.value();
  if ('faults' in value) throw new SchemaMapError(file, value.faults);
  const result = mapFormat.safeParse(value.plain);
  if (!result.success)
    throw new SchemaMapError(
      file,
      result.error.issues.flatMap((issue) => misfits(map, issue)),
    );
  const rules = rulesOf(result.data);
  const ambiguous = ambiguousType(rules);
  if (ambiguous === undefined) return { rules };
  throw new SchemaMapError(file, [map.faultAt(Math.max(0, text.indexOf(ambiguous)), ambiguity(ambiguous))]);
}

function whyTooMuch(text: string): string | undefined {
  if (text.length > MAX_TEXT_LENGTH) return 'a schema map has at most 1 MB';
  return isTooDeepYaml(text, { Lexer, Parser }) ? TOO_DEEP_YAML : undefined;
}

/** The faults where a map does not fit the format. Each unknown key is a fault of its own. */
function misfits(map: MapText, issue: z.core.$ZodIssue): MapFault[] {
  if (issue.code !== 'unrecognized_keys')
    return [map.faultAt(map.offsetOf(issue.path), `${keyOf(issue.path)}${issue.message}`)];
  return issue.keys.map((key) => {
    const path = [...issue.path, key];
    const name = keyOf(path).replace(/: $/, '');
    return map.faultAt(
      map.offsetOf(issue.path, key),
      `unknown key ${name}${knownKeysClause(mapFormat, path)}`,
    );
  });
}

/** The text of a map, and the places of its parts in it. */
class MapText {
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(text: string) {
    this.#document = parseDocument(text, { lineCounter: this.#lines, logLevel: 'silent' });
  }

  faultAt(offset: number, message: string): MapFault {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  }

  /** The value of the text, or the faults because of which it has none. */
  value(): { readonly plain: unknown } | { readonly faults: readonly MapFault[] } {
    const { errors } = this.#document;
    if (errors.length > 0)
      return {
        faults: errors.map(({ pos, message }) => this.faultAt(pos[0], message.split('\n', 1)[0] ?? message)),
      };
    const lost = lostAlias(this.#document);
    if (lost !== undefined) {
      const { source, offset } = lost;
      const message = `there is no &${source} before *${source}; put a text that begins with * in quotation marks`;
      return { faults: [this.faultAt(offset, message)] };
    }
    const plain = plainValueOf(this.#document);
    return plain === undefined ? { faults: [this.faultAt(0, TOO_MANY_ALIASES)] } : { plain };
  }

  /** The offset of the value at a path, or of the innermost part around it that exists. @param key a key of that value, to get the place of the key itself */
  offsetOf(path: readonly PropertyKey[], key?: string): number {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? this.#document.contents : this.#document.getIn(path.slice(0, length), true);
      if (key !== undefined && length === path.length && isMap(node)) {
        const pair = node.items.find((item) => String(item.key) === key);
        const range = rangeOf(pair?.key);
        if (range !== undefined) return range;
      }
      const start = rangeOf(node);
      if (start !== undefined) return start;
    }
    return 0;
  }
}

const MAX_ALIASES = 50;
const TOO_MANY_ALIASES = `what *name stands for is written out where it is used more than ${MAX_ALIASES} times`;

/** @returns undefined if the value would grow without end */
function plainValueOf(document: Document.Parsed): unknown {
  try {
    // The limit also counts the place of the anchor itself.
    return document.toJS({ maxAliasCount: MAX_ALIASES + 1 }) ?? {};
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** The first alias without an anchor. */
function lostAlias(document: Document.Parsed): { source: string; offset: number } | undefined {
  const anchors = new Set<string>();
  let lost: { source: string; offset: number } | undefined;
  visit(document, {
    Alias(_key, { source, range }) {
      if (anchors.has(source)) return undefined;
      lost = { source, offset: range?.[0] ?? 0 };
      return visit.BREAK;
    },
    Value(_key, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
  });
  return lost;
}

/** Checked maps as rules, in the order in which they are applied. */
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

/** A type for which `<type>_of` is a type as well. `near/<node>/` uses a folder `<type>_of` for incoming edges. */
function ambiguousType(rules: readonly SchemaRule[]): string | undefined {
  const types = new Set<string>(EDGE_TYPES);
  for (const rule of rules) if (rule.kind !== 'document' && rule.edge !== undefined) types.add(rule.edge);
  const found = [...types].find((type) => types.has(`${type}_of`));
  return found === undefined ? undefined : `${found}_of`;
}

function ambiguity(type: string): string {
  return `"${type}" is the name of the folder for incoming edges of "${type.slice(0, -'_of'.length)}"; rename one of them`;
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
