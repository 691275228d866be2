import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import type { DocumentFacts, ModelPart } from '../../src/core/graph-model.ts';
import { edit } from './edits.ts';
import { concept, factsOf, graphSubject, type Relation } from './subject.ts';

const FOUND: ModelPart = { name: 'a/model', role: 'found' };
const MENTIONS = [concept('Invoice'), concept('Charge')];

/** The facts, those of a model by the bits of a number. */
function withModel(facts: DocumentFacts, bits: number): DocumentFacts {
  const mark = <Fact>(fact: Fact, place: number): Fact =>
    (bits >> (place % 30)) & 1 ? { ...fact, model: FOUND } : fact;
  return { ...facts, mentions: facts.mentions.map(mark), statements: facts.statements.map(mark) };
}

function ofModel(relations: Relation[]): DocumentFacts {
  return withModel(factsOf('m.md', { mentions: MENTIONS, relations }), ~0);
}

function ofRules(relations: Relation[]): DocumentFacts {
  return factsOf('r.md', { mentions: MENTIONS, relations });
}

t.test(
  'with facts of models, too, the graph equals one built from the documents that are left',
  async (t) => {
    const edits = fc.array(fc.tuple(edit, fc.integer({ min: 0, max: (1 << 30) - 1 })), { maxLength: 10 });
    fc.assert(
      fc.property(edits, (all) => {
        const documents = new Map<string, DocumentFacts>();
        const incremental = graphSubject(t);
        for (const [{ path, facts }, bits] of all) {
          if (facts === undefined) {
            documents.delete(path);
            incremental.remove(path);
          } else {
            documents.set(path, withModel(facts, bits));
            incremental.put(path, withModel(facts, bits));
          }
        }
        const rebuilt = graphSubject(t);
        rebuilt.putAll(new Map([...documents].reverse()));
        return isDeepStrictEqual(incremental.content(), rebuilt.content());
      }),
      { numRuns: 40 },
    );
  },
);

t.test(
  'what rules say of two, in whichever document and direction, stands against a model, until they no longer say it',
  async (t) => {
    const { put, remove, graph } = graphSubject(t);
    const edges = () => [...graph.edges()].map(({ source, type, target }) => `${source} ${type} ${target}`);
    put('m.md', ofModel([{ from: 'Charge', type: 'generates', to: 'Invoice' }]));
    t.same(edges(), ['concept:charge generates concept:invoice']);
    put('r.md', ofRules([{ from: 'Invoice', type: 'triggers', to: 'Charge' }]));
    t.same(edges(), ['concept:invoice triggers concept:charge']);
    put('m.md', ofModel([{ from: 'Invoice', type: 'triggers', to: 'Charge' }]));
    t.match([...graph.edges()], [{ type: 'triggers', evidence: ['m.md:1', 'r.md:1'], properties: {} }]);
    put('m.md', ofModel([{ from: 'Charge', type: 'generates', to: 'Invoice' }]));
    remove('r.md');
    t.match([...graph.edges()], [{ type: 'generates', properties: { extracted_by: 'a/model' } }]);
  },
);

t.test('what a model says takes away no reference that rules see', async (t) => {
  const { put, graph } = graphSubject(t);
  put('r.md', ofRules([{ from: 'Invoice', type: 'references', to: 'Charge' }]));
  put('m.md', ofModel([{ from: 'Invoice', type: 'generates', to: 'Charge' }]));
  t.same([...graph.edges()].map(({ type }) => type).sort(), ['generates', 'references']);
});

t.test('rules say what a node is and how it is called; a model where none does', async (t) => {
  const { put, remove, graph } = graphSubject(t);
  put('m.md', withModel(factsOf('m.md', { mentions: [concept('Charge', 1, { type: 'Concept' })] }), ~0));
  t.match(graph.node('Charge'), { type: 'Concept', properties: { extracted_by: 'a/model' } });
  put('r.md', factsOf('r.md', { mentions: [concept('charges', 2, { confidence: 0.1 })] }));
  t.match(graph.node('charges'), { type: 'APIObject', label: 'charges', properties: {} });
  remove('r.md');
  t.match(graph.node('Charge'), { type: 'Concept', label: 'Charge' });
});

t.test('what rules and a model both found is surer', async (t) => {
  const { put, graph } = graphSubject(t);
  const facts = ofRules([{ from: 'Invoice', type: 'triggers', to: 'Charge' }]);
  const surenessOf = () => [...graph.edges()].map(({ confidence }) => confidence)[0] ?? 0;
  put('r.md', facts);
  const before = surenessOf();
  const confirmed: ModelPart = { name: 'a/model', role: 'confirmed' };
  put('r.md', { ...facts, statements: facts.statements.map((one) => ({ ...one, model: confirmed })) });
  t.ok(surenessOf() > before && surenessOf() < 1, `${before} ${surenessOf()}`);
});
