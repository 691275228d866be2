import t from 'tap';
import { type NamedEdge, stanceOf } from '../../src/learning/stated-edges.ts';

const REQUIRES: NamedEdge = { source: 'Charge', type: 'requires', target: 'PaymentMethod' };
const TRIGGERS: NamedEdge = { source: 'Charge', type: 'triggers', target: 'charge.succeeded' };

t.test('a sentence states an edge by a verb of its type between the two, the right way round', async (t) => {
  t.equal(stanceOf('Every charge requires a payment method.', REQUIRES), 'states');
  t.equal(stanceOf('A payment method is needed by each of the charges.', REQUIRES), 'states');
  t.equal(stanceOf('`charge.succeeded` is triggered by a Charge.', TRIGGERS), 'states');
  const own = { source: 'Epic', type: 'depends_on', target: 'Story' } as const;
  t.equal(
    stanceOf('The epic depends on two stories.', own),
    'states',
    'a type without verbs goes by its name',
  );
});

t.test('a denial and the ends the other way round are told apart', async (t) => {
  t.equal(stanceOf('A charge does not require a payment method.', REQUIRES), 'denies');
  t.equal(stanceOf('A payment method requires a charge.', REQUIRES), 'reverses');
  t.equal(stanceOf('A payment method does not require a charge.', REQUIRES), undefined);
  const references = { source: 'Charge', type: 'references', target: 'Invoice' } as const;
  t.equal(stanceOf('An invoice references its charge.', references), undefined, 'both may be so');
});

t.test('what names only one of the two, has another verb or is far apart says nothing', async (t) => {
  t.equal(stanceOf('A charge requires money.', REQUIRES), undefined);
  t.equal(stanceOf('A charge and a payment method.', REQUIRES), undefined);
  t.equal(stanceOf('A charge returns a payment method.', REQUIRES), undefined);
  t.equal(stanceOf(`A charge requires ${'this and '.repeat(12)}a payment method.`, REQUIRES), undefined);
  t.equal(stanceOf('A recharge requires a payment method.', REQUIRES), undefined);
  t.equal(stanceOf('A charge triggers charge.succeeded.later.', TRIGGERS), undefined);
});

t.test('a verb behind a pronoun says nothing of the name before it', async (t) => {
  const triggers: NamedEdge = { source: 'Subscription', type: 'triggers', target: 'charge.succeeded' };
  t.equal(
    stanceOf('A subscription creates an invoice, and it triggers charge.succeeded.', triggers),
    undefined,
  );
  t.equal(
    stanceOf('A subscription creates an invoice, which triggers charge.succeeded.', triggers),
    undefined,
  );
  t.equal(stanceOf('A charge, which triggers charge.succeeded, is final.', TRIGGERS), 'states');
});
