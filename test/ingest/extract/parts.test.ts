import t from 'tap';
import { assemble, assembleText } from '../assembled.ts';

const PLAN = `# How kilns are run

## Row Planner

The optional **row planner** service decides which oven is next.

## Glaze store

A glaze store is where glazes wait.

## Load relay

The load relay is responsible for what stands at the door.
`;

/** What is said between things, of a page that has the parts above. */
function relations(text: string): string[] {
  return assembleText(`${PLAN}\n## What happens\n\n${text}\n`)
    .edges('references', 'belongs_to', 'generates', 'requires')
    .filter((edge) => !edge.startsWith('page '));
}

t.test(
  'a heading that the text below says something of is a part, though it begins with a verb',
  async (t) => {
    const concepts = (text: string) => assembleText(`# How kilns are run\n\n${text}`).nodes('Concept');
    t.same(concepts('## Load relay\n\nThe **load relay** service hands loads on.\n'), ['Load relay']);
    t.same(concepts('## Load relay\n\nThe **load relay** helps.\n'), ['Load relay']);
    t.same(concepts('## Load relays\n\nLoad relays before you go.\n'), []);
    t.same(concepts('## Creating kilns\n\nThe creating kilns is a page.\n'), []);
    t.same(concepts('## Load relay\n\nThe load relay settings are below.\n'), []);
    t.same(
      concepts(
        '## Context object\n\nEach kiln is given a context object.\n\nThe context object is how it talks.\n',
      ),
      ['Context object'],
    );
    t.same(concepts('## The KilnRow object\n\nThe KilnRow object is a row.\n'), [], 'that is the KilnRow');
  },
);

t.test('a name in bold is a part where it is said to be something, or given to something', async (t) => {
  const concepts = (text: string) => assembleText(`# How kilns are run\n\n${text}`).nodes('Concept');
  t.same(concepts('The **row planner** service is responsible for the order of rows.'), ['row planner']);
  t.same(concepts('It goes through an adapter called **row shipper** first.'), ['row shipper']);
  t.same(concepts('The `kilns rows` command (also known as "Row Loader") loads rows.'), ['Row Loader']);
  t.same(concepts('The rows are **not only** kept.'), []);
  t.same(concepts('Be sure that the **row planner** runs.'), []);
});

t.test('items are parts below what says that they are, where each tells what it does', async (t) => {
  const concepts = (text: string) => assembleText(`# How kilns are run\n\n${text}`).nodes('Concept');
  const items = '* Row Shipper: ships rows\n* Door: a way in\n';
  t.same(concepts(`It is made of these components:\n\n${items}`), ['Door', 'Row Shipper']);
  t.same(concepts(`Think of the weather:\n\n${items}`), []);
  t.same(concepts(`Your components must have:\n\n${items}`), []);
  t.same(concepts('It has components:\n\n* Row Queueing: sends rows\n* Bricks: groups of clay\n'), []);
});

t.test('parts are known in small letters, in the plural and with their kind behind them', async (t) => {
  const known = ['Row Planner -references-> Glaze store'];
  t.same(relations('The row planner hands glazes to the glaze store.'), known);
  t.same(relations('Row planners push glazes to all glaze stores.'), known);
  t.same(relations('Each row planner service hands glazes to the glaze store component.'), known);
  t.same(relations('The row planner registers itself in the glaze store.'), known);
  t.same(relations('The row-planner hands glazes to the glaze-store.'), known);
  t.same(relations('The row planner keeps spare glazes in a shared glaze store.'), known);
  t.same(relations('The row planner queries the glaze store when it is cold.'), known);
  t.same(relations('The row planner is stored in the glaze store.'), known);
  t.same(relations('The glaze store is queried by the row planner.'), known);
  t.same(relations('The row planner needs a brick that is kept in the glaze store.'), []);
});

t.test('a name within a longer one is not the part, nor is a verb', async (t) => {
  t.same(relations('The row planner timeout queries the glaze store.'), []);
  t.same(relations('The brick row planner hands glazes to the glaze store.'), []);
  t.same(relations('The row planner hands glazes to the glaze store keeper.'), []);
  t.same(relations('They load relay switches into the glaze store.'), []);
  t.same(relations('The row planner does not hand glazes to the glaze store.'), []);
  t.same(relations('Most row planner queries from the glaze store are slow.'), []);
  t.same(relations('Ovens that use the glaze store are near the row planner.'), []);
});

t.test('a section that a part heads speaks of it', async (t) => {
  const { edges } = assembleText(
    `${PLAN}\nIt fetches glazes from the glaze store.\n\nFor more, refer to [Bricks](bricks.md) and the row planner.\n`,
  );
  t.same(
    edges('references').filter((edge) => edge.startsWith('Load relay')),
    ['Load relay -references-> Glaze store'],
  );
});

t.test('what is only often named is a part where it works with one, and else is nothing', async (t) => {
  const often = 'The brick queue is long. Bricks go to the brick queue. They come from the brick queue.';
  t.same(relations(`${often} The row planner sends bricks to the brick queue.`), [
    'Row Planner -references-> brick queue',
  ]);
  t.notOk(assembleText(`${PLAN}\n${often}`).nodes('Concept').includes('brick queue'));
  t.same(relations('The row planner sends bricks to the brick queue.'), []);
  t.same(
    relations(
      `The baker is here. The baker is there. The baker sends bricks to the row planner. The baker can sleep.`,
    ),
    ['baker -references-> Row Planner'],
  );
});

t.test('what is often written with capitals before its kind is a part by itself', async (t) => {
  const often = (name: string) => `A load waits for the ${name} service. `.repeat(4);
  t.same(assembleText(`# How rows are kept\n\n${often('Brick Guide')}`).nodes('Concept'), ['Brick Guide']);
  t.same(assembleText(`# How rows are kept\n\n${often('brick guide')}`).nodes('Concept'), []);
});

t.test('what a text leads to and names as a system of others is a part beside one', async (t) => {
  const text =
    'We like [Ovenbase](https://ovenbase.example). Read on.\n\nOvenbase is old.\n\nWe run Ovenbase.\n\n';
  t.same(relations(`${text}The row planner writes glazes to Ovenbase.`), [
    'Row Planner -references-> Ovenbase',
  ]);
  t.notOk(assembleText(`${PLAN}\n${text}`).nodes('Concept').includes('Ovenbase'));
});

t.test('a system before the name of its part does not make another of it', async (t) => {
  const text =
    'Ovenco is old. Ovenco has parts.\n\nThe Ovenco row planner sends glazes to the Ovenco glaze store.';
  t.same(relations(text), ['Row Planner -references-> Glaze store']);
});

t.test('documents about an API or about what is new have no parts', async (t) => {
  const { nodes } = assembleText(
    `${PLAN}\n## Rows\n\n\`GET /rows\`\n\nThe row planner sends rows to a brick queue.`,
  );
  t.notOk(nodes('Concept').includes('Row Planner'));
  t.same(assembleText(PLAN, 'CHANGELOG.md').nodes('Concept'), []);
});

t.test('what is told to a reader is done by no part', async (t) => {
  t.same(relations('Send glazes to the glaze store.'), []);
  t.same(relations('You use the row planner to send glazes to the glaze store.'), []);
  t.same(relations('The row planner is responsible for the glazes made by the glaze store.'), []);
});

/** Two pages about what goes on at night, of which one has headings and the other sentences. */
function apart(headings: string, sentences: string) {
  const { nodes, edges } = assemble({
    'rooms.md': `# At night\n\n${headings}`,
    'kilns.md': `# Row Planner\n\n${sentences}`,
  });
  return {
    concepts: nodes('Concept'),
    edges: edges('references').filter((edge) => !/ (?:kilns\.md|rooms\.md|At night) /.test(` ${edge}`)),
  };
}

t.test('a heading names a thing where another page says what works with it', async (t) => {
  const rooms = '## Cold glaze shelf\n\nWhat is dry by then.\n';
  const known = {
    concepts: ['Cold glaze shelf', 'Row Planner'],
    edges: ['Row Planner -references-> Cold glaze shelf'],
  };
  t.same(apart(rooms, 'The row planner hands each glaze to the cold glaze shelf.'), known);
  t.same(apart(rooms, 'Glazes are heavy. The row planner uses a cold glaze shelf.'), known);
  t.same(apart(rooms, 'The row planner is near a cold glaze shelf.').concepts, ['Row Planner']);
  t.same(
    apart('Nothing is headed.\n', 'The row planner hands each glaze to the cold glaze shelf.').concepts,
    ['Row Planner'],
  );
});

t.test('what may be of any kind is no thing for a heading of that name', async (t) => {
  const sentence = (text: string) =>
    apart('## Shelves\n\nAll of them.\n\n## Firing\n\nAt night.\n', text).concepts;
  t.same(
    sentence('The row planner hands each glaze to the shelves.'),
    ['Row Planner'],
    'a single word in small letters',
  );
  t.same(sentence('The row planner hands each glaze to Shelves.'), ['Row Planner', 'Shelves']);
  t.same(sentence('The row planner relies on Firing.'), ['Row Planner'], 'what is done');
  const endpoints = '## Cold shelf\n\n`GET /shelves` lists them.\n';
  t.same(
    apart(endpoints, 'The row planner hands glazes to the cold shelf.').concepts,
    ['Row Planner'],
    'a page about an API',
  );
});

t.test(
  'a system that a page goes on to name is a thing where something is said to work with it',
  async (t) => {
    const page = (text: string) =>
      assembleText(`# At night\n\nKilnbase is old. Kilnbase has doors. Kilnbase can sleep. ${text}`).nodes(
        'Concept',
      );
    t.same(page('All of this is Kilnbase, which uses Ovenlog.'), ['Kilnbase']);
    t.same(page('All of this is Kilnbase.'), [], 'nothing works with it');
    t.same(page('It uses Ovenlog. Doors creak.'), [], 'only at the start of sentences');
    t.same(page('All of this is Kilnbase. Each kilnbase uses Ovenlog.'), [], 'in small letters, too');
  },
);

t.test('a short form in brackets is the name that stands before it', async (t) => {
  const shelves = '## Cold glaze shelf (CGS)\n\nThe row planner hands all glazes to the CGS.\n';
  t.same(apart(shelves, 'The row planner plans.'), {
    concepts: ['Cold glaze shelf', 'Row Planner'],
    edges: ['Row Planner -references-> Cold glaze shelf'],
  });
  t.same(apart(shelves.replace('(CGS)', '(CGX)'), 'The row planner plans.').edges, [], 'other letters');
});

t.test(
  'a heading above a list of what something does names a part, as one with an article does',
  async (t) => {
    const page = (heading: string, text: string) =>
      assembleText(`# At night\n\n## Glaze store\n\nA glaze store is cold.\n\n## ${heading}\n\n${text}`);
    const items = '- Handles what is wet\n- Sends glazes to the glaze store\n';
    t.same(page('Row carrier', items).edges('references'), ['Row carrier -references-> Glaze store']);
    t.same(page('Row carrier', `What follows:\n\n${items}`).nodes('Concept'), ['Glaze store']);
    t.same(page('Row carrier', '- Glazes are wet\n- Requests that fail\n').nodes('Concept'), ['Glaze store']);
    t.same(page('The row carrier', 'The row carrier hands glazes on.').nodes('Concept'), [
      'Glaze store',
      'row carrier',
    ]);
  },
);

t.test('a program in small letters is a part where its page says what it is', async (t) => {
  const concepts = (text: string) => assembleText(`---\ntitle: kilnd\n---\n\n${text}`).nodes('Concept');
  t.same(concepts('**kilnd** is a daemon that looks after kilns.'), ['kilnd']);
  t.same(concepts('kilnd looks after kilns.'), []);
  t.same(concepts('Ovens are a daemon of kilnd.'), []);
});

t.test('what a part is responsible for, it does', async (t) => {
  const known = ['Row Planner -references-> Glaze store'];
  t.same(relations('The row planner is responsible for fetching glazes from the glaze store.'), known);
  t.same(
    relations('The row planner is in charge of counting bricks and writing numbers to the glaze store.'),
    known,
  );
  t.same(relations('The row planner sleeps after sending glazes to the glaze store.'), []);
  t.same(relations('The row planner is not responsible for sending glazes to the glaze store.'), []);
});

t.test('parts that start, supervise and append to each other are related', async (t) => {
  const known = ['Row Planner -references-> Glaze store'];
  t.same(relations('The row planner supervises the glaze store.'), known);
  t.same(relations('The glaze store is started by the row planner.'), known);
  t.same(relations('The row planner appends each glaze to the glaze store.'), known);
  t.same(relations('The row planner starts when the glaze store is full.'), []);
});
