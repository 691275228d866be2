import t from 'tap';
import { identifiersIn, isIdentifier } from '../../src/words/identifiers.ts';
import { indexedTermsOf, termsOf } from '../../src/words/tokens.ts';

const said = (text: string) => identifiersIn(text).map(({ term }) => term);

t.test('an identifier is one term, whatever joins its words and in any case', async (t) => {
  t.same(said('skip_log, Skip-Log or skip.log'), ['skip·log', 'skip·log', 'skip·log']);
  t.same(said('`ERR_BODY_TOO_LARGE`: see app.config.js.'), ['err·body·too·large', 'app·config·js']);
  t.same(said('in us-east-1 by sha-256'), ['us·east·1', 'sha·256']);
  t.ok(said('skip_log').every(isIdentifier));
  t.notOk(isIdentifier('skip'));
});

t.test('what is none is none', async (t) => {
  t.same(said('log, and skip. A __proto__ or _id of 2031-04-05 in 1.2.3'), []);
  t.same(said('4e1b2c5d-99aa-4bcd-8f01-23456789abcd'), [], 'what no name begins with');
  t.same(said(`${'a'.repeat(20)}_${'b'.repeat(20)}`), [], 'a blob');
});

t.test('words with a hyphen between them may be English', async (t) => {
  const code = identifiersIn('two-factor If-Match data_api utf-8').filter(({ isCode }) => isCode);
  t.same(
    code.map(({ term }) => term),
    ['data·api', 'utf·8'],
  );
});

t.test('identifiers stand behind the terms of their words', async (t) => {
  t.same(indexedTermsOf('skip_log now'), [...termsOf('skip log now'), 'skip·log']);
});
