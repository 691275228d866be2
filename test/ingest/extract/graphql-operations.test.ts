/** Operations of GraphQL, which are endpoints: in schemas, reference tables, headings, requests and prose. */
import t from 'tap';
import { assembleText } from '../assembled.ts';

const fence = (code: string) => `# Pottery\n\n\`\`\`graphql\n${code}\n\`\`\`\n`;

t.test('the root fields of a schema are operations, and return their types', async (t) => {
  const schema = `"""
type Query { described: No }
"""
type Mug { id: ID!, shelf(at: Int): Shelf }
extend type Query {
  # all: No
  shelves(first: Int = 3, by: [Order!]! = {a: "x"}): ShelfConnection!
  mug(id: ID!): Mug @deprecated(reason: "old")
  name: String
}
type Mutation { fireMug(input: FireInput): [Mug!]! }
schema { query: Query }`;
  const read = assembleText(fence(schema));
  t.same(read.nodes('Endpoint'), ['mutation fireMug', 'query mug', 'query name', 'query shelves']);
  t.same(read.edges('returns'), [
    'mutation fireMug -returns-> Mug',
    'query mug -returns-> Mug',
    'query shelves -returns-> Shelf',
  ]);
});

t.test('a request names the operations that it asks for', async (t) => {
  const request = `mutation FireMug($input: FireInput!) {
  fired: fireMug(input: $input) { code mug { id } }
  ...Rest
}
{ glazes { id } }
fragment Rest on Mutation { cool { id } }`;
  t.same(assembleText(fence(request)).nodes('Endpoint'), ['mutation fireMug', 'query glazes']);
  t.same(assembleText(fence(request).replace('graphql', 'js')).nodes('Endpoint'), [], 'in another language');
});

t.test('a table below the name of a root lists its operations, with the type of each', async (t) => {
  const rows =
    '| **FireMug** | [Mug](mug.md) | |\n| id | Int | Which |\n| **names** | [String] | All names |\n';
  const page = (heading: string) =>
    `# Reference\n\n## ${heading}\n\n| Field | Type | Description |\n|---|---|---|\n${rows}`;
  const read = assembleText(page('Root Mutation'));
  t.same(read.nodes('Endpoint'), ['mutation FireMug', 'mutation names']);
  t.same(read.edges('returns'), ['mutation FireMug -returns-> Mug']);
  t.same(assembleText(page('Mug')).nodes('Endpoint'), [], 'the fields of a thing');
  t.same(assembleText(page('Query')).nodes('Endpoint'), [], 'the parameters of a URL, most likely');
  t.same(assembleText(`${page('Query')}\nThis is GraphQL.\n`).nodes('Endpoint'), [
    'query FireMug',
    'query names',
  ]);
  const element = `# Root Query

<table><thead><tr><th>Field</th><th>Argument</th><th>Type</th><th>Description</th></tr></thead>
<tbody><tr><td colspan="2"><strong>Shelf</strong></td><td><a href="shelf">Shelf</a>!</td><td></td></tr>
<tr><td colspan="2">id</td><td><a href="int">Int</a></td><td>Which</td></tr></tbody></table>
`;
  t.same(assembleText(element).edges('returns'), ['query Shelf -returns-> Shelf']);
});

t.test('a heading below the name of a root is an operation, of which its section tells', async (t) => {
  const page = (parent: string, title = 'GraphQL API') =>
    `# ${title}\n\n## ${parent}\n\n### fireMug\n\nReturns a \`Mug\` object.\n\n### Errors\n\nNone.\n`;
  t.same(assembleText(page('Mutations')).edges('returns'), ['mutation fireMug -returns-> Mug']);
  t.same(assembleText(page('Functions')).nodes('Endpoint'), []);
  t.same(assembleText(page('Mutations', 'Store')).nodes('Endpoint'), [], 'mutations of a store');
});

t.test('what prose calls a mutation or a GraphQL query is one, and no event', async (t) => {
  const read = (line: string, title = 'Events of GraphQL') => assembleText(`# ${title}\n\n${line}\n`);
  t.same(read('Use the `fireMug` mutation to fire one.').nodes('Endpoint'), ['mutation fireMug']);
  t.same(read('The `mugs` GraphQL query lists them.').nodes('Endpoint'), ['query mugs']);
  t.same(read('Use the `fireMug` mutation to fire one.').nodes('Event'), []);
  for (const line of ['The `name` query parameter filters.', 'A `mug` mutates into another.'])
    t.same(read(line).nodes('Endpoint'), [], line);
  const mutation = 'Use the `fireMug` mutation to fire one.';
  t.same(read(mutation, 'Caches').nodes('Endpoint'), [], 'of a cache');
});

t.test('a guide that only calls operations is no reference of an API', async (t) => {
  const guide = (code: string) =>
    assembleText(`# Ovens\n\n${code}\n\nThe kiln uses the Fire Store.\n\n## Fire Store\n\nFast and warm.\n`);
  const request = '```graphql\nmutation { fireMug(id: 1) { id } }\n```';
  for (const code of ['', request, 'With GraphQL, the `fireMug` mutation does it.'])
    t.same(guide(code).nodes('Concept'), ['Fire Store', 'Ovens'], code);
  const schema = '```graphql\ntype Mutation { fireMug: Boolean }\n```';
  t.same(guide(schema).nodes('Concept'), ['Ovens'], 'what a schema stands in is one');
});
