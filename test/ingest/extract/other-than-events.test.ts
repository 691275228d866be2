import t from 'tap';
import { assemble, assembleText } from '../assembled.ts';

function events(text: string): string[] {
  return assembleText(text).nodes('Event');
}

t.test('topics of a table of pages are no events', (t) => {
  const rows =
    '|---|---|\n| Getting Started | https://example.com/start |\n| Cart Basics | [read](https://example.com/c) |\n';
  t.same(events(`## Entry points\n\n| Topic | Link |\n${rows}`), []);
  t.same(events('## Before you start\n\n| Topic | Docs |\n|---|---|\n| TLS | see the option `tls` |\n'), []);
  const topics = (names: string) =>
    events(`## Topics\n\n| Topic | Tells |\n|---|---|\n${names.replace(/(\S+) ?/g, '| $1 | heat |\n')}`);
  t.same(topics('How-to **Kilns** `glaze_full` kiln_hot order-intake CLAY_EVENTS CartClosed'), [
    'CLAY_EVENTS',
    'CartClosed',
    'glaze_full',
    'kiln_hot',
    'order-intake',
  ]);
  t.same(events('## Streams\n\n| Topic | Sent |\n|---|---|\n| `cart.closed` | when it closes |\n'), [
    'cart.closed',
  ]);
  t.same(events('## Webhook topics\n\n| Topic | Sent |\n|---|---|\n| Cart Closed | when it closes |\n'), [
    'Cart Closed',
  ]);
  t.end();
});

t.test('warnings, lints and metrics that a program emits are no events', (t) => {
  t.same(
    events('The compiler emits an `unread_value` warning, and fires the `dead_branch` lint (once).'),
    [],
  );
  t.same(events('Each worker emits a `queue_depth` metric and the `queue_wait` histogram.'), []);
  t.same(
    events('The compiler emits a `SlotPtr` that points to the table.'),
    [],
    'things that a program writes out',
  );
  t.same(events('Each worker emits a `queue_drained` event and the `ORDER_PAID` webhook.'), [
    'ORDER_PAID',
    'queue_drained',
  ]);
  t.same(events('Workers send webhooks. Each order emits a `CartMerge` at its end.'), ['CartMerge']);
  t.end();
});

t.test('a field of a type is no event, whoever sends it', (t) => {
  t.same(
    events('# Webhooks\n\n`Refund.lineItems` are sent to the shop. The webhook has `Refund.lineItems`.'),
    [],
  );
  t.same(events('# Webhooks\n\n`Refund.statusChanged` is sent to the shop.'), ['Refund.statusChanged']);
  t.end();
});

t.test('a heading that explains events is none', (t) => {
  t.same(events('# Events\n\n## Main ideas\n\nEvents are triggered when an action is done.\n'), []);
  t.same(events('# Events\n\n## Main ideas\n\nAll webhooks are sent when an action is done.\n'), []);
  t.same(events('# Events\n\n## Cart Closed\n\nThese events are sent when a cart is closed.\n'), [
    'Cart Closed',
  ]);
  t.same(events('# Events\n\n## Cart Closed\n\nCart Closed events are sent when a cart is closed.\n'), [
    'Cart Closed',
  ]);
  t.end();
});

t.test('what is asked and answered is sent, and is no event', (t) => {
  t.same(
    events('# Events\n\nA `BindRequest` is sent to the node. After it a `BindResponse` is published.'),
    [],
  );
  t.same(events('# Events\n\nA `NodeBound` is sent. The `BindRequest` event is sent, too.'), [
    'BindRequest',
    'NodeBound',
  ]);
  t.end();
});

t.test('a topic is a way that messages go, and an event where its name or its row says what happens', (t) => {
  t.same(
    events(
      '# Bridges\n\nEvents of clients go to the topic `plant/oven`. Publish to the topic `plant-intake`, or to topics `PlantOne` and `a/b`.',
    ),
    [],
  );
  t.same(
    events('# Bridges\n\nIt is published to the topic `order.placed` and to the topic `order-events`.'),
    ['order-events', 'order.placed'],
  );
  t.same(events('Subscribe to the webhook topic `carts/update`.'), ['carts/update']);
  const rows =
    '|---|---|\n| frames/received | Frames that came in so far |\n| ovens/max | Highest number |\n';
  t.same(events(`# Broker topics\n\n## Frames\n\n| Topic | Description |\n${rows}`), []);
  t.same(
    events(
      '# Hooks\n\n| Topic | Description |\n|---|---|\n| carts/update | Fires when a cart is changed. |\n',
    ),
    ['carts/update'],
  );
  t.end();
});

t.test('what is sent as part of a message, and what a tool calls an event trigger, is no event', (t) => {
  t.same(events('# Hooks\n\nThe `session.auth.secret` is sent automatically as a header.'), []);
  t.same(
    events(
      '# Hooks\n\nThen `card.failed` is sent asynchronously as soon as a card fails, and `payout.paid` is delivered within 5 minutes.',
    ),
    ['card.failed', 'payout.paid'],
    'nor is a time a part',
  );
  t.same(events('# Zaps\n\nSelect the **Catch Any Hook** event trigger.'), []);
  t.same(events('# Zaps\n\nThe `order.paid` event triggers an `order.closed` event.'), [
    'order.closed',
    'order.paid',
  ]);
  t.end();
});

t.test('a reason for an error is no event, though events are reported with it', (t) => {
  t.same(events('Reports of `tray_too_heavy` events and of `invalid_glaze` events say more now.'), []);
  t.same(events('A `tray_lifted` event is sent.'), ['tray_lifted']);
  t.same(events('A `tray_not_found` event is sent.'), ['tray_not_found']);
  t.same(events('## Events\n\n### `invalid_glaze`\n\nSent when a glaze does not fit.\n'), ['invalid_glaze']);
  t.same(
    events('| Event | Description |\n|---|---|\n| `tray_not_found` | Sent when a tray is not there |\n'),
    ['tray_not_found'],
  );
  t.end();
});

t.test('options of events are settings', (t) => {
  const list =
    '- `events.redis.address`: Address of the server\n- `events.redis.workers`: Number of workers\n';
  t.same(events(`## Events Options\n\nThese say how events are shared.\n\n${list}`), []);
  t.same(events(`## Event configuration\n\n${list}`), []);
  t.same(events('## Events\n\n- `order.placed`: an order was placed\n'), ['order.placed']);
  t.end();
});

t.test('a template of webhooks has the name of a program', (t) => {
  t.same(
    events('Use the **Plant Cloud** [Webhook template](w.md) and the **Mapper Pro** webhook integration.'),
    [],
  );
  t.same(events('Each order sends an **Order Placed** webhook.'), ['Order Placed']);
  t.end();
});

t.test('a name beside the type of its values is a field, also where events are spoken of', (t) => {
  const rows = '|---|---|---|\n| `kiln.finished` | boolean | Whether it is done |\n';
  t.same(events(`# Webhook events\n\n## Message\n\n| Name | Type | Meaning |\n${rows}`), []);
  const dated = rows.replace('boolean', 'date (ISO 8601)');
  t.same(events(`# Kiln event\n\n## Message\n\n| Name | Kind | Meaning |\n${dated}`), []);
  for (const type of [' (boolean): whether it is done', ': boolean, whether it is done'])
    t.same(events(`# Webhooks\n\n## Webhook events\n\n- \`kiln.finished\`${type}\n`), [], type);
  t.same(
    events('# Webhooks\n\n## Webhook events\n\n- `kiln.finished`: string of ovens done\n'),
    ['kiln.finished'],
    'a sentence is no type',
  );
  t.same(
    events('# Webhooks\n\n| Event | Type |\n|---|---|\n| `kiln.finished` | string |\n'),
    ['kiln.finished'],
    'a column of events says what its names are',
  );
  t.end();
});

t.test('the type of an event, a program and what is done with an event are none', (t) => {
  t.same(events('# Webhooks\n\nAn event has a `kiln.lit` event with its `eventType` event.\n'), ['kiln.lit']);
  t.same(
    events('# Webhooks\n\nIt is sent to the [IFTTT](https://ifttt.example) [Webhooks](https://w.example).\n'),
    [],
  );
  t.same(events('# Send/Log An Event\n\nUse the call below to send event.\n'), []);
  t.end();
});

t.test('the first column of a table of attributes names attributes, also where values have no type', (t) => {
  const table = (header: string) =>
    events(
      `# Telemetry events\n\n## Fired events\n\n| ${header} | Description |\n|---|---|\n| \`kiln.mug.soft_failed\` | Says that one mug may crack. |\n`,
    );
  t.same(table('Attribute'), []);
  t.same(table('Event'), ['kiln.mug.soft_failed']);
  t.end();
});

t.test('a word with hyphens is the name of an event where the sentence speaks of events', (t) => {
  const { edges } = assemble({
    'events.md': '# Events\n\n| Event | Sent |\n|---|---|\n| `MugPlaced` | when a mug is placed |\n',
    'styles.md': '# Styles\n\nThe class of the box is `mug-placed`. Its file is `mug-placed` as well.\n',
    'hooks.md': '# Hooks\n\nThe shop listens to the event `mug-placed`.\n',
  });
  const named = edges('references').filter((edge) => edge.endsWith('MugPlaced'));
  t.same(named, ['Events -references-> MugPlaced', 'Hooks -references-> MugPlaced']);
  t.end();
});

t.test('or where it says what happened, and the sentence does not speak of classes, files or values', (t) => {
  const { edges } = assemble({
    'events.md':
      '# Events\n\n| Event | Sent |\n|---|---|\n| `mug-placed` | when a mug is placed |\n| `mug-check` | when one is looked at |\n',
    'flow.md': '# Flow\n\nThe shop writes `mug-placed` to the queue. Then it runs `mug-check`.\n',
    'list.md': '# List\n\n- `mug-placed`\n',
    'styles.md': '# Styles\n\nThe class of the box is `mug-placed`.\n',
  });
  const named = edges('references').filter((edge) => /mug-(?:placed|check)$/.test(edge));
  t.same(named, [
    'Events -references-> mug-check',
    'Events -references-> mug-placed',
    'Flow -references-> mug-placed',
    'List -references-> mug-placed',
  ]);
  t.end();
});
