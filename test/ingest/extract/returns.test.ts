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
