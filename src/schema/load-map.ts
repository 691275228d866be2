import { readFileSync } from 'node:fs';
import { reasonOf } from '../core/errors.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { READY_MAP } from '../core/schema-rules.ts';
import { SchemaMapError } from './map-error.ts';
import { mapFormat } from './map-format.ts';
import { parseSchemaMap, rulesOf } from './parse-map.ts';
import { SPEC_DRIVEN } from './spec-driven.ts';

/**
 * @param source an absolute path, or {@link READY_MAP}
 * @throws SchemaMapError that names file and line of each fault
 */
export function loadSchemaMap(source: string): SchemaRules {
  return source === READY_MAP ? readyMap() : parseSchemaMap(textOf(source), source);
}

/** As {@link loadSchemaMap}. @param textOf reads a file, and fails if it cannot be read */
export async function loadSchemaMapBy(
  source: string,
  textOf: (file: string) => Promise<string>,
): Promise<SchemaRules> {
  if (source === READY_MAP) return readyMap();
  const text = await textOf(source).catch((error: unknown) => {
    throw notRead(source, error);
  });
  return parseSchemaMap(text, source);
}

function readyMap(): SchemaRules {
  return { rules: rulesOf(mapFormat.parse(SPEC_DRIVEN)) };
}

function textOf(source: string): string {
  try {
    return readFileSync(source, 'utf8');
  } catch (error) {
    throw notRead(source, error);
  }
}

function notRead(source: string, error: unknown): SchemaMapError {
  const message = `the schema map cannot be read: ${reasonOf(error)}`;
  return new SchemaMapError(source, [{ line: 1, column: 1, message }], { cause: error });
}
