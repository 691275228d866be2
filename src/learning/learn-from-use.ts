/** Learning from use: judgements in memory change the confidence of extraction rules, and paths that are walked again and again are proposed as edges. */
import type { Settings } from '../config/settings.ts';
import {
  COMPILED_PROVENANCE,
  compiledPathKey,
  compiledPathOf,
  compiledPathText,
  isAccepted,
  isSayable,
} from '../core/compiled-path.ts';
import { type MemoryEntry, type MemoryPlace, REVIEW_TAG } from '../core/memory-entry.ts';
import type { OpContext } from '../core/resolver.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { NewMemory } from '../memory/memory.ts';
import type { OpenMemory } from '../memory/open-memory.ts';
import { DocsNames } from '../memory-graph/docs-names.ts';
import { changeLedger, type Judged, type LearningLedger, readLedger } from '../state/learning-file.ts';
import type { StateFolder } from '../state/state-folder.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { Store } from '../store/store.ts';
import { stepsOf, type WalkedPath, walkedPaths } from './compile-paths.ts';
import { entryOfJudged, type JudgedEdge, judgedEdges, verdictOf } from './judge-entries.ts';
import { type HistoryStep, walksIn } from './walks.ts';

/** How many entries of the history are examined, newest first: calls of tools, and views of the graph. */
const MAX_HISTORY = 20_000;
/** How many proposals may wait at a time: a person cannot look at more. */
const MAX_WAITING = 10;
const PATH_TAG = 'path';
const MAX_PLACES = 2;

/** What was learnt, or would be. */
export interface Learnt {
  /** Judgements that are new or have changed; undefined if that is switched off. */
  readonly judged: readonly JudgedEdge[] | undefined;
  /** Ids of judgements that do not hold any more: something removed was restored, or now says something else. */
  readonly retracted: readonly string[];
  /** Entries that now wait for review; undefined if that is switched off. */
  readonly proposed: readonly ProposedPath[] | undefined;
  /** Proposals that were withdrawn, since the path is not in the docs any more. */
  readonly withdrawn: readonly MemoryPlace[];
}

export interface ProposedPath extends MemoryPlace {
  readonly nodes: readonly string[];
  readonly occasions: number;
}

export interface LearnOptions {
  /** Whether to report what would be learnt, including what is switched off, without storing anything. Default false. */
  readonly dryRun?: boolean;
  readonly context?: OpContext;
}

/** The open project in which to learn. */
export interface LearningProject {
  readonly settings: Pick<Settings, 'learning'>;
  readonly state: Pick<StateFolder, 'learningFile'>;
  readonly store: Store;
  readonly graph: GraphQueries;
  readonly memory: OpenMemory;
  readonly workspace: { readonly store: ContextStore };
}

/**
 * Learns from memory and history whatever is switched on. A second call learns nothing new. Changes of rules take effect in the graph with the next
 * update of the index.
 * @throws UserError if what was learnt before cannot be read; FsError as memory
 */
export function learnFromUse(
  project: LearningProject,
  { dryRun = false, context = {} }: LearnOptions = {},
): Learnt {
  const { settings, state, memory, workspace } = project;
  const { rules, paths } = settings.learning;
  const before = readLedger(state.learningFile);
  const judgements = rules || dryRun ? judgementsSince(project, before) : undefined;
  const walked = paths || dryRun ? walkedSince(project, before) : undefined;
  const proposed = walked?.proposed.map(({ key, path: { nodes, occasions } }) => {
    return { type: 'fact' as const, key, nodes: nodes.map(({ display }) => display), occasions };
  });
  const withdrawn = walked?.withdrawn.map(({ type, key }) => ({ type, key })) ?? [];
  if (!dryRun) {
    workspace.store.transact(() => {
      // Another process may have done the same in between.
      for (const place of withdrawn) if (memory.get(place) !== undefined) memory.remove(place, context);
      for (const one of walked?.proposed ?? []) {
        const entry = entryOf(one);
        if (memory.get(entry) === undefined) memory.add(entry, context);
      }
    });
    const exclusively = (body: () => void) => workspace.store.transact(body);
    changeLedger(state.learningFile, exclusively, (now) => {
      // If somebody has had it forgotten meanwhile, it stays forgotten.
      const isSameRules = now.rules_since_ms === before.rules_since_ms;
      const isSamePaths = now.paths_since_ms === before.paths_since_ms;
      return ledgerWith(now, isSameRules ? judgements : undefined, isSamePaths ? walked : undefined);
    });
  }
  const retracted = [...(judgements?.past ?? [])];
  return { judged: judgements?.fresh, retracted, proposed, withdrawn };
}

/** The judgements of now, compared with the ledger. */
interface Judgements {
  /** Judgements that the ledger does not have, or has differently. */
  readonly fresh: readonly JudgedEdge[];
  /** Ids of judgements whose entry exists but does not say so any more. A judgement stays if its entry was deleted for good. */
  readonly past: ReadonlySet<string>;
}

function judgementsSince({ memory, store, graph }: LearningProject, ledger: LearningLedger): Judgements {
  const entries = memory.list();
  const kept = new Set(entries.map(({ key }) => key));
  const candidates = [...entries, ...memory.list({ removed: true })].flatMap((entry) => {
    const verdict = verdictOf(entry, (key) => kept.has(key));
    const { removedMs, reviewedMs, updatedMs } = entry;
    const isOld = (removedMs ?? Math.max(reviewedMs ?? 0, updatedMs)) < ledger.rules_since_ms;
    return verdict === undefined || isOld ? [] : [{ entry, verdict }];
  });
  const names = candidates.length === 0 ? new DocsNames([]) : new DocsNames(graph.identities());
  const judged = candidates.flatMap(({ entry, verdict }) => judgedEdges(entry, verdict, { store, names }));
  const now = new Set(judged.map(({ id }) => id));
  const there = new Set(entries.map(({ type, key }) => `${type}/${key}`));
  const fresh = judged.filter(({ id, verdict, rules }) => {
    const before = ledger.judged[id];
    return before?.verdict !== verdict || before.rules.join() !== rules.join();
  });
  const ids = Object.keys(ledger.judged);
  return { fresh, past: new Set(ids.filter((id) => !now.has(id) && there.has(entryOfJudged(id)))) };
}

interface Proposal {
  readonly key: string;
  readonly path: WalkedPath;
}

interface Walked {
  readonly proposed: readonly Proposal[];
  readonly withdrawn: readonly MemoryEntry[];
  /** All paths that memory has now, as {@link wayOf} gives them. */
  readonly there: readonly string[];
}

function walkedSince({ memory, graph, workspace }: LearningProject, ledger: LearningLedger): Walked {
  const compiled = memory
    .list({ kind: COMPILED_PROVENANCE.kind })
    .filter((entry) => compiledPathOf(entry) !== undefined);
  const waiting = compiled.filter((entry) => !isAccepted(entry));
  const withdrawn = waiting.filter((entry) => !stillLeads(entry, graph));
  const removed = new Set(memory.list({ type: 'fact', removed: true }).map(({ key }) => key));
  const there = compiled.flatMap((entry) => wayOf(entry) ?? []);
  const isDecided = (key: string) => {
    if (ledger.proposed[key] === 'withdrawn') return there.includes(key);
    return ledger.proposed[key] === 'proposed' || there.includes(key) || removed.has(key);
  };
  const { history } = workspace.store;
  const some = { sinceMs: ledger.paths_since_ms, limit: MAX_HISTORY };
  const rows = [...history.select({ ...some, type: 'tool' }), ...history.select({ ...some, path: '/graph' })];
  rows.sort((a, b) => a.id - b.id);
  const found = walkedPaths(walksIn(rows.map(({ line }) => stepOf(line))), graph);
  const proposed = found
    .filter(({ nodes }) => isSayable({ nodes: nodes.map(({ display }) => display) }))
    .map((path) => ({ key: compiledPathKey({ nodes: path.nodes.map(({ display }) => display) }), path }))
    .filter(({ key }) => !isDecided(key))
    .slice(0, Math.max(0, MAX_WAITING - (waiting.length - withdrawn.length)));
  return { proposed, withdrawn, there };
}

/** The key under which the path of an entry was proposed. The person who accepted it may have given it another name. */
function wayOf(entry: MemoryEntry): string | undefined {
  const path = compiledPathOf(entry);
  return path && compiledPathKey(path);
}

function stillLeads(entry: MemoryEntry, graph: GraphQueries): boolean {
  const names = compiledPathOf(entry)?.nodes ?? [];
  const nodes = names.flatMap((name) => graph.node(name) ?? []);
  return nodes.length === names.length && stepsOf(nodes, graph) !== undefined;
}

/** The history is written by this program, so its lines have the form in which they were recorded. */
function stepOf(line: string): HistoryStep {
  const { timestamp, event_type: type, actor, path, data = {}, session_id: session } = JSON.parse(line);
  return { timeMs: Date.parse(timestamp), type, actor, path, data, session };
}

function entryOf({ key, path: { nodes, steps, occasions } }: Proposal): NewMemory {
  const names = nodes.map(({ display }) => display);
  const shown = steps.map(({ type, evidence }) => {
    return { edgeType: type, evidence: evidence.slice(0, MAX_PLACES) };
  });
  const confidence = steps.reduce((product, edge) => product * edge.confidence, 1);
  return {
    type: 'fact',
    key,
    content: Buffer.from(`${compiledPathText({ nodes: names }, shown)}\nWalked on ${occasions} occasions.\n`),
    confidence: Math.round(confidence * 100) / 100,
    tags: [PATH_TAG, REVIEW_TAG],
    sourcePaths: [...new Set(shown.flatMap(({ evidence }) => evidence))],
    provenance: COMPILED_PROVENANCE,
  };
}

function ledgerWith(
  before: LearningLedger,
  { fresh, past }: Judgements = { fresh: [], past: new Set() },
  walked: Walked | undefined,
): LearningLedger {
  const withdrawn = new Set(walked?.withdrawn.map(wayOf));
  const proposed = [...(walked?.there ?? []), ...(walked?.proposed ?? []).map(({ key }) => key)];
  const renewed = new Set(fresh.map(({ id }) => id));
  return {
    ...before,
    // New judgements come last.
    judged: Object.fromEntries([
      ...Object.entries(before.judged).filter(([id]) => !renewed.has(id) && !past.has(id)),
      ...fresh.map(({ id, verdict, rules }): [string, Judged] => [id, { verdict, rules }]),
    ]),
    proposed: {
      ...before.proposed,
      ...Object.fromEntries(
        proposed.map((key) => [key, withdrawn.has(key) ? ('withdrawn' as const) : ('proposed' as const)]),
      ),
    },
  };
}
