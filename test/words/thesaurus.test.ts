import t from 'tap';
import { openThesaurus } from '../../src/words/thesaurus.ts';

const thesaurus = openThesaurus();
t.teardown(() => thesaurus.close());

t.test('what means the same is nearer than what is more general', async (t) => {
  const near = thesaurus.related('bill');
  const invoice = near.get('invoice') ?? 0;
  const document = near.get('legal document') ?? 0;
  t.ok(invoice > document, `invoice ${invoice}, legal document ${document}`);
  t.ok(document > 0);
});

t.test('any form of a word is found', async (t) => {
  for (const form of ['bills', 'billing', 'billed']) t.ok(thesaurus.related(form).get('invoice'), form);
  t.ok(thesaurus.related('categories').get('class'), 'a plural in -ies');
  t.ok(thesaurus.related('stopped').get('halt'), 'a doubled letter');
});

t.test('the first and the last word of an index are found', async (t) => {
  t.ok(thesaurus.related('zymosis').size > 0);
  t.ok(thesaurus.related('zymotic').size > 0);
  t.ok(thesaurus.related('a').size > 0);
});

t.test('a word is never related to itself, and an unknown one to nothing', async (t) => {
  t.notOk(thesaurus.related('bill').has('bill'));
  t.equal(thesaurus.related('kgraphfs').size, 0);
  t.equal(thesaurus.related('').size, 0);
});
