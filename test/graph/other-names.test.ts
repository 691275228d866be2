/** Names that documents introduce beside others find the node, whichever of the two it is called by. */
import t from 'tap';
import { extractDocument } from '../../src/ingest/extract/extract.ts';
import { thingsNamedIn } from '../../src/retrieval/named-nodes.ts';
import type { Teardown } from '../support/temporary.ts';
import { concept, factsOf, graphSubject } from './subject.ts';

const CREDIT = factsOf('credit.md', { mentions: [concept('Kiln Credit')] });
const INTRODUCED = extractDocument('guide.md', '# Firing\n\nYou pay with Kiln Credits (KCs).\n');

function subject(t: Teardown) {
  const { put, remove, graph, store } = graphSubject(t);
  return {
    put,
    remove,
    found: (name: string) => [graph.node(name)?.key, graph.reference(name)?.key],
    revision: () => graph.revision(),
    asked: (question: string) => thingsNamedIn(question, store).map(({ display }) => display),
    properties: (name: string) => JSON.parse(JSON.stringify(graph.node(name)?.properties ?? null)),
  };
}

t.test('a short form finds what it stands for while a document introduces it', async (t) => {
  const { put, remove, found, asked, properties } = subject(t);
  put('credit.md', CREDIT);
  t.same(found('KC'), [undefined, undefined]);
  put('guide.md', INTRODUCED);
  for (const name of ['KC', 'KCs']) t.same(found(name), ['concept:kilncredit', 'concept:kilncredit'], name);
  t.same(asked('What do KCs pay for?'), ['Kiln Credit']);
  t.same(properties('Kiln Credit'), { short_form: 'KC' });
  t.same(
    [...found('kc'), ...asked('is kc a word?')],
    [undefined, undefined],
    'in small letters it is a word',
  );
  remove('guide.md');
  t.same(found('KC'), [undefined, undefined]);
  t.same(properties('Kiln Credit'), {});
});

t.test('the long form finds a node that is called by the short one', async (t) => {
  const { put, found, asked, properties } = subject(t);
  put('kc.md', factsOf('kc.md', { mentions: [concept('KC')] }));
  put('guide.md', INTRODUCED);
  t.same(found('kiln credits'), ['concept:kc', 'concept:kc']);
  t.same(asked('what is a kiln credit'), ['KC']);
  t.same(found('kiln crates'), [undefined, undefined], 'which has the same initials');
  t.same(properties('KC'), { short_for: 'Kiln Credits' });
});

t.test('of two things that have names of their own, each is found by its own', async (t) => {
  const { put, found, properties } = subject(t);
  put('guide.md', INTRODUCED);
  put('credit.md', factsOf('credit.md', { mentions: [concept('Kiln Credit'), concept('KC')] }));
  t.same(found('KC'), ['concept:kc', 'concept:kc']);
  t.same(
    [properties('KC'), properties('Kiln Credit')],
    [{ short_for: 'Kiln Credits' }, { short_form: 'KC' }],
  );
});

t.test('a short form that two nodes have finds neither', async (t) => {
  const { put, found, properties } = subject(t);
  put('credit.md', CREDIT);
  put('guide.md', INTRODUCED);
  put('other.md', extractDocument('other.md', '# Rooms\n\nA Kiln Chamber (KC) is hot.\n'));
  t.same(found('KC'), ['concept:kilncredit', 'concept:kilncredit'], 'a chamber is no node');
  put('chamber.md', factsOf('chamber.md', { mentions: [concept('Kiln Chamber')] }));
  t.same(found('KC'), [undefined, undefined]);
  for (const name of ['Kiln Credit', 'Kiln Chamber']) t.same(properties(name), { short_form: 'KC' }, name);
});

t.test('whatever gives a short form another node makes a new revision of the graph', async (t) => {
  const { put, remove, found, revision } = subject(t);
  const steps: (() => void)[] = [
    () => put('credit.md', CREDIT),
    () => put('guide.md', INTRODUCED),
    () => put('other.md', extractDocument('other.md', '# Rooms\n\nA Kiln Chamber (KC) is hot.\n')),
    () => put('chamber.md', factsOf('chamber.md', { mentions: [concept('Kiln Chamber')] })),
    () => remove('guide.md'),
    () => remove('other.md'),
  ];
  let before = { revision: revision(), found: found('KC') };
  for (const [index, step] of steps.entries()) {
    step();
    const now = { revision: revision(), found: found('KC') };
    if (now.revision === before.revision) t.same(now.found, before.found, `step ${index}`);
    before = now;
  }
  t.same(before.found, [undefined, undefined]);
});

t.test('a word that shares its key with a short form by chance is not what that stands for', async (t) => {
  const { put, properties } = subject(t);
  put('ads.md', factsOf('ads.md', { mentions: [concept('Ads')] }));
  put('guide.md', extractDocument('guide.md', '# Login\n\nIt asks the Active Directory (AD).\n'));
  t.same(properties('Ads'), {});
});

t.test('what a short form stands for has its initials, though the key is that of a longer one', async (t) => {
  const { put, found, properties } = subject(t);
  put('sets.md', factsOf('sets.md', { mentions: [concept('KCS')] }));
  put('guide.md', INTRODUCED);
  t.same(properties('KCS'), {});
  t.same(found('kiln credit'), [undefined, undefined]);
});
