import type { OptionSpecs } from './command.ts';
import { usageError } from './usage-error.ts';

/** What can be said of an entry along with its content. */
export const METADATA_OPTIONS = {
  confidence: { type: 'text', value: 'NUMBER', summary: 'how sure it is, from 0 to 1' },
  tags: { type: 'list', value: 'TAGS', summary: 'tags with commas between them; may be repeated' },
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

/** What a person has said, each value checked as memory checks it. */
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
  const { METADATA_FIELDS } = await import('../memory/metadata.ts');
  const read = <T>(
    option: string,
    value: unknown,
    field: {
      safeParse(value: unknown): {
        success: boolean;
        data?: T;
        error?: { issues: readonly { message: string }[] };
      };
    },
  ): T => {
    const { success, data, error } = field.safeParse(value);
    if (success && data !== undefined) return data;
    throw usageError(`--${option} "${value}": ${option} ${error?.issues[0]?.message}`, verb);
  };
  return {
    ...(confidence === undefined
      ? {}
      : { confidence: read('confidence', confidence, METADATA_FIELDS.confidence) }),
    ...(tags.length === 0 ? {} : { tags: read('tags', tags, METADATA_FIELDS.tags) }),
    ...(source.length === 0 ? {} : { sourcePaths: read('source', source, METADATA_FIELDS.source_paths) }),
    ...(ttl === undefined ? {} : { ttlSeconds: read('ttl', ttl, METADATA_FIELDS.ttl) }),
  };
}
