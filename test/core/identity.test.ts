import t from 'tap';
import {
  conceptKey,
  documentAliases,
  endpointKey,
  eventKey,
  linkKey,
  wikiKey,
} from '../../src/core/identity.ts';

t.test('case, plural, spacing, hyphens and underscores make no other concept', async (t) => {
  const forms = [
    'PaymentMethod',
    'payment_method',
    'Payment methods',
    'payment-methods',
    'the Payment Method',
  ];
  t.same([...new Set(forms.map(conceptKey))], [conceptKey('payment method')]);
  t.equal(conceptKey('categories'), conceptKey('Category'));
  t.equal(conceptKey('Addresses'), conceptKey('address'));
  t.equal(conceptKey('Status'), 'concept:status', 'an s of the word itself is kept');
  t.equal(conceptKey('Statuses'), conceptKey('Status'));
  t.equal(conceptKey('API aliases'), conceptKey('API alias'));
  t.equal(conceptKey('OrderStatuses'), conceptKey('Order status'));
  t.equal(conceptKey('Causes'), conceptKey('Cause'));
  for (const name of ['Token', 'Coupon', 'Admin', 'Group', 'Product'])
    t.equal(
      conceptKey(`${name} uses`),
      conceptKey(`${name} use`),
      'what is put together with "use" ends with no s of its own',
    );
  t.not(conceptKey('Charge'), conceptKey('Charger'));
});

t.test('an endpoint is method and path with only the parameters folded', async (t) => {
  const forms = [
    '/v1/charges/{id}',
    '/v1/charges/:id',
    '/v1/charges/<charge>',
    '/v1/charges/[id]/',
    '/v1/charges/{{id}}?a=1',
  ];
  t.same([...new Set(forms.map((path) => endpointKey('get', path)))], ['endpoint:GET /v1/charges/{}']);
  t.not(endpointKey('GET', '/v1/charges'), endpointKey('POST', '/v1/charges'));
  t.not(endpointKey('GET', '/users/@me'), endpointKey('GET', '/users/{id}'), 'a literal segment stays');
  t.equal(endpointKey('GET', '/v1/charges/{id}.json'), 'endpoint:GET /v1/charges/{}.json');
});

t.test('a dotted event is its exact name', async (t) => {
  t.not(eventKey('charge.failed'), eventKey('charge_failed'));
  t.not(eventKey('charge.failed'), eventKey('Charge.failed'));
});

t.test('an event with a name of several words is the same however the words are joined', async (t) => {
  const forms = ['OrderPlaced', 'order-placed', 'ORDER_PLACED', 'order_placed', 'Order Placed'];
  t.same([...new Set(forms.map(eventKey))], ['event:order placed']);
  t.equal(eventKey('onDrop'), eventKey('On Drop'));
  t.equal(eventKey('SKUMoved'), eventKey('sku-moved'));
  t.not(eventKey('Push'), eventKey('push'), 'one word has one form');
  t.not(eventKey('orderPlaced'), eventKey('OrderPlaced'), 'as a field may be called');
  t.not(
    eventKey('Sign-in'),
    eventKey('sign-in'),
    'a word with a hyphen is one word, and its other form may be a value',
  );
  t.not(eventKey('order:placed'), eventKey('order-placed'));
});

t.test(
  'a document answers to links with and without ending, to its folder as index, and to its name',
  async (t) => {
    t.ok(documentAliases('guide/Start here.md').includes(linkKey('guide/start here')));
    t.ok(documentAliases('guide/Start here.md').includes(wikiKey('Start Here')));
    t.ok(documentAliases('guide/README.md').includes(linkKey('guide')));
    t.notOk(documentAliases('guide/intro.md').includes(linkKey('guide')));
  },
);

t.test('a document answers to its path without the numbers that order files', async (t) => {
  const aliases = documentAliases('1.guide/02-set-up/0.index.md');
  for (const address of ['guide/set-up/index', 'guide/set-up', '1.guide/set-up', '1.guide/02-set-up'])
    t.ok(aliases.includes(linkKey(address)), address);
  t.same(
    documentAliases('2024.md').filter((key) => key.startsWith('link:')),
    ['link:2024.md', 'link:2024'],
    'a name that is a number stays one',
  );
});
