/** What stands beside "event" in one way or another and is none. */
import t from 'tap';
import { assembleText } from '../assembled.ts';

function events(text: string): string[] {
  return assembleText(text).nodes('Event');
}

t.test('the kinds of pages that a column of topics lists are no events', (t) => {
  const rows =
    '|---|---|\n| [Tour](tour.md) | A first look. |\n| [Walk-through](walk.md) | Step by step. |\n';
  t.same(events(`## Templates\n\n| Topic type | Purpose |\n${rows}`), []);
  t.same(events('## Queue\n\n| Topic type | Sent |\n|---|---|\n| `cart.closed` | at the end |\n'), [
    'cart.closed',
  ]);
  t.end();
});

t.test('what a body holds several of is told by its fields', (t) => {
  const items = '- `cart_rows` - how many rows the cart has\n- `weight_grams` - what it weighs\n';
  t.same(
    events(
      `# Carts\n\n## Sample webhook delivery\n\nThe request body contains a list of cart events:\n\n${items}`,
    ),
    [],
  );
  t.same(
    events(
      '# Carts\n\n## Sent\n\nThe cart sends the following events:\n\n- `row_added` - a row came\n- `cart.closed`\n',
    ),
    ['cart.closed', 'row_added'],
  );
  t.end();
});

t.test('a heading about what events have does not open a list of them', (t) => {
  const items = '- `loose`: in any order\n- `strict`: one behind the other\n';
  t.same(events(`# Shop\n\n## Setting the order of sent events\n\nThe ways are:\n\n${items}`), []);
  t.same(events('# Shop\n\n## List of events\n\n- `close`: the shop closes\n- `row_added`: a row came\n'), [
    'close',
    'row_added',
  ]);
  t.end();
});

t.test('what is measured is no event, below webhooks either', (t) => {
  const metric = '### `shop.webhook.call.length`\n\n**Instrument Type:** Histogram\n\n**Unit:** s\n';
  t.same(events(`# Observability\n\n## Webhooks\n\n${metric}`), []);
  t.same(
    events('# Watching\n\n## Webhook metrics\n\n### `shop.webhook.calls`\n\nHow many calls there were.\n'),
    [],
  );
  t.same(events('# Watching\n\n## Webhooks\n\n### `shop.row.added`\n\nA row came.\n'), ['shop.row.added']);
  t.end();
});

t.test('a field in camelCase, and one that has a value, is no event', (t) => {
  t.same(events('# Webhooks\n\n## Mends of the webhook\n\nRows now have:\n\n- `paidTotal`: `0`\n'), []);
  t.same(events('# Events\n\nThe last event (`closedAt`) counts, and so does the event `rowCount`.\n'), []);
  t.same(events('# Events\n\nThe board adds `Row.last_moved` and an event `row_moved`.\n'), ['row_moved']);
  t.same(events('# Events\n\nThe last event (`Row.moved`) counts.\n'), ['Row.moved']);
  t.end();
});

t.test('who makes, brings or takes events is none of that name', (t) => {
  t.same(events('Start the `pulse` event source and see the log of the `row-printer` event consumer.'), []);
  t.same(
    events('It is closed but for the `mail-room` webhook receiver, and keeps `OPEN` event deliveries.'),
    [],
  );
  t.same(events('Look at the `row_added` event consumer and the `cart.closed` webhook receiver.'), [
    'cart.closed',
    'row_added',
  ]);
  t.same(events('Brings [vBoard](https://example.com/board) events into the shop.'), []);
  t.same(events('**Taking the event: `handleCartEvent`** is called next.'), []);
  t.same(events('## Plans\n\n- [RFC-0012](https://example.com/rfc/12-event-rows) Event rows\n'), []);
  t.end();
});

t.test('a thing that is sent or published is no event, where nothing says when', (t) => {
  const page = '# Shop\n\nThe shop knows events. ';
  t.same(
    events(`${page}See where the \`PortTable\` is published. The \`cartGateways\` will be sent to it.`),
    [],
  );
  t.same(events(`${page}An image (\`amd/sixty\`) is published with every release.`), []);
  t.same(events(`${page}\`CartMerge\` is published when two carts are one.`), ['CartMerge']);
  t.same(events(`${page}A \`rowAdded\` is sent to all clients.`), ['rowAdded']);
  t.end();
});

t.test('what a client asks for is no event in a page about webhooks', (t) => {
  t.same(
    events(
      '# Webhooks\n\n## Calls\n\n### `x:Webhook/get`\n\nGets them.\n\n### `x:Webhook/set`\n\nSets them.\n',
    ),
    [],
  );
  t.end();
});

t.test('what a list is of by the words before it is none of the events that its heading names', (t) => {
  const page = (lead: string) =>
    events(
      `# Shop\n\n## List cart events\n\n${lead}\n\n- \`rows\`: the rows of this page\n- \`next\`: where the next ones are\n`,
    );
  t.same(page('The body has the following paging fields:'), []);
  t.same(page('Filter them with the following variables, of which each can be left out:'), []);
  t.same(page('These are sent:'), ['next', 'rows']);
  t.same(
    events(
      '# Shop\n\nFire an event. Use the following variables to filter what `on.<event>.kind` fires:\n\n- `cart.source_event`: the one that filled the cart\n',
    ),
    [],
  );
  t.end();
});

t.test('a link to a page of something else does not make its name that of events', (t) => {
  t.same(
    events(
      '# Shop\n\nThe [Tin Bridge](tin-bridge.md) events are kept. All [Tin Bridge](tin-bridge.md) event payloads are, too.\n',
    ),
    [],
  );
  t.same(events('# Shop\n\nIt fires a [Row Added](feed.md#row-added) event.\n'), ['Row Added']);
  t.end();
});

t.test(
  'the number of an error is no event that is emitted, and neither is what somebody is told to do',
  (t) => {
    t.same(events('# Errors\n\n## KN07: Too hot\n\nWhen the kiln is too hot, `KN07` is emitted.\n'), []);
    t.same(
      events('# Cart\n\nThe shop has events. `CreateRow` is sent by the shop and handled by the cart.\n'),
      [],
    );
    t.end();
  },
);

t.test('what happened, in CamelCase, is an event where it is published, whatever else is said', (t) => {
  const row = assembleText(
    '# Cart worker\n\n`RowPacked` is published by the `RowPacker` when a row is packed.\n',
  );
  t.same(row.nodes('Event'), ['RowPacked']);
  t.same(events('# Shop\n\nThe `RowTable` is published with the shop.\n'), []);
  t.end();
});
