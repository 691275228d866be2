/** Relations and names in styles of documentation that differ from each other. */
import t from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';
import { assemble, assembleText } from '../assembled.ts';

t.test('front matter of an event says who sends and who receives it', async (t) => {
  const event = (fields: string) =>
    assembleText(
      `---\nname: MugComplete\n${fields}---\n\n### Details\n\nThis event is triggered when a mug is cold.\n`,
      'domains/kiln/events/MugComplete/index.md',
    );
  const read = event('producers:\n  - Kiln Service\nconsumers:\n  - Shop\n  - shelfmanager\n');
  t.same(read.nodes('Event'), ['MugComplete'], 'and a heading such as "Details" is none');
  t.same(read.edges('triggers'), ['Kiln Service -triggers-> MugComplete']);
  t.same(
    read.edges('references').filter((edge) => edge.endsWith('-> MugComplete')),
    ['Shop -references-> MugComplete', 'shelfmanager -references-> MugComplete'],
  );
  const guide = assembleText('---\ntitle: Guide\nproducers: [Kiln Service]\n---\n\nAll of it.\n', 'guide.md');
  t.same(guide.edges('triggers'), [], 'a page about something else');
});

t.test('a domain of a catalog has the services that it lists', async (t) => {
  const parts = (fields: string) =>
    extractDocument('domains/pots/index.md', `---\n${fields}\nservices:\n  - id: kiln\n---\n\nAll pots.\n`)
      .statements.filter(({ type }) => type === 'parent_of')
      .map(({ target }) => target);
  t.ok(parts('id: pots\nname: Pots').includes('page:kiln'));
  t.same(parts('title: Guide'), [], 'a page about something else');
});

t.test('a text that tells of a thing as an event tells who sends it', async (t) => {
  for (const text of [
    'A Letter is an event that is sent by the **Shop**.',
    'The Letter is a webhook sent by the **Shop**.',
  ]) {
    const read = assembleText(`# Letter\n\n${text}\n`);
    t.same(read.nodes('Event'), ['Letter'], text);
    t.same(
      assemble({ 'a.md': `# Letter\n\n${text}\n`, 'b.md': '# Shop\n\nThe Shop is a service.\n' }).edges(
        'triggers',
      ),
      ['Shop -triggers-> Letter'],
      text,
    );
  }
  t.same(assembleText('# Fair\n\nA Fair is an event that potters attend.\n').nodes('Event'), []);
});

t.test(
  'what an operation creates is created by it, and not by the thing that its page is about',
  async (t) => {
    const page = (method: string, more = '') =>
      `# Media\n\n## Upload media\n\n\`${method} /media\`\n\nCreates a **Picture** object. ${more}\n`;
    t.same(assembleText(page('POST')).edges('generates'), ['POST /media -generates-> Picture']);
    t.same(assembleText(page('GET')).edges('generates'), []);
    const returned = assembleText(page('POST', 'Returns the **Picture** object.'));
    t.same(returned.edges(), ['POST /media -returns-> Picture'], 'what returns it is said to return it');
  },
);

t.test('what titles of links and versions say names no event', async (t) => {
  const events = (element: string) =>
    assembleText(`# Events\n\n## Events\n\n${element}\n`, 'a.mdx').nodes('Event');
  t.same(events('<Card title="mug.released">Sent when it is.</Card>'), ['mug.released']);
  t.same(events('<Link title="mug.released">What is new</Link>'), []);
  t.same(events('<Card title="v2.released">What is new</Card>'), []);
});

t.test('whatever a name in words ends with, the thing before a participle has the event', async (t) => {
  const page = '# Webhook events\n\n| Event | Description |\n|---|---|\n| `mug_destroyed` | Gone |\n';
  t.same(assemble({ 'a.md': page, 'b.md': '# Mug object\n\nA mug.\n' }).edges('triggers'), [
    'Mug -triggers-> mug_destroyed',
  ]);
  const tables = assembleText('# Tables of events\n\n#### `kiln.fire_events`\n\nAll that is kept.\n');
  t.same(tables.nodes('Event'), [], 'what keeps events is none');
});

t.test('methods and a path that only elements part are endpoints', async (t) => {
  const page = (summary: string) => assembleText(`# Proxy\n\n<summary>${summary}</summary>\n`, 'a.mdx');
  const badges = '<span>GET</span><span class="x">POST</span>/mugs/&#123;id&#125;';
  t.same(page(badges).nodes('Endpoint'), ['GET /mugs/{id}', 'POST /mugs/{id}']);
  t.same(page('<span>GET</span> a mug in /mugs').nodes('Endpoint'), []);
});

t.test('a sentence that sets a term off and says what it is defines it', async (t) => {
  const read = assembleText(
    '# Concepts\n\n## Shelf\n\nA place for _Mugs_. A _Shelf_ typically holds few.\n\n## Crates\n\nA _Crate_ is a collection of _Mugs_. A _Mug_ is a vessel.\n',
  );
  t.same(
    ['Shelf', 'Crates', 'Mug'].filter((name) => !read.nodes('Concept').includes(name)),
    [],
  );
  t.ok(read.edges('belongs_to').includes('Mug -belongs_to-> Crates'));
  t.same(assembleText('# A\n\nIt is _Great_. A _nice_ is a word.\n').nodes('Concept'), []);
  t.same(assembleText('# A\n\nA _Team_ is a group of potters.\n').nodes('Concept'), ['Team']);
  for (const sentence of [
    'The _Answer_ is a no.',
    'Each _Row_ is a mug.',
    'The _First Oven_ is the hottest.',
  ])
    t.same(assembleText(`# A\n\n${sentence}\n`).nodes('Concept'), [], sentence);
});

t.test('items within an item that is nothing but a name tell of that name', async (t) => {
  const list = (item: string) =>
    `# How mail works\n\nMail tells people.\n\n## Parts\n\n- ${item}\n  - Communicates with Mail Store to keep it.\n- [Mail Store](https://x.example/b)\n  - Keeps it.\n`;
  const edge = 'Mail Page -references-> Mail Store';
  t.ok(assembleText(list('[Mail Page](https://x.example/a)')).edges('references').includes(edge));
  t.notOk(assembleText(list('See the [Mail Page](https://x.example/a)')).edges('references').includes(edge));
  const told = (line: string) =>
    assembleText(`# How mail works\n\nMail tells people.\n\n## Parts\n\n- **Mail Rules**\n  - ${line}\n`)
      .nodes('Concept')
      .includes('Mail Rules');
  t.ok(told('Uses the mail store.'));
  for (const line of [
    'Use the mail store.',
    'Require a mail review.',
    'Schedule talks focusing on use cases.',
  ])
    t.notOk(told(line), `${line} What tells the reader what to do is not told of the name`);
});

t.test('who acts is not the thing that only stands near', async (t) => {
  const none = (sentence: string, types: string[]) =>
    t.same(
      assemble({
        'a.md': `# Overview\n\n${sentence}\n`,
        'b.md':
          '# Objects\n\n## Mug object\n\nA.\n\n## Shelf object\n\nA.\n\n## POT object\n\nA.\n\n## Label object\n\nA.\n',
      }).edges(...types),
      [],
      sentence,
    );
  none('You create the **Mug** in the **POT**.', ['belongs_to']);
  none('A **Shelf** holds it for users or groups of **Mugs**.', ['groups']);
  none('**Mugs** can be assigned to **Shelves** by creating **Labels**.', ['generates']);
  none('**Shelf**: Potters create **Mugs**.', ['generates']);
  none('With the **Shelf** you ask for rooms requiring a **Label**.', ['requires']);
  none('In **Shelf**, it is kept by the oven server, which issues **Labels**.', ['generates']);
  none('A **Shelf** requires that the **Mug** is in a room.', ['requires']);
});
