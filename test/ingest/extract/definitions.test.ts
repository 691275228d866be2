import t from 'tap';
import { findDefinitions } from '../../../src/ingest/extract/definitions.ts';
import type { Paragraph, Section } from '../../../src/ingest/markdown/document.ts';
import { plainText } from '../../../src/ingest/markdown/rich-text.ts';
import { assemble, assembleText } from '../assembled.ts';

t.test('items below "objects" are objects, below "concepts" concepts, with what they say', async (t) => {
  const { nodes, facts } = assembleText(
    '# API\n\n## Core objects\n\n- **Customer** — represents a buyer\n- **Payment method**: a card\n\n## Concepts\n\n- **Idempotency** — safe retries with a key\n',
  );
  t.same(nodes('APIObject'), ['Customer', 'Payment method']);
  t.same(nodes('Concept'), ['Idempotency']);
  t.match(
    facts.get('page.md')?.mentions.filter(({ key, declares }) => declares && key === 'concept:idempotency'),
    [{ description: 'safe retries with a key', line: 10 }],
  );
});

t.test('elsewhere a list of terms has to read like one', async (t) => {
  const concepts = (text: string) => assembleText(text).nodes('Concept');
  t.same(
    concepts('- **Vault** — a folder that holds notes\n- **Ribbon** — the strip of icons on the left\n'),
    ['Ribbon', 'Vault'],
  );
  t.same(concepts('- **Note:** the server restarts\n- **Warning:** the data is lost\n'), []);
  t.same(concepts('- **Click Save** — the form closes\n- **Press Enter** — the list opens\n'), []);
  t.same(concepts('1. **Vault** — a folder\n2. **Ribbon** — a strip\n'), [], 'steps are no terms');
  t.same(concepts('Some **bold** words and **More Bold** ones.'), []);
});

t.test('tables with a column of terms and one of meanings define them', async (t) => {
  t.same(
    assembleText('| Term | Definition |\n|---|---|\n| Digest | a hash of content |\n').nodes('Concept'),
    ['Digest'],
  );
  t.same(assembleText('| Object | Description |\n|---|---|\n| `Charge` | a payment |\n').nodes('APIObject'), [
    'Charge',
  ]);
  t.same(assembleText('| Field | Description |\n|---|---|\n| name | the name |\n').nodes('Concept'), []);
  const models = (names: string) =>
    assembleText(`| Model | Notes |\n|---|---|\n${names.replace(/(\S.*)\n/g, '| $1 | good |\n')}`);
  t.same(models('`clay3.5`\n`clay-4o`\nGlaze 2 Large\n`glaze-embed-text`\n').nodes('APIObject'), []);
  t.same(models('`Kiln`\n`Oven2`\n`Shelf`\n').nodes('APIObject'), ['Kiln', 'Oven2', 'Shelf']);
});

t.test('a heading whose first sentence says what it is is a concept', async (t) => {
  const concepts = (text: string) =>
    assembleText(`# Guide to the product and its parts\n\n${text}`).nodes('Concept');
  t.same(concepts('## Slash commands\n\nSlash commands let you insert things.\n'), ['Slash commands']);
  t.same(concepts('## Idempotency keys\n\nAn idempotency key is a string.\n'), ['Idempotency keys']);
  t.same(concepts('## Installation\n\nInstallation is easy.\n'), []);
  t.same(concepts('## Create\n\nCreate a new thing.\n'), []);
  t.same(concepts('## Next to do\n\nRead on.\n'), []);
  t.same(concepts('## Refire all the bowls\n\nRefire all the bowls. Those that are fired go first.\n'), []);
  t.same(concepts('## Kiln logs\n\nKiln logs for all ovens:\n'), []);
  t.same(concepts('## Kiln logs\n\nThe kiln logs for an oven tell when it was lit.\n'), ['Kiln logs']);
  t.same(concepts('## Kiln logs\n\nKiln logs tell of each firing.\n'), ['Kiln logs']);
});

t.test(
  'what a text says to be something is a thing, though its name begins with a verb or ends with "index"',
  async (t) => {
    const concepts = (text: string) => assembleText(text).nodes('Concept');
    const page = (text: string) => concepts(`# Guide to the product and its parts\n\n${text}`);
    t.same(page('## Load balancer\n\nThe **load balancer** is an *optional* part.\n'), ['Load balancer']);
    t.same(page('## Query Scheduler\n\nA query scheduler is a part that holds the queue.\n'), [
      'Query Scheduler',
    ]);
    t.same(concepts('---\ntitle: Kiln Index\n---\nThe kiln index is a file.\n'), ['Kiln Index']);
    t.same(page('## Load balancer\n\nLoad balancer settings are below.\n'), []);
    t.same(page('## Load kilns\n\nThe kilns are the ovens.\n'), []);
    t.same(page('## Remove Kilns\n\nThe remove kilns action takes them away.\n'), []);
    t.same(page('## Creating kilns\n\nThe creating kilns is a page.\n'), []);
    t.same(concepts('---\ntitle: Kiln Index\n---\nThe kiln index has all pages:\n'), []);
    t.same(concepts('# Index\n\nThe index is a list.\n'), []);
  },
);

t.test('headings of a glossary are terms, and what is said below one is said of it', async (t) => {
  const glossary = assembleText(
    '# Table of contents\n\n# B\n\n### Bootstrap provider\n\nRefers to a [provider](#provider) that solves it.\n\n#### Further reading\n\nRead on there.\n\n#### Lifecycle\n\nThey come and go.\n\n# P\n\n### Provider\n\n[In short](x.md), what brings machines.\n\n### How to add terms\n\nOpen a pull request.\n',
    'book/glossary.md',
  );
  t.same(glossary.nodes('Concept'), ['Bootstrap provider', 'Provider']);
  t.same(glossary.edges('references'), ['Bootstrap provider -references-> Provider']);
  const terms = (text: string) => assembleText(text).nodes('Concept');
  t.same(
    terms(
      '# Queues of the cluster, a proposal\n\n## Terms and definitions\n\n### lease\n\nHow long it holds.\n',
    ),
    ['lease'],
  );
  t.same(
    terms(
      '# Queues of the cluster, a proposal\n\n## Code navigation glossary\n\n### Binary\n\nA file of ones and zeros.\n',
    ),
    ['Binary'],
  );
  t.same(
    assembleText(
      '# All words that we use and what they mean\n\n## Words for people who are new to it all\n\n### Binary\n\nA file of ones and zeros.\n',
      'docs/glossary.md',
    ).nodes('Concept'),
    ['Binary'],
  );
  t.same(terms('# Queues of the cluster, a proposal\n\n## Design\n\n### lease\n\nHow long it holds.\n'), []);
  t.same(
    terms('# Queues of the cluster, a proposal\n\n## Definitions\n\n### lease\n\nHow long it holds.\n'),
    [],
  );
});

t.test('a page is about what its title names', async (t) => {
  const concepts = (text: string, path?: string) => assembleText(text, path).nodes('Concept');
  t.same(concepts('# Rate limits\n\nWe limit calls.\n'), ['Rate limits']);
  t.same(
    concepts('Some text about it.\n\n# Rules\n', 'Space Lua.md'),
    ['Space Lua'],
    'a heading below prose is no title',
  );
  t.same(concepts('# Webhooks Overview\n'), ['Webhooks']);
  for (const title of [
    'Getting Started',
    'How to pay',
    'Design Guidelines',
    'FAQ',
    'Installing the CLI',
    'Why?',
    'What we do and why',
  ]) {
    t.same(concepts(`# ${title}\n`), [], title);
  }
});

t.test('headings name objects in many ways', async (t) => {
  const objects = (text: string, path?: string) => assembleText(text, path).nodes('APIObject');
  t.same(objects('### Channel Object\n\nA place.\n'), ['Channel']);
  t.same(objects('# The Invoice resource\n'), ['Invoice']);
  t.same(objects('# List Charges\n\n`GET /v1/charges`\n'), ['Charges']);
  t.same(objects('# Customers\n\n## Get one\n\n`GET /v1/customers/{id}`\n'), ['Customers']);
  t.same(objects('# Schemas\n\n## Pet\n\n## Owner\n'), ['Owner', 'Pet']);
  t.same(objects('---\ntitle: Poll\n---\nA vote.\n', 'entities/Poll.md'), ['Poll']);
  t.same(objects('## Core Objects\n\n## Example Object\n\n## Threat model\n'), []);
  t.same(objects('# Create a Library\n\nClick here.\n'), [], 'without an endpoint it is an instruction');
});

t.test('links to the anchor of an object name it, with the words that they show', async (t) => {
  const objects = (text: string) => assembleText(text).nodes('APIObject');
  t.same(objects('Returns a [guild member](/guild#guild-member-object).'), ['guild member']);
  t.same(
    objects(
      'The [DM channel](/channel#channel-object) and the [Pet](#schemapet) and [Status](../entities/Status.md).',
    ),
    ['DM channel', 'Pet', 'Status'],
  );
  t.same(
    objects(
      'The [type of channel](/channel#channel-object-channel-types), the [channel name](/channel#channel-object).',
    ),
    [],
  );
});

t.test('kinds, instructions and actions are no objects', async (t) => {
  const objects = (text: string) => assembleText(text).nodes('APIObject');
  t.same(
    objects(
      'Use **Different Legal Entities**, **Own resources** or [create custom schema](#create-custom-schema). Returns JSON objects. Main objects stay.',
    ),
    [],
  );
  t.same(objects('An [embed author](#embed-object-embed-author-structure).'), ['embed author']);
  t.same(objects('# Ban API\n\nPOST /partners/ban\n\nBans it.\n'), []);
  t.same(objects('# Orders API\n\nPOST /orders\n\nTakes one.\n'), ['Orders']);
  t.same(objects('# Update Model API\n\nPUT /models/{id}/update\n\nUpdates it.\n'), []);
});

t.test('a list of very many items is read as fast as several short ones', async (t) => {
  const item = (index: number): Paragraph => ({
    kind: 'paragraph',
    text: plainText(`item ${index}`, index + 1),
    place: { ordered: false, depth: 1, list: 1, opens: true },
  });
  const section: Section = {
    level: 1,
    heading: plainText('Terms', 1),
    title: 'Terms',
    line: 1,
    parent: undefined,
    blocks: Array.from({ length: 300_000 }, (_, index) => item(index)),
  };
  t.same(findDefinitions(section), []);
});

t.test('bold labels and words that say which of many are no objects', async (t) => {
  const objects = (text: string) => assembleText(text).nodes('APIObject');
  t.same(objects('- **Node impact:** Resources may be tied up.\n- **Risks**: objects are lost.\n'), []);
  t.same(objects('1. **Increase CPU resources:**\n'), []);
  t.same(objects('- **Bounded resources**: limits hold.\n- **In-flight resources:** they stay.\n'), []);
  t.same(objects('**Frequently referenced** resources and **preventative** objects.\n'), []);
  t.same(objects('A **Charge** object, **Embed** objects and **Guild member objects**.\n'), [
    'Charge',
    'Embed',
    'Guild member',
  ]);
});

t.test('a heading that tells how to use objects lists none', async (t) => {
  const items =
    '- **Deliberate clashes**: When two parcels have one name.\n- **Shared labels**: All of them.\n';
  t.same(assembleText(`# Style\n\n## Using helper objects\n\n${items}`).nodes('APIObject'), []);
  t.same(assembleText(`# Style\n\n## Billing objects\n\n${items}`).nodes('APIObject'), [
    'Deliberate clashes',
    'Shared labels',
  ]);
});

t.test('a heading is no term where what follows gives an order, or speaks of a control of that name', (t) => {
  const concepts = (text: string) => assembleText(`# Pottery\n\n${text}`).nodes('Concept');
  t.same(concepts('## Download\n\nDownload latest glazes from the shop of the maker.\n'), ['Pottery']);
  t.same(concepts('## Done\n\nDone, now the kiln can be opened by hand.\n'), ['Pottery']);
  t.same(concepts('## Trigger\n\nThe Trigger tab lets you see all firings.\n'), ['Pottery']);
  t.same(concepts('## Trigger\n\nA trigger starts a firing when the clay is dry.\n'), ['Pottery', 'Trigger']);
  t.same(concepts('## Glazing\n\nGlazing covers the clay with glass.\n'), ['Glazing', 'Pottery']);
  t.end();
});

t.test(
  'a word that mostly means something else is a thing where a text says of any one what it is',
  async (t) => {
    const concepts = (text: string) => assembleText(text).nodes('Concept');
    t.same(concepts('# Projects\n\nA project is a group of kilns.\n'), ['Projects']);
    t.same(concepts('# All of the kilns here\n\n## Users\n\nEach user represents a person.\n'), ['Users']);
    t.same(concepts('# Projects\n\nProjects can be made by anybody.\n'), []);
    t.same(concepts('# Projects\n\nThe project is the one that you made.\n'), []);
    t.same(concepts('# Examples\n\nAn example is a short text.\n'), [], 'what pages consist of is none');
  },
);

t.test('limits, and what a heading says of a row in other words, are no objects of a table', async (t) => {
  const objects = (meaning: string, name: string) =>
    assembleText(`| Resource | ${meaning} |\n|---|---|\n| ${name} | as told |\n`).nodes('APIObject');
  t.same(objects('Purpose', 'Kiln'), ['Kiln']);
  t.same(objects('Purpose', 'Max firing time'), []);
  t.same(objects('What it does', 'Kiln'), ['Kiln']);
  t.same(objects('Relationship', '**Kiln**'), ['Kiln']);
  t.same(objects('What a new shop starts with', 'Kiln settings'), []);
});

t.test('the kind of a thing gives it no second name', async (t) => {
  const concepts = (text: string) => assembleText(text).nodes('Concept');
  t.same(concepts('# Event object\n\nEvents tell of kilns.\n'), []);
  t.same(
    concepts('# All of the kilns here\n\n## The `KilnRow` object\n\nThe `KilnRow` object is a row.\n'),
    [],
  );
});

t.test(
  'an entry of a catalog is about what its name says, and a decision or an operation is none',
  async (t) => {
    const { nodes } = assemble({
      'create-mug.md': '---\nname: Create Mug\n---\n\nAsks for a mug. It takes `POST /mugs`.\n',
      'order-desk.md': '---\nname: Order Desk System\n---\n\nIt keeps all orders.\n',
      'adr-1.md': '---\nname: Merge all shops\n---\n\nWe decided so.\n',
      'operation.md': '---\ntitle: Update Mug\n---\n\n`PUT /mugs/{id}`\n',
    });
    t.same(nodes('Concept'), ['Create Mug', 'Order Desk System']);
  },
);

t.test(
  'the front matter describes the object that the title names, and not what is done with it',
  async (t) => {
    const described = (path: string, text: string, key: string) =>
      assemble({ [path]: text })
        .facts.get(path)
        ?.mentions.find((mention) => mention.key === key && mention.declares)?.description;
    const page = (title: string, rest = '') =>
      `---\ntitle: ${title}\ndescription: What tea is in.\n---\n${rest}`;
    t.equal(described('entities/Mug.md', page('Mug'), 'concept:mug'), 'What tea is in.');
    t.equal(described('api/mug.md', page('The mug object'), 'concept:mug'), 'What tea is in.');
    t.equal(
      described('entities/Mug.md', page('Mug', '\nA mug holds a drink.\n'), 'concept:mug'),
      'A mug holds a drink.',
    );
    t.equal(
      described('mugs.md', page('Create a mug', '\n## Route\n\nPOST /mugs\n'), 'concept:mug'),
      undefined,
    );
  },
);
