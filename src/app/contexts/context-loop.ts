/**
 * What a chat with a model needs from an open project: its context before a question, learning from an answer, and its older turns. The command line
 * uses it, and so does whoever runs a chat.
 */
import { isUtf8 } from 'node:buffer';
import { claimsOf } from '../../context/claims/answer-claims.ts';
import {
  type EntailmentModel,
  type Evaluation,
  evaluateAnswer,
  sourcesOfSpans,
} from '../../context/claims/evaluate.ts';
import { type RememberedClaim, rememberClaims } from '../../context/claims/remember-claims.ts';
import type { ClaimSource } from '../../context/claims/source-statements.ts';
import type { Span } from '../../context/manifest.ts';
import type { ChatMessage } from '../../context/messages.ts';
import {
  type PagedConversation,
  type PagingRequest,
  pageConversation,
} from '../../context/paging/page-conversation.ts';
import { type RecallRequest, recallTurns } from '../../context/paging/recall.ts';
import { loadTokenCounter, type TokenCounter } from '../../context/tokens.ts';
import type { ScratchpadFile } from '../../context/updater/scratchpad-notes.ts';
import type { StoodOn } from '../../context/updater/standing.ts';
import { type ContextUpdater, contextUpdater } from '../../context/updater/update-context.ts';
import { isFsError } from '../../core/errors.ts';
import { REVIEW_TAG } from '../../core/memory-entry.ts';
import { nsToMs } from '../../core/node-info.ts';
import { childOf, parsePath, type VfsPath } from '../../core/paths.ts';
import type { OpContext } from '../../core/resolver.ts';
import { SCRATCHPAD_POINT, WITHIN_MEMORY } from '../../core/tree-points.ts';
import { parsePlace } from '../../memory/memory-places.ts';
import { parseQuery } from '../../retrieval/language/parse-query.ts';
import { openThesaurus, type Thesaurus } from '../../words/thesaurus.ts';
import type { App } from '../app.ts';

/** A piece of the docs or of memory that may support an answer. */
type GivenSpan = Pick<Span, 'path' | 'kind' | 'line' | 'endLine' | 'title' | 'headings'>;

export interface EvaluationRequest {
  readonly question: string;
  /** The answer in markdown. */
  readonly answer: string;
  /** What the answer was based on. Default: what a context for the question would contain, and what search finds for each claim. */
  readonly spans?: readonly GivenSpan[] | undefined;
  readonly model?: EntailmentModel | undefined;
  /** The author of the claims, if that is not the caller: claims that wait for a person are stored under this name. */
  readonly claimant?: string | undefined;
  /** Whether to write nothing. Default false. */
  readonly dryRun?: boolean;
}

export interface EvaluatedAnswer {
  readonly evaluation: Evaluation;
  readonly remembered: readonly RememberedClaim[];
}

export interface ContextLoop extends ContextUpdater {
  /** As `evaluateAnswer`, then `rememberClaims`. */
  evaluate(request: EvaluationRequest, context: OpContext): Promise<EvaluatedAnswer>;
  /** As `pageConversation`. */
  page<Message>(
    messages: readonly Message[],
    messageOf: (message: Message) => ChatMessage,
    request: PagingRequest,
    context: OpContext,
  ): Promise<PagedConversation<Message>>;
  /** As `recallTurns`. */
  recall(request: RecallRequest): Promise<ReturnType<typeof recallTurns>>;
  close(): void;
}

/** If a scratchpad has more files, only the first ones count. */
const MAX_SCRATCHPAD_FILES = 1000;
/** Larger files of it are data rather than notes. */
const MAX_NOTE_BYTES = 64 * 1024;
const MAX_NOTE_FILES = 200;
const HITS_FOR_CLAIM = 3;
/** For an answer with more claims, search is asked for the first ones only. All are compared with what it has found. */
const MAX_SEARCHED_CLAIMS = 50;

export function openContextLoop(
  app: Pick<App, 'contexts' | 'fs' | 'graph' | 'memory' | 'search' | 'settings' | 'workspace'>,
): ContextLoop {
  const { contexts, fs, graph, memory, search, settings, workspace } = app;
  let counter: Promise<TokenCounter> | undefined;
  const loadedCounter = (): Promise<TokenCounter> => {
    counter ??= loadTokenCounter(settings.context.tokenizer);
    return counter;
  };
  let thesaurus: Thesaurus | undefined;
  const openedThesaurus = (): Thesaurus => {
    thesaurus ??= openThesaurus();
    return thesaurus;
  };
  const versions = {
    of: (path: string) => versionOf(fs, path),
    scratchpad: () => filesBelow(fs, SCRATCHPAD_POINT),
  };

  return {
    async update(messages, messageOf, request, context) {
      const updater = contextUpdater({
        build: async (question, options) => (await contexts.build(question, options)).manifest,
        engine: search,
        revision: () => `${graph.revision()}.${memory.revision()}`,
        counter: await loadedCounter(),
        versions,
        notes: () => notesIn(fs),
        history: workspace.store.history,
        record: workspace.record,
      });
      return updater.update(messages, messageOf, request, context);
    },
    async evaluate(request, context) {
      const { question, answer, model, claimant, dryRun = false } = request;
      const sources = await sourcesFor(request, app);
      const known = openedThesaurus();
      const evaluation = await evaluateAnswer({ question, answer, sources, thesaurus: known, model });
      const remembered = rememberClaims(evaluation, { memory, context, claimant, thesaurus: known, dryRun });
      return { evaluation, remembered };
    },
    async page(messages, messageOf, request, context) {
      return pageConversation(messages, messageOf, request, {
        memory,
        counter: await loadedCounter(),
        context,
      });
    },
    async recall(request) {
      return recallTurns(request, { memory, counter: await loadedCounter() });
    },
    close() {
      thesaurus?.close();
    },
  };
}

/** The sources with which the claims of an answer are compared. */
async function sourcesFor(
  { question, answer, spans }: EvaluationRequest,
  app: Pick<App, 'contexts' | 'memory' | 'search'>,
): Promise<ClaimSource[]> {
  const given = spans ?? (await foundFor(question, answer, app));
  return sourcesOfSpans(
    given.flatMap((span) => {
      const text = mayProve(span.path, app.memory) ? app.search.textOf(span) : undefined;
      return text === undefined ? [] : [{ ...span, text }];
    }),
  );
}

async function foundFor(
  question: string,
  answer: string,
  { contexts, search }: Pick<App, 'contexts' | 'search'>,
): Promise<GivenSpan[]> {
  const { manifest } = await contexts.build(question);
  const found: GivenSpan[] = [...manifest.selected];
  for (const { text } of claimsOf(answer).slice(0, MAX_SEARCHED_CLAIMS)) {
    const { hits } = await search.search(parseQuery(text), { limit: HITS_FOR_CLAIM });
    found.push(...hits.filter(({ kind }) => kind === 'document' || kind === 'memory'));
  }
  return [...new Map(found.map((span) => [`${span.path}:${span.line}-${span.endLine}`, span])).values()];
}

/** In memory, only facts that do not wait for review and are not superseded: something that happened, or was merely said, proves nothing. */
function mayProve(path: string, memory: App['memory']): boolean {
  if (!path.startsWith(WITHIN_MEMORY)) return true;
  const place = parsePlace(path.slice(WITHIN_MEMORY.length));
  const entry = place?.type === 'fact' ? memory.get(place) : undefined;
  return entry !== undefined && !entry.tags.includes(REVIEW_TAG) && entry.supersededBy === undefined;
}

/** Stands for the bytes of a file in the mount: its version, else time and size. */
async function versionOf(fs: App['fs'], path: string): Promise<string | undefined> {
  try {
    const { version, modifiedNs, sizeBytes } = await fs.stat(parsePath(path), {});
    return version ?? `${modifiedNs}-${sizeBytes}`;
  } catch (error) {
    if (isFsError(error)) return undefined;
    throw error;
  }
}

async function filesBelow(fs: App['fs'], folder: VfsPath): Promise<StoodOn[]> {
  const files: StoodOn[] = [];
  const folders = [folder];
  for (
    let next = folders.shift();
    next !== undefined && files.length < MAX_SCRATCHPAD_FILES;
    next = folders.shift()
  ) {
    for (const { name, kind } of await entriesOf(fs, next)) {
      const path = childOf(next, name);
      if (kind === 'directory') folders.push(path);
      const version = kind === 'file' ? await versionOf(fs, path) : undefined;
      if (version !== undefined) files.push({ path, version });
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function entriesOf(fs: App['fs'], folder: VfsPath) {
  try {
    return await fs.list(folder, {});
  } catch (error) {
    // Another program may remove the folder meanwhile.
    if (isFsError(error)) return [];
    throw error;
  }
}

/** Text files of the scratchpad that are short enough. */
async function notesIn(fs: App['fs']): Promise<ScratchpadFile[]> {
  const notes: ScratchpadFile[] = [];
  for (const { path } of await filesBelow(fs, SCRATCHPAD_POINT)) {
    const note = notes.length < MAX_NOTE_FILES ? await noteAt(fs, parsePath(path)) : undefined;
    if (note !== undefined) notes.push(note);
  }
  return notes;
}

async function noteAt(fs: App['fs'], path: VfsPath): Promise<ScratchpadFile | undefined> {
  try {
    const { sizeBytes, modifiedNs } = await fs.stat(path, {});
    if (sizeBytes === 0 || sizeBytes > MAX_NOTE_BYTES) return undefined;
    const file = await fs.open(path, {});
    try {
      const bytes = Buffer.alloc(MAX_NOTE_BYTES);
      const text = bytes.subarray(0, await file.read(bytes, 0));
      if (text.includes(0) || !isUtf8(text)) return undefined;
      return { path, text: text.toString(), modifiedMs: nsToMs(modifiedNs) };
    } finally {
      await file.close();
    }
  } catch (error) {
    // Another program may remove or replace the file meanwhile.
    if (isFsError(error)) return undefined;
    throw error;
  }
}
