import { z } from 'zod';
import { MEMORY_RELATIONS, type MemoryPlace } from '../core/memory-entry.ts';
import { encodeName } from '../core/names.ts';
import { type ImportLine, problemOf } from './import-line.ts';

/**
 * The lines of memory.jsonl, in which the memory server of the Model Context Protocol stores its data (modelcontextprotocol/servers, src/memory): all
 * entities, then all relations.
 */
const entitySchema = z.object({
  name: z.string().min(1),
  entityType: z.string(),
  observations: z.array(z.string()),
});

const relationSchema = z.object({
  from: z.string().min(1),
  to: z.string().min(1),
  relationType: z.string().min(1),
});

/**
 * An entity becomes a fact: its name is the key, its observations are the lines of the content, and its type is a tag. Without observations, the
 * content is the name. A relation with the name of one of ours becomes that one. Any other becomes `related_to`, and a line of the content of the
 * first entity says what it was; such a line is also made for a relation of an entity with itself.
 */
export function parseMcpLine(given: Readonly<Record<string, unknown>>): ImportLine {
  if (given['type'] === 'entity') {
    const { success, data, error } = entitySchema.safeParse(given);
    return success ? entityLine(data) : problemOf(error);
  }
  const { success, data, error } = relationSchema.safeParse(given);
  return success ? relationLine(data) : problemOf(error);
}

function entityLine({ name, entityType, observations }: z.infer<typeof entitySchema>): ImportLine {
  const tag = entityType.replace(/[\s,]+/g, ' ').trim();
  const lines = observations.length === 0 ? [name] : observations;
  const entry = {
    ...placeOfEntity(name),
    content: Buffer.from(lines.map((line) => `${line}\n`).join('')),
    tags: tag === '' ? [] : [tag],
  };
  return { kind: 'entry', entry, unknownKeys: [] };
}

function relationLine({ from, to, relationType }: z.infer<typeof relationSchema>): ImportLine {
  const known = MEMORY_RELATIONS.find((relation) => relation === relationType);
  const link = {
    from: placeOfEntity(from),
    relation: known ?? 'related_to',
    to: placeOfEntity(to),
    weight: 1,
  };
  if (known !== undefined && from !== to) return { kind: 'relation', link };
  return { kind: 'relation', link, statement: `${from} ${relationType} ${to}` };
}

function placeOfEntity(name: string): MemoryPlace {
  return { type: 'fact', key: encodeName(name) };
}
