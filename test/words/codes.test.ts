import t from 'tap';
import { codesIn, codeTerm, isNumberOf } from '../../src/words/codes.ts';
import { indexedTermsOf } from '../../src/words/tokens.ts';

t.test('a code is one word, whatever stands between its letters and its number', async (t) => {
  const terms = (text: string) => codesIn(text).map(({ term }) => term);
  t.same(terms('ADR-0007, adr-7, ERR_4012 and SHA-256'), ['adr7', 'adr7', 'err4012', 'sha256']);
  t.same(terms('(CVE-2031-0017)'), ['cve2031x17']);
  t.same(terms('OPS-0 is a code as well'), ['ops0']);
  t.equal(codeTerm('ADR', ['0007']), 'adr7');
});

t.test('it is told as it stands there', async (t) => {
  t.same(codesIn('what does ADR-0007 say?'), [{ word: 'adr-0007', term: 'adr7', numbers: ['0007'] }]);
});

t.test('what only looks like one is none', async (t) => {
  t.same(codesIn('2031-05-02, a-b-c, x-7b, é-7, 3-4, -12, sixteen--5, 1a-2, retry-after'), []);
});

t.test('a number belongs to a code that has it, with or without zeros in front', async (t) => {
  t.ok(isNumberOf('7', 'adr7'));
  t.ok(isNumberOf('0007', 'adr7'));
  t.notOk(isNumberOf('70', 'adr7'));
  t.notOk(isNumberOf('adr', 'adr7'));
  t.notOk(isNumberOf('7', 'adr'));
});

t.test('codes are indexed behind the words that they are made of', async (t) => {
  t.same(indexedTermsOf('See ADR-0007 for caching'), ['see', 'adr', '0007', 'cach', 'adr7']);
});
