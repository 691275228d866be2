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
  },
);

t.test('a name in brackets before a noun is not who does it', async (t) => {
  t.same(stated('**Mugs** can be created by (**Kiln**) admin users.'), []);
  t.same(stated('**Mugs** can be created by a **Kiln** (the hot one).'), ['Kiln -generates-> Mugs']);
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
});

t.test('what is a collection of things, or takes them in, has them', async (t) => {
  t.same(stated('A **Shelf** is a collection of **Mugs** of one colour.'), ['Mugs -belongs_to-> Shelf']);
  t.same(stated('**Batches** are groups of **Mugs**.'), ['Mugs -belongs_to-> Batches']);
  t.same(stated('Multiple **Mugs** can be added to a **Shelf**.'), ['Mugs -belongs_to-> Shelf']);
  t.same(stated('The **Mug** must list variants that can be added to a **Shelf**.'), []);
  t.same(stated('A **Mug** is a component of a **Shelf**.'), ['Mug -belongs_to-> Shelf']);
  t.same(stated('A **Fee** is a line item in an **Invoice**.'), ['Fee -belongs_to-> Invoice']);
});

t.test('labels of what goes wrong are no things', async (t) => {
  const { nodes, edges } = assembleText(
    '# Kiln\n\nA Kiln is an oven.\n\n## It is cold\n\n- **Cause:** The issues preventing a **Kiln** from being lit.\n- **Fix:** A potter should create a **Kiln** again.\n- **Symptom:** The **Kiln** is cold.\n',
  );
  t.same(nodes('Concept'), ['Kiln']);
  t.same(edges(), []);
});
