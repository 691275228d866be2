import t from 'tap';
import { contributionOf } from '../../../src/graph/contribution.ts';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';
import { BUILT_IN_RELATIONS } from '../../../src/ingest/extract/relation-names.ts';
import { mergeAnswers } from '../../../src/ingest/model-facts/merge-answers.ts';
import { plainOf } from '../../../src/ingest/model-facts/quoted-lines.ts';
import { answerOf } from '../../../src/model-extraction/answer.ts';
import { type MapTypes, mapTypesOf, NO_MAP_TYPES } from '../../../src/model-extraction/map-types.ts';
import { RuleMatcher } from '../../../src/schema/matching.ts';
import { parseSchemaMap } from '../../../src/schema/parse-map.ts';

const TEXT = `# Renew a Subscription

A **Subscription** belongs to a **Customer**.
Each renewal of a Subscription is billed through an **Invoice**.

## Collection

The collector takes a **Payout** for every Invoice that is due.
Triggers the \`payout.created\` event, and a Charge, an Invoice and a Dunning Plan follow.
A Dunning Plan is sent by the Mailer. Set \`data.object\` in the payload.

    POST /v1/payouts
`;

const rules = extractDocument('renew.md', TEXT);

type Facts = { nodes?: readonly object[]; edges?: readonly object[] };

/** What is in the graph for an answer that was not there without. */
function added(facts: Facts) {
  return addedTo(rules, TEXT, facts);
}

function addedTo(
  byRules: ReturnType<typeof extractDocument>,
  text: string,
  { nodes = [], edges = [] }: Facts,
  types: MapTypes = NO_MAP_TYPES,
) {
  const answer = answerOf({ nodes, edges }, types);
  if (answer === undefined) throw new Error('this is an answer');
  const { facts, figures } = mergeAnswers(byRules, text, { model: 'a/model', types, answers: [answer] });
  const ofModel = <Fact extends { model?: { role: string } }>(list: readonly Fact[]) =>
    list.filter(({ model }) => model?.role === 'found');
  return {
    nodes: ofModel(facts.mentions).map(({ key, type, line }) => `${type} ${key} ${line}`),
    edges: ofModel(facts.statements).map(
      ({ source, type, target, line }) => `${source} ${type} ${target} ${line}`,
    ),
    confirmed: facts.statements.filter(({ model }) => model?.role === 'confirmed').length,
    figures,
    facts,
  };
}

const edge = (source: string, type: string, target: string, quote: string, line = 1) => ({
  source,
  type,
  target,
  quote,
  line,
});

t.test(
  'a relation that the text implies joins, at the line where the quote is and not where the model saw it',
  async (t) => {
    const quote = 'Each renewal of a Subscription is billed through an Invoice.';
    const { edges, figures } = added({ edges: [edge('Subscription', 'generates', 'Invoice', quote, 40)] });
    t.same(edges, ['concept:subscription generates concept:invoice 4']);
    t.same(
      figures,
      { found: 2, confirmed: 0, dropped: 0 },
      'the relation, and an Invoice, which rules see in passing only',
    );
  },
);

t.test('what no line says is dropped: an invented quote, a part of a word, a single word', async (t) => {
  for (const quote of [
    'A Subscription generates an Invoice each month.',
    'ach renewal of a Subscri',
    'Subscription',
    '',
    '…',
  ]) {
    const { edges, figures } = added({ edges: [edge('Subscription', 'generates', 'Invoice', quote)] });
    t.same([edges, figures.dropped], [[], 1], quote);
  }
});

t.test('markup, white space, case and forms of quotation marks make no difference to a quote', async (t) => {
  for (const quote of [
    '* each renewal of a  subscription is BILLED through an `Invoice`',
    '4| Each renewal of a Subscription is billed…',
  ]) {
    const { edges } = added({ edges: [edge('Subscription', 'generates', 'Invoice', quote)] });
    t.same(edges, ['concept:subscription generates concept:invoice 4'], quote);
  }
});

t.test('what rules read, too, is confirmed, and no second relation', async (t) => {
  const quote = 'A **Subscription** belongs to a **Customer**.';
  const { edges, confirmed } = added({
    edges: [edge('the Subscriptions', 'belongs_to', 'Customer object', quote)],
  });
  t.same(edges, []);
  t.ok(confirmed > 0);
});

t.test(
  'the wrong way round, another relation than the words say, and ends that it cannot have are dropped',
  async (t) => {
    const due = 'The collector takes a Payout for every Invoice that is due.';
    const wrong = [
      edge(
        'Invoice',
        'generates',
        'Subscription',
        'Each renewal of a Subscription is billed through an Invoice.',
      ),
      edge('Customer', 'belongs_to', 'Subscription', 'A Subscription belongs to a Customer.'),
      edge('Subscription', 'requires', 'Customer', 'A Subscription belongs to a Customer.'),
      edge('payout.created', 'triggers', 'Payout', 'Triggers the payout.created event, and a Charge'),
      edge('Payout', 'returns', 'Invoice', due),
      edge('Charge', 'generates', 'Invoice', 'and a Charge, an Invoice and a Dunning Plan follow.'),
      edge('Dunning Plan', 'generates', 'Mailer', 'A Dunning Plan is sent by the Mailer.'),
      edge('Payout', 'generates', 'Payout', due),
      edge('Payout', 'generates', 'Tenant', due),
    ];
    for (const one of wrong) t.same(added({ edges: [one] }).edges, [], JSON.stringify(one));
  },
);

t.test('who makes several relations of one line is not believed in any', async (t) => {
  const quote = 'Each renewal of a Subscription is billed through an Invoice.';
  const types = ['generates', 'requires', 'triggers'];
  t.same(added({ edges: types.map((type) => edge('Subscription', type, 'Invoice', quote)) }).edges, []);
});

t.test('a subject that stands in the heading is understood', async (t) => {
  const quote = 'Triggers the `payout.created` event';
  const { confirmed, edges } = added({ edges: [edge('Payout', 'triggers', 'payout.created', quote)] });
  t.ok(confirmed === 1 || edges.length === 1);
});

t.test(
  'new nodes have a name that the line has, and are no sentences, fields, hosts or methods that are not there',
  async (t) => {
    const plan = 'A Dunning Plan is sent by the Mailer.';
    const node = (name: string, type: string, quote: string) => ({ name, type, quote, line: 1 });
    const { nodes } = added({
      nodes: [
        node('Dunning Plan', 'APIObject', plan),
        node('A Dunning Plan is sent', 'Concept', plan),
        node('Dunning Schedule', 'Concept', plan),
        node('data.object', 'Event', 'Set `data.object` in the payload.'),
        node('data.object', 'APIObject', 'Set `data.object` in the payload.'),
        node('PUT /v1/payouts', 'Endpoint', 'POST /v1/payouts'),
        node('POST /v1/payouts/{id}', 'Endpoint', 'POST /v1/payouts'),
        node('Subscription object', 'Concept', 'A Subscription belongs to a Customer.'),
        node('Subscriptions', 'Event', 'A Subscription belongs to a Customer.'),
      ],
    });
    t.same(
      nodes,
      rules.mentions.some(({ key, declares }) => key === 'concept:dunningplan' && declares)
        ? []
        : ['APIObject concept:dunningplan 10'],
    );
  },
);

t.test('what rules read is there as it was, whatever a model says', async (t) => {
  const quotes = TEXT.split('\n');
  const names = [
    'Subscription',
    'Customer',
    'Invoice',
    'Payout',
    'Charge',
    'payout.created',
    'POST /v1/payouts',
  ];
  const edges = quotes.flatMap((quote) =>
    names.flatMap((source) =>
      names.flatMap((target) =>
        ['requires', 'triggers', 'belongs_to', 'references'].map((type) => edge(source, type, target, quote)),
      ),
    ),
  );
  const { facts } = added({
    edges,
    nodes: names.map((name) => ({ name, type: 'Event', quote: quotes[2], line: 3 })),
  });
  const bare = <Fact extends { model?: unknown }>(list: readonly Fact[]) =>
    list.map((fact) => ({ ...fact, model: undefined }));
  t.same(bare(facts.mentions.slice(0, rules.mentions.length)), bare(rules.mentions));
  t.same(bare(facts.statements.slice(0, rules.statements.length)), bare(rules.statements));
});

t.test('a line of brackets takes no longer than any other', async (t) => {
  const many = 200_000;
  for (const part of ['[a', '[a](']) {
    const line = part.repeat(many / part.length);
    t.ok(plainOf(line) === line, part);
  }
  t.equal(plainOf('see [the *guide*](guide.md) and ![a plan](plan.png)'), 'see the guide and a plan');
});

const PLAN = `# Plan

The **Checkout** epic is verified by the **Payment Test**. The **Refund Flow** is an epic, too.

## Epics

- **Cart**
- **Wish List** blocks the Cart

## Epic: Search

The **Ranker** is new, and nobody calls it anything.
`;
const MAP = `headings:
  - {heading: "Epic: *", type: Epic}
  - {heading: Stories, items: UserStory}
  - {heading: Blocks, edge: blocks}
phrases:
  - {phrase: is verified by, edge: verified_by}
  - {phrase: stands before, edge: comes_after, reverse: true}
`;

t.test('types of a schema map are taken where the text says them, and rules of the map stand', async (t) => {
  const schema = parseSchemaMap(MAP, 'map.yaml');
  const types = mapTypesOf(schema);
  const byRules = extractDocument('plan.md', PLAN, BUILT_IN_RELATIONS, new RuleMatcher(schema));
  const node = (name: string, type: string, quote: string) => ({ name, type, quote, line: 1 });
  const { nodes, edges, facts } = addedTo(
    byRules,
    PLAN,
    {
      nodes: [
        node('Checkout', 'Epic', 'The Checkout epic is verified by'),
        node('Refund Flow', 'Epic', 'The Refund Flow is an epic, too.'),
        node('Cart', 'Epic', '- Cart'),
        node('Payment Test', 'Epic', 'is verified by the Payment Test'),
        node('Search', 'UserStory', 'Epic: Search'),
        node('Ranker', 'Epic', 'The Ranker is new'),
        node('Ranker', 'Nonsense', 'The Ranker is new'),
      ],
      edges: [
        edge('Checkout', 'verified_by', 'Payment Test', 'The Checkout epic is verified by the Payment Test'),
        edge('Wish List', 'blocks', 'Cart', 'Wish List blocks the Cart'),
        edge('Cart', 'blocks', 'Wish List', 'Wish List blocks the Cart'),
        edge('Wish List', 'comes_after', 'Cart', 'Wish List blocks the Cart'),
      ],
    },
    types,
  );
  t.same(
    nodes
      .filter((one) => !one.startsWith('Concept'))
      .map((one) => one.replace(/ \d+$/, ''))
      .sort(),
    ['Epic concept:cart', 'Epic concept:checkout', 'Epic concept:refundflow'],
  );
  t.same(
    edges.filter((one) => /blocks|comes_after/.test(one)),
    ['concept:wishlist blocks concept:cart 8'],
  );
  t.ok(
    facts.statements.some(({ type, model }) => type === 'verified_by' && model?.role === 'confirmed'),
    'what a phrase of the map says is confirmed',
  );
  const search = contributionOf(facts).mentions.find(({ key }) => key === 'concept:search');
  t.match(JSON.parse(search?.body ?? '{}').votes, { Epic: Number });
  t.notOk(search?.body.includes('UserStory'));
});
