import { Lexer, Parser, parse } from 'yaml';
import { z } from 'zod';
import { reasonOf } from '../../core/errors.ts';
import { isTooDeepYaml, TOO_DEEP_YAML } from '../../core/yaml-depth.ts';

/** Any value of a description. `lookUp` follows it if it is a reference. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A parsed description of an API. */
export interface Api {
  readonly title: string;
  readonly description: string;
  /** What is described at each path; the paths are those that clients ask for. */
  readonly paths: JsonObject;
  /** Schemas by their names. */
  readonly schemas: JsonObject;
  readonly whole: JsonObject;
}

/** How many references to references are followed. No sensible description needs more. */
const MAX_REFERENCES = 20;

const jsonSchema: z.ZodType<Json> = z.json();

/** @param name of the file, for errors @throws Error if it is not OpenAPI */
export function parseApi(text: string, name: string): Api {
  const whole = objectIn(valueIn(text, name));
  const version = textIn(whole['openapi']) || textIn(whole['swagger']);
  if (!/^(?:3\.|2\.0)/.test(version)) throw new Error(`${name}: this is neither OpenAPI 3 nor Swagger 2.0`);
  const info = objectIn(whole['info']);
  return {
    title: textIn(info['title']) || 'API',
    description: textIn(info['description']),
    paths: belowBase(basePathOf(whole), objectIn(whole['paths'])),
    schemas: objectIn(objectIn(whole['components'])['schemas'] ?? whole['definitions']),
    whole,
  };
}

/**
 * The path of the server that is part of every request. Docs name endpoints as clients ask for them: `POST /v1/charges`, wherever the description has
 * the `/v1`. Of several servers the first one counts.
 */
function basePathOf(whole: JsonObject): string {
  const address = textIn(whole['basePath']) || textIn(objectIn(listIn(whole['servers'])[0])['url']);
  // A variable may stand for anything, so such an address has no path.
  const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return /^(?:\/[\w~-][\w.~-]*)+\/?$/.test(path) ? path.replace(/\/$/, '') : '';
}

function belowBase(base: string, paths: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [`${base}${path}`, item]));
}

/** JSON is YAML, too. The number of aliases is limited, so that a small file cannot become a large value. */
function valueIn(text: string, name: string): Json {
  try {
    return jsonSchema.parse(/^\s*\{/.test(text) ? JSON.parse(text) : yamlIn(text));
  } catch (error) {
    throw new Error(`${name}: it cannot be read: ${reasonOf(error).slice(0, 300)}`);
  }
}

function yamlIn(text: string): unknown {
  if (isTooDeepYaml(text, { Lexer, Parser })) throw new Error(TOO_DEEP_YAML);
  return parse(text, { maxAliasCount: 100, version: '1.2' });
}

/** The object that a value refers to within the same file, or the value itself; an empty object if the reference leads nowhere, or to another file. */
export function lookUp({ whole }: Api, value: Json | undefined): JsonObject {
  let object = objectIn(value);
  for (let count = 0; typeof object['$ref'] === 'string'; count += 1) {
    if (count === MAX_REFERENCES) return {};
    object = objectIn(at(whole, object['$ref']));
  }
  return object;
}

/** The name of the schema that a value or its items refer to; empty if they name none. */
export function schemaName(api: Api, value: Json | undefined, depth = 0): string {
  const object = objectIn(value);
  const named = /^#\/(?:components\/schemas|definitions)\/([^/]+)$/.exec(textIn(object['$ref']))?.[1];
  if (named !== undefined) return unescaped(named);
  if (depth === MAX_REFERENCES) return '';
  if (object['$ref'] !== undefined) return schemaName(api, lookUp(api, object), depth + 1);
  const inner =
    object['items'] ?? listIn(object['allOf'])[0] ?? listIn(object['oneOf'])[0] ?? listIn(object['anyOf'])[0];
  return inner === undefined ? '' : schemaName(api, inner, depth + 1);
}

function at(whole: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let found: Json | undefined = whole;
  for (const part of reference.slice(2).split('/')) {
    const key = unescaped(part);
    found = Object.hasOwn(objectIn(found), key) ? objectIn(found)[key] : undefined;
  }
  return found;
}

/** Undoes the escapes of a JSON pointer (RFC 6901) in the fragment of a URI. */
function unescaped(part: string): string {
  return part
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
    .replaceAll(/%([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

export function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
