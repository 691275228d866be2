/** Sentences with two names and a verb of a relation that do not state it of these two, and the ones beside them that do. */
import t from 'tap';
import { assemble, assembleText } from '../assembled.ts';

/** What a sentence states between its names, each of which the page declares first. */
function stated(sentence: string, heading = 'Rules'): string[] {
  const names = [...new Set([...sentence.matchAll(/\*\*(\w+)\*\*/g)].map(([, name]) => name))];
  const pages = names.map((name) => `## ${name}\n\nA ${name} is a thing of the workshop.`);
  return assembleText(`# Workshop\n\n${pages.join('\n\n')}\n\n## ${heading}\n\n${sentence}\n`).edges();
}

t.test('what depends on how something is done does not require it', async (t) => {
  t.same(stated('The place of the **Kiln** depends on how this **Shelf** was built.'), []);
  t.same(stated('The **Kiln** depends on whether a **Shelf** is there.'), []);
  t.same(stated('The **Kiln** depends on a **Shelf**, which is built.'), ['Kiln -requires-> Shelf']);
});

t.test('who has to do something is not required, but what has to be there is', async (t) => {
  t.same(stated('The **Kiln** may require that a **Potter** drying a mug must post it.'), []);
  t.same(stated('Each **Kiln** requires that **Potters** comply with the rules.'), []);
  t.same(stated('The **Kiln** has a **Door** and requires that **Potters** comply.'), []);
  t.same(stated('The **Kiln** requires that a **Shelf** is there.'), ['Kiln -requires-> Shelf']);
  t.same(stated('The **Kiln** requires that the **Shelf** exists.'), ['Kiln -requires-> Shelf']);
  t.same(stated('The **Kiln** requires that the **Vent** plugin is installed.'), ['Kiln -requires-> Vent']);
  t.same(stated('The **Kiln** requires that **Potters** who are signed in pay.'), []);
  t.same(stated('The **Kiln** requires that **Potters** not be there.'), []);
  t.same(stated('The **Kiln** depends on that **Shelf**.'), ['Kiln -requires-> Shelf']);
});

t.test(
  'a participle behind a plain noun tells of that noun where a name stands in another clause',
  async (t) => {
    t.same(stated('All **Kiln** actions can be used for reacting to the events emitted by the **Mug**.'), []);
    t.same(
      stated('**Kiln** - says where there is not enough clay for the amount assigned to the **Mug**.'),
      [],
    );
    t.same(stated('**Kiln** — an oven tied to a **Shelf**.'), ['Kiln -belongs_to-> Shelf']);
    t.same(stated('A **Mug** is an event emitted by the **Kiln**.'), ['Kiln -triggers-> Mug']);
    t.same(stated('A **Mug** is a webhook sent by the **Kiln**.'), ['Kiln -triggers-> Mug']);
    t.same(stated('A **Mug** is a record created by the **Kiln**.'), ['Kiln -generates-> Mug']);
    t.same(stated('Changes of **Mugs** are kept, and events emitted by the **Kiln** too.'), []);
  },
);

t.test(
  'behind several plain things "which" stands for them, and for no name of the clause before',
  async (t) => {
    t.same(
      stated('If a **Kiln** has been shut, and it holds pots which belong to two **Shelves**, wait.'),
      [],
    );
    t.same(stated('**Kilns** are ovens which belong to a **Shelf**.'), ['Kilns -belongs_to-> Shelf']);
    t.same(stated('**Kilns**, also called ovens, are things that belong to a **Shelf**.'), [
      'Kilns -belongs_to-> Shelf',
    ]);
  },
);

t.test('a name in brackets before a noun is not who does it', async (t) => {
  t.same(stated('**Mugs** can be created by (**Kiln**) admin users.'), []);
  t.same(stated('**Mugs** can be created by a **Kiln** (the hot one).'), ['Kiln -generates-> Mugs']);
  t.same(stated('**Mugs** are created by (**Kiln**) and others.'), ['Kiln -generates-> Mugs']);
  t.same(stated('A **Kiln** requires a (**Clay**) container.'), ['Kiln -requires-> Clay']);
});

t.test('what is done to something else with a thing is not what is returned', async (t) => {
  const returned = (sentence: string) =>
    assemble({
      'mugs.md': `# The mug object\n\n| Field | Type |\n|---|---|\n| id | string |\n\n## Create a mug\n\n\`POST /mugs\`\n\n### Responses\n\n${sentence}\n`,
      'plans.md': '# The plan object\n\nA plan is a list.\n\n## Get a plan\n\n`GET /plans/{id}`\n',
    }).edges('returns');
  const ofMugs = (sentence: string) => returned(sentence).filter((edge) => edge.startsWith('POST'));
  t.same(ofMugs('The **Plan** was successfully assigned to the customer.'), []);
  t.same(ofMugs('The **Plan** that was made.'), ['POST /mugs -returns-> plan']);
  t.same(ofMugs('The **Plan** was created with its mugs.'), ['POST /mugs -returns-> plan']);
});

t.test('what is a collection of things, or takes them in, has them', async (t) => {
  t.same(stated('A **Shelf** is a collection of **Mugs** of one colour.'), ['Mugs -belongs_to-> Shelf']);
  t.same(stated('**Batches** are groups of **Mugs**.'), ['Mugs -belongs_to-> Batches']);
  t.same(stated('Multiple **Mugs** can be added to a **Shelf**.'), ['Mugs -belongs_to-> Shelf']);
  t.same(stated('The **Mug** must list variants that can be added to a **Shelf**.'), []);
  t.same(stated('A **Mug** is a component of a **Shelf**.'), ['Mug -belongs_to-> Shelf']);
  t.same(stated('A **Fee** is a line item in an **Invoice**.'), ['Fee -belongs_to-> Invoice']);
});

t.test('a collection of images of a program does not have the program', async (t) => {
  t.same(stated('A **Shelf** is a set of **Kiln** images.'), []);
  t.same(stated('A **Shelf** is a set of **Kiln** and **Mug** images.'), []);
  t.same(stated('The **Mug** must be added to the **Kiln** configuration file.'), []);
  t.same(stated('The **Kiln** has the notion of a plan, which is a list of **Mugs**.'), []);
  t.same(stated('A **Shelf** is a set of **Mug** objects.'), ['Mug -belongs_to-> Shelf']);
  t.same(stated('A **Shelf** is a list of **Mugs** made by hand.'), ['Mugs -belongs_to-> Shelf']);
  t.same(stated('A **Mug** can be added to a **Shelf** later.'), ['Mug -belongs_to-> Shelf']);
  t.same(stated('A **Label** is a set of words attached to a **Mug**.'), ['Label -belongs_to-> Mug']);
  t.same(stated('A **Label** is a set of words for pots, and it requires a **Mug**.'), [
    'Label -requires-> Mug',
  ]);
});

t.test('labels of what goes wrong are no things', async (t) => {
  const { nodes, edges } = assembleText(
    '# Kiln\n\nA Kiln is an oven.\n\n## It is cold\n\n- **Cause:** The issues preventing a **Kiln** from being lit.\n- **Fix:** A potter should create a **Kiln** again.\n- **Symptom:** The **Kiln** is cold.\n',
  );
  t.same(nodes('Concept'), ['Kiln']);
  t.same(edges(), []);
});

t.test('such a word is the name of a thing where the text says what it is', async (t) => {
  const { nodes, edges } = assemble({
    'tracker.md':
      '# Tracker\n\n## The fix object\n\n| Field | Type |\n|---|---|\n| id | string |\n\n## Ticket\n\nA **Ticket** is a request. Each **Resolution** belongs to a **Ticket**.\n',
    'glossary.md': '# Glossary\n\n## Resolution\n\nA Resolution is the state in which a Ticket is closed.\n',
  });
  t.same(nodes('APIObject'), ['fix']);
  t.same(nodes('Concept'), ['Resolution', 'Ticket', 'Tracker']);
  t.same(edges('belongs_to'), ['Resolution -belongs_to-> Ticket']);
});

t.test('several things that are only counted are none of which something depends', async (t) => {
  const page = (sentence: string) =>
    assemble({
      'kiln.md': `# Kiln\n\nA Kiln is an oven.\n\n## Price\n\n${sentence}\n`,
      'dimension.md': '# Dimension\n\nA Dimension is a size.\n',
    }).edges();
  t.same(page('**Kilns** depend on multiple dimensions.'), []);
  t.same(page('**Kilns** depend on several **Dimensions**.'), ['Kiln -requires-> Dimension']);
  t.same(page('**Kilns** depend on a dimension.'), ['Kiln -requires-> Dimension']);
});

t.test('what is only supposed of one of them says of none what belongs to it', async (t) => {
  t.same(stated('If the **Shelf** is a list of **Mugs**, it is sorted.'), []);
  t.same(stated('If it is full, the **Shelf** is a list of **Mugs**.'), ['Mugs -belongs_to-> Shelf']);
});

t.test('a word in -ing behind a genitive says which one is meant', async (t) => {
  t.same(stated('A **Mug** is lost: the **Potter** asks the buyer\u2019s issuing **Shelf**.'), []);
  t.same(stated("This is no **Mug** matter — the buyer's issuing **Shelf** refused it."), []);
});

t.test('a legend tells of nothing', async (t) => {
  t.same(stated('✓ Fired | ✗ Not fired | ? Needs **Glazing**'), []);
});

t.test('a program does not generate what a file of settings is for', async (t) => {
  const { edges } = assemble({
    'start.md':
      '# Kiln Runtime\n\nKiln Runtime is a service. Kiln Runtime creates a default redis `pubsub.yaml` on the disk.\n',
    'redis.md': '# Redis\n\nRedis is a store.\n',
  });
  t.same(edges(), []);
});

t.test('a mutation is what the page describes, and no thing of its own', async (t) => {
  const { edges } = assemble({
    'mugs.md':
      '# Mugs in bulk\n\nMany mugs at once.\n\n## Create\n\nThe mutation will emit the `MUG_CREATED` event for each.\n',
    'api.md':
      '# API\n\n## Terms\n\n- **Query**: a request that reads.\n- **Mutation**: a request that writes.\n\n## Events\n\n- `MUG_CREATED`: a mug was made.\n',
  });
  t.same(
    edges('triggers').filter((edge) => edge.startsWith('Mutation')),
    [],
  );
});

t.test('what is told of a noun with "which" is not told of a name before another verb', async (t) => {
  t.same(stated('The **Kiln** shows a note to the **Shop** which consists of a **Sale**.'), []);
  t.same(stated('The **Shop** checks a door by the key that is attached to a **Sale**.'), []);
  t.same(stated('A **Kiln** is a set of shelves which consists of a **Mug**.'), ['Mug -belongs_to-> Kiln']);
  t.same(stated('The **Kiln** remains the only oven that creates a **Mug**.'), ['Kiln -generates-> Mug']);
  t.same(stated('The **Kiln** serves as the oven that creates a **Mug**.'), ['Kiln -generates-> Mug']);
  t.same(stated('The **Kiln** serves a dish to the shop that creates a **Mug**.'), []);
  t.same(stated('The **Kiln** in a shop which has many **Mugs**.'), ['Mugs -belongs_to-> Kiln']);
});

t.test('a participle behind a noun with its article tells of that noun', async (t) => {
  t.same(stated('The **Kiln** clears the racks and `shelfStorage` owned by a **Shop**.'), []);
  t.same(stated('The **Kiln** clears the racks and is created by a **Shop**.'), ['Shop -generates-> Kiln']);
  t.same(stated('A **Kiln** is the oven created by a **Shop**.'), ['Shop -generates-> Kiln']);
});

t.test('who sends or publishes a thing triggers nothing but events', async (t) => {
  t.same(stated('The **Letter** is sent by the **Shop**.'), []);
  for (const event of ['The **Letter** event is', '**Letter** events are', 'A **Letter** is an event'])
    t.same(stated(`${event} sent by the **Shop**.`), ['Shop -triggers-> Letter'], event);
  const { edges } = assembleText(
    '# Workshop\n\n## Events\n\n- `mug.fired`: sent by the **Kiln**\n\n## Kiln\n\nA Kiln is an oven.\n',
  );
  t.same(edges('triggers').includes('Kiln -triggers-> mug.fired'), true);
});

t.test('a request that is issued is not made', async (t) => {
  t.same(stated('The **Kiln** issues a `GET /v1/mugs`.'), []);
});

t.test('"it" behind a clause with a name is not what the page is about', async (t) => {
  for (const opening of ['When', 'Each time', 'As soon as']) {
    const stated = assembleText(
      `# Workshop\n\nThe **Workshop** requires a **Kiln**. The \`Mug\` object and the \`Kiln\` object.\n\n## Runs\n\n${opening} a Kiln runs, it creates a Mug.\n`,
    ).edges();
    t.notOk(
      stated.some((edge) => edge.includes('generates')),
      `${opening}: ${stated.join('; ')}`,
    );
  }
});

t.test('a clause that says each time something happens does not give the sentence its subject', async (t) => {
  t.same(stated('Every time a **Kiln** runs, the **Lister** creates a **Mug**.'), [
    'Lister -generates-> Mug',
  ]);
  t.same(stated('Each time the **Kiln** is lit, the oven creates a **Mug**.'), []);
  t.same(stated('As soon as the **Kiln** is lit, the oven creates a **Mug**.'), []);
});

t.test('who does something each time is the noun behind that, and no name before it', async (t) => {
  for (const when of ['whenever', 'every time', 'as soon as', 'as long as']) {
    t.same(stated(`The **Kiln** opens ${when} the potter creates a **Mug**.`), [], when);
  }
});

t.test('a semicolon within a word does not hide the noun that does it', async (t) => {
  t.same(stated('The **Kiln** (red;blue) shows a rack that creates a **Mug**.'), []);
});
