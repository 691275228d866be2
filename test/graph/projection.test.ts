import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import type { DocumentFacts, Half } from '../../src/core/graph-model.ts';
import { documentKey, linkKey, wikiKey } from '../../src/core/identity.ts';
import { graphCounts } from '../../src/graph/counts.ts';
import { Projection } from '../../src/graph/projection.ts';
import { edit } from './edits.ts';
import { concept, factsOf, graphSubject, type Relation } from './subject.ts';

t.test('after any edits the graph equals one built from the documents that are left', async (t) => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      const documents = new Map<string, DocumentFacts>();
      const incremental = graphSubject(t);
      for (const { path, facts } of edits) {
        if (facts === undefined) {
          documents.delete(path);
          incremental.remove(path);
        } else {
          documents.set(path, facts);
          incremental.put(path, facts);
        }
      }
      const rebuilt = graphSubject(t);
      rebuilt.putAll(new Map([...documents].reverse()));
      return isDeepStrictEqual(incremental.content(), rebuilt.content());
    }),
    { numRuns: 150 },
  );
});

t.test('it makes no difference how edits are put together into batches', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.array(edit, { maxLength: 5 }), { maxLength: 6 }), (batches) => {
      const batched = graphSubject(t);
      for (const edits of batches) batched.edit(edits);
      const counts = [batched.store.nodes.countsByType(), batched.store.edges.countsByType()];
      const kept = graphCounts(batched.store);
      if (!isDeepStrictEqual([kept.nodes, kept.edges], counts)) return false;
      const single = graphSubject(t);
      for (const one of batches.flat()) single.edit([one]);
      return isDeepStrictEqual(batched.content(), single.content());
    }),
    { numRuns: 100 },
  );
});

t.test(
  'a link that moves to a nearer document in the batch that changes its line is one relation',
  async (t) => {
    const { edit, graph } = graphSubject(t);
    const linking = (line: number) => ({
      path: 'a.md',
      facts: factsOf('a.md', {
        relations: [{ from: documentKey('a.md'), type: 'references', to: wikiKey('guide'), line }],
      }),
    });
    edit([linking(3), { path: 'far/guide.md', facts: factsOf('far/guide.md', {}) }]);
    edit([{ path: 'guide.md', facts: factsOf('guide.md', {}) }, linking(4)]);
    t.match(
      [...graph.edges()],
      [{ source: documentKey('a.md'), target: documentKey('guide.md'), evidence: ['a.md:4'] }],
    );
  },
);

t.test(
  'what one page says by two links to one place is one edge, whichever link was met first',
  async (t) => {
    const ways = [linkKey('a'), documentKey('a.md')];
    for (const order of [ways, ways.toReversed()]) {
      const { put, remove, graph } = graphSubject(t);
      const relationsOf = (path: string, targets: readonly string[]): Relation[] =>
        targets.map((to, index) => ({ from: documentKey(path), type: 'references', to, line: 8 - index }));
      put('first.md', factsOf('first.md', { relations: relationsOf('first.md', order) }));
      put('a.md', factsOf('a.md', {}));
      put('b.md', factsOf('b.md', { relations: relationsOf('b.md', ways) }));
      remove('first.md');
      t.match(
        [...graph.edges()],
        [{ source: documentKey('b.md'), weight: 2, evidence: ['b.md:7', 'b.md:8'] }],
      );
    }
  },
);

t.test('the same facts again change nothing', async (t) => {
  const subject = graphSubject(t);
  const made = factsOf('a.md', {
    mentions: [concept('Charge'), concept('Customer')],
    relations: [{ from: 'Charge', type: 'requires', to: 'Customer' }],
  });
  t.equal(subject.put('a.md', made), true);
  t.equal(subject.put('a.md', made), false);
});

t.test('a node is there while one document declares it', async (t) => {
  const { put, remove, graph } = graphSubject(t);
  put('a.md', factsOf('a.md', { mentions: [concept('Charge', 3, { declares: false })] }));
  t.equal(graph.node('Charge'), undefined, 'a mention that declares nothing makes no node');
  put('b.md', factsOf('b.md', { mentions: [concept('Charge', 7)] }));
  t.same(graph.node('Charge')?.sources, ['a.md:3', 'b.md:7']);
  remove('b.md');
  t.equal(graph.node('Charge'), undefined);
});

t.test('what one document heads and another one uses is a node while both do', async (t) => {
  const { put, remove, graph } = graphSubject(t);
  const half = (half: Half, line: number) => [concept('Job store', line, { declares: false, half })];
  put('stores.md', factsOf('stores.md', { mentions: half('headed', 4) }));
  t.equal(graph.node('Job store'), undefined, 'a heading by itself is none');
  const relations: Relation[] = [{ from: documentKey('uses.md'), type: 'references', to: 'Job store' }];
  put('uses.md', factsOf('uses.md', { mentions: half('used', 7), relations }));
  t.match(graph.node('Job store'), { label: 'Job store', sources: ['stores.md:4', 'uses.md:7'] });
  t.equal([...graph.edges()].length, 1);
  put('more.md', factsOf('more.md', { mentions: half('used', 9) }));
  remove('stores.md');
  t.equal(graph.node('Job store'), undefined, 'nor are two sentences that use it');
  t.equal([...graph.edges()].length, 0);
  put('one.md', factsOf('one.md', { mentions: [...half('headed', 1), ...half('used', 2)] }));
  t.match(graph.node('Job store'), { sources: ['more.md:9', 'one.md:1', 'uses.md:7'] });
});

t.test('type and label are decided by all documents, not by the first', async (t) => {
  for (const order of [
    ['a.md', 'b.md', 'c.md'],
    ['c.md', 'b.md', 'a.md'],
  ]) {
    const { put, graph } = graphSubject(t);
    for (const path of order) {
      const type = path === 'a.md' ? 'Concept' : 'APIObject';
      put(
        path,
        factsOf(path, {
          mentions: [concept(path === 'b.md' ? 'payment_methods' : 'PaymentMethod', 1, { type })],
        }),
      );
    }
    t.match(graph.node('payment method'), { type: 'APIObject', label: 'PaymentMethod' });
  }
});

t.test('a name in capitals is no singular of what only ends with an s', async (t) => {
  const labelOf = (...labels: string[]) => {
    const { put, graph } = graphSubject(t);
    labels.forEach((label, index) => {
      put(`${index}.md`, factsOf(`${index}.md`, { mentions: [concept(label)] }));
    });
    return graph.node(labels[0] ?? '')?.label;
  };
  t.equal(labelOf('TLS', 'TLS', 'TL'), 'TLS');
  t.equal(labelOf('OVEN', 'OVENS', 'OVENS'), 'OVENS', 'one with more letters, too');
  t.equal(labelOf('AD', 'Ads', 'Ads'), 'Ads');
  t.equal(labelOf('TL', 'TL', 'TLS'), 'TL', 'but the one that is used more');
  t.equal(labelOf('API', 'APIs', 'APIs'), 'API', 'and not a plural');
  t.equal(labelOf('ID', 'ids', 'ids'), 'ID', 'nor one in small letters');
});

t.test('two relations of one pair are two edges, and repetition adds weight up to five', async (t) => {
  const { put, graph } = graphSubject(t);
  const mentions = [concept('Invoice'), concept('Charge')];
  for (let number = 0; number < 7; number += 1) {
    const relations = [{ from: 'Invoice', type: 'triggers' as const, to: 'Charge' }];
    put(`${number}.md`, factsOf(`${number}.md`, { mentions, relations }));
  }
  put(
    'x.md',
    factsOf('x.md', { mentions, relations: [{ from: 'Invoice', type: 'generates', to: 'Charge' }] }),
  );
  const invoice = graph.node('Invoice');
  t.ok(invoice);
  if (!invoice) return;
  t.same(
    graph.outgoing(invoice).map(({ type, weight }) => [type, weight]),
    [
      ['triggers', 5],
      ['generates', 1],
    ],
  );
});

t.test('a generic reference gives way to a specific relation between the same two', async (t) => {
  const { put, remove, graph } = graphSubject(t);
  const mentions = [concept('Charge'), concept('Customer')];
  put(
    'a.md',
    factsOf('a.md', { mentions, relations: [{ from: 'Charge', type: 'references', to: 'Customer' }] }),
  );
  put(
    'b.md',
    factsOf('b.md', { mentions, relations: [{ from: 'Charge', type: 'requires', to: 'Customer' }] }),
  );
  const types = () =>
    graph
      .nodes()
      .filter(({ label }) => label === 'Charge')
      .flatMap((node) => graph.outgoing(node).map(({ type }) => type));
  t.same(types(), ['requires']);
  remove('b.md');
  t.same(types(), ['references']);
});

t.test('a link finds its document whenever that appears, and the nearest of several', async (t) => {
  const { put, remove, graph } = graphSubject(t);
  put(
    'a.md',
    factsOf('a.md', { relations: [{ from: documentKey('a.md'), type: 'references', to: wikiKey('Guide') }] }),
  );
  const targets = () =>
    graph
      .nodes()
      .filter(({ key }) => key === documentKey('a.md'))
      .flatMap((node) => graph.outgoing(node).map(({ target }) => target));
  t.same(targets(), []);
  put('deep/down/Guide.md', factsOf('deep/down/Guide.md', {}));
  t.same(targets(), [documentKey('deep/down/Guide.md')]);
  put('guide.md', factsOf('guide.md', {}));
  t.same(targets(), [documentKey('guide.md')]);
  remove('guide.md');
  t.same(targets(), [documentKey('deep/down/Guide.md')]);
});

t.test('where labels collide the concept keeps the bare name and documents show their paths', async (t) => {
  const { put, remove, graph } = graphSubject(t);
  put('a.md', factsOf('a.md', { title: 'Charge', mentions: [concept('Charge')] }));
  put('b/c.md', factsOf('b/c.md', { title: 'Charge' }));
  t.same(
    graph.names().map(({ name }) => name),
    ['Charge', 'Charge (a.md)', 'Charge (b%2Fc.md)'],
  );
  t.equal(graph.node('Charge')?.type, 'APIObject');
  remove('a.md');
  t.same(graph.names(), [{ name: 'Charge', type: 'Document' }], 'the last one left has the name to itself');
});

t.test('only pages that show something else get a new time', async (t) => {
  const { put, graph } = graphSubject(t);
  const mentions = [concept('Charge'), concept('Customer'), concept('Invoice')];
  put('a.md', factsOf('a.md', { mentions }));
  const before = graph.node('Invoice')?.changedMs;
  put('b.md', factsOf('b.md', { relations: [{ from: 'Charge', type: 'requires', to: 'Customer' }] }));
  t.equal(graph.node('Invoice')?.changedMs, before);
  t.not(graph.node('Charge')?.changedMs, before);
  t.not(graph.node('Customer')?.changedMs, before, 'the other end shows the relation too');
});

t.test('the next revision is kept with its time, and there is none where nothing changed', async (t) => {
  const { store, graph, put } = graphSubject(t);
  put('a.md', factsOf('a.md', { mentions: [concept('Charge')] }));
  const id = store.documents.get('a.md')?.id ?? 0;
  const projectNext = (nowMs: number, change?: (projection: Projection) => void) =>
    store.transact(() => {
      const projection = new Projection(store);
      change?.(projection);
      projection.projectNext(nowMs);
    });
  projectNext(7000);
  t.same([store.revision(), graph.builtAtMs()], [1, 1000]);
  projectNext(7000, (projection) => {
    projection.retract(id);
    store.documents.remove(id);
  });
  t.same([store.revision(), graph.builtAtMs()], [2, 7000]);
});
