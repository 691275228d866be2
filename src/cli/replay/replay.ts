import { z } from 'zod';
import { WITHIN_MEMORY } from '../../core/tree-points.ts';
import { parseEntry } from '../text/history-line.ts';

const processSchema = z.looseObject({ pid: z.number().optional(), conversation: z.string().optional() });

const questionSchema = z.object({
  conversation: z.string(),
  turn: z.number(),
  question: z.string(),
  model: z.string().optional(),
});

const toolSchema = z.object({
  conversation: z.string().optional(),
  turn: z.number().optional(),
  tool: z.string(),
  args: z.unknown().default({}),
  result: z.string().default(''),
  /** The error code, if the tool refused. */
  error: z.string().optional(),
  duration_ms: z.number().default(0),
});

const answerSchema = z.object({
  conversation: z.string(),
  turn: z.number(),
  end: z.string(),
  answer: z.string(),
  error: z.string().optional(),
  sources: z.array(z.string()).default([]),
  unshown: z.array(z.string()).default([]),
  usage: z
    .object({ input_tokens: z.number(), output_tokens: z.number(), cost_usd: z.number().nullish() })
    .optional(),
  learned: z.array(z.object({ outcome: z.string(), entry: z.string() })).default([]),
  duration_ms: z.number().optional(),
});

const contextSchema = z
  .looseObject({
    mode: z.string().optional(),
    manifest: z.looseObject({
      question: z.string().optional(),
      budget_tokens: z.number(),
      tokens: z.number(),
      selected: z.array(z.looseObject({ path: z.string(), line: z.number(), end_line: z.number() })),
    }),
  })
  .transform(({ mode, manifest: { question, budget_tokens, tokens, selected } }) => ({
    mode,
    question,
    budget_tokens,
    tokens,
    selected: selected.map(({ path, line, end_line }) => `${path}:${line}-${end_line}`),
  }));

/** What was done, in the form that its kind has. */
export type ReplayedDeed =
  | { readonly kind: 'question'; readonly data: z.output<typeof questionSchema> }
  | { readonly kind: 'context'; readonly data: z.output<typeof contextSchema> }
  | { readonly kind: 'tool'; readonly data: z.output<typeof toolSchema> }
  | { readonly kind: 'answer'; readonly data: z.output<typeof answerSchema> }
  /** All other events of the history: reads, writes, searches, … */
  | { readonly kind: 'event'; readonly data: Readonly<Record<string, unknown>> };

/** One event of a replay. */
export interface ReplayedEvent {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly event_type: string;
  readonly actor: string;
  readonly session_id: string;
  /** A path of the mount. */
  readonly path?: string | undefined;
  readonly deed: ReplayedDeed;
}

/** The events in the order in which they began. @param lines of the history, in the order in which they were entered */
export function replayOf(lines: readonly string[]): ReplayedEvent[] {
  const events = lines.map((line) => {
    const { timestamp, event_type, actor, session_id, path, data = {} } = parseEntry(line);
    return { timestamp, event_type, actor, session_id, path, deed: deedOf(event_type, data) };
  });
  return events
    .map((event) => ({ event, startMs: startMsOf(event) }))
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ event }) => event);
}

/** An entry of the history as its table gives it. */
export interface HistoryLine {
  readonly id: number;
  readonly line: string;
}

/**
 * The entries of one conversation among those of its sessions: its own entries, and what the same process did meanwhile, such as building the context
 * and remembering.
 */
export function entriesOfConversation(rows: readonly HistoryLine[], conversation: string): HistoryLine[] {
  const current = new Map<number, string>();
  return rows.filter(({ line }) => {
    const { conversation: own, pid } = processSchema.parse(parseEntry(line).data ?? {});
    if (own !== undefined && pid !== undefined) current.set(pid, own);
    return (own ?? (pid === undefined ? undefined : current.get(pid))) === conversation;
  });
}

/** A question of a conversation, with the conversation and the session in which it was asked. */
export interface AskedQuestion {
  readonly conversation: string;
  readonly session: string;
  /** The id of its entry. Later entries of the conversation have greater ids, but may have an earlier time, if the clock was put back. */
  readonly id: number;
}

/** The conversations and sessions of questions. @param rows of questions */
export function askedQuestions(rows: readonly HistoryLine[]): AskedQuestion[] {
  return rows.flatMap(({ id, line }) => {
    const { data = {}, session_id } = parseEntry(line);
    const { conversation } = processSchema.parse(data);
    return conversation === undefined ? [] : { conversation, session: session_id, id };
  });
}

/** The deed of an entry. An entry of an older version, or of another program, need not have the form that its kind has now; it becomes a plain event. */
function deedOf(type: string, data: Readonly<Record<string, unknown>>): ReplayedDeed {
  switch (type) {
    case 'question': {
      const parsed = questionSchema.safeParse(data);
      return parsed.success ? { kind: 'question', data: parsed.data } : { kind: 'event', data };
    }
    case 'inject': {
      const parsed = contextSchema.safeParse(data);
      return parsed.success ? { kind: 'context', data: parsed.data } : { kind: 'event', data };
    }
    case 'tool': {
      const parsed = toolSchema.safeParse(data);
      return parsed.success ? { kind: 'tool', data: parsed.data } : { kind: 'event', data };
    }
    case 'answer': {
      const parsed = answerSchema.safeParse(data);
      return parsed.success ? { kind: 'answer', data: parsed.data } : { kind: 'event', data };
    }
    default:
      return { kind: 'event', data };
  }
}

/** When an event began. A call is entered once it has its answer, after what it has read. */
function startMsOf({ timestamp, deed }: ReplayedEvent): number {
  return Date.parse(timestamp) - (deed.kind === 'tool' ? deed.data.duration_ms : 0);
}

/** An event as JSON shows it, with the fields of its deed among the others. */
export function eventView({ deed, ...event }: ReplayedEvent): Readonly<Record<string, unknown>> {
  if (deed.kind !== 'tool') return { ...deed.data, ...event };
  const { result, ...data } = deed.data;
  return { ...data, result_summary: result, ...event };
}

/** How many events there are of each sort. */
export function replayCounts(events: readonly ReplayedEvent[]) {
  const count = (passes: (event: ReplayedEvent) => boolean) => events.filter(passes).length;
  return {
    questions: count(({ deed }) => deed.kind === 'question'),
    tool_calls: count(({ deed }) => deed.kind === 'tool'),
    answers: count(({ deed }) => deed.kind === 'answer' && deed.data.error === undefined),
    memory_writes: count(isMemoryWrite),
    reads: count(({ event_type }) => event_type === 'read'),
  };
}

const WRITING: ReadonlySet<string> = new Set([
  'create',
  'write',
  'remove',
  'rename',
  'restore',
  'relate',
  'review',
]);

function isMemoryWrite({ event_type, path = '' }: ReplayedEvent): boolean {
  return WRITING.has(event_type) && path.startsWith(WITHIN_MEMORY);
}
