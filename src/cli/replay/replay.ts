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
  /** Its code, where the tool refused. */
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

/** What was done, by the form that its kind has. */
export type ReplayedDeed =
  | { readonly kind: 'question'; readonly data: z.output<typeof questionSchema> }
  | { readonly kind: 'context'; readonly data: z.output<typeof contextSchema> }
  | { readonly kind: 'tool'; readonly data: z.output<typeof toolSchema> }
  | { readonly kind: 'answer'; readonly data: z.output<typeof answerSchema> }
  /** Whatever else the history knows: what was read, written, searched, … */
  | { readonly kind: 'event'; readonly data: Readonly<Record<string, unknown>> };

/** One thing that was done. */
export interface ReplayedEvent {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly event_type: string;
  readonly actor: string;
  readonly session_id: string;
  /** In the mount. */
  readonly path?: string | undefined;
  readonly deed: ReplayedDeed;
}

/** What was done, in the order in which it began. @param lines of the history, as they were entered */
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
 * The entries of one conversation among those of its sessions: its own, and what the same process did meanwhile, such as the context that was
 * built and what was remembered.
 */
export function entriesOfConversation(rows: readonly HistoryLine[], conversation: string): HistoryLine[] {
  const current = new Map<number, string>();
  return rows.filter(({ line }) => {
    const { conversation: own, pid } = processSchema.parse(parseEntry(line).data ?? {});
    if (own !== undefined && pid !== undefined) current.set(pid, own);
    return (own ?? (pid === undefined ? undefined : current.get(pid))) === conversation;
  });
}

/** A question of a conversation: which one, and in which session it was asked. */
export interface AskedQuestion {
  readonly conversation: string;
  readonly session: string;
  /** Of its entry: what came after it in the conversation has a greater one, and perhaps an earlier time, as where the clock was put back. */
  readonly id: number;
}

/** @param rows of questions */
export function askedQuestions(rows: readonly HistoryLine[]): AskedQuestion[] {
  return rows.flatMap(({ id, line }) => {
    const { data = {}, session_id } = parseEntry(line);
    const { conversation } = processSchema.parse(data);
    return conversation === undefined ? [] : { conversation, session: session_id, id };
  });
}

/** Entries of an older version, and what another program wrote, need not have the form that their kind has now. */
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

/** A call is entered when it has its answer: what it read was entered before. */
function startMsOf({ timestamp, deed }: ReplayedEvent): number {
  return Date.parse(timestamp) - (deed.kind === 'tool' ? deed.data.duration_ms : 0);
}

/** As JSON shows it, what the deed is made of beside the rest. */
export function eventView({ deed, ...event }: ReplayedEvent): Readonly<Record<string, unknown>> {
  if (deed.kind !== 'tool') return { ...deed.data, ...event };
  const { result, ...data } = deed.data;
  return { ...data, result_summary: result, ...event };
}

/** How much of what there is in it. */
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
