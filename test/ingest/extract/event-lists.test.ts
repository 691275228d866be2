import t from 'tap';
import { assembleText } from '../assembled.ts';

function events(text: string): string[] {
  return assembleText(text).nodes('Event');
}

t.test('a sentence that says "events:" says it of all that it lists', async (t) => {
  t.same(events('Subscribe to the following bot events: `link_shared`, `message.channels`, `message.im`.'), [
    'link_shared',
    'message.channels',
    'message.im',
  ]);
  t.same(events('It triggers `a.renewed`, `period_end` moves on.'), ['a.renewed']);
});

t.test('items and terms of a list of events may be written plainly', async (t) => {
  const text = [
    '## Events that trigger webhooks',
    '',
    'We send the following events:',
    '',
    '- message_created / message_active',
    '- todo.completed',
    '- some other text',
    '- priority_level',
  ].join('\n');
  t.same(events(text), ['message_active', 'message_created', 'todo.completed']);
  t.same(
    events(
      '## Event types and payloads\n\n`status.update`\n: A status was edited.\n\n`delete`\n: It is gone.\n\n`x` : no term\n',
    ),
    ['delete', 'status.update'],
  );
  t.same(events('## Fields\n\n- date_created\n\n`status.update`\n: When it was.\n'), []);
});

t.test('a heading over a list of events is none of them', async (t) => {
  const item = (name: string, when: string) => `- \`${name}\`: This webhook is triggered when ${when}.\n`;
  const text = `# Webhook event types\n\n## Message events\n\n${item('message.read', 'a message is read')}\n## Preference event\n\n${item('preference.updated', 'one is set')}`;
  t.same(events(text), ['message.read', 'preference.updated']);
});

t.test('an item that says when its name happens is an event in a section about events', async (t) => {
  const text = '- **Scope:**\n  - `items.create` - When items are created\n  - `items.keys` - Of all items\n';
  t.same(events(`# Flows\n\n## Step 3: Add Event Hook Trigger\n\n${text}`), ['items.create']);
  t.same(events(`# Flows\n\n## Step 3: Add a field\n\n${text}`), []);
  const fields =
    '- `data.previous`: when a field was changed, its former value\n- `hook.secret`: when set each request is signed\n';
  t.same(events(`# Webhooks\n\n## Events\n\nWe send some.\n\n### Payload\n\n${fields}`), []);
});

t.test('an action hook is an event', async (t) => {
  t.same(events('The `articles.items.create` action hook triggers after an item was made.'), [
    'articles.items.create',
  ]);
  t.same(events('The `articles.items.create` hook factory triggers nothing.'), []);
});

t.test('what only stands beside the word is no event', async (t) => {
  t.same(
    events('## Webhooks\n\nThe `strategy` on the event (`rotating_member` or `every_member`) says who.'),
    [],
    'values of a field in brackets',
  );
  t.same(events('It sends an event (`order.placed`).'), ['order.placed']);
  t.same(
    events('| Event | Amount |\n|---|---|\n| Transaction 1 | $200 |\n| Transaction 2 | $100 |\n'),
    [],
    'numbered rows of an example',
  );
  t.same(
    events('## Version Pinning\n\nThe image is published on a hub. Webhooks and events are elsewhere.'),
    [],
    'what is published on a place',
  );
  t.same(
    events(
      '# Webhooks\n\n## External payment providers\n\n<details>\n<summary>Provider created</summary>\nThis webhook is sent when a customer is created.\n</details>\n',
    ),
    [],
    'a heading above things that fold open',
  );
});

t.test('the example of a payload names its event', async (t) => {
  const payload = (key: string, value: string) =>
    `\`\`\`json\n{\n  "id": 1,\n  "${key}": "${value}"\n}\n\`\`\`\n`;
  const { facts } = assembleText(`# Invoices\n\n## Draft\n\n${payload('webhook_type', 'invoice.drafted')}`);
  t.match(
    facts.get('page.md')?.mentions.find(({ type }) => type === 'Event'),
    {
      key: 'event:invoice.drafted',
      line: 8,
    },
  );
  t.same(events(`## Webhook events\n\n${payload('type', 'order.placed')}`), ['order.placed']);
  t.same(events(`## Orders\n\n${payload('type', 'order.placed')}`), [], 'a type of anything');
  t.same(events(`## Webhook events\n\n${payload('type', 'text')}${payload('event', 'a.example.com')}`), []);
});

t.test('the sentence in front of a list says whether it lists events', async (t) => {
  const items = '\n\n- `customer.updated`: When one is updated\n- `CancelOrRefund`\n';
  const both = ['CancelOrRefund', 'customer.updated'];
  t.same(events(`Acme will listen to the following events on Pay and track them as sales:${items}`), both);
  t.same(events(`The app supports following notification events from Pay:${items}`), both);
  t.same(
    events('The `token_usage` event contains:\n\n- **`per_turn_usage`**: Tokens\n- `channel_state`: Where\n'),
    ['token_usage'],
  );
  t.same(events(`It triggers events with these fields:${items}`), []);
  t.same(
    events('## Query-triggered webhooks\n\nFetching triggers webhooks:\n\n- `checkout.shippingMethods`\n'),
    [],
  );
  t.same(events('## Retries for webhooks\n\n- `Linear Retry`\n- `linear_retry`\n'), []);
});

t.test('headings of lists, kinds and errors name no event', async (t) => {
  for (const heading of ['Event Types', 'Top links by event', 'Possible actions', '`ErrorCode.BAD_URL`'])
    t.same(
      events(`# Webhooks\n\n## ${heading}\n\nThis error is raised when an event is late.\n`),
      [],
      heading,
    );
  t.same(events('# Webhooks\n\n## Possible actions\n\nSent when an event is late.\n'), []);
});

t.test('a heading is no event where its text says of something else that it is sent', async (t) => {
  t.same(
    events('# FlagReview event\n\n## Overview\n\nFlagReview is sent to the api when a review is bad.\n'),
    ['FlagReview'],
  );
  t.same(
    events('# SyncFailed\n\n## Meaning\n\nThis alert is fired when the webhook of a resource fails.\n'),
    [],
  );
  t.same(events('# Webhooks\n\n## Membership\n\nThis event is sent when a commit arrives.\n'), [
    'Membership',
  ]);
  t.same(events('# Webhooks\n\n## Membership\n\nA membership is sent when a commit arrives.\n'), [
    'Membership',
  ]);
  t.same(events('# Webhooks\n\n## `membership`\n\nThe commit is sent when it arrives.\n'), ['membership']);
});

t.test('a file is about events by its name, too, and events may be named after notifications', async (t) => {
  const text =
    '### `api_usage.notification.sent`\n\nLogged at `info`.\n\n### `seats.webhook.added`\n\nLogged.\n';
  const named = ['api_usage.notification.sent', 'seats.webhook.added'];
  t.same(assembleText(text, '_events-catalogue.md').nodes('Event'), named);
  t.same(assembleText(text, 'webhook_events.md').nodes('Event'), named);
  t.same(assembleText(text, 'settings.md').nodes('Event'), []);
});

t.test('a table of the attributes of one event names it in the row of its type', async (t) => {
  const table = (header: string) =>
    `| ${header} | Value |\n| --- | --- |\n| \`source\` | \`my.repository\` |\n| \`type\` | \`com.example.push\` |\n`;
  t.same(events(`## Push\n\n${table('CloudEvents Attribute')}`), ['com.example.push']);
  t.same(events(`## Push event\n\n${table('Attribute')}`), ['com.example.push']);
  t.same(events(`## Component\n\n${table('Field')}`), []);
});

t.test('a column of events may say whose they are', async (t) => {
  const text =
    '| Provider event (`<status>`) | Our event |\n| --- | --- |\n| `email.complained` | `complaint` |\n| `email.delivery_delayed` | `delayed` |\n| `opened` | `opened` |\n';
  t.same(events(text), ['email.complained', 'email.delivery_delayed']);
});

t.test('kinds of events are events, of other things not', async (t) => {
  const rows =
    '| Kind | Description |\n|---|---|\n| `parcel_packed` | A parcel was packed |\n| `round_trip` | It came back |\n';
  t.same(
    assembleText(`# Feed\n\n## Event kinds\n\nThe \`kind\` field says which.\n\n${rows}`).nodes('Event'),
    ['parcel_packed', 'round_trip'],
  );
  t.same(assembleText(`# Feed\n\n## Parcel kinds\n\n${rows}`).nodes('Event'), []);
});

t.test('a heading of a list of events may say behind the name what it means', (t) => {
  const text = [
    '# Event types',
    '## Event types',
    '### `up` - Reading taken',
    'Has a body.',
    '### `battery`: State of the battery',
    'Has a body.',
    '### Bodies of events',
    'All have one.',
  ].join('\n\n');
  t.same(assembleText(text).nodes('Event'), ['battery', 'up']);
  const others = text.replaceAll('Event types', 'Frames');
  t.same(assembleText(others).nodes('Event'), [], 'nor are frames events');
  t.end();
});

t.test('when an event is sent may be said in another line than the first', async (t) => {
  const text = (line: string) => `# Webhooks\n\n## Events\n\n### connected\n\nHas no payload.  \n${line}\n`;
  t.same(assembleText(text('Sent when a client is there.')).nodes('Event'), ['connected']);
  t.same(assembleText(text('Needs no answer.')).nodes('Event'), []);
});

t.test('a value below a heading of values is no event, though time is spoken of', (t) => {
  const text =
    '# Timing events\n\n## Ticker properties\n\n### `ticker.startTime`\n\nMilliseconds since the start.\n';
  t.same(events(text), []);
  t.same(events(text.replace('startTime', 'started')), ['ticker.started']);
  t.end();
});

t.test('values of a field that names an event are events', (t) => {
  const table = (field: string, values: string) =>
    `| Name | Type | Meaning |\n|---|---|---|\n| \`${field}\` | string | ${values} |\n`;
  const lines =
    'What happened.<br><br>Possible values are:<br><br><li>`kiln_lit` - it burns<li>`kiln_paused` - its `state` is `at_rest`<li>`kiln_opened` - it is open';
  t.same(events(table('event_type', lines)), ['kiln_lit', 'kiln_opened', 'kiln_paused']);
  t.same(events('- `data.eventName` (string): one of `kiln.opened`, `kiln.lit` or "`kiln.closed`"\n'), [
    'kiln.closed',
    'kiln.lit',
    'kiln.opened',
  ]);
  t.same(events(`# Webhooks\n\n${table('type', 'Allowed values: `kiln.opened`, `kiln.lit`')}`), [
    'kiln.lit',
    'kiln.opened',
  ]);
  t.same(events(table('type', 'Allowed values: `kiln.opened`, `kiln.lit`')), [], 'a type of something');
  t.same(events(table('event_type', 'Can be one of `trigger`, `resolve`')), [], 'what is done to one');
  t.same(events(table('event_type', 'One of `in_person`, `on_site`')), [], 'kinds of events');
  t.same(events(table('event_status', 'One of `kiln.opened`, `kiln.lit`')), []);
  t.end();
});

t.test('the operation above a list of its events is none of them', (t) => {
  const { nodes } = assembleText(
    '# Bulk\n\n## Webhooks\n\nThe following calls trigger these events:\n\n- `mugBulkCreate`:\n  - `MUG_CREATED`: for each mug\n- `mugBulkUpdate`:\n  - `MUG_UPDATED`: for each mug\n',
  );
  t.same(nodes('Event'), ['MUG_CREATED', 'MUG_UPDATED']);
  for (const below of [
    '  - `position`: number',
    '\n  Sent when the wheel turns.',
    '  ```json\n  {}\n  ```',
  ]) {
    const wheel = `# Wheel\n\n## Events\n\nThese events are sent:\n\n- \`wheelStart\`:\n${below}\n- \`wheelEnd\`:\n${below}\n`;
    t.same(assembleText(wheel).nodes('Event'), ['wheelEnd', 'wheelStart'], below);
  }
  t.end();
});

t.test('an event is named behind its type, with a version', (t) => {
  const { nodes } = assembleText(
    '# Works Events\n\n## Mug\n\nA Mug is a cup.\n\n## Events\n\n### Mug fired\n\n- Event Type: __`dev.kilnworks.mug.fired.0.3.0`__\n- Predicate: fired\n',
  );
  t.ok(nodes('Event').includes('dev.kilnworks.mug.fired.0.3.0'));
  t.end();
});

t.test('a table of events may say who publishes and who receives them', async (t) => {
  const table = (header: string, ...rows: string[]) =>
    assembleText(`# All that happens here\n\n${header}\n|---|---|---|\n${rows.join('\n')}\n`);
  const told = table(
    '| Event | Published by | Consumers |',
    '| `mug.fired` | Kiln service | Shop BC, shelf-keeper |',
    '| `mug.sold` | Kiln service | whoever asks |',
  );
  t.same(told.edges('triggers'), ['Kiln service -triggers-> mug.fired', 'Kiln service -triggers-> mug.sold']);
  t.same(
    told.edges('references').filter((edge) => edge.includes('-> mug')),
    ['Shop BC -references-> mug.fired'],
  );
  const sourced = table('| Event | Source | Target |', '| `mug.fired` | Kiln service | Shop service |');
  t.same(sourced.edges('triggers'), ['Kiln service -triggers-> mug.fired']);
  t.same(
    sourced.edges('references').filter((edge) => edge.includes('-> mug')),
    ['Shop service -references-> mug.fired'],
  );
  const twice = (header: string, name: string) => {
    const rows = ['fired', 'sold'].map((what) => `| \`mug.${what}\` | ${name} | hot |`);
    return table(`| Event | ${header} | Notes |`, ...rows).edges('triggers').length;
  };
  for (const other of ['Console', 'src/kiln.ts', 'Both']) t.equal(twice('Source', other), 0, other);
  t.equal(twice('Producer', 'Console'), 2, 'a producer is nothing else');
});

t.test('a party is a part of the system if its name says so, however it is written', async (t) => {
  const { nodes } = assembleText(
    '# Bus\n\n| Event | Producer | Consumer |\n|---|---|---|\n| `mug.fired` | kiln-service | ShopGateway |\n| `mug.sold` | Potter | shelf-keeper |\n',
  );
  t.same(nodes('Concept'), ['Bus', 'ShopGateway', 'kiln-service']);
});

t.test(
  'who receives an event does not trigger it, and the names of parties do not describe it',
  async (t) => {
    const { edges, facts } = assembleText(
      '# Bus\n\n| Event | Published by | Subscribers |\n|---|---|---|\n| MugFired | Kiln service | **Shop service**, **Shelf service** |\n',
    );
    t.same(edges('triggers'), ['Kiln service -triggers-> MugFired']);
    const mentions = facts.get('page.md')?.mentions ?? [];
    t.same(
      mentions.flatMap(({ type, description = '' }) =>
        type === 'Event' && description !== '' ? [description] : [],
      ),
      [],
    );
  },
);

t.test('a column of events and something else has the events that are called so', async (t) => {
  const { nodes, edges } = assembleText(
    '# Bus\n\n| Event name OR endpoint | Style | Publisher/Provider |\n|---|---|---|\n| MugFired | Push | Kiln BC |\n| MugQueryReply | Event | Kiln BC |\n| GetMug | gRPC | Kiln BC |\n| /fire | HTTP | Kiln BC |\n',
  );
  t.same(nodes('Event'), ['MugFired', 'MugQueryReply']);
  t.same(edges('triggers').includes('Kiln BC -triggers-> MugFired'), true);
});

t.test(
  'titles of components are events in a section about events, or where they say when they are sent',
  async (t) => {
    const found = (text: string) => {
      const { nodes, edges } = assembleText(text, 'page.mdx');
      return [...nodes('Event'), ...edges('triggers')];
    };
    const cards = [
      '<Cards>',
      '  <Card title="mug.created" href="/mug_created"></Card>',
      '',
      '  <Card title="mug.half_full" href="/mug_half_full">',
      '    Sent when a mug is nearly empty.',
      '  </Card>',
      '  <Card title="mug.glazed" />',
      '</Cards>',
      '',
    ].join('\n');
    t.same(found(`# Webhook events\n\n## Mugs\n\n${cards}`), [
      'mug.created',
      'mug.glazed',
      'mug.half_full',
      'Mug -triggers-> mug.created',
      'Mug -triggers-> mug.glazed',
      'Mug -triggers-> mug.half_full',
    ]);
    t.same(found(`# Kiln\n\n${cards}`), ['mug.half_full']);
    const card = '<Card title="mug.half_full">\n  Sent when a mug is nearly empty.\n</Card>\n';
    t.same(found(`# Events\n\n## Mugs\n\n${card}`), ['mug.half_full'], 'and not of their heading');
    t.same(found('# Webhook events\n\n<Card title="mug.size">How large it is.</Card>\n'), []);
    t.same(found('# Webhook events\n\n<Card title="server.ts" /> <Card title="Mug fired" />\n'), []);
  },
);

t.test('a title of something else below the heading of an event takes nothing from it', async (t) => {
  const found = (first: string) =>
    assembleText(`# Webhook events\n\n## mug.fired\n\n${first}\n`, 'page.mdx').nodes('Event');
  for (const first of [
    'Sent when a mug is <abbr title="out of the kiln">fired</abbr>.',
    '<Callout title="Beta">Sent when a mug is fired.</Callout>',
    'Sent when a mug is fired. <img title="Flow" src="a.png" />',
    '<Card title="mug.fired">Sent when a mug is fired.</Card>',
  ])
    t.same(found(first), ['mug.fired'], first);
});
