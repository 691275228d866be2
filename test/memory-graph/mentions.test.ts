import t from 'tap';
import { DocsNames } from '../../src/memory-graph/docs-names.ts';
import { mentionsIn } from '../../src/memory-graph/mentions.ts';
import { docsNode, docsPage } from './docs-nodes.ts';

const NAMES = new DocsNames([
  docsNode('Charge'),
  docsNode('Customer'),
  docsNode('PaymentMethod'),
  docsNode('Payment'),
  docsNode('Refund'),
  docsNode('value'),
  docsNode('account'),
  docsNode('Team', 'APIObject', { weight: 1 }),
  docsNode('Idempotency', 'Concept', { weight: 2, confidence: 0.6 }),
  docsNode('Mobile', 'Concept'),
  docsNode('Top Bar', 'Concept'),
  docsNode('RPC', 'Concept'),
  docsNode('IT', 'Concept'),
  docsNode('MANAGE_CHANNELS', 'Concept'),
  docsNode('applications.commands', 'Concept'),
  docsNode('Größe', 'Concept'),
  docsNode('charge.succeeded', 'Event'),
  docsNode('customer.subscription.trial_will_end', 'Event'),
  docsNode('Channel Create', 'Event'),
  docsNode('warn', 'Event'),
  docsNode('POST /v1/charges', 'Endpoint'),
  docsNode('GET /v1/charges/{id}', 'Endpoint'),
  docsPage('charges/create.md'),
  docsPage('Overview'),
]);

function named(text: string): string[] {
  return mentionsIn(text, NAMES)
    .map(({ name }) => name.label)
    .sort();
}

t.test('a concept is named in any number, case and spelling', async (t) => {
  const texts = [
    'PaymentMethod',
    'payment_method',
    'payment methods',
    'Payment-Method',
    'a Payment\n  method',
  ];
  for (const text of texts) t.same(named(`Keep ${text} on file`), ['PaymentMethod'], text);
  t.same(named("the customer's charges"), ['Charge', 'Customer']);
  t.same(named('Refunds take 5 days'), ['Refund']);
  t.same(named('die größe zählt'), ['Größe']);
});

t.test('the longest name counts, and what is part of it does not', async (t) => {
  t.same(named('payment method'), ['PaymentMethod']);
  t.same(named('payment, method'), ['Payment']);
  t.same(named('wait for charge.succeeded'), ['charge.succeeded']);
});

t.test('an event is named by its exact name, or by its words with capitals', async (t) => {
  t.same(named('after customer.subscription.trial_will_end.'), ['customer.subscription.trial_will_end']);
  t.same(named('sends Channel Create'), ['Channel Create']);
  t.same(named('sends CHANNEL_CREATE'), ['Channel Create']);
  t.same(named('channel create is a permission'), []);
  t.same(named('we warn them'), [], 'a word of a sentence is no event');
  t.same(named('listen for `warn`'), ['warn']);
});

t.test('an endpoint is named by method and path, its parameters called anything', async (t) => {
  t.same(named('Use POST /v1/charges.'), ['POST /v1/charges']);
  t.same(named('GET https://api.example.com/v1/charges/:charge fails'), ['GET /v1/charges/{id}']);
  t.same(named('`GET /v1/charges/ch_1abc234?expand=1`'), ['GET /v1/charges/{id}']);
  t.same(named('PUT /v1/charges is not there'), []);
});

t.test('an ordinary word counts only where it is written like the name', async (t) => {
  t.same(named('the mobile app is slow'), []);
  t.same(named('Mobile first'), [], 'every sentence begins with a capital');
  t.same(named('Slow. Mobile first\n- Mobile\n# All Mobile\n1. Mobile'), []);
  t.same(named('we call it Mobile'), ['Mobile']);
  t.same(named('see `mobile`'), ['Mobile']);
  t.same(named('the value of things'), [], 'however strongly the docs declare it');
  t.same(named('an account of our team'), [], 'nor where they hardly do');
  t.same(named('idempotency matters'), ['Idempotency'], 'a rare word is always meant');
  t.same(named('the top bar'), ['Top Bar']);
});

t.test('acronyms and constants are exact but for a plural', async (t) => {
  t.same(named('two RPCs, one rpc'), ['RPC']);
  t.same(named('it works'), []);
  t.same(named('ask IT'), ['IT']);
  t.same(named('who can manage channels'), []);
  t.same(named('needs MANAGE_CHANNELS'), ['MANAGE_CHANNELS']);
  t.same(named('the scope applications.commands'), ['applications.commands']);
});

t.test('words in addresses and paths, and titles of documents, name nothing', async (t) => {
  t.same(named('see https://example.com/customer/charge and ana@charge.example.com'), []);
  t.same(named('in src/customer/charge.ts, charges/create.md and /customer/charge'), []);
  t.same(named('Overview of charges/create.md'), []);
  t.same(named('a customer/charge pair'), ['Charge', 'Customer']);
});

t.test('mentions carry their lines and whether they are exact', async (t) => {
  const text = 'A charge.\nThe Charge and\ncharges, `charge`';
  t.match(mentionsIn(text, NAMES), [{ lines: [1, 2, 3], isExact: true }]);
  t.match(mentionsIn('one payment_method', NAMES), [{ lines: [1], isExact: false }]);
  t.match(mentionsIn('x\n\nPOST /v1/charges\n', NAMES), [{ lines: [3], isExact: true }]);
});

t.test('names of a prototype and an empty text name nothing', async (t) => {
  t.same(named('__proto__ constructor toString'), []);
  t.same(named(''), []);
});
