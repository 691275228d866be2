/** Measures what accepted paths through the graph change for questions: those that they are about, and all others. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type App, openApp } from '../../src/app/app.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { systemClock } from '../../src/core/clock.ts';
import { compiledPathOf } from '../../src/core/compiled-path.ts';
import { parsePath } from '../../src/core/paths.ts';
import { HeldSearch } from '../../src/ingest/held-search.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { learnFromUse } from '../../src/learning/learn-from-use.ts';
import { parsePlace } from '../../src/memory/memory-places.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { openStore } from '../../src/store/store.ts';
import type { Answer, LabelledQuestion } from './labelled.ts';

export interface CompiledFigures {
  readonly ways: number;
  /** By kind of question, without and with the paths. */
  readonly kinds: readonly {
    readonly kind: string;
    readonly questions: number;
    /** The share of the files with an answer that are among the first five hits, or named as sources of a path among these. */
    readonly found: readonly [before: number, after: number];
    /** The share of the questions whose context of 1,000 tokens holds every line of the answer. */
    readonly answered: readonly [before: number, after: number];
  }[];
}

const SAMPLE = 'docs/sample';
const SESSIONS = 3;
const HITS = 5;
const BUDGET_TOKENS = 1000;

/** On the sample docs: the paths of users who answered questions of several steps, walked in three sessions, proposed and accepted. */
export async function compiledFigures(questions: readonly LabelledQuestion[]): Promise<CompiledFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-eval-'));
  const settings = loadSettings({ docs: [resolve(SAMPLE)], state: folder }, tmpdir());
  const state = stateFolderAt(folder);
  prepareStateFolder(state);
  const store = openStore(state.indexFile);
  const held = new HeldSearch(state.searchFile);
  const { selection, maxDocumentBytes: maxBytes } = settings;
  await held.fill((search) =>
    updateIndex({ store, search, docs: selection, excluded: [], maxBytes, clock: systemClock }),
  );
  held.close();
  store.close();
  const app = openApp({ settings });
  try {
    const asked = questions.filter(({ kind }) => kind !== 'memory');
    const kinds = [...new Set(asked.map(({ kind }) => kind))];
    const before = await measured(app, asked);
    const ways = await compile(
      app,
      asked.filter(({ kind }) => kind !== 'one-hop'),
    );
    const after = await measured(app, asked);
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      ways,
      kinds: kinds.map((kind) => {
        const of = (figures: typeof before) => figures.filter((one) => one.kind === kind);
        const pair = (value: (one: (typeof before)[number]) => number) =>
          [mean(of(before).map(value)), mean(of(after).map(value))] as const;
        return {
          kind,
          questions: of(before).length,
          found: pair(({ found }) => found),
          answered: pair(({ isAnswered }) => Number(isAnswered)),
        };
      }),
    };
  } finally {
    app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compile(app: App, questions: readonly LabelledQuestion[]): Promise<number> {
  for (const { answers } of questions) {
    const way = wayOf(app, answers);
    if (way === undefined) continue;
    for (let session = 0; session < SESSIONS; session += 1) {
      const caller = { name: 'eval', session: `s${session}` };
      const path = parsePath(`/graph/path/${way.from}/${way.to}`);
      app.workspace.record({ type: 'read', path, context: { caller } });
    }
  }
  // Reads are held back until their burst is over. An event of another kind has them written.
  app.workspace.record({ type: 'relate', context: {} });
  const { proposed = [] } = learnFromUse(app);
  for (const place of proposed) app.memory.describe(place, { tags: ['path'] }, {});
  return proposed.length;
}

/** The longest path forward from what the first line of the answer states to what the last one states: what a user has walked who has found the answer. */
function wayOf({ graph }: App, answers: readonly Answer[]): { from: string; to: string } | undefined {
  const edges = [...graph.edges()];
  const [stated = [], concluded = []] = [answers[0], answers.at(-1)].map((answer) => {
    const place = placeOf(answer);
    return edges.filter(({ evidence }) => place !== undefined && evidence.includes(place));
  });
  const ways = stated.flatMap(({ sourceId }) =>
    concluded.flatMap(({ targetId }) => {
      const [from, to] = [graph.nodeById(sourceId), graph.nodeById(targetId)];
      const steps = from && to && graph.path(from, to);
      const isForward = steps?.every(({ edge }) => edge === undefined || edge.direction === 'out');
      return isForward && from && to ? [{ from: from.name, to: to.name, length: steps?.length ?? 0 }] : [];
    }),
  );
  return ways.sort((a, b) => b.length - a.length)[0];
}

/** A place as evidence names it: `file:line`. */
function placeOf(answer: Answer | undefined): string | undefined {
  const path = answer?.path.replace(/^\/docs\//, '');
  if (path === undefined || answer?.holds === undefined) return undefined;
  const lines = readFileSync(join(SAMPLE, path), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes(answer.holds?.split('\n')[0] ?? ''));
  return line === -1 ? undefined : `${path}:${line + 1}`;
}

async function measured(app: App, questions: readonly LabelledQuestion[]) {
  const all: { kind: string; found: number; isAnswered: boolean }[] = [];
  for (const { kind, question, answers } of questions) {
    const { hits } = await app.search.search(parseQuery(question), { limit: HITS });
    const reached = new Set(hits.flatMap(({ path }) => [path, ...sourcesOf(app, path)]));
    const found = answers.filter(({ path }) => reached.has(path)).length / answers.length;
    const { text } = await app.contexts.build(question, { budgetTokens: BUDGET_TOKENS });
    const isAnswered = answers.every(({ holds }) => holds !== undefined && text.includes(holds));
    all.push({ kind, found, isAnswered });
  }
  return all;
}

/** The documents that an accepted path is based on. */
function sourcesOf(app: App, path: string): string[] {
  const place = path.startsWith('/context/memory/')
    ? parsePlace(path.slice('/context/memory/'.length))
    : undefined;
  const entry = place && app.memory.get(place);
  if (entry === undefined || compiledPathOf(entry) === undefined) return [];
  return entry.sourcePaths.map((source) => `/docs/${source.replace(/:\d+$/, '')}`);
}
