import t from 'tap';
import { questionParts } from '../../src/retrieval/question-parts.ts';

t.test('a question that asks for several things has parts', async (t) => {
  t.same(questionParts('A plan renews: which bill is created and which call collects it?'), [
    'A plan renews',
    'which bill is created',
    'which call collects it?',
  ]);
  t.same(questionParts('one-off copies versus synchronised folders'), [
    'one-off copies',
    'synchronised folders',
  ]);
});

t.test('one that asks for one thing has none', async (t) => {
  for (const question of ['How do refunds work?', 'cards and customers', 'why: what is it', '', 'a: b: c']) {
    t.same(questionParts(question), [], question);
  }
});

t.test('there are four at most', async (t) => {
  t.equal(questionParts('red cars; green trees; blue skies; white clouds; black cats').length, 4);
});
