/** Reads the JSON of a manifest, as `context build --json` prints it. */
import { z } from 'zod';
import { EXIT, UserError } from '../core/errors.ts';
import { parsedJson } from '../core/json-file.ts';
import { HIT_KINDS } from '../core/search.ts';
import type { Span } from './manifest.ts';

/** The part of a manifest that says which sources a context was taken from. */
const manifestSchema = z.object({
  selected: z.array(
    z.object({
      path: z.string().startsWith('/'),
      line: z.int().min(0),
      end_line: z.int().min(0),
      kind: z.enum(HIT_KINDS),
      title: z.string().default(''),
      headings: z.array(z.string()).default([]),
    }),
  ),
});

/**
 * The sources that a context was taken from. The manifest may be the value of the key `manifest`, as `context update --json` prints it.
 * @param file its name, for errors
 * @throws UserError if the text is not the JSON of a manifest
 */
export function spansOfManifest(text: string, file: string): Omit<Span, 'type'>[] {
  const value = parsedJson(text, file, EXIT.wrongUsage);
  const inside = z.object({ manifest: manifestSchema }).safeParse(value);
  const read = inside.success ? inside.data.manifest : manifestSchema.safeParse(value).data;
  if (read === undefined) {
    throw new UserError(
      `${file}: this is not a manifest; kgraphfs context build "<question>" --json prints one`,
      EXIT.wrongUsage,
    );
  }
  return read.selected.map(({ end_line, ...span }) => ({ ...span, endLine: end_line }));
}
