import { readFileSync } from 'node:fs';
import { reasonOf } from '../core/errors.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { SchemaMapError } from './map-error.ts';
import { mapFormat } from './map-format.ts';
import { parseSchemaMap, rulesOf } from './parse-map.ts';
import { SPEC_DRIVEN } from './spec-driven.ts';

/** Name of the map that comes with the package. */
export const READY_MAP = 'spec-driven';

/**
 * @param source an absolute path, or {@link READY_MAP}
 * @throws SchemaMapError naming file and line of what is wrong
 */
export function loadSchemaMap(source: string): SchemaRules {
  if (source === READY_MAP) return { rules: rulesOf(mapFormat.parse(SPEC_DRIVEN)) };
  let text: string;
  try {
    text = readFileSync(source, 'utf8');
  } catch (error) {
    const message = `the schema map cannot be read: ${reasonOf(error)}`;
    throw new SchemaMapError(source, [{ line: 1, column: 1, message }], { cause: error });
  }
  return parseSchemaMap(text, source);
}
