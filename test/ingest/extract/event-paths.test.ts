import t from 'tap';
import { eventShape } from '../../../src/ingest/extract/event-names.ts';
import { assembleText } from '../assembled.ts';

const TABLE = [
  '# Webhook Events',
  '',
  '## Carts',
  '',
  '| Name / Scope | Description |',
  '|---|---|',
  '| store/cart/* | Fires for all store/cart events. |',
  '| store/cart/created | Fires when a new cart is created. |',
  '| store/cart/lineItem/created | Fires when a new item is added to the cart. |',
  '| store/cart/couponApplied | Fires when a coupon is applied to it. |',
  '| store/docs/readme | Where this is explained. |',
  '',
  '## Cart object',
  '',
  'A cart.',
  '',
  '## Store object',
  '',
  'A store.',
  '',
].join('\n');

t.test('a path is an event where its row or its sentence says when it is sent', async (t) => {
  const { nodes, edges } = assembleText(
    `${TABLE}\nA change triggers a \`store/product/updated\` event. See \`store/shipment/created\`.\n`,
  );
  t.same(nodes('Event'), [
    'store/cart/couponApplied',
    'store/cart/created',
    'store/cart/lineItem/created',
    'store/product/updated',
  ]);
  t.same(
    edges('triggers').filter((edge) => edge.includes('store/cart/')),
    [
      'Cart -triggers-> store/cart/couponApplied',
      'Cart -triggers-> store/cart/created',
      'Cart -triggers-> store/cart/lineItem/created',
    ],
    'what all names begin with triggers none of them',
  );
});

t.test('what happens to a thing by paths says that there is such a thing', async (t) => {
  const { nodes, edges } = assembleText(
    '# Webhooks\n\n| Name | Description |\n|---|---|\n| store/lineItem/created | Fires when an item is added. |\n| store/lineItem/deleted | Fires when an item goes. |\n',
  );
  t.same(nodes('APIObject'), ['Line Item']);
  t.same(edges('triggers'), [
    'Line Item -triggers-> store/lineItem/created',
    'Line Item -triggers-> store/lineItem/deleted',
  ]);
});

t.test('other paths have no shape of an event', async (t) => {
  t.equal(eventShape('store/cart/created'), 'dotted');
  for (const name of [
    'docs/api/guide',
    'a/b/c.md',
    'store/cart/',
    'https://example.com/created',
    'a/b/{created}',
  ])
    t.equal(eventShape(name), undefined, name);
});
