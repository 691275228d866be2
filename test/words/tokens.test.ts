import t from 'tap';
import { indexedTermsOf, namesIn, stemOf, termsOf, withWholeNames, wordsOf } from '../../src/words/tokens.ts';

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
  t.same(wordsOf(`${'a'.repeat(40)} ${'b'.repeat(41)}`), ['a'.repeat(40)], 'a word has 40 letters at most');
  const ofNames = 'Name'.repeat(29);
  t.equal(wordsOf(`${ofNames}Abc`).length, 30, 'a name has 119');
  t.equal(wordsOf(`${ofNames}Name`).length, 0);
});

t.test('a short name of few parts is one word, too, and no other is', async (t) => {
  const whole = (name: string): string[] => namesIn(name).map(({ parts }) => parts.join(' '));
  t.same(whole('aB aBC aBcDe'), ['a b', 'a bc', 'a bc de']);
  t.same(whole('aBcDeFg'), [], 'of four parts');
  t.same(
    whole(`${'a'.repeat(12)}B${'c'.repeat(11)}`),
    [`${'a'.repeat(12)} b${'c'.repeat(11)}`],
    '24 letters',
  );
  t.same(whole(`${'a'.repeat(12)}B${'c'.repeat(12)}`), []);
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

t.test('the plural of what is written in capitals is the same term', async (t) => {
  for (const [plural, term] of [
    ['APIs', 'api'],
    ['URLs', 'url'],
    ['IDs', 'id'],
    ['PDFs', 'pdf'],
  ] as const) {
    t.same(termsOf(plural), [term]);
    t.same(termsOf(`My${plural}Of`), [term]);
  }
  t.same(wordsOf('HTTPServer DNSSettings XMLs'), ['http', 'server', 'dns', 'settings', 'xmls']);
});

t.test('a word that ends with an s of its own and its plural are one term', async (t) => {
  for (const [plural, word] of [
    ['statuses', 'status'],
    ['bonuses', 'bonus'],
    ['aliases', 'alias'],
    ['canvases', 'canvas'],
    ['focused', 'focus'],
    ['menus', 'menu'],
    ['causes', 'cause'],
    ['databases', 'database'],
    ['viruses', 'virus'],
    ['OrderStatuses', 'OrderStatus'],
    ['overused', 'overuse'],
    ['perusing', 'peruse'],
    ['hypotenuses', 'hypotenuse'],
    ['tokenuses', 'tokenuse'],
  ] as const)
    t.same(termsOf(plural), termsOf(word), plural);
});

t.test('a version behind capitals is no part of them', async (t) => {
  t.same(wordsOf('TLSv1.3 IPv6'), ['tls', 'v1', '3', 'ip', 'v6']);
});

t.test('a name that is taken apart is looked for as one word, too', async (t) => {
  t.same(indexedTermsOf('MySQL and IPv6'), ['sql', 'mysql', 'ip', 'v6', 'ipv6']);
  t.same(indexedTermsOf('payment_method Refund'), ['payment', 'method', 'refund', 'payment·method']);
  t.same(indexedTermsOf('aNameOfManyPartsIsNone'), termsOf('aNameOfManyPartsIsNone'));
  t.same(namesIn('in JavaScript'), [
    { term: stemOf('javascript'), parts: ['java', 'script'], isCode: false },
  ]);
  t.equal(withWholeNames('a PaymentMethod, paid'), 'a paymentmethod, paid');
});
