import type { z } from 'zod';
import type { MemoryLink } from '../core/memory-entry.ts';
import type { NewMemory } from '../memory/memory.ts';

/** The content of one line of an import. */
export type ImportLine =
  | {
      readonly kind: 'entry';
      readonly entry: NewMemory;
      /** Keys of the line that are unknown. */
      readonly unknownKeys: readonly string[];
    }
  | {
      readonly kind: 'relation';
      readonly link: MemoryLink;
      /** What the line says in words, if its relation is not one of ours: a line for the content of the first entry. */
      readonly statement?: string;
    }
  | { readonly kind: 'problem'; readonly why: string };

export function problem(why: string): ImportLine {
  return { kind: 'problem', why };
}

/** The errors of a schema, each with the key that it is about. */
export function problemOf({ issues }: z.ZodError): ImportLine {
  return problem(issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '));
}
