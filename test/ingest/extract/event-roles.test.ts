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
    t.same(edges(page('Published by', 'Oven Service')), []);
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
    ])
      t.same(
        edges(`${heads}\n\n${label}\n`).filter((edge) => edge.includes('triggers')),
        [],
        heads,
      );
  },
);

t.test('other labels and what is no event say nothing of the kind', async (t) => {
  for (const text of [
    '- **Consumes**: `application/xml`\n- **Produces**: `application/json`',
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
