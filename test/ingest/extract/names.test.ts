import t from 'tap';
import { bareName, conceptKeyOf, isName, isTelling } from '../../../src/ingest/extract/names.ts';
import { assemble, assembleText } from '../assembled.ts';

t.test('names are short noun phrases', async (t) => {
  for (const name of ['Charge', 'PaymentMethod', 'guild member', 'Space Lua', 'Pre-receive hook'])
    t.ok(isName(name), name);
  for (const name of ['', 'x', '42', 'a sentence that goes on and on', 'See: this', 'end of', '`x`', 'what?'])
    t.notOk(isName(name), name);
});

t.test('furniture of documents is no name', async (t) => {
  for (const name of [
    'Note',
    'Example',
    'Parameters',
    'Description',
    'Request Body',
    'Returns',
    'See also',
    'Below',
    'I want',
    'So that',
  ])
    t.notOk(isName(name), name);
});

t.test('how names begin is no name', async (t) => {
  for (const beginning of ['Kiln-', 'kiln_', 'kilns/']) t.notOk(isName(beginning), beginning);
  t.ok(isName('Kiln-fired clay'));
});

t.test('a vague word needs more than bold type to be a thing', async (t) => {
  t.ok(isName('Project'));
  t.notOk(isTelling('Project'));
  t.ok(isTelling('Invoice'));
});

t.test('words of norms and headings of templates are no things', async (t) => {
  const { nodes, edges } = assemble({
    'eip-1.md':
      '# Fees\n\n## Specification\n\nThe specification is a list. A client **MUST** have a **Base fee**.\n\n## Copyright\n\nCopyright and related rights are waived.\n',
    'runbooks/down.md': '# Down\n\n## Mitigation\n\nThe mitigation depends on the cause.\n',
    'b.md': '# Base fee\n\nClients **MUST** pay the **Base fee** and **SHOULD** have a **Must**.\n',
  });
  t.same(nodes('Concept'), ['Base fee', 'Down', 'Fees']);
  t.notOk(edges('references').some((edge) => /must|should/i.test(edge)));
});

t.test('headings that every document of a series has are no things', async (t) => {
  for (const name of ['Detailed design', 'Reference-level explanation', 'Future possibilities', 'Status quo'])
    t.notOk(isTelling(name), name);
  for (const name of ['Design token', 'Level', 'Status page']) t.ok(isTelling(name), name);
  const { nodes } = assemble({
    '12-slots.md': '# Slots\n\n## Detailed design\n\nThe detailed design is a list of steps.\n',
  });
  t.notOk(nodes('Concept').includes('Detailed design'));
});

t.test('articles, qualifiers and kinds are no part of a name', async (t) => {
  t.equal(bareName('a new Charge object'), 'Charge');
  t.equal(bareName('the updated guild member objects'), 'guild member');
  t.equal(bareName('List'), 'List');
  t.equal(conceptKeyOf(bareName('the Payment methods')), conceptKeyOf('payment_method'));
});

t.test('a word that tells what to do behind a label or a picture is no name', (t) => {
  const linesOf = (text: string) =>
    assembleText(`# Update object\n\n${text}`)
      .facts.get('page.md')
      ?.mentions.filter(({ key }) => key === 'concept:update')
      .map(({ line }) => line);
  t.same(linesOf('- **Docs**: Update the pages.\n- 🚨 Update them.\n'), [1]);
  t.same(linesOf('- It brings an Update of them.\n'), [1, 3]);
  t.same(linesOf('- **Type**: Update.\n'), [1, 3]);
  t.end();
});

t.test('the status of a response is no thing', async (t) => {
  for (const name of ['HTTP 406', 'HTTP status 404', 'Status code 2xx', 'HTTP 5XX error'])
    t.notOk(isName(name), name);
  t.ok(isName('HTTP 2 stream'));
  const { nodes } = assembleText(
    '# Carts API\n\n## Create a cart\n\n`POST /carts`\n\nResponds with **HTTP 406** if the shop is closed.\n',
  );
  t.same(nodes('APIObject'), ['Carts']);
});

t.test('a conjunction in capitals and what invites to act are no names', async (t) => {
  for (const text of ['AND', 'Or', 'Contact us', 'Read more']) t.notOk(isName(text), text);
  t.ok(isName('Contact'), 'one that is a noun may be');
});
