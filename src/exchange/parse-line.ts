import { z } from 'zod';
import { reasonOf } from '../core/errors.ts';
import {
  MEMORY_RELATIONS,
  MEMORY_TYPES,
  type MemoryMetadata,
  PROVENANCE_KEYS,
} from '../core/memory-entry.ts';
import type { NewMemory } from '../memory/memory.ts';
import { parsePlace } from '../memory/memory-places.ts';
import { METADATA_FIELDS } from '../memory/metadata.ts';
import { either } from '../text/either.ts';
import { derivedKey } from './derived-key.ts';
import { type ImportLine, problem, problemOf } from './import-line.ts';
import { parseMcpLine } from './mcp-line.ts';

/** Keys of an entry that are counted or derived: `context memory list --json` shows them, and an import computes them again. */
const DERIVED_KEYS = [
  'access_count',
  'duplicate_of',
  'path',
  'removed_at',
  'size_bytes',
  'superseded_by',
  'version',
];

const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const TIME_FORM = 'has to be a time such as 2026-01-31T12:00:00Z';

/** ISO 8601, as milliseconds since 1970. Without a time zone it is UTC. */
const time = z.string({ error: TIME_FORM }).transform((text, context) => {
  const match = ISO_TIME.exec(text);
  const ms = Date.parse(match?.[1] !== undefined || text.length === '2026-01-31'.length ? text : `${text}Z`);
  if (match !== null && !Number.isNaN(ms)) return ms;
  context.addIssue(TIME_FORM);
  return z.NEVER;
});

const text = z
  .string({ error: 'has to be a text' })
  .refine((text) => text.isWellFormed(), { error: 'is not Unicode text: it has half of a surrogate pair' });
const name = text.min(1, { error: 'has to be a text that is not empty' });
const metadata = z.object(METADATA_FIELDS).partial();
const provenance = metadata.omit({ confidence: true, tags: true, source_paths: true, ttl: true });

const entrySchema = metadata.extend({
  memory_type: z.enum(MEMORY_TYPES, { error: `has to be ${either(MEMORY_TYPES)}` }).default('fact'),
  key: name.optional(),
  content: text,
  encoding: z.enum(['utf-8', 'base64'], { error: 'has to be utf-8 or base64' }).default('utf-8'),
  created_at: time.optional(),
  updated_at: time.optional(),
  expires_at: time.optional(),
  reviewer: name.optional(),
  reviewed_at: time.optional(),
  session: name.optional(),
  actor: name.optional(),
  provenance: provenance.optional(),
});

const KNOWN_KEYS = new Set<string>([...Object.keys(entrySchema.shape), ...DERIVED_KEYS]);

const PLACE_FORM = 'has to name an entry, such as fact/refunds';
const place = z.string({ error: PLACE_FORM }).transform((text, context) => {
  const found = parsePlace(text);
  if (found !== undefined) return found;
  context.addIssue(PLACE_FORM);
  return z.NEVER;
});

const relationSchema = z.object({
  relation: z.enum(MEMORY_RELATIONS, { error: `has to be ${either(MEMORY_RELATIONS)}` }),
  from: place,
  to: place,
  weight: z.number({ error: 'has to be a number over 0, at most 1' }).gt(0).max(1).default(1),
});

/**
 * Reads a line: an entry, a relation between two entries, or a line of the memory.jsonl of the MCP memory server. The same line always gives the same
 * result. Never throws.
 */
export function parseImportLine(line: string | undefined): ImportLine {
  if (line === undefined) return problem('the line is too long for an entry, or not UTF-8 text');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return problem(notJson(line, error));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return problem('this is JSON, but not an object with the content of an entry');
  }
  // Many programs write null for an absent value.
  const given = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  if (given['type'] === 'entity' || given['type'] === 'relation') return parseMcpLine(given);
  return 'relation' in given ? parseRelation(given) : parseEntry(given);
}

function parseEntry(given: Readonly<Record<string, unknown>>): ImportLine {
  const { success, data, error } = entrySchema.safeParse(given);
  if (!success) return problemOf(error);
  const { content: text, encoding, session, actor, reviewer } = data;
  const { created_at: createdMs, updated_at: updatedMs, expires_at: expiresMs } = data;
  const content = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  if (encoding === 'base64' && content.toString('base64') !== text) return problem('content is not base64');
  const entry: NewMemory = {
    type: data.memory_type,
    key: data.key ?? derivedKey(content, createdMs, session),
    content,
    ...saidMetadata(data),
    ...(createdMs === undefined ? {} : { createdMs }),
    ...(updatedMs === undefined ? {} : { updatedMs }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(reviewer === undefined ? {} : { review: { reviewer, reviewedMs: data.reviewed_at ?? null } }),
    ...(session === undefined ? {} : { session }),
    ...(actor === undefined ? {} : { actor }),
  };
  return { kind: 'entry', entry, unknownKeys: Object.keys(given).filter((key) => !KNOWN_KEYS.has(key)) };
}

/** The metadata that the line contains. Its front matter may contain the rest. */
function saidMetadata(data: z.infer<typeof entrySchema>): Partial<MemoryMetadata> {
  const { confidence, tags, source_paths: sourcePaths, ttl: ttlSeconds } = data;
  const provenance = PROVENANCE_KEYS.flatMap((key) => {
    const value = data[key] ?? data.provenance?.[key];
    return value === undefined ? [] : [[key, value]];
  });
  return {
    ...(confidence === undefined ? {} : { confidence }),
    ...(tags === undefined ? {} : { tags }),
    ...(sourcePaths === undefined ? {} : { sourcePaths }),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(provenance.length === 0 && data.provenance === undefined
      ? {}
      : { provenance: Object.fromEntries(provenance) }),
  };
}

function parseRelation(given: Readonly<Record<string, unknown>>): ImportLine {
  const { success, data, error } = relationSchema.safeParse(given);
  return success ? { kind: 'relation', link: data } : problemOf(error);
}

function notJson(line: string, error: unknown): string {
  if (line === '[') return "an array over several lines is not JSON lines; jq -c '.[]' makes them";
  if (line === '{') return 'an object over several lines is not JSON lines; jq -c . makes them';
  return `this is not JSON: ${reasonOf(error)}`;
}
