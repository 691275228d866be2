/** Measures what is learnt from use: the part of docs/evaluation.md about that. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadSettings } from '../../src/config/settings.ts';
import { systemClock } from '../../src/core/clock.ts';
import { type GraphQueries, graphQueries } from '../../src/graph/queries.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { type CompiledFigures, compiledFigures } from './compiled.ts';
import type { LabelledQuestion } from './labelled.ts';
import { edgeLabels, heldOut, labelledEdges, misled, otherDocs, type RuleFigures } from './rules.ts';
import { type WalkFigures, walkedByChance, walkedOnPurpose } from './walked.ts';

const SAMPLE = 'docs/sample';
const WRONG_JUDGEMENTS = [0, 0.1, 0.2];
const CHANCE_SESSIONS = 200;
const CHANCE_STEPS = 20;

export interface LearningFigures {
  readonly compiled: CompiledFigures;
  readonly rules: readonly RuleFigures[];
  readonly walks: readonly WalkFigures[];
}

/**
 * Measures learning.
 * @param labels file of labelled edges
 * @param corpora folder with the docs that they are about
 * @param questions about the sample docs
 */
export async function learningFigures(
  labels: string,
  corpora: string,
  questions: readonly LabelledQuestion[],
): Promise<LearningFigures> {
  const all = edgeLabels(labels);
  const names = [...new Set(all.map(({ corpus }) => corpus))];
  const places = [[SAMPLE, SAMPLE], ...names.map((name) => [name, join(corpora, name)])] as const;
  const walks: WalkFigures[] = [];
  const edges = new Map<string, ReturnType<typeof labelledEdges>>();
  for (const [name = '', docs = ''] of places) {
    await withGraph(docs, (store, graph) => {
      walks.push(walkedOnPurpose(`${name}, on purpose`, graph));
      walks.push(walkedByChance(`${name}, by chance`, graph, CHANCE_SESSIONS, CHANCE_STEPS));
      const ofDocs = all.filter(({ corpus }) => corpus === name);
      if (ofDocs.length > 0) edges.set(name, labelledEdges(store, ofDocs));
    });
  }
  const rules = WRONG_JUDGEMENTS.flatMap((wrongly) => [
    ...[...edges].map(([name, ofDocs]) => heldOut(`${name}, the other half`, ofDocs, wrongly)),
    ...[...edges].flatMap(([from, judged]) =>
      [...edges].flatMap(([to, ranked]) =>
        from === to ? [] : [otherDocs(`${from} judged, ${to} ranked`, judged, ranked, wrongly)],
      ),
    ),
    ...[...edges].map(([name, ofDocs]) =>
      heldOut(`${name}, as if its commonest rule were wrong`, misled(ofDocs), wrongly),
    ),
  ]);
  return { rules, walks, compiled: await compiledFigures(questions) };
}

async function withGraph(docs: string, use: (store: Store, graph: GraphQueries) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-eval-'));
  const settings = loadSettings({ docs: [resolve(docs)], state: folder }, tmpdir());
  const store = openStore(join(folder, 'index.sqlite'));
  try {
    const { selection, maxDocumentBytes: maxBytes } = settings;
    await updateIndex({ store, docs: selection, excluded: [], maxBytes, clock: systemClock });
    use(store, graphQueries(store));
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function learningPart({ rules, walks, compiled }: LearningFigures): string {
  const share = (value: number) => value.toFixed(3);
  const ofRules = rules.map(
    ({ name, wrongly, edges, right, before, after, rose, fell }) =>
      `| ${name} | ${wrongly * 100} % | ${right} of ${edges} | ${share(before)} | ${share(after)} | ${rose} / ${fell} |`,
  );
  const ofWalks = walks.map(
    ({ name, meant, found, proposed, byChance }) =>
      `| ${name} | ${meant} | ${found} | ${proposed} | ${byChance} |`,
  );
  const pair = ([before, after]: readonly [number, number]) => `${before.toFixed(2)} → ${after.toFixed(2)}`;
  const ofKinds = compiled.kinds.map(
    ({ kind, questions, found, answered }) =>
      `| ${kind} | ${questions} | ${pair(found)} | ${pair(answered)} |`,
  );
  return `## Learning from use

**Rules** (\`learn.rules\`, off by default). Edges between nodes that labels relate, right where a label says the same. Half of them are judged once each, some judgements wrong, and the others, or those
of other docs, are ranked by confidence. Average precision, means of 40 runs; in how many it rose and fell by more than .001:

| | wrong judgements | right edges | by the rules alone | learnt | rose / fell |
|---|---|---|---|---|---|
${ofRules.join('\n')}

Where the rules fit the docs there is nothing to gain, and wrong judgements cost a little; where a rule misreads a house's style, a few dozen judgements put that right. So it is for those who see edges of
one kind go wrong. Only confidence moves: which edges there are, search and contexts stay the same.

**Ways** (\`learn.paths\`, on by default). Sessions that are made up, ten times: on purpose, where each of ten ways is walked in one to six sessions, among steps by chance, and a fifth of the time given up
half way; and by chance alone, ${CHANCE_SESSIONS} sessions of ${CHANCE_STEPS} steps.

| | ways walked on purpose in three sessions | proposed of them | proposals | of these by chance |
|---|---|---|---|---|
${ofWalks.join('\n')}

What ${compiled.ways} accepted ways change, those that answer questions of several steps over the sample docs: the share of the files that answer among the first five hits, or named there as sources of a way; and the
share of questions whose context of 1,000 tokens holds every line that answers. Without them → with them:

| | questions | files found | answered by the context |
|---|---|---|---|
${ofKinds.join('\n')}`;
}
