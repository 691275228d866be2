import fc from 'fast-check';
import { type DocumentFacts, EDGE_TYPES, NODE_TYPES } from '../../src/core/graph-model.ts';
import { documentKey, linkKey, wikiKey } from '../../src/core/identity.ts';
import { concept, factsOf } from './subject.ts';

const PATHS = ['a.md', 'b.md', 'sub/a.md', 'sub/index.md'];
/** Of few nodes, some by two names. */
export const LABELS = ['Charge', 'charges', 'Customer', 'customer', 'Invoice', 'a.md'];

const mention = fc.record({
  label: fc.constantFrom(...LABELS),
  line: fc.integer({ min: 1, max: 9 }),
  type: fc.constantFrom(...NODE_TYPES.filter((type) => type === 'APIObject' || type === 'Concept')),
  confidence: fc.constantFrom(0.3, 0.6, 0.9),
  declares: fc.boolean(),
  half: fc.option(fc.constantFrom('headed' as const, 'used' as const), { nil: undefined }),
  description: fc.constantFrom('', 'one', 'two'),
});

const relation = fc.record({
  from: fc.constantFrom(...LABELS, ...PATHS.map(documentKey)),
  type: fc.constantFrom(...EDGE_TYPES),
  to: fc.constantFrom(
    ...LABELS,
    linkKey('a'),
    linkKey('sub/a.md'),
    linkKey('sub'),
    wikiKey('a'),
    ...PATHS.map(documentKey),
  ),
  line: fc.integer({ min: 1, max: 9 }),
});

const facts = fc.record({
  title: fc.constantFrom('Overview', 'Charge', 'Other'),
  mentions: fc.array(mention, { maxLength: 5 }),
  relations: fc.array(relation, { maxLength: 5 }),
});

export interface Edit {
  readonly path: string;
  /** Undefined where the document is removed. */
  readonly facts: DocumentFacts | undefined;
}

/** Edits of few documents that say much of the same few things. */
export const edit: fc.Arbitrary<Edit> = fc
  .record({ path: fc.constantFrom(...PATHS), facts: fc.option(facts, { freq: 3 }) })
  .map(({ path, facts }) => {
    if (facts === null) return { path, facts: undefined };
    const mentions = facts.mentions.map(({ label, line, half, ...rest }) =>
      concept(label, line, { ...rest, ...(half === undefined || rest.declares ? {} : { half }) }),
    );
    return { path, facts: factsOf(path, { title: facts.title, mentions, relations: facts.relations }) };
  });
