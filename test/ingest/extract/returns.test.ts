import t from 'tap';
import { assembleText } from '../assembled.ts';

/** What a section about responses says its endpoint returns. */
function returned(text: string): string[] {
  return assembleText(
    `# Invoices\n\n## Create an invoice\n\n\`POST /v1/invoices\`\n\n### Responses\n\n${text}`,
  )
    .edges('returns')
    .map((edge) => edge.replace('POST /v1/invoices -returns-> ', ''));
}

t.test('what a section about responses names is returned', async (t) => {
  t.same(returned('An array of [Fee](fee.md)'), ['Fee']);
  t.same(returned('The **Invoice** that was made'), ['Invoices']);
  t.same(returned('- [Fee](fee.md): what one item costs'), ['Fee']);
});

t.test('labels in it head what follows, and are no things', async (t) => {
  const text = [
    '**Possible reasons are:**',
    '* The API key expired',
    '',
    '**Payment problems**:',
    '* none',
    '',
    '**Possible resources:** `add_on`, `customer`',
  ].join('\n');
  t.same(returned(text), []);
  t.same(
    assembleText(text)
      .nodes('APIObject')
      .filter((name) => /possible|problem/i.test(name)),
    [],
  );
});

t.test('what it says of a request that failed is not returned', async (t) => {
  t.same(returned('* The `Authorization` header is missing'), []);
  t.same(returned('The **Customer** was not found'), []);
  t.same(returned('The **Subscription** has already expired'), []);
});

t.test('a thing that another heading of the page names by its path is known in all of them', async (t) => {
  const page = [
    '# Secondary kilns API',
    '## List primary kilns\n\n`GET /kilns/primaries`\n',
    '## Retrieve a primary kiln\n\n`GET /kilns/primaries/:primary_kiln`\n',
    '## Create a primary kiln\n\n`POST /kilns/primaries`\n\nResponds with HTTP 201 on success, renders the primary kiln.\n',
  ].join('\n\n');
  t.same(assembleText(page).edges('returns'), [
    'GET /kilns/primaries -returns-> primary kilns',
    'GET /kilns/primaries/:primary_kiln -returns-> primary kilns',
    'POST /kilns/primaries -returns-> primary kilns',
  ]);
});

t.test('what is downloaded is returned', async (t) => {
  t.same(assembleText('## Download an invoice\n\n`GET /invoices/{id}/pdf`\n').edges('returns'), [
    'GET /invoices/{id}/pdf -returns-> invoice',
  ]);
});

t.test('records that a path has behind a thing are not that thing', async (t) => {
  const page =
    '# Zones API\n\n## List zones\n\n`GET /zones`\n\n## List zone records\n\n`GET /zones/{id}/records`\n';
  t.same(assembleText(page).edges('returns'), ['GET /zones -returns-> Zones']);
});

t.test('a section named like a response returns nothing where there is no endpoint', async (t) => {
  const { nodes } = assembleText('# Kilns\n\n### Response\n\n- [Cooling a kiln](cool.md)\n- A **Kiln**\n');
  t.same(nodes('APIObject'), []);
});

t.test('a model that heads a list of errors is not returned', async (t) => {
  const edges = (item: string) =>
    assembleText(
      `# Create a kiln\n\n\`POST /kilns\`\n\n## Glaze model\n\n| Attribute | Type |\n|---|---|\n| colour | String |\n\n## Responses\n\n- ${item}\n`,
    ).edges('returns');
  t.same(edges('Glaze model:'), []);
  t.same(edges('A Glaze'), ['POST /kilns -returns-> Glaze']);
});
