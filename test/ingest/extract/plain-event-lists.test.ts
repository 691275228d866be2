import t from 'tap';
import { assemble, assembleText } from '../assembled.ts';

const REFERENCE = `---
title: cartClose
---

Closes a cart.

Triggers the following webhook events:

- CART_CLOSED (async): The cart was closed.
- STOCK_FREED (sync): Its goods are free again.
- NOTIFY_STAFF
- A note on what else happens.
- HTTP: the protocol.
`;

t.test(
  'names in capitals in a list of events need no markup, and what triggers them is whose page it is',
  (t) => {
    const { nodes, edges } = assemble({
      'mutations/cart-close.md': REFERENCE,
      'objects/cart-close.md': '---\ntitle: CartClose\n---\n\nThe CartClose object is what closes a cart.\n',
      'objects/webhook-event.md':
        '---\ntitle: WebhookEvent\n---\n\nThe WebhookEvent object is an event of a webhook.\n',
    });
    t.same(nodes('Event'), ['CART_CLOSED', 'NOTIFY_STAFF', 'STOCK_FREED']);
    const stated = edges('triggers');
    for (const event of ['CART_CLOSED', 'NOTIFY_STAFF', 'STOCK_FREED'])
      t.ok(stated.includes(`CartClose -triggers-> ${event}`), event);
    t.notMatch(stated.join('\n'), 'WebhookEvent', 'the words before the list name no thing');
    t.end();
  },
);

t.test('names in capitals in other lists are none', (t) => {
  for (const lead of [
    'Requires one of the following permissions:',
    'An event has one of these states:',
    'The following events carry these fields:',
  ])
    t.same(
      assembleText(`# Carts\n\n${lead}\n\n- CART_OWNER: who owns it.\n- CART_CLOSED\n`).nodes('Event'),
      [],
      lead,
    );
  t.end();
});

t.test('what is said before the list is still read', (t) => {
  const { edges } = assembleText(
    '## Core objects\n\n- **User** — who buys\n- **Plan** — what is bought\n\nWhen a user subscribes to a new plan, you will receive the following events:\n\n- `plan.started`\n',
  );
  t.ok(edges('references').includes('User -references-> Plan'));
  t.end();
});
