import type { z } from 'zod';
import type { MemoryLink } from '../core/memory-entry.ts';
import type { NewMemory } from '../memory/memory.ts';

/** What one line of an import says. */
export type ImportLine =
  | {
      readonly kind: 'entry';
      readonly entry: NewMemory;
      /** Keys of the line that mean nothing here. */
      readonly unknownKeys: readonly string[];
    }
  | {
      readonly kind: 'relation';
      readonly link: MemoryLink;
      /** What the line says in words where its relation is none of ours: a line for the content of the first entry. */
      readonly statement?: string;
    }
  | { readonly kind: 'problem'; readonly why: string };

export function problem(why: string): ImportLine {
  return { kind: 'problem', why };
}

/** What a schema refuses, each issue with the key that it is about. */
export function problemOf({ issues }: z.ZodError): ImportLine {
  return problem(issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '));
}
