/** Labels and headings that say what a thing does with the events behind them. */
import t from 'tap';
import { assembleText } from '../assembled.ts';

/** What a page about a service says that the service has to do with events. */
function edges(text: string, type: 'triggers' | 'references' = 'triggers', path = 'kiln.md'): string[] {
  return assembleText(text, path)
    .edges(type)
    .filter((edge) => /^(?:Kiln Service|Kilns|Events|Kiln System) -/.test(edge));
}

const SENT = ['Kiln Service -triggers-> mug.fired', 'Kiln Service -triggers-> mug.removed'];

t.test('what is listed behind such a label is sent or received by what the page is about', async (t) => {
  const listed = '- `mug.fired`\n- `mug.removed` - the mug is gone\n';
  for (const label of [
    '**Publishes:**',
    'Published events:',
    '**Events produced**:',
    '**Publishes**',
    '## Emitted Events (Outgoing)',
  ])
    t.same(edges(`# Kiln Service\n\nFires mugs.\n\n${label}\n\n${listed}`), SENT, label);
  t.same(edges(`# Kiln Service\n\n- **Emits**: \`mug.fired\` and \`mug.removed\` in its topic\n`), SENT);
  t.same(
    edges(
      '# Kiln Service\n\n## Events\n\n### Published Events\n\nAll are kept.\n\n- `MugFired`\n- `MugBurst`\n',
    ),
    ['Kiln Service -triggers-> MugBurst', 'Kiln Service -triggers-> MugFired'],
  );
  t.same(edges(`# Kiln Service\n\n- **Publishes**: mug.fired, mug.removed\n`), SENT, 'without markup');
  for (const label of ['**Consumes:**', 'Events reacted to:', '## Consumed Events', '**Subscribes to:**'])
    t.same(
      edges(`# Kiln Service\n\n${label}\n\n- \`clay.delivered\`\n`, 'references'),
      ['Kiln Service -references-> clay.delivered'],
      label,
    );
});

t.test(
  'a table below such a heading says it of each row, unless a column tells whose the event is',
  async (t) => {
    const page = (header: string, cell: string) =>
      `# Kiln Service\n\n## Published events\n\n| Event | ${header} |\n|---|---|\n| \`mug.fired\` | ${cell} |\n`;
    t.same(edges(page('Description', 'All is well')), ['Kiln Service -triggers-> mug.fired']);
    for (const header of ['Published by', 'Service']) t.same(edges(page(header, 'Oven Service')), [], header);
  },
);

t.test(
  'the nearest heading that names a thing is meant; a document where its topic is no thing',
  async (t) => {
    const label = '**Publishes:** `mug.fired`';
    t.same(
      edges(`# Architecture\n\n## Kiln Service\n\n### Messaging\n\n${label}\n`, 'triggers', 'a.md'),
      ['Kiln Service -triggers-> mug.fired'],
      'in a page about more',
    );
    t.same(edges(`# Kilns\n\n## Integration\n\n${label}\n`), ['Kilns -triggers-> mug.fired']);
    for (const heads of [
      '# Architecture',
      '# Events',
      '# Kiln System\n\n## How mugs are fired',
      '# Kiln System\n\n## Choice 4: Event-driven mugs',
      '# Quickstart',
      '# Services',
    ])
      t.same(assembleText(`${heads}\n\n${label}\n`).edges('triggers'), [], heads);
  },
);

t.test('other labels and what is no event say nothing of the kind', async (t) => {
  for (const text of [
    '- **Consumes**: `application/xml`\n- **Produces**: `application/json`',
    '**Raises:** `NotImplemented`, `PermissionDenied`',
    '**Events of a mug:**\n\n- `mug.fired`',
    '**Publishes:** none',
    '## Published events\n\nEach has these fields:\n\n- `mug_id`\n- `created_at`',
  ])
    t.same(
      edges(`# Kiln Service\n\n${text}\n`).filter((edge) => edge.includes('triggers')),
      [],
      text,
    );
});

t.test('a name in bold or the item around a label says of whom it speaks', async (t) => {
  const label = 'Publishes: `mug.fired`';
  const all = (text: string) => assembleText(text).edges('triggers');
  const [sent, ofOven] = ['Kiln Service -triggers-> mug.fired', 'Oven Service -triggers-> mug.fired'];
  t.same(all(`# Kiln Service\n\n**Messaging**\n\n- ${label}\n`), [sent]);
  t.same(all(`# Kiln Service\n\n- Messaging\n  - ${label}\n`), [sent]);
  t.same(all('# Kiln Service\n\n- **Publishes:**\n  - `mug.fired`\n'), [sent]);
  for (const item of ['Oven Service', '**Oven Service** - fires mugs.', '**Oven Service**: fires.\n\n  Well'])
    t.same(all(`# Kiln Service\n\n- ${item}\n  - ${label}\n- Potters\n`), [ofOven], item);
  t.same(all(`# Kiln Service\n\n- Oven Service\n\n  ${label}\n`), [ofOven]);
  t.same(all('# Kiln Service\n\n## Published events\n\n- Oven Service\n  - `mug.fired`\n'), []);
  t.same(all(`# Kiln Service\n\n- Oven Service\n  - fires mugs\n\nSo:\n\n- ${label}\n`), [sent]);
});

t.test('what an item tells of the event that it lists is no other one that is sent', async (t) => {
  const page = (items: string) => edges(`# Kiln Service\n\n## Published events\n\n${items}\n`);
  t.same(page('- `mug.fired`, on which others send `mug.removed`\n  - `clay.delivered` comes before'), [
    'Kiln Service -triggers-> mug.fired',
  ]);
  t.same(page('- The `mug.fired` and `mug.removed` events'), SENT);
  t.same(page('1. Subscribe to `order.placed`'), []);
});

t.test(
  'that a thing is called after events, or the like, does not make events of what it lists',
  async (t) => {
    const text = '# Fraud Prevention Service\n\n**Consumes:**\n\n- `application/json`\n- `order-list`\n';
    t.same(assembleText(text).nodes('Event'), []);
  },
);

t.test('a label in bold below the heading of an event names who sends and who receives it', async (t) => {
  const page = (line: string) =>
    `# Events\n\n## \`mug.placed\` event\n\n${line}\n\nSent when a mug is placed.\n\n# Services\n\n- **Kiln** — a service that heats\n- **Shop** — a service that sells\n`;
  const stated = (line: string) => [
    ...assembleText(page(line)).edges('triggers'),
    ...assembleText(page(line))
      .edges('references')
      .filter((edge) => edge.endsWith('-> mug.placed') && !edge.startsWith('Events')),
  ];
  for (const line of [
    '**Producer:** Kiln',
    '**Published by**: Kiln',
    '**Producer** Kiln',
    '- **Emitter:** Kiln.',
  ])
    t.same(stated(line), ['Kiln -triggers-> mug.placed'], line);
  t.same(stated('**Consumers:** Kiln, Shop'), [
    'Kiln -references-> mug.placed',
    'Shop -references-> mug.placed',
  ]);
  const both = ['Kiln -references-> mug.placed', 'Shop -references-> mug.placed'];
  t.same(stated('**Consumers:** Kiln and Shop'), both);
  t.same(stated('**Producer:** Kiln\n**Consumers**: Shop'), [
    'Kiln -triggers-> mug.placed',
    'Shop -references-> mug.placed',
  ]);
  const parties = (names: string) =>
    assembleText(page(`**Consumers:** ${names}`))
      .nodes('Concept')
      .filter((name) => / Service$/.test(name));
  t.same(parties('Clay Service and Glaze Service'), ['Clay Service', 'Glaze Service']);
  t.same(parties('Clay and Glaze Service'), ['Clay and Glaze Service'], 'one name');
  t.same(parties('Oven Service, Clay, and Glaze Service'), ['Glaze Service', 'Oven Service']);
  for (const line of ['**Producers** have to wait for the kiln', '**Product:** Kiln', 'Producer: Kiln'])
    t.same(stated(line), [], line);
  t.same(assembleText('# Mugs\n\n**Producer:** Kiln Service\n').edges('triggers'), [], 'without an event');
});
