/** Keeps the context of a chat history up to date. */

import type { UpdateMode } from '../../core/context-settings.ts';
import { mountPathOf } from '../../core/docs-selection.ts';
import type { HistoryRecorder } from '../../core/history-event.ts';
import type { Awaitable, OpContext } from '../../core/resolver.ts';
import type { SearchEngine } from '../../core/search.ts';
import type { HistoryTable } from '../../store/history-table.ts';
import { fitWhole } from '../fitting.ts';
import type { ContextConstructor, ContextHints, ContextManifest, SelectedSpan } from '../manifest.ts';
import { materialize } from '../materialize.ts';
import type { ChatMessage } from '../messages.ts';
import { isInstruction } from '../messages.ts';
import type { TokenCounter } from '../tokens.ts';
import { contextIn, contextMessage, idOf, WRAPPING_TOKENS } from './context-message.ts';
import { findInjection, type Injection, injectionData } from './injections.ts';
import { notesFor, type ScratchpadFile } from './scratchpad-notes.ts';
import { changesSince, type SourceChange, standingOf, type Versions } from './standing.ts';

/** What the updater stands on. */
export interface UpdaterParts {
  readonly build: ContextConstructor['build'];
  readonly engine: Pick<SearchEngine, 'textOf'>;
  /** As manifests have it. */
  readonly revision: () => string;
  readonly counter: TokenCounter;
  readonly versions: Versions;
  /** Text files of the session's scratchpad. */
  readonly notes: () => Awaitable<readonly ScratchpadFile[]>;
  readonly history: Pick<HistoryTable, 'select'>;
  readonly record: HistoryRecorder;
}

export interface UpdateRequest {
  readonly question: string;
  readonly mode: UpdateMode;
  /** Of the whole message. */
  readonly budgetTokens: number;
  readonly hints?: ContextHints;
}

export interface ContextUpdate<Message> {
  /** Those that were given, in their order, with the one that holds the context. */
  readonly messages: readonly (Message | ChatMessage)[];
  /** What became of the context. `none`: nothing was found that would be one. */
  readonly action: 'injected' | 'replaced' | 'unchanged' | 'removed' | 'none';
  /** Of the context's message; 0 where there is none. */
  readonly tokens: number;
  /** What the context before stood on and is no more as it was. */
  readonly changes: readonly SourceChange[];
  /** Of the context that was built; undefined where the one before stays without a look at its sources. */
  readonly manifest: ContextManifest | undefined;
}

/** In the incremental mode so much of the budget is for the new question, whatever is kept. */
const NEW_SHARE = 0.6;
/** What notes in the scratchpad may take of it, and what stands over each. */
const NOTES_SHARE = 0.15;
const HEADING_TOKENS = 40;

export interface ContextUpdater {
  /**
   * `static`: a context that is there stays as it is. `incremental`: what the question needs is added, and what is there and still holds is kept as far as it
   * fits. `adaptive`: built anew for another question, and where documents, memory or scratchpad have changed. All messages but the context's own stay as
   * they are; it comes after the instructions at the beginning, or takes the place of the one before. Updating again changes nothing.
   * @param messageOf where the messages are wrapped in something
   */
  update<Message>(
    messages: readonly Message[],
    messageOf: (message: Message) => ChatMessage,
    request: UpdateRequest,
    context: OpContext,
  ): Promise<ContextUpdate<Message>>;
}

export function contextUpdater(parts: UpdaterParts): ContextUpdater {
  return {
    async update(messages, messageOf, request, context) {
      const places = messages.flatMap((message, index) => {
        const found = contextIn(messageOf(message));
        return found === undefined ? [] : [{ index, found }];
      });
      const [there] = places;
      const known = there === undefined ? undefined : findInjection(parts.history, there.found.id);
      const changes = known === undefined ? [] : await changesSince(known.standing, parts.versions);
      const content =
        there === undefined ? undefined : messageContent(messageOf(messages[there.index] ?? neverThere()));
      const isKept =
        there !== undefined && places.length === 1 && stays(request, known, changes, content, parts);
      if (isKept) {
        return {
          messages,
          action: 'unchanged',
          tokens: parts.counter.count(content ?? ''),
          changes,
          manifest: undefined,
        };
      }
      const manifest = await manifestFor(request, known, changes, parts);
      const text = materialize(manifest);
      const indexes = new Set(places.map(({ index }) => index));
      const rest = messages.filter((_, index) => !indexes.has(index));
      const isEmpty = manifest.selected.length + manifest.facts.length + manifest.paths.length === 0;
      if (isEmpty) {
        return {
          messages: rest,
          action: there === undefined ? 'none' : 'removed',
          tokens: 0,
          changes,
          manifest,
        };
      }
      const id = idOf(text);
      const message = contextMessage(text);
      const tokens = parts.counter.count(message.content);
      if (
        there !== undefined &&
        places.length === 1 &&
        there.found.id === id &&
        content === message.content
      ) {
        if (known !== undefined && changes.length === 0)
          return { messages, action: 'unchanged', tokens, changes, manifest };
        await enter(request, manifest, { id, replaced: undefined, changes }, parts, context);
        return { messages, action: 'unchanged', tokens, changes, manifest };
      }
      await enter(request, manifest, { id, replaced: there?.found.id, changes }, parts, context);
      const at = there?.index ?? placeFor(messages.map(messageOf));
      return {
        messages: [...rest.slice(0, at), message, ...rest.slice(at)],
        action: there === undefined ? 'injected' : 'replaced',
        tokens,
        changes,
        manifest,
      };
    },
  };
}

function neverThere(): never {
  throw new Error('an index is of a message');
}

function messageContent({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** Whether the context that is there need not be looked at again. */
function stays(
  { mode, question, budgetTokens }: UpdateRequest,
  known: Injection | undefined,
  changes: readonly SourceChange[],
  content: string | undefined,
  { revision, counter }: UpdaterParts,
): boolean {
  if (mode === 'static') return true;
  if (known === undefined || known.question !== question || changes.length > 0) return false;
  return known.revision === revision() && counter.count(content ?? '') <= budgetTokens;
}

/** After the instructions at the beginning: there it parts no tool call from its answer. */
function placeFor(messages: readonly ChatMessage[]): number {
  const first = messages.findIndex((message) => !isInstruction(message));
  return first === -1 ? messages.length : first;
}

async function manifestFor(
  { question, mode, budgetTokens, hints }: UpdateRequest,
  known: Injection | undefined,
  changes: readonly SourceChange[],
  parts: UpdaterParts,
): Promise<ContextManifest> {
  const room = Math.max(1, budgetTokens - WRAPPING_TOKENS);
  const notes = notesFor(question, await parts.notes(), room * NOTES_SHARE, parts.counter);
  const kept = mode === 'incremental' && known !== undefined ? keptSpans(known, changes, parts) : [];
  const keptTokens = tokensOf(kept);
  const forBuilt = Math.max(1, room - tokensOf(notes) - notes.length * HEADING_TOKENS);
  const built = await parts.build(question, {
    budgetTokens:
      kept.length === 0 ? forBuilt : Math.max(Math.floor(forBuilt * NEW_SHARE), forBuilt - keptTokens),
    ...(hints === undefined ? {} : { hints }),
  });
  return kept.length + notes.length === 0 ? built : withMore(built, notes, kept, room, parts.counter);
}

function tokensOf(spans: readonly SelectedSpan[]): number {
  return spans.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Those of the context before that say today what they said, with their texts. */
function keptSpans(
  { spans }: Injection,
  changes: readonly SourceChange[],
  { engine, counter }: UpdaterParts,
): SelectedSpan[] {
  const changed = new Set(changes.map(({ path }) => path));
  return spans.flatMap((span) => {
    const text =
      span.form === 'summary' || changed.has(span.path) ? undefined : engine.textOf(span)?.trimEnd();
    if (text === undefined || text === '') return [];
    return { ...span, tokens: counter.count(text), why: { retrievers: {}, hops: [] }, text };
  });
}

/** What the new question needs comes before what is kept. */
function withMore(
  fresh: ContextManifest,
  notes: readonly SelectedSpan[],
  kept: readonly SelectedSpan[],
  budgetTokens: number,
  counter: TokenCounter,
): ContextManifest {
  const isThere = (span: SelectedSpan) =>
    fresh.selected.some(
      (one) => one.path === span.path && one.line <= span.endLine && span.line <= one.endLine,
    );
  const worst = Math.min(1, ...fresh.selected.map(({ score }) => score));
  const older = kept
    .filter((span) => !isThere(span))
    // The least of all is what is left out first: that is to be what is kept.
    .map((span) => ({ ...span, score: span.score * worst * 0.99 }));
  const selected = [...fresh.selected, ...notes, ...older].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line,
  );
  const { note: _, ...rest } = fresh;
  return fitWhole({ ...rest, budgetTokens, selected }, counter);
}

async function enter(
  { mode }: UpdateRequest,
  manifest: ContextManifest,
  {
    id,
    replaced,
    changes,
  }: {
    readonly id: string;
    readonly replaced: string | undefined;
    readonly changes: readonly SourceChange[];
  },
  { versions, record }: UpdaterParts,
  context: OpContext,
): Promise<void> {
  const paths = [
    ...manifest.selected.map(({ path }) => path),
    ...[...manifest.facts, ...manifest.paths.flatMap(({ steps }) => steps)].flatMap(({ evidence }) =>
      evidence.map((place) => mountPathOf(place.replace(/:\d+$/, ''))),
    ),
  ];
  const standing = await standingOf(paths, versions);
  record({
    type: 'inject',
    data: injectionData({ id, mode, standing }, manifest, replaced, changes),
    context,
  });
}
