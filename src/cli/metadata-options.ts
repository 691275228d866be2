import type { Fields, MetadataField } from '../memory/metadata.ts';
import type { OptionSpecs } from './command.ts';
import { usageError } from './usage-error.ts';

/** Options for metadata of an entry, given along with its content. */
export const METADATA_OPTIONS = {
  confidence: { type: 'text', value: 'NUMBER', summary: 'confidence, from 0 to 1' },
  tags: { type: 'list', value: 'TAGS', summary: 'tags, separated by commas; may be repeated' },
  source: {
    type: 'list',
    value: 'PATHS',
    summary: 'documents that it comes from, such as charges/create.md:31; may be repeated',
  },
} as const satisfies OptionSpecs;

export interface MetadataArguments {
  readonly confidence: string | undefined;
  readonly tags: readonly string[];
  readonly source: readonly string[];
}

/** The metadata that a person has given, each value checked as memory checks it. */
export interface SaidMetadata {
  readonly confidence?: number;
  readonly tags?: readonly string[];
  readonly sourcePaths?: readonly string[];
  readonly ttlSeconds?: number;
}

/** @throws UserError of status 2 naming the option that has an impossible value */
export async function saidMetadata(
  { confidence, tags, source, ttl }: MetadataArguments & { readonly ttl?: string | undefined },
  verb: string,
): Promise<SaidMetadata> {
  const { readField } = await import('../memory/metadata.ts');
  const read = (
    option: string,
    name: MetadataField,
    value: string | readonly string[] | undefined,
  ): Fields => {
    if (value === undefined || value.length === 0) return {};
    const result = readField(name, value);
    if ('fields' in result) return result.fields;
    throw usageError(`--${option} "${value}": ${result.problem}`, verb);
  };
  const said: Fields = {
    ...read('confidence', 'confidence', confidence),
    ...read('tags', 'tags', tags),
    ...read('source', 'source_paths', source),
    ...read('ttl', 'ttl', ttl),
  };
  return {
    ...(said.confidence === undefined ? {} : { confidence: said.confidence }),
    ...(said.tags === undefined ? {} : { tags: said.tags }),
    ...(said.source_paths === undefined ? {} : { sourcePaths: said.source_paths }),
    ...(said.ttl === undefined ? {} : { ttlSeconds: said.ttl }),
  };
}
