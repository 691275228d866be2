/** Contexts that were put into chat histories, as recorded in `context/history`. */
import { z } from 'zod';
import { HIT_KINDS } from '../../core/search.ts';
import { UPDATE_MODES, type UpdateMode } from '../../settings/context.ts';
import type { HistoryTable } from '../../store/history-table.ts';
import { type ContextManifest, manifestJson, type SelectedSpan } from '../manifest.ts';
import type { SourceChange, StoodOn } from './standing.ts';

/** A span of an earlier context, without its text. */
export type InjectedSpan = Omit<SelectedSpan, 'text' | 'why'>;

export interface Injection {
  /** The id of the context's text. */
  readonly id: string;
  readonly mode: UpdateMode;
  readonly question: string;
  readonly revision: string;
  readonly standing: readonly StoodOn[];
  readonly spans: readonly InjectedSpan[];
}

const spanSchema = z.object({
  path: z.string(),
  line: z.number(),
  end_line: z.number(),
  kind: z.enum(HIT_KINDS),
  type: z.string().optional(),
  title: z.string(),
  headings: z.array(z.string()),
  freshness: z.number(),
  similarity: z.number(),
  trust: z.number(),
  score: z.number(),
  tokens: z.number(),
  date: z.string(),
  stale: z.boolean(),
  waits: z.boolean().optional(),
  form: z.enum(['whole', 'summary']),
});

const eventSchema = z.object({
  data: z.object({
    id: z.string(),
    mode: z.enum(UPDATE_MODES),
    manifest: z.object({ question: z.string(), revision: z.string(), selected: z.array(spanSchema) }),
    stands_on: z.array(z.object({ path: z.string(), version: z.string() })),
  }),
});

/** How far back injections are looked for. An older one is forgotten, and the context is built anew. */
const LOOKED_AT = 500;

/** The latest injection of a context; undefined if the history has none, or none any more. */
export function findInjection(history: Pick<HistoryTable, 'select'>, id: string): Injection | undefined {
  const rows = history.select({ type: 'inject', limit: LOOKED_AT });
  for (const { line } of rows.toReversed()) {
    if (!line.includes(id)) continue;
    const read = eventSchema.safeParse(JSON.parse(line));
    if (read.success && read.data.data.id === id) return injectionOf(read.data.data);
  }
  return undefined;
}

function injectionOf({ id, mode, manifest, stands_on }: z.infer<typeof eventSchema>['data']): Injection {
  const { question, revision, selected } = manifest;
  const spans = selected.map(({ end_line, type, waits, ...span }) => ({
    ...span,
    endLine: end_line,
    ...(type === undefined ? {} : { type }),
    ...(waits ? { waits } : {}),
  }));
  return { id, mode, question, revision, standing: stands_on, spans };
}

/** What the history records of an injection. */
export function injectionData(
  { id, mode, standing }: Pick<Injection, 'id' | 'mode' | 'standing'>,
  manifest: ContextManifest,
  replaced: string | undefined,
  changes: readonly SourceChange[],
): Record<string, unknown> {
  return {
    id,
    mode,
    ...(replaced === undefined ? {} : { replaces: replaced }),
    ...(changes.length === 0 ? {} : { changes }),
    stands_on: standing,
    manifest: manifestJson(manifest),
  };
}
