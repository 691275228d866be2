import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { emptyLedger, type Judged, writeLedger } from '../../src/state/learning-file.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { failingDisk } from '../support/failing-disk.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const RELATIONS = [
  '- Requires a **Customer**',
  '- Generates a **Receipt**',
  '- Belongs to an **Account**',
  '- The Invoice may generate a **Refund**',
];

function subject(t: Teardown) {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  const rulesFile = join(folder, 'learning.json');
  mkdirSync(docs);
  writeFileSync(join(docs, 'invoice.md'), `# Invoice\n\n## Relationships\n\n${RELATIONS.join('\n')}\n`);
  writeFileSync(join(docs, 'customer.md'), '# Customer\n\n## Relationships\n\n- Requires an **Account**\n');
  const open = (): Store => {
    const store = openStore(join(temporaryFolder(t), 'index.sqlite'));
    t.teardown(() => store.close());
    return store;
  };
  const update = (store: Store, isOn = true) =>
    updateIndex({
      store,
      docs: oneFolder(docs),
      excluded: [],
      maxBytes: 1 << 20,
      clock: { nowMs: () => 1 },
      rulesFile: isOn ? rulesFile : undefined,
    });
  const judge = (judged: Readonly<Record<string, Judged>>) =>
    writeLedger(rulesFile, { ...emptyLedger(), judged });
  return { docs, rulesFile, open, update, judge };
}

const edgesOf = (store: Store) => [...store.edges.all()].map(({ sourceId, targetId, ...edge }) => edge);
const confidenceOf = (store: Store, type: string, target: string) =>
  edgesOf(store).find((edge) => edge.type === type && edge.target === `concept:${target}`)?.confidence;

t.test('what was judged of a rule moves the confidence of its edges, and nothing else', async (t) => {
  const { open, update, judge } = subject(t);
  const store = open();
  const { revision } = await update(store);
  const before = edgesOf(store);
  t.equal(confidenceOf(store, 'requires', 'customer'), 0.81);
  judge({
    a: { verdict: 'rejected', rules: ['requires?'] },
    b: { verdict: 'rejected', rules: ['requires?'] },
  });
  t.equal((await update(store)).revision, revision + 1, 'the graph has another revision');
  t.equal(confidenceOf(store, 'requires', 'customer'), 0.69);
  const without = (edges: typeof before) => edges.map(({ confidence, ...edge }) => edge);
  t.same(without(edgesOf(store)), without(before));
  const others = (edges: typeof before) => edges.filter(({ type }) => type !== 'requires');
  t.same(others(edgesOf(store)), others(before), 'edges of other rules are as sure as before');
  t.equal((await update(store)).revision, revision + 1, 'the same judgements change nothing again');
});

t.test('turned off or forgotten, each rule is as sure as it is by itself', async (t) => {
  const { open, update, judge, rulesFile } = subject(t);
  const store = open();
  await update(store);
  const before = edgesOf(store);
  judge({ a: { verdict: 'rejected', rules: ['requires?', 'generates?'] } });
  await update(store);
  t.notSame(edgesOf(store), before);
  await update(store, false);
  t.same(edgesOf(store), before);
  await update(store);
  t.notSame(edgesOf(store), before);
  rmSync(rulesFile);
  await update(store);
  t.same(edgesOf(store), before);
  writeFileSync(rulesFile, '{"not": "ours"}');
  await update(store);
  t.same(edgesOf(store), before, 'a file that is none of ours says nothing');
});

t.test('an index that is built anew is the same as one that took judgements in step by step', async (t) => {
  const { open, update, judge, docs } = subject(t);
  const judged = fc.record({
    verdict: fc.constantFrom<'confirmed' | 'rejected'>('confirmed', 'rejected'),
    rules: fc.uniqueArray(fc.constantFrom('requires?', 'generates?', 'belongs?', 'named', 'heading'), {
      minLength: 1,
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(judged, { maxLength: 6 }), { maxLength: 4 }), async (steps) => {
      const store = open();
      const all: Record<string, Judged> = {};
      for (const [step, some] of steps.entries()) {
        for (const [index, one] of some.entries()) all[`${step} ${index}`] = one;
        judge(all);
        writeFileSync(join(docs, 'other.md'), `# Other\n\nRequires a **Customer** ${step}.\n`);
        await update(store);
      }
      await update(store);
      const fresh = open();
      await update(fresh);
      t.same(edgesOf(store), edgesOf(fresh));
    }),
    { numRuns: 10 },
  );
});

t.test('a ledger that the disk fails to read is not an empty one', async (t) => {
  const { rulesFile, open, update, judge } = subject(t);
  const disk = failingDisk(t);
  const store = open();
  judge({ a: { verdict: 'rejected', rules: ['requires?'] } });
  const { revision } = await update(store);
  const confidence = confidenceOf(store, 'requires', 'customer');
  disk.failAt(rulesFile);
  t.equal((await update(store)).revision, revision);
  t.equal(confidenceOf(store, 'requires', 'customer'), confidence);
});
