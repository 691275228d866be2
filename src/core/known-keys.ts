import { z } from 'zod';
import { nearest } from '../text/near.ts';

/** A clause to append to an error about an unknown key: the key that was most likely meant, or else all keys that are known there. */
export function knownKeysClause(schema: z.ZodType, path: readonly PropertyKey[]): string {
  const known = [...keysAt(schema, path.slice(0, -1))];
  const meant = nearest(String(path.at(-1)), known);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return known.length === 0 ? '' : `; known here: ${known.join(', ')}`;
}

function keysAt(schema: unknown, path: readonly PropertyKey[]): Set<string> {
  if (schema instanceof z.ZodOptional) return keysAt(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion)
    return new Set(schema.options.flatMap((choice) => [...keysAt(choice, path)]));
  const [first, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    if (first === undefined) return new Set(Object.keys(schema.shape));
    return keysAt(schema.shape[String(first)], rest);
  }
  if (schema instanceof z.ZodArray) return first === undefined ? new Set() : keysAt(schema.element, rest);
  if (schema instanceof z.ZodRecord) {
    if (first !== undefined) return keysAt(schema.valueType, rest);
    return new Set(schema.keyType instanceof z.ZodEnum ? schema.keyType.options.map(String) : []);
  }
  return new Set();
}
