import t from 'tap';
import { EVERYDAY, expressionsIn, PASSED_OVER } from '../../src/words/expressions.ts';
import { wordsOf } from '../../src/words/tokens.ts';

function namesFor(question: string): readonly string[] {
  return expressionsIn(wordsOf(question)).flatMap(({ names }) => names);
}

t.test('an expression leads to what documentation calls it', async (t) => {
  t.ok(namesFor('how do customers get their money back').includes('refund'));
  t.ok(
    namesFor('it will not let me, my phone was stolen and I lose my phone again').includes('recovery codes'),
  );
  t.same(namesFor('what is a refund'), [], 'and never the other way');
});

t.test('words may stand in any form, and others between them', async (t) => {
  t.ok(namesFor('give money back').includes('refund'));
  t.ok(namesFor('giving him the money back').includes('refund'));
  t.ok(namesFor('give a customer all her money back').includes('refund'));
  t.same(namesFor('give a customer who has paid long ago money back'), [], 'but not a whole sentence');
});

t.test('what is done to anything at all has names, too', async (t) => {
  t.ok(namesFor('make the disk bigger while it is in use').includes('expand'));
  t.ok(namesFor('the end of a title is cut off').includes('truncate'));
  t.ok(namesFor('the plan was called off').includes('cancel'));
  const certaintyOf = (question: string) => expressionsIn(wordsOf(question))[0]?.certainty ?? 0;
  t.ok(certaintyOf('make it bigger') < certaintyOf('give money back'), 'and is less sure to be meant');
});

t.test('the fields that products are written about have theirs', async (t) => {
  const fields = [
    ['remind me later about this message', 'snooze'],
    ['send nothing until morning', 'quiet hours'],
    ['I want to use my own domain for it', 'custom domain'],
    ['turn the heating down when nobody is home', 'presence'],
    ['which notes mention this person', 'backlinks'],
    ['it forgets what I said an hour ago', 'context window'],
    ['several guests may book the same slot: many people same time', 'seats'],
    ['the film stutters in the evening', 'transcoding'],
    ['run the same steps with many versions', 'matrix'],
    ['only that person sees the answer', 'ephemeral'],
    ['nothing to ship, the goods are files', 'digital'],
    ['our old users keep their passwords', 'import users'],
  ] as const;
  for (const [question, name] of fields) t.ok(namesFor(question).includes(name), question);
});

t.test('a single everyday word is less sure to be meant', async (t) => {
  const certaintyOf = (question: string) => expressionsIn(wordsOf(question))[0]?.certainty ?? 0;
  t.ok(namesFor('the boss').includes('admin'));
  t.ok(certaintyOf('the boss') < certaintyOf('give money back'));
  t.same(namesFor('an admin'), []);
});

t.test('the places are those of the words', async (t) => {
  const [found] = expressionsIn(['please', 'give', 'him', 'the', 'money', 'back']);
  t.same(found?.places, [1, 4, 5]);
});

t.test('each line is one, and each expression of it stands once and is found', async (t) => {
  const form = /^[a-z0-9'-][a-z0-9' |+-]* > [a-z0-9'][a-z0-9'+_ ,./-]*$/;
  t.same(
    EVERYDAY.filter((line) => !form.test(line)),
    [],
  );
  const expressions = EVERYDAY.flatMap((line) => line.slice(0, line.indexOf(' > ')).split(' | '));
  const twice = expressions.filter((one, index) => expressions.indexOf(one) !== index);
  t.same(twice, []);
  t.same(
    expressions.filter((one) => namesFor(one).length === 0),
    [],
  );
  t.same(
    expressions.filter((one) => PASSED_OVER.has(wordsOf(one)[0] ?? '')),
    [],
    'and begins with a word that is its own',
  );
  const toItself = EVERYDAY.filter((line) => {
    const [left = '', right = ''] = line.split(' > ');
    return left.split(' | ').some((one) => right.split(', ').includes(one));
  });
  t.same(toItself, []);
});
