import t from 'tap';
import { stemOf, termsOf, wordsOf } from '../../src/words/tokens.ts';

t.test('one name in three spellings has the same words', async (t) => {
  for (const name of [
    'PaymentMethod',
    'payment_method',
    'payment method',
    'paymentMethod',
    'payment-method',
  ]) {
    t.same(wordsOf(name), ['payment', 'method'], name);
  }
});

t.test('what stands together in capitals is one word', async (t) => {
  t.same(wordsOf('HTTPServer'), ['http', 'server']);
  t.same(wordsOf('GET /v1/charges/{id}'), ['get', 'v1', 'charges', 'id']);
});

t.test('marks and compatibility forms are folded', async (t) => {
  t.same(wordsOf('Café Übergröße ﬁle'), ['cafe', 'ubergroße', 'file']);
});

t.test('a script without spaces is taken in pairs', async (t) => {
  t.same(wordsOf('返金処理'), ['返金', '金処', '処理']);
  t.same(wordsOf('税'), ['税']);
});

t.test('blobs are no words', async (t) => {
  t.same(wordsOf(`key ${'a1'.repeat(40)} end`), ['key', 'end']);
});

t.test('forms of a word are one term, and a question loses what says nothing', async (t) => {
  t.same(termsOf('How are charges refunded?'), termsOf('refunding a charge').toReversed());
  t.equal(stemOf('402'), '402');
});

t.test('a text is the same words however long its lines are, and whatever stands between them', async (t) => {
  t.same(wordsOf('it’s “quoted”—and so on…'), ['it', 's', 'quoted', 'and', 'so', 'on']);
  t.equal(wordsOf('返金処理。'.repeat(200)).length, 600);
  t.same(wordsOf(`${'paymentMethod'.repeat(20)} end`), ['end']);
  t.same(wordsOf('naïve\u00a0PaymentMethod'), ['naive', 'payment', 'method']);
});
