import t from 'tap';
import { baseOf, formsOf } from '../../src/words/word-forms.ts';

t.test('irregular forms lead to each other, and to their base', async (t) => {
  t.same(formsOf('sent'), ['send']);
  t.same(formsOf('go'), ['went', 'gone']);
  t.equal(baseOf('went'), 'go');
  t.equal(baseOf('go'), 'go');
  t.equal(baseOf('refund'), 'refund');
  t.same(formsOf('indices'), ['index']);
});

t.test('a word is found in British and in American spelling', async (t) => {
  for (const [british, american] of [
    ['synchronised', 'synchronized'],
    ['organisations', 'organizations'],
    ['behaviour', 'behavior'],
    ['centre', 'center'],
    ['catalogue', 'catalog'],
    ['licence', 'license'],
    ['analyse', 'analyze'],
  ] as const) {
    t.ok(formsOf(british).includes(american), american);
    t.ok(formsOf(american).includes(british), british);
  }
  for (const word of ['four', 'hour', 'size', 'rise', 'her'])
    t.same(
      formsOf(word).filter((form) => form.length < 4),
      [],
      word,
    );
});
