/** Keeps the context of a chat history up to date. */

import { mountPathOf } from '../../core/docs-selection.ts';
import type { HistoryRecorder } from '../../core/history-event.ts';
import type { Awaitable, OpContext } from '../../core/resolver.ts';
import type { SearchEngine } from '../../core/search.ts';
import { sum } from '../../core/sum.ts';
import type { UpdateMode } from '../../settings/context.ts';
import type { HistoryTable } from '../../store/history-table.ts';
import { fitWhole } from '../fitting.ts';
import type { ContextConstructor, ContextHints, ContextManifest, SelectedSpan } from '../manifest.ts';
import { materialize } from '../materialize.ts';
import { type ChatMessage, isInstruction } from '../messages.ts';
import type { TokenCounter } from '../tokens.ts';
import { contextIn, contextMessage, idOf, WRAPPING_TOKENS } from './context-message.ts';
import { findInjection, type Injection, injectionData } from './injections.ts';
import { notesFor, type ScratchpadFile } from './scratchpad-notes.ts';
import { changesSince, type SourceChange, standingOf, type Versions } from './standing.ts';

/** What the updater needs. */
export interface UpdaterParts {
  readonly build: ContextConstructor['build'];
  readonly engine: Pick<SearchEngine, 'textOf'>;
  /** The revision as manifests have it. */
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
  /** The budget of the whole message. */
  readonly budgetTokens: number;
  readonly hints?: ContextHints;
}

export interface ContextUpdate<Message> {
  /** The given messages in order, with the one that contains the context. */
  readonly messages: readonly (Message | ChatMessage)[];
  /** What was done with the context. `none`: nothing was found to make one of. */
  readonly action: 'injected' | 'replaced' | 'unchanged' | 'removed' | 'none';
  /** The tokens of the context's message; 0 if there is none. */
  readonly tokens: number;
  /** Sources of the previous context that have changed. */
  readonly changes: readonly SourceChange[];
  /** The manifest of the context that was built; undefined if the previous one stays without a look at its sources. */
  readonly manifest: ContextManifest | undefined;
}

/** In the incremental mode this share of the budget is for the new question, whatever is kept. */
const NEW_SHARE = 0.6;
/** The share of the whole budget that notes in the scratchpad may take, and the tokens of the heading above each. */
const NOTES_SHARE = 0.15;
const HEADING_TOKENS = 40;

export interface ContextUpdater {
  /**
   * Updates the context in a list of messages:
   * - `static`: an existing context stays as it is
   * - `incremental`: what the question needs is added, and what is there and still true stays as far as it fits
   * - `adaptive`: it is built anew for another question, and if documents, memory or scratchpad have changed
   *
   * All messages except that of the context stay as they are. The context comes after the instructions at the beginning, or takes the place of the
   * previous one. Updating again changes nothing.
   * @param messageOf gets the message if each is wrapped in something
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
      const before = await contextAmong(messages.map(messageOf), parts);
      const { changes } = before;
      const index = before.indexes[0];
      if (stays(request, before, parts)) {
        const tokens = parts.counter.count(before.content ?? '');
        return { messages, action: 'unchanged', tokens, changes, manifest: undefined };
      }
      const manifest = await manifestFor(request, before, parts);
      const rest = messages.filter((_, at) => !before.indexes.includes(at));
      const isEmpty = manifest.selected.length + manifest.facts.length + manifest.paths.length === 0;
      if (isEmpty) {
        const action = index === undefined ? 'none' : 'removed';
        return { messages: rest, action, tokens: 0, changes, manifest };
      }
      const text = materialize(manifest);
      const message = contextMessage(text);
      const id = idOf(text);
      const tokens = parts.counter.count(message.content);
      const isTheSame = isAlone(before) && before.id === id && before.content === message.content;
      const isEntered = isTheSame && before.known !== undefined && changes.length === 0;
      const injection = { id, replaced: isTheSame ? undefined : before.id, changes };
      if (!isEntered) await enter(request, manifest, injection, parts, context);
      if (isTheSame) return { messages, action: 'unchanged', tokens, changes, manifest };
      const at = index ?? placeFor(messages.map(messageOf));
      return {
        messages: [...rest.slice(0, at), message, ...rest.slice(at)],
        action: index === undefined ? 'injected' : 'replaced',
        tokens,
        changes,
        manifest,
      };
    },
  };
}

/** What the messages contain of earlier contexts. */
interface ContextBefore {
  /** The indexes of messages that contain one. The first counts, and there should be no other. */
  readonly indexes: readonly number[];
  /** The id of the first one. */
  readonly id: string | undefined;
  readonly content: string | undefined;
  /** What the history says of it; undefined if it says nothing. */
  readonly known: Injection | undefined;
  /** Its sources that have changed. */
  readonly changes: readonly SourceChange[];
}

async function contextAmong(
  messages: readonly ChatMessage[],
  { history, versions }: UpdaterParts,
): Promise<ContextBefore> {
  const places = messages.flatMap((message, index) => {
    const found = contextIn(message);
    return found === undefined ? [] : [{ index, id: found.id, content: messageContent(message) }];
  });
  const [first] = places;
  const known = first && findInjection(history, first.id);
  return {
    indexes: places.map(({ index }) => index),
    id: first?.id,
    content: first?.content,
    known,
    changes: known === undefined ? [] : await changesSince(known.standing, versions),
  };
}

function isAlone({ indexes }: ContextBefore): boolean {
  return indexes.length === 1;
}

function messageContent({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** Whether there is a context that need not be looked at again. */
function stays(
  { mode, question, budgetTokens }: UpdateRequest,
  before: ContextBefore,
  { revision, counter }: UpdaterParts,
): boolean {
  if (!isAlone(before)) return false;
  if (mode === 'static') return true;
  const { known, changes, content } = before;
  if (known === undefined || known.question !== question || changes.length > 0) return false;
  return known.revision === revision() && counter.count(content ?? '') <= budgetTokens;
}

/** After the instructions at the beginning, where it cannot separate a tool call from its answer. */
function placeFor(messages: readonly ChatMessage[]): number {
  const first = messages.findIndex((message) => !isInstruction(message));
  return first === -1 ? messages.length : first;
}

async function manifestFor(
  { question, mode, budgetTokens, hints }: UpdateRequest,
  { known, changes }: ContextBefore,
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
  return sum(spans.map(({ tokens }) => tokens));
}

/** Spans of the previous context that still say the same, with their texts. */
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
    // The worst spans are left out first, and those have to be the kept ones.
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
