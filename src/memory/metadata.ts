import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  MEMORY_RELATIONS,
  type MemoryMetadata,
  type MemoryRelation,
  PROVENANCE_KEYS,
  type ProvenanceKey,
} from '../core/memory-entry.ts';

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const TTL = /^(\d+(?:\.\d+)?)\s*([smhdw]?)$/;
const MAX_TTL_SECONDS = 100 * 365 * SECONDS.d;
const MAX_TEXT = 4096;

/** A number, or its digits: attributes, and front matter in quotes, give it as text. */
const confidence = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^(?:\d+(?:\.\d*)?|\.\d+)$/)
        .transform(Number),
    ],
    {
      error: 'has to be a number from 0 to 1',
    },
  )
  .refine((value) => value >= 0 && value <= 1, { error: 'has to be a number from 0 to 1' });

const scalar = z
  .union([z.string(), z.number(), z.boolean(), z.date()], { error: 'has to be a text' })
  .transform((value) => (value instanceof Date ? value.toISOString() : String(value)).trim())
  .refine((text) => text.length <= MAX_TEXT && !/\p{Cc}/u.test(text), {
    error: `has to be a text of one line and at most ${MAX_TEXT} characters`,
  });
const texts = z
  .union([z.null().transform(() => []), z.array(scalar), scalar.transform((text) => text.split(','))], {
    error: 'has to be a list, or texts with commas between them',
  })
  .transform((list) => [...new Set(list.map((text) => text.trim()).filter((text) => text !== ''))]);
const tags = texts.refine((list) => list.every((tag) => !tag.includes(',')), {
  error: 'has to be a list of tags without commas in them',
});
const text = scalar.refine((value) => value !== '', { error: 'has to be a text that is not empty' });

const ttlSeconds = z
  .union([z.number(), z.string().trim().regex(TTL).transform(secondsOf)], {
    error: 'has to be a number of seconds, or a time such as 30d, 12h or 15m',
  })
  .refine((seconds) => seconds > 0 && seconds <= MAX_TTL_SECONDS, {
    error: 'has to be over 0 and at most 100 years',
  });

function secondsOf(given: string): number {
  const [, count, unit] = TTL.exec(given) ?? [];
  return Number(count) * (isUnit(unit) ? SECONDS[unit] : 1);
}

function isUnit(unit: string | undefined): unit is keyof typeof SECONDS {
  return unit !== undefined && Object.hasOwn(SECONDS, unit);
}

/** Metadata by the names that it has in front matter and attributes. Each schema accepts any value, or says what the value should be. */
export const METADATA_FIELDS = {
  confidence,
  tags,
  source_paths: texts,
  ttl: ttlSeconds,
  source: text,
  filename: text,
  etl_source: text,
  tenant_id: text,
  channel: text,
  kind: text,
  role: text,
} as const satisfies Record<'confidence' | 'tags' | 'source_paths' | 'ttl' | ProvenanceKey, z.ZodType>;
export type MetadataField = keyof typeof METADATA_FIELDS;

export function isMetadataField(name: string): name is MetadataField {
  return Object.hasOwn(METADATA_FIELDS, name);
}

/** The metadata of an entry. An absent field was not set. */
export type Fields = { readonly [Name in MetadataField]?: z.output<(typeof METADATA_FIELDS)[Name]> };
export type Relations = Readonly<Partial<Record<MemoryRelation, readonly string[]>>>;

/** Reads one field. @returns the field, or what its value should be */
export function readField(name: MetadataField, value: unknown): { fields: Fields } | { problem: string } {
  const read = METADATA_FIELDS[name].safeParse(value);
  if (read.success) return { fields: { [name]: read.data } };
  return { problem: `${name} ${read.error.issues[0]?.message ?? 'has another form'}` };
}

const names = z.union([z.array(text), text.transform((name) => [name])], {
  error: 'has to be the key of another memory, or a list of keys',
});

export function readRelation(
  relation: MemoryRelation,
  value: unknown,
): { relations: Relations } | { problem: string } {
  const read = names.safeParse(value);
  if (!read.success) return { problem: `${relation} ${read.error.issues[0]?.message ?? 'has another form'}` };
  return {
    relations: { [relation]: read.data.map((name) => name.replace(/^(?:\/?context)?\/?memory\//, '')) },
  };
}

export function isRelation(name: string): name is MemoryRelation {
  return MEMORY_RELATIONS.some((relation) => relation === name);
}

export function fieldsOf({ confidence, tags, sourcePaths, ttlSeconds, provenance }: MemoryMetadata): Fields {
  return {
    ...(confidence === undefined ? {} : { confidence }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(sourcePaths.length === 0 ? {} : { source_paths: [...sourcePaths] }),
    ...(ttlSeconds === undefined ? {} : { ttl: ttlSeconds }),
    ...provenance,
  };
}

export function metadataOf({ confidence, tags, source_paths, ttl, ...rest }: Fields): MemoryMetadata {
  const provenance: Partial<Record<ProvenanceKey, string>> = {};
  for (const key of PROVENANCE_KEYS) {
    const value = rest[key];
    if (value !== undefined) provenance[key] = value;
  }
  return {
    ...(confidence === undefined ? {} : { confidence }),
    tags: tags ?? [],
    sourcePaths: source_paths ?? [],
    provenance,
    ...(ttl === undefined ? {} : { ttlSeconds: ttl }),
  };
}

/**
 * The fields that hold after front matter was read again. The later word wins: a field whose value in the front matter has changed takes the new one
 * (or is dropped with it); a field that the front matter merely repeats keeps the value that it may have been given since in another way.
 */
export function sayAnew(current: Fields, saidBefore: Fields, said: Fields): Fields {
  const result: Record<string, unknown> = { ...current };
  for (const name of Object.keys(METADATA_FIELDS).filter(isMetadataField)) {
    if (isDeepStrictEqual(saidBefore[name], said[name])) continue;
    if (said[name] !== undefined) result[name] = said[name];
    else if (isDeepStrictEqual(current[name], saidBefore[name])) delete result[name];
  }
  return result;
}
