/** Which name of a sentence is the subject of a verb, told by the verb's form and the words before it. */
import t from 'tap';
import { assemble, assembleText } from '../assembled.ts';

const OBJECTS = [
  '## Core objects',
  '',
  ...['Charge', 'Customer', 'Invoice', 'Plan', 'Settings', 'Template', 'Editor', 'Workspace'].map(
    (name) => `- **${name}** — a thing of the domain`,
  ),
  '',
].join('\n');

function relations(text: string): string[] {
  return assembleText(`${OBJECTS}\n${text}`).edges();
}

t.test('what a reader does or needs says nothing of the names before it', async (t) => {
  t.same(relations('You run **Charge** jobs when you need a **Customer**.'), []);
  t.same(relations('To begin, open **Settings**, go to **Plan**, select or create a **Customer**.'), []);
  t.same(relations('Read more about creating a **Customer**.'), []);
  t.same(relations('When using a **Template** or creating an **Invoice**, wait.'), []);
});

t.test('a participle speaks of what stands before it', async (t) => {
  t.same(relations('The **Editor** asks for any fields needed for an **Invoice**.'), []);
  t.same(relations('Two roles named **Editor**, two flows built from the same **Template**.'), []);
  t.same(relations('A Charge has an **Invoice** created by a **Plan**.'), ['Plan -generates-> Invoice']);
  t.same(relations('A **Customer** has fields created by a **Plan**.'), []);
  t.same(relations('An **Invoice** is a document created by a **Plan**.'), ['Plan -generates-> Invoice']);
  t.same(relations('**Invoice** — a bill tied to a **Customer**.'), ['Invoice -belongs_to-> Customer']);
  t.same(relations('The **Plan**, generating an **Invoice**, goes on.'), ['Plan -generates-> Invoice']);
});

t.test('a plural stays the subject behind words that say how it is made', async (t) => {
  t.same(relations('Invoices created with a plan belong to that customer.'), [
    'Invoice -belongs_to-> Customer',
  ]);
  t.same(relations('Invoices made through a **Plan** require a Customer.'), ['Invoice -requires-> Customer']);
  t.same(relations('Invoices asked for a plan and a role belong to that customer.'), []);
});

t.test('the plain form of a verb has a plural or a helper before it', async (t) => {
  t.same(relations('The public **Plan** create access lets anybody in to the **Invoice**.'), []);
  t.same(relations('It asks for **create** permission on the **Invoice**.'), []);
  t.same(relations('The **Customer** generate **Invoice** button.'), []);
  for (const text of [
    'Plans generate an **Invoice**.',
    'Plans of a customer also generate an **Invoice**.',
    'A **Plan** can generate an **Invoice**.',
    'Plans renew each month and generate an **Invoice**.',
  ])
    t.same(relations(text), ['Plan -generates-> Invoice'], text);
});

t.test('a clause within a clause leaves the main verb its own subject', async (t) => {
  const page = `# Workspace\n\n${OBJECTS}\nWhen an offer that includes fees is assigned to a **Customer**, wait.`;
  t.same(assembleText(page).edges('belongs_to'), []);
  t.same(relations('A **Plan** that includes a **Charge** is assigned to a **Customer**.'), [
    'Plan -belongs_to-> Customer',
  ]);
});

t.test('a proper name without an article is where one works, and owns nothing', async (t) => {
  t.same(relations('Create a new **Customer** in Workspace.'), []);
  t.same(relations('Creates an **Invoice** in the Workspace.'), ['Invoice -belongs_to-> Workspace']);
  t.same(relations('Creates an **Invoice** in a **Workspace**.'), ['Invoice -belongs_to-> Workspace']);
});

t.test('a purpose opens no list', async (t) => {
  t.same(
    relations('Press **New Plan** to generate a key for it and copy:\n\n- **Charge** and **Invoice**\n'),
    [],
  );
});

t.test('what stands between a verb and the next one is no object, and a label no subject', async (t) => {
  const page = (text: string) =>
    assemble({
      'a.md': `# Terms\n\n- **Update** — a change of a thing\n- **Search** — a look for a thing\n- **State** — a thing\n- **Fix** — a thing\n- **Token** — a thing\n- **Relay** — a thing\n- **Grovely** — a service`,
      'b.md': `# Ledger\n\nA ledger is a book.\n\n${text}`,
    }).edges();
  t.same(page('Creates or updates a token.'), []);
  t.same(page('The Relay needs to search it.'), []);
  t.same(page('Updates or creates a state.'), ['Ledger -generates-> State']);
  t.same(page('The Relay creates one or more tokens.'), ['Relay -generates-> Token']);
  t.same(page('The Relay requires up to one token.'), ['Relay -requires-> Token']);
  t.same(page('**Fix**: the earlier event must have a token.'), []);
  t.same(page('**Fix:** The app should have a relay, the next one must have a token.'), []);
  t.same(page('The Relay will need to include a token.'), ['Relay -requires-> Token']);
  t.same(page('**Relay**: A thing that requires a token.'), ['Relay -requires-> Token']);
  t.same(page('When the Relay is told, they issue a token.'), []);
  t.same(page('If it is new, Grovely creates a token.'), ['Grovely -generates-> Token']);
});

t.test('a noun that looks like a verb states nothing', async (t) => {
  t.same(relations("Customers follow their plans, so the parent's own **Charge** is included."), []);
  t.same(relations('The **Plan** is built with the needs of **Customers** in mind.'), []);
  t.same(
    relations('**Template** - narrow down issues by type:\n\n- **Charge** - one\n- **Invoice** - one\n'),
    [],
  );
  t.same(relations('Every **Charge** needs at least one **Customer**.'), ['Charge -requires-> Customer']);
  t.same(relations('A **Plan** issues **Invoices**.'), ['Plan -generates-> Invoice']);
  t.same(relations("**Invoice**: it's created by a **Plan**."), ['Plan -generates-> Invoice']);
});

t.test('the reader is one in short forms, too, and in the middle of doing something', async (t) => {
  t.same(relations("When a **Plan** is old and you're issuing an **Invoice**, wait."), []);
  t.same(relations('Select **Plan** if you are creating an **Invoice**.'), []);
  t.same(relations('In the **Plan** section, require that each **Invoice** is paid.'), []);
  t.same(
    relations('The **Plan** sets it while editing a template, creating an **Invoice**, or waiting.'),
    [],
  );
  t.same(
    relations(
      'The **Plan** uses a **Template** by setting it while editing or creating a charge, creating a **Customer**, or creating an **Invoice**.',
    ).filter((edge) => edge.includes('generates')),
    [],
  );
  t.same(relations('The **Plan** is creating an **Invoice**.'), ['Plan -generates-> Invoice']);
});

t.test('what stands in brackets has a subject of its own, or that directly before them', async (t) => {
  t.same(relations('**Plan**, **Template**, other (requires an **Invoice**).'), []);
  t.same(relations('**Plan**, **Template** (requires an **Invoice**).'), ['Template -requires-> Invoice']);
  t.same(relations('A **Plan** (which requires an **Invoice**) ends.'), ['Plan -requires-> Invoice']);
  t.same(relations('A **Plan** is told apart (for example, a **Charge** requires an **Invoice**).'), [
    'Charge -requires-> Invoice',
  ]);
});

t.test('what "that are" stands for is what is done, not a name before it', async (t) => {
  t.same(relations('**Template**: what is printed on invoices that are generated by a **Plan**.'), [
    'Plan -generates-> Invoice',
  ]);
  t.same(relations('The **Template** of papers that are generated by a **Plan**.'), []);
  t.same(relations('When paused, no invoices are generated by a **Plan**.'), []);
});

t.test('a name that is the beginning of a longer one is not meant', async (t) => {
  t.same(relations("A **Plan** requires the customers' names."), []);
  t.same(relations('A **Plan** requires Charge.js on each page.'), []);
  t.same(relations('A **Plan** issues a "charge pending" letter.'), []);
  t.same(relations("A **Plan** requires the customer's invoice."), ['Plan -requires-> Invoice']);
  t.same(relations('A **Plan** requires a "charge".'), ['Plan -requires-> Charge']);
});

t.test('a program in which one works owns nothing', async (t) => {
  t.same(relations('Creates an **Invoice** in the **Editor**.'), []);
  t.same(relations('Attaches a **Charge** to an **Invoice**.'), ['Charge -belongs_to-> Invoice']);
});

t.test('of what something contains several or is made up, each belongs to it', async (t) => {
  t.same(relations('A **Customer** can contain multiple charges.'), ['Charge -belongs_to-> Customer']);
  t.same(relations('**Plans** are made up of **Charges**.'), ['Charge -belongs_to-> Plan']);
  t.same(relations('A **Plan** cannot contain multiple charges.'), []);
});

t.test('what "that" stands for did it, also where it is no name in that sentence', async (t) => {
  t.same(relations('Plan texts have the parts of the old template that produced the invoice.'), [
    'Template -generates-> Invoice',
  ]);
  t.same(relations('Plan texts have the parts of the sheet that produced the invoice.'), []);
  t.same(relations('See the **Plan** object that generated this **Invoice**.'), [
    'Plan -generates-> Invoice',
  ]);
});

t.test('what is to be done is not done to the subject of the sentence', async (t) => {
  t.same(relations('The **Plan** keeps track of all papers sent and to be generated by **Charges**.'), []);
  t.same(relations('An **Invoice** needs to be generated by a **Plan**.'), ['Plan -generates-> Invoice']);
});

t.test('one of several things that one goes on with is done by nobody', async (t) => {
  t.same(
    relations('Open **Plan** and go on with adding a template, creating an **Invoice** and waiting.'),
    [],
  );
});

t.test('"this" alone is what was said before, not what the page is about', async (t) => {
  const page = '### Plan object\n\nWe set it to on. ';
  t.same(relations(`${page}This will generate an **Invoice**.`), []);
  t.same(relations(`${page}It generates an **Invoice**.`), ['Plan -generates-> Invoice']);
  t.same(relations(`${page}This object generates an **Invoice**.`), ['Plan -generates-> Invoice']);
});

t.test('nouns that end as participles do are part of a name', async (t) => {
  t.same(relations('A **Plan** requires the charge pricing for it.'), []);
  t.same(relations('A **Plan** requires a charge containing it.'), ['Plan -requires-> Charge']);
});
